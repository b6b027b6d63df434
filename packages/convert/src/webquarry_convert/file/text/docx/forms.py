"""Check boxes and drop-down lists in forms. Their state is stored at the beginning of their field."""

from collections.abc import Iterator

from webquarry_convert.file.text.docx.formats import VAL, get_value, is_on, parse_number
from webquarry_convert.file.text.ooxml.package import W
from webquarry_convert.file.xml import Element

_CHECKED, _UNCHECKED = "\u2612", "\u2610"


def read_form_states(node: Element) -> Iterator[str]:
    """Yield the displayed state of a form field. node: the character element that begins the field."""
    box = node.find(f"{W}ffData/{W}checkBox")
    if box is not None:
        state = box.find(f"{W}checked")
        if state is None:
            state = box.find(f"{W}default")
        yield _CHECKED if is_on(state) else _UNCHECKED
    choice = node.find(f"{W}ffData/{W}ddList")
    if choice is not None:
        entries = [entry.get(VAL, "") for entry in choice.iterchildren(f"{W}listEntry")]
        at = parse_number(get_value(choice, "result")) or 0
        if 0 <= at < len(entries):
            yield entries[at]
