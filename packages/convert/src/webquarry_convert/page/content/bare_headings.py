"""Headings without content: above a list that is still being loaded, or above a form for a reply."""

from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.content.stray_lines import is_waiting_line

_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
_RANKED = _HEADINGS | {"h1"}
_FORMS = frozenset({"form", "textarea"})
MAX_TEXTS = 40
MAX_NODES = 200
"""Maximum number of texts and elements that are examined after a heading."""


def drop_bare_headings(selection: Selection) -> None:
    """Drop headings whose section has no kept text, but has a form or a line that announces text."""
    blocks = selection.blocks
    for number, block in enumerate(blocks.all):
        if selection.kept[number] and blocks.tags[block.place] in _HEADINGS:
            section = _find_section(selection, number)
            if not any(selection.kept[section.start : section.stop]) and _is_for_later(selection, number, section):
                selection.drop((number,))


def _find_section(selection: Selection, number: int) -> range:
    """Return the numbers of the blocks after a heading, up to the next heading of the same or a higher rank."""
    blocks = selection.blocks
    rank = blocks.tags[blocks.all[number].place]
    end = min(number + 1 + MAX_TEXTS, len(blocks.all))
    for after in range(number + 1, end):
        tag = blocks.tags[blocks.all[after].place]
        if tag in _RANKED and tag <= rank:
            return range(number + 1, after)
    return range(number + 1, end)


def _is_for_later(selection: Selection, number: int, section: range) -> bool:
    """Return whether a section contains a line that announces text, or the heading's parent contains a form."""
    blocks = selection.blocks
    if any(is_waiting_line(block.text) for block in blocks.all[section.start : section.stop]):
        return True
    tree, heading = blocks.tree, blocks.tree[blocks.all[number].place]
    end = min(heading.end + MAX_NODES, tree[heading.up].end)
    if section.stop < len(blocks.all):
        end = min(end, blocks.all[section.stop].place)
    return any(node.tag in _FORMS for node in tree[heading.end : end])
