"""Texts that only a style sheet sets apart: labels and their values, the parts of a heading."""

import re

from webquarry_convert.tree import Node

MIN_LABEL = 3
MAX_LABEL = 30
"""Characters of a label."""
MIN_PART = 2
"""Characters of a part of a heading: a single letter begins a word that is drawn larger."""
MAX_DEPTH = 4
"""Elements within a heading in which its parts are looked for."""
PARTS = frozenset({"span", "a", "time", "strong", "b", "small", "label", "data", "cite", "abbr", "bdi"})
"""Elements that may hold a text of its own, as a name, a day or a type."""
MAX_PART = 40
MAX_PART_WORDS = 4
"""Characters and words of a text of its own that goes on in small letters."""
CURRENCIES = frozenset("$€£¥₹₽₩₺₴")
_TELLING = re.compile(r"[A-Za-z]{3}")
"""In the classes of a text of its own; the numbered ones of editors part words anywhere."""
_NUMBER = re.compile(r"\d[\d./-]{3,40}")


def divide_label(children: list[Node | str]) -> list[Node | str]:
    """The children of an element with a colon between the first two, where these are `span`s without a space that read
    as label and value, and nothing but empty elements follows; else as they are.

    `<span>About</span><span>A gardener`  →  `About: A gardener`
    `<span>EAN code</span><span>4006381333931`  →  `EAN code: 4006381333931`
    """
    if len(children) < 2:
        return children
    first, second = children[:2]
    if isinstance(first, str) or isinstance(second, str) or first.tag != "span" or second.tag != "span":
        return children
    if len(first.children) != 1 or not second.children or first.is_dropped or second.is_dropped:
        return children
    if any(isinstance(other, str) or other.children for other in children[2:]):
        return children
    label, value = first.children[0], second.children[0]
    if (
        not isinstance(label, str)
        or not isinstance(value, str)
        or not MIN_LABEL <= len(label) <= MAX_LABEL
        or not value
    ):
        return children
    is_label = label[0].isupper() and label[-1].isalnum() and (value[0].isupper() or value[0].isdigit())
    is_value = " " in value.strip() or _NUMBER.fullmatch(value.rstrip()) is not None
    return [first, ": ", *children[1:]] if is_label and is_value else children


def stand_apart(first: Node, second: Node) -> bool:
    """Whether two of `PARTS` side by side, without white space between, hold texts that only a style sheet sets apart:
    one of them is a day, or their classes differ and say something.

    `<a class="author">Ib</a><time>4 May`  →  `Ib 4 May`
    `<span class="name">limit</span><span class="type">integer`  →  `limit integer`
    `<span class="c1">exam</span><span class="c2">ple`, `<b class="whole">19</b><b class="cents">99`: as they are
    """
    end, ends_day = _read_edge(first, -1)
    start, begins_day = _read_edge(second, 0)
    if not (_is_in_word(end[-1:]) and _is_in_word(start[:1])):
        return False
    if ends_day or begins_day:
        return True
    names, others = first.attributes.get("class"), second.attributes.get("class")
    are_digits = end[-1].isdigit() and start[0].isdigit()
    if names == others or are_digits or _is_letter(end) or (_is_letter(start) and not end[-1].isdigit()):
        return False
    is_telling = [name is not None and _TELLING.search(name[:MAX_PART]) is not None for name in (names, others)]
    if end[-1].isdigit() or not start[0].islower():
        return any(is_telling)
    return all(is_telling) and all(len(each) <= MAX_PART and each.count(" ") < MAX_PART_WORDS for each in (end, start))


def _is_in_word(sign: str) -> bool:
    """Whether a sign is in a word that white space ends; "" is not."""
    return sign.isalnum() and not "\u2e80" <= sign <= "\u9fff"


def _is_letter(text: str) -> bool:
    """Whether a text is a single letter, as one that begins a word and is drawn larger."""
    return len(text) < MIN_PART and text.isalpha()


def _read_edge(node: Node, at: int) -> tuple[str, bool]:
    """The first (at 0) or last (at -1) text in an element, "" where something else stands there; whether it is in a
    `time`."""
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


def begins_other_price(text: str, before: object) -> bool:
    """Whether a text that begins with a sign of a currency is a price beside another one, and not its sign. before: the
    piece right before.

    `<span>$98.00</span><span>$130.00</span>`: yes; `<span>98</span><span>€</span>`: no
    """
    return isinstance(before, str) and before[-1:].isdigit() and text[1:2].isdigit()


def divide_heading(children: list[Node | str], depth: int = 0) -> list[Node | str]:
    """The children of a heading with a space between `span`s that stand side by side without one and have different
    classes, also below; else as they are.

    `<span class="name">Table, oak</span><span class="size">235 cm</span>`  →  `Table, oak 235 cm`
    """
    found: list[Node | str] = []
    end = ""  # the text of a span right before
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
    """The text of a `span` with nothing else in it; "" of others and of short ones."""
    if node.tag != "span" or node.is_dropped or len(node.children) != 1:
        return ""
    text = node.children[0]
    return text if isinstance(text, str) and len(text.strip()) >= MIN_PART else ""
