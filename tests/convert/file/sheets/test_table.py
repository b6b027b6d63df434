"""The pipe table that cells make."""

import pytest

from webquarry.convert.file import limits
from webquarry.convert.file.sheets.table import Budget, Table, dense, shown
from webquarry.convert.file.sheets.workbook import Tab, document
from webquarry.errors import ConversionFailed


def made(*rows: tuple[int, list[int], list[str]]) -> Table:
    table = Table(Budget())
    for row in rows:
        table.add(*row)
    return table


def test_rows_and_columns_without_cells_are_left_out() -> None:
    table = made((4, [2, 9], ["a", "b"]), (5, [], []), (900_000, [5], ["c"]))
    assert table.markdown() == "| a |  | b |\n| --- | --- | --- |\n|  | c |  |\n"
    assert (table.rows, table.columns) == (899_997, 8)


def test_a_table_without_cells_is_nothing() -> None:
    assert made().markdown() == ""
    assert made().rows == made().columns == 0


def test_rows_may_be_of_any_length() -> None:
    assert made((0, [0], ["a"]), (1, [0, 1, 2], ["b", "c", "d"])).markdown().splitlines()[-1] == "| b | c | d |"


def test_a_cell_is_one_line_without_pipes() -> None:
    assert shown("a\nb|c") == r"a b\|c"
    assert shown("\x01 ") == ""
    assert dense(["a", "", " ", "b"]) == ([0, 3], ["a", "b"])


def test_a_corner_far_away_costs_nothing() -> None:
    table = made((0, [0], ["a"]), (1_048_575, [16_383], ["b"]))
    assert table.markdown() == "| a |  |\n| --- | --- |\n|  | b |\n"


def test_what_would_be_mostly_empty_is_refused_before_it_is_written() -> None:
    table = made(*((row, [row], ["x"]) for row in range(16_000)))
    with pytest.raises(ConversionFailed) as refused:
        table.markdown()
    assert refused.value.reason == "limits"


def test_cells_are_counted_over_all_sheets() -> None:
    budget = Budget(3)
    Table(budget).add(0, [0, 1], ["a", "b"])
    with pytest.raises(ConversionFailed, match="more than 3 cells"):
        Table(budget).add(0, [0, 1], ["a", "b"])
    assert limits.MAX_CELLS == 2_000_000


def test_sheets_have_their_names_as_headings_and_empty_ones_are_only_listed() -> None:
    one, none = made((0, [0], ["a"])), made()
    read = document(
        [Tab("A *b*", [("", one)]), Tab("Empty", [("", none)]), Tab("C", [("T1", one), ("T2", one)], is_hidden=True)]
    )
    table = "| a |\n| --- |\n"
    assert read.markdown == f"## A *b\\*\n\n{table}\n## C (hidden)\n\n### T1\n\n{table}\n### T2\n\n{table}"
    assert [(sheet.name, sheet.rows, sheet.columns, sheet.is_hidden) for sheet in read.sheets or ()] == [
        ("A *b*", 1, 1, False),
        ("Empty", 0, 0, False),
        ("C", 2, 1, True),
    ]
