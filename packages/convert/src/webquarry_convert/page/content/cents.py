"""Cents written as a superscript after a price, usually without a separator: `173<sup>34</sup> Lei`."""

import re

from webquarry_convert.page.content.facts import has_sum
from webquarry_convert.page.head.places import collect_text
from webquarry_convert.tree import Node, Tree

BESIDE = 2
"""Number of neighbors on each side that are searched for the number and its currency."""
MAX_CHARS = 24
_CENTS = re.compile(r"\s*[.,]?(\d\d(?!\d)\D{0,6})")
_BOLD = frozenset({"b", "strong"})
_WHOLE = re.compile(r"([^\s\d]{0,3}\s?)((?<!\d)\d[\d.,' \u00a0\u202f]{0,12})\Z")


def join_cents(tree: Tree) -> None:
    """Turn raised cents into plain text with a decimal separator, which makes the price `173.34 Lei`.

    Bold is removed from the whole number: `$<b>19</b><sup>.99</sup>` reads `$19.99`.
    """
    for parent in {node.up for node in tree if node.tag == "sup" and node.up >= 0}:
        children = tree[parent].children
        for at, child in enumerate(children):
            if at and isinstance(child, Node) and child.tag == "sup" and (whole := _find_whole(children, at)):
                _join(children[at - 1], child, whole)


def _join(before: Node | str, cents: Node, whole: str) -> None:
    """Turn cents into plain text.

    before: the preceding sibling. whole: the whole number before the cents.
    """
    cents.tag = "span"
    if isinstance(before, Node) and before.tag in _BOLD:
        before.tag = "span"
    if whole[-1].isdigit() and not _read(cents).lstrip().startswith((".", ",")):
        cents.children[:0] = ["," if "." in whole else "."]


def _find_whole(children: list[Node | str], at: int) -> str:
    """Return the whole number before the cents at this index, or "" if the child is not cents."""
    cents = _CENTS.fullmatch(_read(children[at]))
    if cents is None:
        return ""
    before = "".join([_read(child)[-MAX_CHARS:] for child in children[max(at - BESIDE, 0) : at]])
    behind = "".join([_read(child)[:MAX_CHARS] for child in children[at + 1 : at + 1 + BESIDE]]).split(maxsplit=1)
    found = _WHOLE.search(before)
    if found is None:
        return ""
    currency = behind[0] if behind else ""
    is_price = has_sum(f"{found[0]}.{cents[1]}") or has_sum(f"{found[2]}.{cents[1]} {currency}")
    return found[2].rstrip() if is_price else ""


def _read(child: Node | str) -> str:
    return child if isinstance(child, str) else collect_text(child, MAX_CHARS)
