"""Texts that repeat at the edges of pages are kept once. Only page numbers are dropped completely."""

import re

import pytest

from convert_support.portable import Sheet, portable
from webquarry_convert.file.document import Document
from webquarry_convert.file.pdf import read
from webquarry_convert.file.pdf.layout.furniture import _LONGEST_TOLD, _MOST_TOLD, Furniture, _parse_roman

PROSE = [
    "The river rises in the hills and runs through meadows",
    "until it meets the sea, where in spring many birds nest",
    "and in autumn the fog stands for days over the marshes.",
]


def sheet(*texts: tuple[float, float, str]) -> Sheet:
    """Draw prose, and texts at the given positions."""
    made = Sheet().lines(72, 200, PROSE)
    for x, y, text in texts:
        made.text(x, y, text)
    return made


def markdown(*sheets: Sheet) -> str:
    return read(portable(*sheets)).markdown


def paragraphs(*sheets: Sheet) -> list[str]:
    return markdown(*sheets).strip().split("\n\n")


@pytest.mark.parametrize("pages", [2, 3, 7])
def test_header_and_footer_are_kept_once_outside_the_text(pages: int) -> None:
    head, foot = "Meadow Mills Ltd, 4 Weir Lane", "IBAN GB33 BUKB 2020 1555 5555 55"
    made = paragraphs(*(sheet((72, 40, head), (72, 760, foot)) for _ in range(pages)))
    assert made == [head, *[" ".join(PROSE)] * pages, foot]


@pytest.mark.parametrize("pages", [2, 3, 7])
def test_page_numbers_are_dropped(pages: int) -> None:
    made = markdown(*(sheet((300, 770, str(page))) for page in range(18, 18 + pages)))
    assert not any(map(str.isdigit, made))
    made = markdown(*(sheet((300, 40, f"Page {page} of {pages}")) for page in range(1, pages + 1)))
    assert "Page" not in made
    made = markdown(*(sheet((300, 40, roman)) for roman in ("viii", "ix", "x", "xi", "xii", "xiii", "xiv")[:pages]))
    assert "ix" not in made


def test_running_title_with_page_number_is_kept_once() -> None:
    made = markdown(*(sheet((72, 40, f"On rivers | {page}")) for page in (1, 2, 3, 4)))
    assert made.count("On rivers") == 1
    made = markdown(*(sheet((72, 40, "On rivers"), (400, 40, str(page))) for page in (1, 2, 3, 4)))
    assert (made.count("On rivers"), re.findall("[0-9]+", made)) == (1, [])


def test_running_title_on_later_pages_does_not_split_the_text() -> None:
    made = paragraphs(sheet(), *(sheet((72, 40, "On rivers")) for _ in range(4)))
    assert made[-1] == "On rivers"
    assert made[:-1] == [" ".join(PROSE)] * 5


@pytest.mark.parametrize("place", [40, 760])
def test_text_that_varies_between_pages_is_kept(place: float) -> None:
    """The texts are document numbers, dates, and the first and last lines of a listing."""
    for texts in (
        ["Invoice 2026-0117", "Invoice 2026-0118", "Invoice 2026-0119"],
        ["Interface 14 is up", "Interface 28 is up", "Interface 39 is down"],
        ["Employee 1", "Employee 2", "Employee 3"],
        ["450", "12", "3107"],
        ["3 May 2026", "4 May 2026", "5 July 2026"],
    ):
        made = markdown(*(sheet((72, place, text)) for text in texts))
        assert [text for text in texts if text not in made] == []


def test_text_repeated_elsewhere_is_kept() -> None:
    """The texts are in the middle of pages, at different heights, or twice on one page."""
    made = markdown(*(sheet((72, 400, "Yours sincerely")) for _ in range(4)))
    assert made.count("Yours sincerely") == 4
    made = markdown(*(sheet((72, 30 + 15 * page, "Balance carried forward")) for page in range(4)))
    assert made.count("Balance carried forward") == 4
    made = markdown(sheet((72, 740, "Signed"), (300, 760, "Signed")), sheet((72, 740, "Signed"), (300, 760, "Signed")))
    assert made.count("Signed") == 2


