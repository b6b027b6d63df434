"""Adjacent texts that only a style sheet separates: labels and their values, and the parts of a heading."""

import re
from collections.abc import Container
from functools import lru_cache
from itertools import islice
from typing import TypeGuard

from webquarry_convert.tree import Node, walk

MIN_LABEL = 3
MAX_LABEL = 30
"""Maximum number of characters of a label."""
MIN_PART = 2
"""Minimum number of characters of a heading part; a single letter is an enlarged initial."""
MAX_DEPTH = 4
"""Maximum depth within a heading that is searched for its parts."""
PARTS = frozenset({"span", "a", "time", "strong", "b", "small", "label", "data", "cite", "abbr", "bdi"})
"""Elements that may contain a separate text, such as a name, a date or a type."""
MAX_CLASS = 100
"""Maximum number of characters of a class that are read."""
MIN_ROWS = 2
"""Minimum number of similar list items."""
CURRENCIES = frozenset("$€£¥₹₽₩₺₴")
_TELLING = re.compile(r"[A-Za-z]{3}")
"""Matches consecutive letters, which meaningful classes contain.

The numbered classes of editors may divide a word anywhere.
"""
_KINDS = frozenset(
    [
        "author",
        "creator",
        "user",
        "username",
        "name",
        "date",
        "datetime",
        "time",
        "published",
        "type",
        "kind",
        "label",
        "value",
        "key",
        "term",
        "title",
        "price",
        "amount",
        "unit",
        "quantity",
        "method",
        "path",
        "status",
        "version",
        "location",
        "company",
        "day",
        "weekday",
        "month",
        "year",
        "tag",
        "chip",
        "badge",
    ]
)
"""Words in classes that describe the meaning of a text rather than its appearance."""
_LABELS = frozenset({"label", "key", "term"})
_NAMES = _LABELS | {"title", "name"}
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)\]]")
"""Matches the number of a paragraph or an item."""
_WORDS = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
_NUMBER = re.compile(r"\d[\d./-]{3,40}")
_SUM = re.compile(rf"[{''.join(sorted(CURRENCIES))}]\s?\d[\d.,]*\Z")
_MEASURED = re.compile(r"\d[\d.,]*+\s*+(?:%|(?:[^\W\d_]{2,}[\s,.]++){2})")
"""Matches a percentage, or a number followed by words. Further digits of the preceding number do not match."""


def divide_label(children: list[Node | str]) -> list[Node | str]:
    """Return the children of an element with a colon inserted between label and value, or unchanged.

    The first two children must be `span`s without a space between them that read as label and value, followed only by
    empty elements.

        `<span>About</span><span>A gardener`  →  `About: A gardener`
        `<span>EAN code</span><span>4006381333931`  →  `EAN code: 4006381333931`
        `<strong>SKU</strong><div class="value">24-WB98`  →  `**SKU**: 24-WB98`
    """
    if len(children) < 2:
        return children
    last = children[-1]
    if isinstance(last, Node) and last.tag == "div" and last.children:
        return _divide_name(children)
    label, value = _read_only_text(children[0]), _read_first_text(children[1])
    if not _are_label_and_value(label, value) or any(map(_says_something, children[2:])):
        return children
    return [children[0], ": ", *children[1:]]


def _says_something(child: Node | str) -> bool:
    return isinstance(child, str) or bool(child.children)


def _read_first_text(child: Node | str) -> str:
    """Return the text with which a `span` begins, or "" for anything else."""
    if isinstance(child, str) or child.tag != "span" or child.is_dropped or not child.children:
        return ""
    text = child.children[0]
    return text if isinstance(text, str) else ""


def _read_only_text(child: Node | str) -> str:
    """Return the text of a `span` without other content, or "" for anything else."""
    return _read_first_text(child) if isinstance(child, Node) and len(child.children) == 1 else ""


def _are_label_and_value(label: str, value: str) -> bool:
    if not (value and _is_label(label) and label[0].isupper() and (value[0].isupper() or value[0].isdigit())):
        return False
    return " " in value.strip() or _NUMBER.fullmatch(value.rstrip()) is not None


def _divide_name(children: list[Node | str]) -> list[Node | str]:
    """Return the children with a colon inserted between a text and a following block with a value, or unchanged."""
    parts = [child for child in children if not isinstance(child, str) or not child.isspace()]
    if len(parts) != 2:
        return children
    name, value = parts
    if isinstance(name, str) or name.tag not in PARTS or name.is_dropped:
        return children
    said = _read_value(value)
    if said is None or not _is_label(_read_edge(name, -1)[0].rstrip()):
        return children
    return [name, ": ", said.lstrip()]


