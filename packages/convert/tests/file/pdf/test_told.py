"""A file's information other than its text: the title, the outline, descriptions of images, and values of fields."""

import pytest

from convert_support.portable import Sheet, portable
from webquarry_convert.file.pdf import read
from webquarry_convert.file.readers import convert

PROSE = [
    "The river rises in the hills and runs through meadows",
    "until it meets the sea, where in spring many birds nest",
    "and in autumn the fog stands for days over the marshes.",
]


def headings(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("#")]


@pytest.mark.parametrize(
    "message", ["", "untitled", "Microsoft Word - rivers_final(2).doc", "rivers.indd", "PowerPoint Presentation", "a"]
)
def test_first_heading_is_the_title_if_the_file_has_none(message: str) -> None:
    message = message.replace("(", r"\(").replace(")", r"\)")
    body = portable(Sheet().text(72, 60, "On rivers", size=18).lines(72, 90, PROSE), info=f"/Title({message})")
    document = convert(body)[1]
    assert (document.title, document.title_source) == ("On rivers", "heading")


def test_file_name_is_the_title_only_without_headings() -> None:
    assert convert(portable(Sheet().lines(72, 90, PROSE), info="/Title(rivers.pdf)"))[1].title == "rivers.pdf"
    assert convert(portable(Sheet().lines(72, 90, PROSE), info="/Title(untitled)"))[1].title is None


def test_partly_invalid_title_is_read() -> None:
    assert read(portable(Sheet(), info="/Title<FEFFD800004100420043>")).title == "\ufffdABC"


def test_outline_entries_become_headings_on_their_page() -> None:
    sheets = [
        Sheet().text(72, 160, "Where rivers rise").lines(72, 190, PROSE),
        Sheet().text(72, 160, "Where rivers rise").lines(72, 190, PROSE),
    ]
    found = read(portable(*sheets, outline=[("Where rivers rise", 1, 0)])).markdown
    assert headings(found) == ["# Where rivers rise"]
    assert found.index("#") > found.index("marshes")


def test_headings_have_the_level_of_their_outline_entry() -> None:
    sheet = Sheet().text(72, 60, "On rivers", size=20)
    for place, heading in enumerate(("Water", "Rivers", "Lakes")):
        sheet.text(72, 90 + 80 * place, heading, size=14).lines(72, 106 + 80 * place, PROSE)
    found = read(portable(sheet, outline=[("Water", 0, 0), ("Rivers", 0, 1), ("Lakes", 0, 1)])).markdown
    assert headings(found) == ["# On rivers", "## Water", "### Rivers", "### Lakes"]


def test_outline_entry_over_two_lines_becomes_one_heading() -> None:
    sheet = Sheet().lines(72, 60, ["Where rivers rise", "and where they end"]).lines(72, 100, PROSE)
    found = read(portable(sheet, outline=[("Where rivers rise and where they end", 0, 0)])).markdown
    assert headings(found) == ["# Where rivers rise and where they end"]


def test_tables_in_the_outline_are_not_headings() -> None:
    sheet = Sheet().text(72, 60, "Table 1. Rivers and lakes").lines(72, 90, PROSE)
    assert headings(read(portable(sheet, outline=[("Table 1. Rivers and lakes", 0, 0)])).markdown) == []


def pictured(sheet: Sheet, mark: int) -> Sheet:
    sheet.drawn.append(f"/Figure <</MCID {mark}>> BDC")
    sheet.picture(100, 100).drawn.append("EMC")
    return sheet


def test_pictures_are_described_in_place() -> None:
    sheet = pictured(Sheet().marked(0, 72, 72, "Above it"), 1).marked(2, 72, 200, "Below it")
    sheet.tags = [("P", 0), ("Figure/Alt(A map of the [river])", 1), ("P", 2)]
    assert read(portable(sheet)).markdown == "Above it\n\n![A map of the [river]](picture)\n\nBelow it\n"


