"""Tables over several pages, and texts that repeat on only a few pages."""

from collections.abc import Sequence

from convert_support.portable import Sheet, portable
from webquarry_convert.file.pdf import read
from webquarry_convert.file.pdf.source.content import Box, Page
from webquarry_convert.file.pdf.tables.continued_tables import join_tables
from webquarry_convert.file.pdf.tables.table import Figure

XS = (60, 190, 290, 390)
HEAD = ("Year", "Apples", "Pears")


def rows(*sheets: Sheet) -> list[list[list[str]]]:
    """Return a file's tables, each as rows of cells."""
    tables: list[list[list[str]]] = []
    is_inside = False
    for line in read(portable(*sheets)).markdown.splitlines():
        if not line.startswith("|"):
            is_inside = False
        elif not line.startswith("| ---"):
            tables += [] if is_inside else [[]]
            is_inside = True
            tables[-1].append([cell.strip() for cell in line.strip("|").split("|")])
    return tables


def drawn(sheet: Sheet, top: float, lines: Sequence[Sequence[str]], *, xs: Sequence[float] = XS) -> Sheet:
    sheet.grid(xs, [top + 20 * place for place in range(len(lines) + 1)])
    for place, cells in enumerate(lines):
        for x, cell in zip(xs, cells, strict=False):
            sheet.text(x + 6, top + 14 + 20 * place, cell)
    return sheet


def figures(first: int, last: int) -> list[tuple[str, str, str]]:
    return [(str(year), str(year % 97), str(year % 89)) for year in range(first, last)]


def words(first: int, last: int) -> list[tuple[str, ...]]:
    return [
        tuple(f"{sign} of {'abcdefghij'[place]}" for sign in ("root", "stem", "leaf")) for place in range(first, last)
    ]


def whole(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    return [list(line) for line in lines]


def test_table_with_a_repeated_header_is_joined() -> None:
    first, second = [HEAD, *figures(1990, 2000)], [HEAD, *figures(2000, 2005)]
    found = rows(drawn(Sheet(), 300, first), drawn(Sheet(), 72, second))
    assert found == [whole([*first, *second[1:]])]


def test_table_over_three_pages_without_headers_is_joined() -> None:
    first = [HEAD, *figures(1980, 2009)]
    second, third = figures(2010, 2040), figures(2040, 2045)
    sheets = [drawn(Sheet(), 120, first), drawn(Sheet(), 72, second), drawn(Sheet(), 72, third)]
    assert rows(*sheets) == [whole([*first, *second, *third])]


def test_text_table_with_equal_column_widths_is_joined() -> None:
    first, second = [("Kind", "Where", "When"), *words(0, 6)], words(6, 9)
    assert rows(drawn(Sheet(), 560, first), drawn(Sheet(), 72, second)) == [whole([*first, *second])]


def test_different_columns_begin_another_table() -> None:
    first, second = [HEAD, *figures(1990, 2000)], figures(2000, 2005)
    found = rows(drawn(Sheet(), 500, first), drawn(Sheet(), 72, second, xs=(60, 150, 290, 390)))
    assert len(found) == 2


def test_different_header_begins_another_table() -> None:
    first, second = [HEAD, *figures(1990, 2000)], [("Month", "Plums", "Figs"), *figures(2000, 2005)]
    assert len(rows(drawn(Sheet(), 500, first), drawn(Sheet(), 72, second))) == 2


def test_text_between_parts_ends_a_table() -> None:
    first, second = [HEAD, *figures(1990, 2000)], [HEAD, *figures(2000, 2005)]
    sheets = drawn(Sheet(), 300, first), drawn(Sheet().text(72, 120, "In other years it was so:"), 140, second)
    assert len(rows(*sheets)) == 2


def test_caption_may_state_that_a_table_continues() -> None:
    first, second = [HEAD, *figures(1990, 2000)], [HEAD, *figures(2000, 2005)]
    sheets = drawn(Sheet(), 300, first), drawn(Sheet().text(72, 120, "Table 2 (continued)"), 140, second)
    assert rows(*sheets) == [whole([*first, *second[1:]])]


def test_repeated_picture_is_not_a_repeated_header() -> None:
    pages = [(Page(number, 612, 792, [], []), [Figure(Box(0, 0, 9, 9), "A map")]) for number in (1, 2)]
    assert len(join_tables(pages)[0]) == 2


PROSE = ["The river rises in the hills and runs through meadows", "until it meets the sea."]


def test_repeated_text_on_two_pages_is_kept_once() -> None:
    sheets = [
        Sheet()
        .text(72, 40, "The Mill, 5 May")
        .lines(72, 200, [f"{sign} {PROSE[0]}", PROSE[1]])
        .text(72, 760, "In trust")
        for sign in "AB"
    ]
    text = read(portable(*sheets)).markdown
    assert text.startswith("The Mill, 5 May\n\nA The river")
    assert text.endswith("sea.\n\nIn trust\n")
    assert (text.count("The Mill"), text.count("In trust")) == (1, 1)


def test_page_numbers_of_two_pages_are_removed() -> None:
    sheets = [Sheet().lines(72, 200, PROSE).text(300, 760, f"3 - {page}") for page in (1, 2)]
    assert "3 -" not in read(portable(*sheets)).markdown


def test_lines_with_section_numbers_are_not_joined() -> None:
    sheet = Sheet().lines(72, 72, ["2.1. Water of rivers", "2.2. Water of lakes", "2.3. Land"], step=11)
    assert read(portable(sheet)).markdown.split("\n\n") == [
        "2.1. Water of rivers",
        "2.2. Water of lakes",
        "2.3. Land\n",
    ]
