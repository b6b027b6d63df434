"""Checkboxes and radio buttons on printed forms. Browsers tag the drawings with the boxes' states.


Form, Role rb, checked on, with marked content 56 → a selected radio button, at the drawing of 56
"""

from collections.abc import Iterator, Sequence

from webquarry_convert.file.pdf.source.content import Field, Page
from webquarry_convert.file.pdf.source.pdfium import File
from webquarry_convert.file.pdf.source.structure import Element

_FORM = "Form"
_TICKS = frozenset({"rb", "cb"})


def add_printed_fields(pages: Sequence[Page], file: File) -> None:
    for page in pages:
        states = dict(_read_states(page.structure))
        if not states:
            continue
        drawn: set[int] = set()
        for mark, box in file.locate_drawings(page.number, states):
            if mark not in drawn:  # the frame of a box, whose content shows the state
                drawn.add(mark)
                page.fields.append(Field(box, "", states[mark], is_tick=True, mark=mark))


def _read_states(elements: Sequence[Element]) -> Iterator[tuple[int, str]]:
    """Yield the marked content of each checkbox, with "x" if it is checked."""
    for element in elements:
        if element.element_type == _FORM and element.marked_content_ids:
            told = {attribute.name: attribute.string_value for attribute in element.attributes}
            if told.get("Role") in _TICKS:
                yield element.marked_content_ids[0], "x" if told.get("checked", told.get("Checked")) == "on" else ""
