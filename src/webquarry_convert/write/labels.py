"""Labels that only a style sheet sets apart from their values."""

import re

from webquarry_convert.tree import Node

MIN_LABEL = 3
MAX_LABEL = 30
"""Characters of a label."""
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
