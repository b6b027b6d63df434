"""Labels that only a style sheet sets apart from their values."""

from webquarry_convert.tree import Node

MIN_LABEL = 3
MAX_LABEL = 30
"""Characters of a label."""


def divide_label(children: list[Node | str]) -> list[Node | str]:
    """The two children of an element with a colon between, where they are `span`s without a space that read as label
    and value; else as they are.

    `<span>About</span><span>A gardener`  →  `About: A gardener`
    """
    first, second = children
    if isinstance(first, str) or isinstance(second, str) or first.tag != "span" or second.tag != "span":
        return children
    if len(first.children) != 1 or not second.children or first.is_dropped or second.is_dropped:
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
    return [first, ": ", second] if is_label and " " in value.strip() else children