def _read_value(child: Node | str) -> str | None:
    """Return the text of an element with a class for values if it has no other content, or else None."""
    if isinstance(child, str) or child.is_dropped or len(child.children) != 1:
        return None
    text = child.children[0]
    return text if isinstance(text, str) and "value" in _read_kinds(child.attributes.get("class")) else None


def _is_label(text: str) -> bool:
    return MIN_LABEL <= len(text) <= MAX_LABEL and text[-1].isalnum()


def divide_items(items: list[Node | str]) -> None:
    """Separate the two texts of each item if all items of a list consist of two elements without a space between them.


    The elements are a name and its value, or a link and its count.

        `<li><span>Brand</span><span>Nordwerk`  →  `Brand: Nordwerk`
        `<li><a href="/loom">Looms</a><span>12`  →  `Looms 12`
    """
    rows = [item for item in items if isinstance(item, Node)]
    if len(rows) >= MIN_ROWS and all(map(_is_row, rows)):
        for row in rows:
            first = row.children[0]
            row.children.insert(1, " " if isinstance(first, Node) and first.tag == "a" else ": ")


def _is_row(item: Node) -> bool:
    if len(item.children) != 2:
        return False
    first, second = item.children
    if not (_is_text_element(first, ("span", "a")) and _is_text_element(second, ("span",))):
        return False
    name, value = _read_edge(first, -1)[0], _read_edge(second, 0)[0]
    return len(name) >= MIN_LABEL and name[0].isalpha() and name[-1].isalnum() and value[:1].isalnum()


def _is_text_element(child: Node | str, tags: Container[str]) -> TypeGuard[Node]:
    return isinstance(child, Node) and child.tag in tags and not child.is_dropped


def find_gap(first: Node, second: Node) -> str:
    """Return the separator between two adjacent elements of `PARTS` that only a style sheet separates.

    Returns a space if one of them is a date, if their classes differ and are meaningful, or if both consist of several
    elements; a colon and a space after a label, and before a phone number or email address; otherwise "".

    `<a class="author">Ib</a><time>4 May`  →  `Ib 4 May`
    `<span class="name">limit</span><span class="type">integer`  →  `limit integer`
    `<span class="row-label">Serves</span><span class="row-value">4`  →  `Serves: 4`
    `<span>Phone</span><a href="tel:+4420…">+44 20 …`  →  `Phone: +44 20 …`
    `<span class="no">(a)</span><span class="text">Who`  →  `(a) Who`
    `<span class="tag">Oak wood</span><span class="tag">Lathe`  →  `Oak wood Lathe`
    `<span class="fact"><b>Size: </b><i>4 cm</i></span><span class="fact"><b>Sort: …`  →  `Size: 4 cm Sort: …`
    `<span class="c1">exam</span><span class="c2">ple`, `<i class="big">exam</i><i class="red">ple`,
    `<b class="whole">19</b><b class="cents">99`: unchanged
    `<i>$98</i><i>List price: $130</i>`  →  `$98 List price: $130`
    `<i>$130</i><i>25 % off`, `<i>31</i><i>4.5 out of 5 stars`  →  `$130 25 % off`, `31 4.5 out of 5 stars`
    """
    end, ends_day = _read_edge(first, -1)
    start, begins_day = _read_edge(second, 0)
    if not _is_in_word(end[-1:]):
        return " " if start[:1].isalpha() and _is_enumerator(first, end) else ""
    if _leads_to_person(second) and first.tag != "a" and MIN_LABEL <= len(end) <= MAX_LABEL:
        return ": "
    if not _begins_word(start):
        return ""
    if ends_day or begins_day or _is_behind_figure(second, start, end):
        return " "
    if first.attributes.get("class") == second.attributes.get("class"):
        return " " if _are_alike_and_apart(first, second, end, start) else ""
    return _find_gap_by_classes(first, second, end, start)


def _is_enumerator(node: Node, text: str) -> bool:
    """Return whether an element contains only the number of a paragraph or an item. text: the element's last text."""
    return len(node.children) == 1 and _ENUMERATOR.fullmatch(text) is not None


def _begins_word(text: str) -> bool:
    return _is_in_word(text[:1]) or text[:1] == "/"


def _are_alike_and_apart(first: Node, second: Node, end: str, start: str) -> bool:
    """Return whether two elements with the same class contain separate texts."""
    names = first.attributes.get("class")
    if _is_telling(names) and _is_made_of_several(first) and _is_made_of_several(second):
        return True
    return bool(_read_kinds(names)) and _are_texts(end, start)


def _find_gap_by_classes(first: Node, second: Node, end: str, start: str) -> str:
    """Return the separator between elements with different classes. end, start: the texts that meet at the boundary."""
    names, others = first.attributes.get("class"), second.attributes.get("class")
    kinds, other_kinds = _read_kinds(names), _read_kinds(others)
    if end[-1].isdigit() and start[0].isdigit():
        return " " if kinds != other_kinds and not kinds.isdisjoint(_NAMES) else ""
    if kinds != other_kinds and (not _is_letter(start) or (end[-1].isdigit() and "unit" in other_kinds)):
        return ": " if "value" in other_kinds and not kinds.isdisjoint(_LABELS) else " "
    are_divided = _are_parted(end, start) and (_is_telling(names) or _is_telling(others))
    return " " if are_divided else ""


