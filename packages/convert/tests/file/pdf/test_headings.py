"""Headings, and text that only looks like a heading."""

import pytest

from convert_support.portable import Sheet, portable
from webquarry_convert.file.pdf import read
from webquarry_convert.file.pdf.source.content import Span
from webquarry_convert.file.pdf.text.headings import mark_headings
from webquarry_convert.file.pdf.text.paragraphs import Block
from webquarry_convert.file.pdf.words.lines import Line

PROSE = [
    "The river rises in the hills and runs through broad meadows",
    "until it meets the sea, where in spring many birds nest and",
    "in autumn the fog stands for days over the marshes.",
]


def markdown(sheet: Sheet) -> str:
    return read(portable(sheet)).markdown


def headings(sheet: Sheet) -> list[str]:
    return [line for line in markdown(sheet).splitlines() if line.startswith("#")]


@pytest.mark.parametrize("step", [12, 18, 24])
def test_lines_with_wide_spacing_form_one_paragraph(step: int) -> None:
    far = Sheet().lines(72, 72, PROSE[:2] * 3 + PROSE[2:], step=step)
    assert markdown(far) == " ".join(PROSE[:2] * 3 + PROSE[2:]) + "\n"


def test_a_heading_as_wide_as_its_column_is_not_part_of_the_indented_paragraph_below() -> None:
    heading = "Rivers that run through broad meadows and marshes (RMM)"
    sheet = Sheet().text(72, 60, heading, font="Helvetica-Bold").lines(82, 72, PROSE[:1]).lines(72, 84, PROSE[1:])
    assert markdown(sheet) == f"# {heading}\n\n{' '.join(PROSE)}\n"


@pytest.mark.parametrize(
    "line",
    ["Effective date: 13 May 2013", "Contractor: Meadow Mills", "N/A", "mail@mill.example", "of the second year"],
)
def test_bold_answers_are_not_headings(line: str) -> None:
    sheet = Sheet().text(72, 72, line, font="Helvetica-Bold").lines(72, 100, PROSE)
    assert headings(sheet) == []


@pytest.mark.parametrize("line", ["Chapter 3: Rivers", "Appendix A: Rivers", "Rivers: where they rise"])
def test_a_heading_may_have_a_colon(line: str) -> None:
    sheet = Sheet().text(72, 72, line, size=14, font="Helvetica-Bold").lines(72, 100, PROSE)
    assert headings(sheet) == [f"# {line}"]


def test_heading_levels_have_no_gaps() -> None:
    sheet = Sheet()
    for place, (size, text) in enumerate([(12, "A river"), (20, "Land"), (12, "Birds"), (16, "Sea"), (12, "Fish")]):
        sheet.text(72, 60 + 100 * place, text, size=size).lines(72, 80 + 100 * place, PROSE)
    assert headings(sheet) == ["# A river", "# Land", "## Birds", "## Sea", "### Fish"]


@pytest.mark.parametrize(("name", "is_bold"), [("River-Oblique", False), ("River-Book", False), ("River-Some", True)])
def test_font_name_takes_precedence_over_stroke_width(name: str, is_bold: bool) -> None:
    about = f"/Type/FontDescriptor/FontName/{name}/Flags 32/StemV 125/FontBBox[0 0 1 1]/Ascent 800/Descent -200"
    font = f"/Subtype/TrueType/BaseFont/{name}/Encoding/WinAnsiEncoding/FontDescriptor<<{about}/ItalicAngle 0>>"
    sheet = Sheet().text(72, 60, "By Ada Birkett", font="Lean").lines(72, 120, PROSE)
    assert bool(
        [line for line in read(portable(sheet, fonts={"Lean": font})).markdown.splitlines() if "#" in line]
    ) is (is_bold)


def test_bold_beginning_of_a_paragraph_is_not_a_heading() -> None:
    sheet = Sheet().text(72, 72, "NOTICE:", font="Helvetica-Bold").text(116, 72, "The old mill is worked by")
    sheet.lines(72, 84, ["representatives of the town and of the valley", "since its wheel was broken."])
    whole = (
        "NOTICE: The old mill is worked by representatives of the town and of the valley since its wheel was broken.\n"
    )
    assert markdown(sheet) == whole