@pytest.mark.parametrize("alt", ["", "Figure", "image 3", "IMG_2041.JPG"])
def test_meaningless_descriptions_are_dropped(alt: str) -> None:
    sheet = pictured(Sheet().marked(0, 72, 72, "Above it"), 1)
    sheet.tags = [("P", 0), (f"Figure/Alt({alt})", 1)]
    assert read(portable(sheet)).markdown == "Above it\n"


def test_partly_visible_field_value_is_written_completely() -> None:
    sheet = Sheet().text(72, 72, "Note:").text(112, 72, "It begins").field(110, 62, 250, 76, "note", "It begins here.")
    assert read(portable(sheet)).markdown == "Note: It begins here.\n"


def test_field_with_a_box_for_each_letter_becomes_a_word() -> None:
    sheet = Sheet().text(72, 72, "Code:").field(110, 62, 250, 76, "code", "Rhine")
    for place, letter in enumerate("Rhine"):
        sheet.text(114 + 24 * place, 72, letter)
    assert read(portable(sheet)).markdown == "Code: Rhine\n"


def test_shown_field_value_is_written_once() -> None:
    sheet = Sheet().text(72, 72, "Name:").text(112, 72, "Ada Lovelace").field(110, 62, 250, 76, "name", "Ada Lovelace")
    assert read(portable(sheet)).markdown == "Name: Ada Lovelace\n"


def test_field_value_shown_as_a_number_is_written_once() -> None:
    sheet = Sheet().text(72, 72, "Sum:").text(112, 72, "1,234.50").field(110, 62, 250, 76, "sum", "1234.5")
    assert read(portable(sheet)).markdown == "Sum: 1,234.50\n"


def test_other_text_in_a_field_does_not_hide_its_value() -> None:
    sheet = Sheet().text(112, 72, "Family name").field(110, 62, 250, 76, "name", "Lovelace")
    found = read(portable(sheet)).markdown
    assert "Family name" in found
    assert "Lovelace" in found


def ticked(sheet: Sheet, x: float, y: float = 72, *, is_on: bool = False) -> Sheet:
    """Draw a framed box of 12 points. y: the baseline of the text next to the box."""
    sheet.grid([x, x + 12], [y - 10, y + 2]).field(x, y - 10, x + 12, y + 2, f"box {x} {y}", "")
    state = "/V/On/AS/On" if is_on else "/V/Off/AS/Off"
    sheet.notes[-1] = sheet.notes[-1].replace("/FT/Tx", "/FT/Btn").replace("/V()", state)
    return sheet


def test_checkboxes_precede_their_labels_and_are_not_cells() -> None:
    sheet = Sheet()
    for place, (left, right) in enumerate((("Apples", "Pears"), ("Plums", "Figs"), ("Grapes", "Dates"))):
        y = 72 + 20 * place
        ticked(sheet, 72, y, is_on=place == 1)
        ticked(sheet, 232, y)
        sheet.text(98, y, left).text(258, y, right)
    lines = [line.strip() for line in read(portable(sheet)).markdown.splitlines()]
    options = ("[ ] Apples", "[ ] Pears", "[x] Plums", "[ ] Figs", "[ ] Grapes", "[ ] Dates")
    assert lines == [f"- {option}" for option in options]


def test_label_of_a_checkbox_may_have_several_lines() -> None:
    sheet = ticked(Sheet().lines(90, 72, ["Yes, please send me", "the papers."], step=16), 72)
    assert read(portable(sheet)).markdown == "- [ ] Yes, please send me the papers.\n"


def test_tick_is_written_once() -> None:
    sheet = ticked(Sheet().text(90, 72, "Yes, please"), 72, is_on=True)
    sheet.drawn.append("BT /Signs 10 Tf 74 720 Td (A) Tj ET")
    font = "/Subtype/Type1/BaseFont/ZapfDingbats/Encoding<</Differences[65/a20]>>"
    assert read(portable(sheet, fonts={"Signs": font})).markdown == "- [x] Yes, please\n"
