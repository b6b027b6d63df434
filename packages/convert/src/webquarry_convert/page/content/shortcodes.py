"""Shortcodes that a plugin of the page's software has left in the text: `[vc_row width="1/2"]…[/vc_row]`.

Only their brackets are removed. The text between them is content.
"""

import re

from webquarry_convert.page.content.selection import Selection
from webquarry_convert.tree import Node, Tree, read_texts

MAX_ATTRIBUTES = 40
_NAME = r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*"
_VALUE = r"(?:\"[^\"\[\]]{0,2000}\"|“[^”\[\]]{0,2000}[”″]|″[^″\[\]]{0,2000}″|”[^”\[\]]{0,2000}”|'[^'\[\]]{0,2000}')"
_OPENING = re.compile(rf"\[({_NAME})(?:\s+[\w-]{{1,40}}={_VALUE}){{1,{MAX_ATTRIBUTES}}}\s*/?\]")
_CLOSING = re.compile(rf"\[/({_NAME})\]")
_VENDOR = re.compile(r"(?:vc|et_pb|fusion|av|mk|ux|su|fl|bs|cs|thb|nectar|rev|tatsu|oxygen|ct)_[a-z0-9_]+")
"""Matches names that only page builders use."""
_BARE = re.compile(rf"\[/?({_NAME})(?:\s[^\[\]]{{0,2000}})?/?\]")
_FORUM = frozenset(("b", "i", "u", "s", "url", "img", "code", "quote", "list", "size", "color", "email", "spoiler"))
"""Tags of forum markup, which posts about forum markup show as text."""
_CODE = frozenset({"pre", "code", "kbd", "samp", "tt", "textarea", "script"})


def remove_shortcodes(selection: Selection) -> None:
    """Remove shortcodes from kept texts, and drop texts that contain nothing else.

    A name in brackets is a shortcode if it has attributes with quoted values, or if only a page builder uses it. If the
    page also shows the name in code, the name is the page's subject and is kept.
    """
    blocks, tree = selection.blocks, selection.blocks.tree
    found = [
        number
        for number, block in enumerate(blocks.all)
        if selection.kept[number] and "[" in block.text and tree[block.place].tag not in _CODE
    ]
    names = _find_names("\n".join([blocks.all[number].text for number in found]))
    if names:
        names -= _find_names_in_code(tree)
    for number in found if names else ():
        block = blocks.all[number]
        _clean(tree[block.place], block.first, block.last, names)
        if not _strip(block.text, names).strip():
            selection.drop((number,))


def _find_names(text: str) -> set[str]:
    names = {*_OPENING.findall(text)}
    names.update(name for name in _BARE.findall(text) if _VENDOR.fullmatch(name))
    return names - _FORUM


def _find_names_in_code(tree: Tree) -> set[str]:
    codes = ("".join(read_texts(node.children)) for node in tree if node.tag in _CODE)
    return {name for code in codes if "[" in code for name in _BARE.findall(code)}


def _clean(node: Node, first: int, last: int, names: set[str]) -> None:
    """Remove the shortcodes from the texts in a run of children."""
    waiting = [(node, range(first, last))]
    while waiting:
        around, places = waiting.pop()
        for at in places:
            child = around.children[at]
            if isinstance(child, str):
                if "[" in child:
                    around.children[at] = _strip(child, names)
            elif child.tag not in _CODE:
                waiting.append((child, range(len(child.children))))


def _strip(text: str, names: set[str]) -> str:
    return _BARE.sub(lambda found: "" if found[1] in names else found[0], text)