def _are_parted(end: str, start: str) -> bool:
    """Return whether adjacent texts may be more than one word. A word may have an enlarged initial."""
    if _is_letter(end):
        return False
    return end[-1].isdigit() or (start[0].isupper() and not _is_letter(start))


def _are_texts(end: str, start: str) -> bool:
    """Return whether two texts are not parts of one word."""
    return len(end) >= MIN_LABEL and len(start) >= MIN_LABEL and start[0].isupper() and not end.isupper()


def _is_behind_figure(second: Node, start: str, end: str) -> bool:
    """Return whether an element after a final digit does not continue the number.

    The element may begin with words after an amount of money, a percentage, or another number and the noun that it
    counts.
    """
    if not end[-1].isdigit():
        return False
    if start[0].isdigit():
        return _MEASURED.match(_read_text(second)) is not None
    return start[0].isupper() and len(start) >= MIN_LABEL and _SUM.search(end) is not None


def _leads_to_person(node: Node) -> bool:
    target = node.attributes.get("href") if node.tag == "a" else None
    return target is not None and target.lstrip()[:7].lower().startswith(("tel:", "mailto:"))


def _is_made_of_several(node: Node) -> bool:
    return sum(child.__class__ is not str for child in node.children) > 1


def _is_telling(names: str | None) -> bool:
    return names is not None and _TELLING.search(names[:MAX_CLASS]) is not None


def _read_kinds(names: str | None) -> frozenset[str]:
    """Return the words in classes that describe the meaning of a text."""
    return _find_kinds(names[:MAX_CLASS]) if names else frozenset()


@lru_cache(maxsize=2048)
def _find_kinds(names: str) -> frozenset[str]:
    return _KINDS.intersection(map(str.lower, _WORDS.findall(names)))


def _is_in_word(sign: str) -> bool:
    """Return whether a character belongs to a word that white space ends. Returns False for ""."""
    return sign.isalnum() and not "\u2e80" <= sign <= "\u9fff"


def _is_letter(text: str) -> bool:
    """Return whether a text is a single letter, such as an enlarged initial."""
    return len(text) < MIN_PART and text.isalpha()


def _read_edge(node: Node, at: int) -> tuple[str, bool]:
    """Return the first (at 0) or last (at -1) text in an element, and whether it is in a `time`.

    The text is "" if the element begins or ends with something else.
    """
    is_day = False
    for _ in range(MAX_DEPTH):
        if node.is_dropped or not node.children:
            break
        is_day = is_day or node.tag == "time"
        edge = node.children[at]
        if isinstance(edge, str):
            return edge, is_day
        node = edge
    return "", False


def _read_text(node: Node) -> str:
    """Return the beginning of the text in an element."""
    text = ""
    for current in islice(walk([node]), 2 * MAX_LABEL):
        if isinstance(current, str):
            text += current[:MAX_LABEL]
        if len(text) > MAX_LABEL:
            break
    return text


def begins_other_price(text: str, before: object) -> bool:
    """Return whether a text that begins with a currency symbol is a second price rather than the symbol of the first.

    before: the preceding piece.

        `<span>$98.00</span><span>$130.00</span>`: yes; `<span>98</span><span>€</span>`: no
    """
    return isinstance(before, str) and before[-1:].isdigit() and text[1:2].isdigit()


def divide_heading(children: list[Node | str], depth: int = 0) -> list[Node | str]:
    """Return the children of a heading with a space between adjacent `span`s of different classes, at any depth.

    `<span class="name">Table, oak</span><span class="size">235 cm</span>`  →  `Table, oak 235 cm`
    """
    found: list[Node | str] = []
    end = ""  # the text of the preceding `span`
    names: str | None = None
    for child in children:
        if isinstance(child, str):
            end = ""
            found.append(child)
            continue
        if depth < MAX_DEPTH and child.children:
            child.children = divide_heading(child.children, depth + 1)
        before, before_names = end, names
        end, names = _read_span(child), child.attributes.get("class")
        if names and before_names and names != before_names and before[-1:].isalnum() and end[:1].isalnum():
            found.append(" ")
        found.append(child)
    return found


def _read_span(node: Node) -> str:
    """Return the text of a `span` without other content, or "" for other elements and for short texts."""
    if node.tag != "span" or node.is_dropped or len(node.children) != 1:
        return ""
    text = node.children[0]
    return text if isinstance(text, str) and len(text.strip()) >= MIN_PART else ""
