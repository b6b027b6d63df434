"""Pipe tables that are built from cells."""

import pytest

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file import limits
from webquarry_convert.file.sheets.links import link_text
from webquarry_convert.file.sheets.notes import Note, name_column, write_notes
from webquarry_convert.file.sheets.table import Area, Budget, Table, build_row, escape_cell
from webquarry_convert.file.sheets.workbook import Tab, build_document


def made(*rows: tuple[int, list[int], list[str]]) -> Table:
    table = Table(Budget())
    for row in rows:
        table.add(*row)
    return table


def test_empty_rows_and_columns_are_dropped() -> None:
    table = made((4, [2, 9], ["a", "b"]), (5, [], []), (900_000, [5], ["c"]))
    assert table.markdown() == "| a |  | b |\n| --- | --- | --- |\n|  | c |  |\n"
    assert (table.rows, table.columns) == (899_997, 8)


def test_table_without_cells_gives_an_empty_text() -> None:
    assert made().markdown() == ""
    assert made().rows == made().columns == 0


def test_rows_may_be_of_any_length() -> None:
    assert made((0, [0], ["a"]), (1, [0, 1, 2], ["b", "c", "d"])).markdown().splitlines()[-1] == "| b | c | d |"


def test_cell_is_one_line_with_escaped_pipes() -> None:
    assert escape_cell("a\nb|c") == r"a<br>b\|c"
    assert escape_cell("\x01 ") == ""
    assert build_row(["a", "", " ", "b"]) == ([0, 3], ["a", "b"])


def test_distant_cell_takes_no_extra_memory() -> None:
    table = made((0, [0], ["a"]), (1_048_575, [16_383], ["b"]))
    assert table.markdown() == "| a |  |\n| --- | --- |\n|  | b |\n"


def test_mostly_empty_table_is_rejected_before_it_is_written() -> None:
    table = made(*((row, [row], ["x"]) for row in range(16_000)))
    with pytest.raises(ConversionFailed) as refused:
        table.markdown()
    assert refused.value.reason == "limits"


def test_cell_limit_applies_to_all_sheets_together() -> None:
    budget = Budget(3)
    Table(budget).add(0, [0, 1], ["a", "b"])
    with pytest.raises(ConversionFailed, match="more than 3 cells"):
        Table(budget).add(0, [0, 1], ["a", "b"])
    assert limits.MAX_CELLS == 2_000_000


def test_sheet_names_are_headings_and_empty_sheets_are_only_listed() -> None:
    one, none = made((0, [0], ["a"])), made()
    read = build_document(
        [Tab("A *b*", [("", one)]), Tab("Empty", [("", none)]), Tab("C", [("T1", one), ("T2", one)], is_hidden=True)]
    )
    table = "| a |\n| --- |\n"
    assert read.markdown == f"## A *b\\*\n\n{table}\n## C (hidden)\n\n### T1\n\n{table}\n### T2\n\n{table}"
    assert [(sheet.name, sheet.rows, sheet.columns, sheet.is_hidden) for sheet in read.sheets or ()] == [
        ("A *b*", 1, 1, False),
        ("Empty", 0, 0, False),
        ("C", 2, 1, True),
    ]


def test_rows_are_sorted() -> None:
    table = made((5, [0], ["c"]), (1, [0], ["a"]), (3, [1], ["b"]))
    assert table.markdown() == "| a |  |\n| --- | --- |\n|  | b |\n| c |  |\n"
    assert (table.rows, table.columns) == (5, 2)


def test_cells_are_found_by_their_position() -> None:
    table = made((5, [0, 7], ["c", "d"]), (1, [2], ["a"]))
    assert [table.get_cell_text(*place) for place in [(5, 7), (1, 2), (1, 3), (2, 0), (9, 9), (0, 0)]] == ["d", "a"] + [
        ""
    ] * 4


def test_only_cells_in_the_area_are_changed() -> None:
    table = made(*((row, [0, 2, 4], ["a", "b", "c"]) for row in range(4)))
    assert table.change(Area(1, 1, 2, 3), str.upper) == 4  # the number of rows and of their cells
    assert table.markdown().splitlines()[2:] == ["| a | B | c |"] * 2 + ["| a | b | c |"]


def test_change_that_creates_too_much_text_is_rejected() -> None:
    table = made(*((row, [0], ["a"]) for row in range(1_000)))
    with pytest.raises(ConversionFailed):
        table.change(Area(0, 0, 999, 0), lambda text: text * 100_000)


@pytest.mark.parametrize(
    ("text", "address", "written_so"),
    [
        ("a", "https://a.example", "[a](https://a.example)"),
        ("a", " HTTP://a.example/(x) y ", "[a](HTTP://a.example/(x)%20y)"),
        ("a", "https://a.example/)|", "[a](https://a.example/%29%7C)"),
        (r"[x\] \\[", "https://a.example", r"[\[x\] \\\[](https://a.example)"),
        ("[a](https://b.example)", "https://a.example", "[a](https://b.example)"),
        ("a", "tel:1", "a"),
        ("a", "ftp://a.example", "a"),
        ("a", "https://", "a"),
        ("a", "https://a.example/" + "x" * 5_000, "a"),
        ("", "https://a.example", ""),
        ("https://a.example", "https://a.example/", "https://a.example"),
        ("a@b.example", "mailto:a@b.example", "a@b.example"),
    ],
)
def test_cell_is_a_link_if_its_url_differs_from_its_text(text: str, address: str, written_so: str) -> None:
    assert link_text(text, address) == written_so


def test_notes_state_their_cells() -> None:
    table = made((0, [0, 1], ["a", "b" * 41]))
    notes = [Note(0, 1, "second"), Note(0, 0, "first\nline"), Note(4, 0, " "), Note(9, 27, "far", "Ada")]
    assert write_notes(notes, table) == 'Notes:\n\n- A1 "a": first line\n- B1: second\n- AB10 (Ada): far\n'
    assert write_notes(notes[2:3], table) == ""
    assert [name_column(column) for column in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]


def test_sheet_with_only_notes_is_written() -> None:
    assert build_document([Tab("S", [("", made())], notes=[Note(0, 0, "x")])]).markdown == "## S\n\nNotes:\n\n- A1: x\n"