def test_bold_words_at_the_start_of_a_line_continue_the_sentence() -> None:
    sheet = Sheet().text(72, 72, "The town and the mills have read with some care the old")
    sheet.text(72, 84, "Weir Acts", font="Helvetica-Bold").text(122, 84, "of the valley, which lie in the tower.")
    whole = "The town and the mills have read with some care the old Weir Acts of the valley, which lie in the tower.\n"
    assert markdown(sheet) == whole


def test_a_name_above_an_address_is_a_heading() -> None:
    sheet = Sheet().lines(72, 110, PROSE).text(72, 72, "Ada Birkett", font="Helvetica-Bold", size=11)
    sheet.text(72, 85, "mail@mill.example", size=10)
    assert "Ada Birkett\n\nmail@mill.example" in markdown(sheet)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("\u505c\u8f66\u533a\u7528\u5730\u6307\u6807", 1),
        ("\u505c\u8f66\u533a\u7528\u5730\u6307\u6807\u8fdb\u884c\u8c03\u6574\u3002", 0),
        ("\u8868 7.5 \u505c\u8f66\u533a\u7528\u5730\u6307\u6807", 0),
    ],
    ids=["heading", "sentence", "caption"],
)
def test_chinese_sentences_and_captions_are_not_headings(text: str, level: int) -> None:
    block = Block([Line([Span((72, 60, 172, 72), text, 12)], 500)])
    mark_headings([block], 10, are_tagged=False)
    assert block.level == level


@pytest.mark.parametrize("apart", [0.5, 2], ids=["touching", "apart"])
def test_note_continues_below_its_raised_mark(apart: float) -> None:
    sheet = Sheet().lines(72, 72, PROSE, size=11, step=14).text(72, 696, "31", size=6.5)
    sheet.text(79.3 + apart, 700, "In two of the cases, the mill was closed by more than the town", size=9.7)
    sheet.text(72, 711.5, "representatives, who had a say in it.", size=9.7)
    whole = "31 In two of the cases, the mill was closed by more than the town representatives, who had a say in it."
    assert markdown(sheet).endswith(f"\n{whole}\n")


def test_digits_in_a_font_with_tall_lines_are_not_raised_marks() -> None:
    font = "/Subtype/TrueType/BaseFont/Meta/Encoding/WinAnsiEncoding/FontDescriptor<</Type/FontDescriptor/FontName/Meta"
    about = "/Flags 32/StemV 80/FontBBox[0 -300 1000 1300]/Ascent 1300/Descent -300/ItalicAngle 0>>"
    sheet = Sheet()
    for place, line in enumerate(
        ["Sizes of the bottles that are made", "1 bottle with a cork", "2 bottles with a cap"]
    ):
        sheet.text(72, 72 + 16 * place, line, font="Signs")
    made = read(portable(sheet, fonts={"Signs": font + about})).markdown
    assert made == "Sizes of the bottles that are made\\\n1 bottle with a cork\\\n2 bottles with a cap\n"


@pytest.mark.parametrize("step", [28, 52])
def test_centered_lines_of_a_title_form_one_heading(step: int) -> None:
    sheet = Sheet().lines(72, 300, PROSE)
    for place, words in enumerate([6, 4, 5]):
        width = (words * 1.999 + (words - 1) * 0.278) * 24  # the width in Helvetica
        sheet.text(306 - width / 2, 80 + step * place, " ".join(["Mills"] * words), size=24)
    assert headings(sheet) == [f"# {' '.join(['Mills'] * 15)}"]


def test_spaced_headings_of_the_same_size_stay_separate() -> None:
    sheet = Sheet().text(72, 80, "Rivers", size=24).text(72, 140, "Mills", size=24).lines(72, 200, PROSE)
    assert headings(sheet) == ["# Rivers", "# Mills"]
