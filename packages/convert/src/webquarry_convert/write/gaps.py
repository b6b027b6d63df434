"""Gaps: the separators between adjacent elements that only a style sheet separates."""

import re
from functools import lru_cache
from itertools import islice

from webquarry_convert.tree import Node, walk

MIN_LABEL = 3
MAX_LABEL = 30
"""Maximum number of characters of a label."""
MIN_PART = 2
"""Minimum length, in characters, of a part of a heading. A single letter is an enlarged initial."""
MAX_DEPTH = 4
"""Maximum depth to which a heading is searched for its parts."""
PARTS = frozenset({"span", "a", "time", "strong", "b", "small", "label", "data", "cite", "abbr", "bdi"})
"""Elements that may contain a separate text such as a name, a date or a type."""
MAX_CLASS = 100
"""Number of characters that are read from a class attribute."""
CURRENCIES = frozenset("$€£¥₹₽₩₺₴")
_TELLING = re.compile(r"[A-Za-z]{3}")
"""Matches meaningful classes, which contain several letters in a row.

Editors number their classes and may split a word anywhere.
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
"""Words in class names that describe a text's meaning rather than its appearance."""
_LABELS = frozenset({"label", "key", "term"})
_NAMES = _LABELS | {"title", "name"}
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)\]]")
"""Matches the number of a paragraph or an item."""
_WORDS = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
_SUM = re.compile(rf"[{''.join(sorted(CURRENCIES))}]\s?\d[\d.,]*\Z")
_MEASURED = re.compile(r"\d[\d.,]*+\s*+(?:%|(?:[^\W\d_]{2,}[\s,.]++){2})")
"""Matches a percentage, or a number followed by words, but not further digits of the preceding number."""


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
    end, ends_day = read_edge(first, -1)
    start, begins_day = read_edge(second, 0)
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
    """Return whether an element contains only the number of a paragraph or an item. text: its last text."""
    return len(node.children) == 1 and _ENUMERATOR.fullmatch(text) is not None


def _begins_word(text: str) -> bool:
    return _is_in_word(text[:1]) or text[:1] == "/"


def _are_alike_and_apart(first: Node, second: Node, end: str, start: str) -> bool:
    """Return whether two elements with the same class contain separate texts."""
    names = first.attributes.get("class")
    if _is_telling(names) and _is_made_of_several(first) and _is_made_of_several(second):
        return True
    return bool(read_kinds(names)) and _are_texts(end, start)


def _find_gap_by_classes(first: Node, second: Node, end: str, start: str) -> str:
    """Return the separator between elements with different classes.

    end, start: the strings on both sides of the boundary.
    """
    names, others = first.attributes.get("class"), second.attributes.get("class")
    kinds, other_kinds = read_kinds(names), read_kinds(others)
    if end[-1].isdigit() and start[0].isdigit():
        return " " if kinds != other_kinds and not kinds.isdisjoint(_NAMES) else ""
    if kinds != other_kinds and (not _is_letter(start) or (end[-1].isdigit() and "unit" in other_kinds)):
        return ": " if "value" in other_kinds and not kinds.isdisjoint(_LABELS) else " "
    are_divided = _are_parted(end, start) and (_is_telling(names) or _is_telling(others))
    return " " if are_divided else ""


def _are_parted(end: str, start: str) -> bool:
    """Return whether adjacent strings may be separate words, unlike an enlarged initial and the rest of its word."""
    if _is_letter(end):
        return False
    return end[-1].isdigit() or (start[0].isupper() and not _is_letter(start))


def _are_texts(end: str, start: str) -> bool:
    """Return whether two strings are not parts of one word."""
    return len(end) >= MIN_LABEL and len(start) >= MIN_LABEL and start[0].isupper() and not end.isupper()


def _is_behind_figure(second: Node, start: str, end: str) -> bool:
    """Return whether an element that follows a digit does not continue the number.

    The element may begin with words after an amount of money, with a percentage, or with another number and what it
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


def read_kinds(names: str | None) -> frozenset[str]:
    """Return the words in a class attribute that describe a text's meaning."""
    return _find_kinds(names[:MAX_CLASS]) if names else frozenset()


@lru_cache(maxsize=2048)
def _find_kinds(names: str) -> frozenset[str]:
    return _KINDS.intersection(map(str.lower, _WORDS.findall(names)))


def _is_in_word(sign: str) -> bool:
    """Return whether a character belongs to a word rather than being white space or punctuation.

    Returns False for "".
    """
    return sign.isalnum() and not "\u2e80" <= sign <= "\u9fff"


def _is_letter(text: str) -> bool:
    """Return whether a text is a single letter, such as an enlarged initial."""
    return len(text) < MIN_PART and text.isalpha()


def read_edge(node: Node, at: int) -> tuple[str, bool]:
    """Return an element's first text (at 0) or last text (at -1), and whether the text is in a `time`.

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
    """Return the beginning of an element's text."""
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
