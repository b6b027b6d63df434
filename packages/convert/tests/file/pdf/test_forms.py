"""Fields in interactive and printed forms: the question, the options and the chosen option."""

from convert_support.portable import HEIGHT, Sheet, portable
from webquarry_convert.file.pdf import read

PROSE = [
    "The river rises in the hills and runs through meadows",
    "until it meets the sea, where in spring many birds nest",
    "and in autumn the fog stands for days over the marshes.",
]


def markdown(sheet: Sheet) -> str:
    return read(portable(sheet)).markdown


def tick(sheet: Sheet, x: float, y: float, *, is_on: bool = False, is_framed: bool = False) -> Sheet:
    """Draw a box of 8 points on the baseline y.

    is_framed: whether the page, rather than the field, draws the box's frame.
    """
    state = "Yes" if is_on else "Off"
    look = "/AP<</N<</Yes 8 0 R/Off 8 0 R>>>>"
    sheet.notes.append(
        f"<</Type/Annot/Subtype/Widget/FT/Btn/F 4/T(b{len(sheet.notes)})/V/{state}/AS/{state}{look}"
        f"/Rect[{x} {HEIGHT - y} {x + 8} {HEIGHT - y + 8}]>>"
    )
    return sheet.grid([x, x + 8], [y - 8, y]) if is_framed else sheet


def test_boxes_after_their_labels_are_moved_before_them() -> None:
    sheet = Sheet().text(72, 72, "Married?").text(172, 72, "yes").text(212, 72, "no")
    assert markdown(tick(tick(sheet, 190, 72), 225, 72, is_on=True)) == "Married? [ ] yes [x] no\n"


def test_boxes_before_their_labels_keep_their_position() -> None:
    sheet = Sheet().text(72, 72, "Married?").text(172, 72, "yes").text(212, 72, "no")
    assert markdown(tick(tick(sheet, 161, 72), 201, 72, is_on=True)) == "Married? [ ] yes [x] no\n"


def test_boxes_without_labels_become_cells_below_the_answers() -> None:
    sheet = Sheet()
    for x, text in ((200, "Never"), (260, "Often"), (320, "Always")):
        sheet.text(x, 72, text)
    for row, label in enumerate(("Reads", "Writes", "Sings")):
        y = 90 + 18 * row
        sheet.text(72, y, label)
        for place, x in enumerate((208, 268, 330)):
            tick(sheet, x, y + 1, is_on=place == row, is_framed=True)
    found = [line for line in markdown(sheet).splitlines() if line.startswith("|") and "---" not in line]
    assert found == [
        "|  | Never | Often | Always |",
        "| Reads | [x] | [ ] | [ ] |",
        "| Writes | [ ] | [x] | [ ] |",
        "| Sings | [ ] | [ ] | [x] |",
    ]


def test_options_next_to_each_other_are_not_a_row_of_the_table_below() -> None:
    sheet = Sheet()
    for x, option in ((72, "Bridge"), (150, "Ferry"), (228, "Train"), (306, "Tunnel")):
        tick(sheet.text(x + 12, 72, option), x, 72, is_on=x == 150)
    sheet.text(72, 90, "2. How often?")
    for x, text in ((200, "Never"), (260, "Often"), (320, "Always")):
        sheet.text(x, 108, text)
    for y, label in ((126, "Reads"), (144, "Writes"), (162, "Sings")):
        sheet.text(72, y, label)
        for x in (208, 268, 330):
            tick(sheet, x, y + 1, is_on=x == 268)
    made = markdown(sheet)
    assert made.startswith("- [ ] Bridge\n- [x] Ferry\n- [ ] Train\n- [ ] Tunnel\n")
    assert "|  | Never | Often | Always |\n" in made
    assert "| Sings | [ ] | [x] | [ ] |" in made


def test_lines_of_a_value_are_not_a_heading() -> None:
    sheet = Sheet().text(72, 72, "Address:", size=7).lines(72, 150, PROSE, size=7)
    sheet.field(72, 80, 300, 120, "address", r"4 Rose Walk\nYork YO1 7HH")
    assert markdown(sheet).startswith("Address:\n\n4 Rose Walk\\\nYork YO1 7HH\n\n")


def test_printed_buttons_are_written_with_their_state() -> None:
    sheet = Sheet()
    for place, text in enumerate(("yes", "no")):
        sheet.drawn.append(f"/Form <</MCID {2 * place}>> BDC 72 {HEIGHT - 80 - 20 * place} 8 8 re S EMC")
        sheet.marked(2 * place + 1, 84, 80 + 20 * place, text)
    state = "Form/A<</O/PrintField/Role/rb{}>>"
    sheet.tags = [(state.format(""), 0), ("P", 1), (state.format("/checked/on"), 2), ("P", 3)]
    assert markdown(sheet) == "- [ ] yes\n- [x] no\n"
