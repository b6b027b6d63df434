"""The displayed values of form controls and fields: a check box's state, the selected entry, or the entered text.

The forms of a document or a slide declare controls, and drawings refer to them. Fields are part of the text.
"""

from collections.abc import Callable
from typing import Final

from webquarry_convert.file.text.odf.package import DRAW, FIELD, FORM, XML
from webquarry_convert.file.xml import Element

_CHECKED, _UNCHECKED = "\u2612", "\u2610"
_CONTROL: Final = f"{DRAW}control"
_FIELD_KINDS: Final = "vnd.oasis.opendocument.field."


def read_controls(forms: Element) -> dict[str, str]:
    """Return the displayed value of each control by id. forms: forms of a document or a slide; they may be nested."""
    shown: dict[str, str] = {}
    for node in forms.iter(*_READERS):
        text = _READERS[node.tag](node)
        for name in (node.get(f"{XML}id"), node.get(f"{FORM}id")):
            if name and text:
                shown[name] = text
    return shown


def find_control(controls: dict[str, str], drawn: Element) -> str:
    """Return the displayed value of a drawing's control, or "" if the control displays no text."""
    return controls.get(drawn.get(_CONTROL, ""), "")


def read_field(node: Element) -> str:
    """Return the displayed state of a field in the text. A text field's state is its text."""
    stated = [(one.get(f"{FIELD}name"), one.get(f"{FIELD}value", "")) for one in node.iterchildren(f"{FIELD}param")]
    kind = node.get(f"{FIELD}type", "").removeprefix(_FIELD_KINDS)
    if kind == "FORMCHECKBOX":
        return _show_box(is_checked=("Checkbox_Checked", "true") in stated)
    entries = [value for name, value in stated if name == "Dropdown_ListEntry"]
    chosen = next((value for name, value in stated if name == "Dropdown_Selected"), "0")
    return entries[int(chosen)] if chosen.isdecimal() and int(chosen) < len(entries) else ""


def _show_box(*, is_checked: bool, label: str = "") -> str:
    return f"{_CHECKED if is_checked else _UNCHECKED} {label}".rstrip()


def _read_check_box(node: Element) -> str:
    return _show_box(is_checked=_get_state(node, "state") == "checked", label=_read_label(node))


def _read_radio_button(node: Element) -> str:
    return _show_box(is_checked=_get_state(node, "selected") == "true", label=_read_label(node))


def _read_list(node: Element) -> str:
    options = node.iterchildren(f"{FORM}option")
    return ", ".join(one.get(f"{FORM}label", "") for one in options if _get_state(one, "selected") == "true")


def _read_value(node: Element) -> str:
    return _get_state(node, "value")


def _read_label(node: Element) -> str:
    return str(node.get(f"{FORM}label", ""))


def _get_state(node: Element, name: str) -> str:
    """Return the current state, or the default state if there is no current one."""
    return str(node.get(f"{FORM}current-{name}", node.get(f"{FORM}{name}", "")))


_TYPED: Final = "text textarea formatted-text number date time combobox file"
_READERS: Final[dict[str, Callable[[Element], str]]] = {
    **{f"{FORM}{name}": _read_value for name in _TYPED.split()},
    f"{FORM}checkbox": _read_check_box,
    f"{FORM}radio": _read_radio_button,
    f"{FORM}listbox": _read_list,
    f"{FORM}fixed-text": _read_label,
    f"{FORM}frame": _read_label,
}