def test_single_page_keeps_its_footer() -> None:
    lines = ["Meadow Mills Ltd, registered in Leeds under 20177", "VAT number GB 123 4567 89"]
    made = markdown(Sheet().lines(72, 72, PROSE * 3).lines(72, 770, lines))
    assert all(line in made for line in lines)
    assert "450" in markdown(Sheet().lines(72, 600, [*PROSE * 3, "Total", "450"], step=14))


def test_text_printed_around_a_single_page_is_quoted() -> None:
    document = read(portable(Sheet().text(72, 15, "Printed by Ada").lines(72, 72, PROSE * 3).text(300, 780, "7")))
    assert document.markdown == " ".join(PROSE * 3) + "\n"
    assert document.warnings == ('Text in the margins is omitted (12 characters): "Printed by Ada".',)


def test_text_in_the_margin_is_dropped_with_a_warning() -> None:
    turned = sheet()
    turned.drawn.append("BT /Helvetica 9 Tf 0 1 -1 0 16 300 Tm (Downloaded today) Tj ET")
    document = read(portable(turned))
    assert document.markdown == " ".join(PROSE) + "\n"
    assert document.warnings == ('Text in the margins is omitted (15 characters): "Downloaded today".',)


def read_single(top: list[str], lines: int, gap: float = 40) -> Document:
    """Read a page on which this number of lines is below other lines at the edge. White space separates the two."""
    made = Sheet()
    for number, line in enumerate(top):
        made.text(72, 12 + 9 * number, line, size=8)
    return read(portable(made.lines(72, 12 + 9 * len(top) + gap, (PROSE * 3)[:lines])))


@pytest.mark.parametrize(
    ("top", "lines", "is_left_out"),
    [
        (["Printed by Ada"], 7, True),
        (["Printed by Ada"], 6, False),  # without text on the page, the line cannot be set off from it
        (["Printed by Ada", "on a Monday"], 8, True),
        (["Account 12345"], 8, False),
        (["Tel. 0113 245 2000"], 8, False),
        (["ada@example.com"], 8, False),
    ],
)
def test_lines_at_the_edge_of_a_single_page_are_dropped(top: list[str], lines: int, is_left_out: bool) -> None:
    document = read_single(top, lines)
    assert all((line in document.markdown) is not is_left_out for line in top)
    assert bool(document.warnings) is is_left_out


def test_line_at_the_edge_close_to_the_text_is_kept() -> None:
    assert "Printed by Ada" in read_single(["Printed by Ada"], 8, gap=6).markdown


@pytest.mark.parametrize(
    ("text", "value"),
    [("i", 1), ("iii", 3), ("iv", 4), ("vi", 6), ("ix", 9), ("xl", 40), ("lxxxviii", 88), ("xcix", 99)],
)
def test_roman_page_numbers_are_recognized(text: str, value: int) -> None:
    assert _parse_roman(text) == value


@pytest.mark.parametrize("count", [1, _MOST_TOLD, _MOST_TOLD + 1, _MOST_TOLD + 1200])
def test_warning_quotes_some_texts_and_counts_the_others(count: int) -> None:
    [warning] = Furniture(left_out=[f"n{number:04}" for number in range(count)]).warnings()
    assert warning.count('"n') == min(count, _MOST_TOLD)
    assert f"({5 * count:,} characters)" in warning
    assert (f" and {count - _MOST_TOLD:,} more." in warning) is (count > _MOST_TOLD)


def test_warning_quotes_a_text_once_and_truncated() -> None:
    [warning] = Furniture(left_out=["a" * (_LONGEST_TOLD + 1)] * 2).warnings()
    assert re.findall('"(a*)"', warning) == ["a" * _LONGEST_TOLD]


def test_warning_is_omitted_if_nothing_was_dropped() -> None:
    assert Furniture().warnings() == []
