"""Several tables on one sheet, and lines of text around the tables."""

import random
from collections import Counter

import pytest

from webquarry_convert.file.sheets.csv import read
from webquarry_convert.file.sheets.regions import divide, write_table
from webquarry_convert.file.sheets.table import Budget, Table, build_row


def sheet(lines: str) -> Table:
    """Build a sheet from cells separated by `|`."""
    table = Table(Budget())
    for number, line in enumerate(lines.split("\n")):
        table.add(number, *build_row(cell.strip() for cell in line.split("|")))
    return table


def shape(lines: str) -> list[str]:
    """Return the first row of each region, with the prefix `text:` if the region is not a table.

    Returns [] for a single table.
    """
    regions = divide(sheet(lines)) or []
    return [("text: " if region.is_text else "") + " ".join(region.rows[0].texts) for region in regions]


TWO = "Region|Units\nNorth|10\nSouth|20"
OTHER = "Channel|Share|Note\nWeb|0.6|a\nShop|0.4|b"


def test_tables_below_each_other_have_separate_headers() -> None:
    assert write_table(sheet(f"Sales\nby Finance\n\n{TWO}\n\n{OTHER}\n\nSource: ledger")) == (
        "Sales  \nby Finance\n\n| Region | Units |\n| --- | --- |\n| North | 10 |\n| South | 20 |\n\n"
        "| Channel | Share | Note |\n| --- | --- | --- |\n| Web | 0.6 | a |\n| Shop | 0.4 | b |\n\nSource: ledger\n"
    )


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("A|B|||C|D\nx|1|||y|3\nz|2|||w|4", ["A B", "C D"]),
        ("A|B||C|D\nx|1||y|3\nz|2", ["A B", "C D"]),
        ("All\nA|B||||C|D\nx|1||||y|3\nz|2||||w|4", ["text: All", "A B", "C D"]),
        ("A||||C\nA|B|||C|D\nx|1|||y|3\nz|2|||w|4", ["text: A", "A B", "text: C", "C D"]),
        ("A|B|||C|D\nx|1|||y|3\n||||z|4\nE|F|||w|5\nv|6|||u|7", ["A B", "E F", "C D"]),
        ("A|B|C\nx|y|z\nv|w|u\n\nT\nD|E|F\nx|1|2\ny|3|4", ["A B C", "text: T", "D E F"]),
        ("A|2024|2025\nx|1|2\n\nB|2024|2025\ny|3|4", ["A 2024 2025", "B 2024 2025"]),
        ("A|B\nx|1\n\nA|B\ny|2", ["A B", "A B"]),
    ],
)
def test_separate_tables_are_recognized(lines: str, expected: list[str]) -> None:
    assert shape(lines) == expected


@pytest.mark.parametrize(
    "lines",
    [
        TWO,
        f"Title\n\n{TWO}\n\nSource",
        "Item|Jan||Feb|Mar\nA|1||2|3\nB|4||5|6",
        "Item|Jan||Group|Mar\nA|1||x|3\nB|4||x|6\nC|1",
        "Item|Jan|Feb\n\nAssets\nCash|1|2\n\nDebts\nLoan|5|6\n\nTotal|8|9",
        "Name|City\nAnn|Rome\n\nBob|Oslo\nEve|Bonn",
        "Invoice|123\nDate|01.02.2026\n\nItem|Qty|Price\nPen|2|3\n\nTotal||6",
        "a\n\nb\n\nc",
        "",
    ],
)
def test_sheet_with_one_table_is_not_divided(lines: str) -> None:
    table = sheet(lines)
    assert divide(table) is None
    assert write_table(table) == table.markdown()


def test_rows_after_an_empty_row_continue_the_table() -> None:
    lines = f"{TWO}\n\nWest\nSouth|3\n\nTotal|33\n\n{OTHER}"
    regions = divide(sheet(lines)) or []
    assert [len(region.rows) for region in regions] == [6, 3]


def test_each_cell_is_written_exactly_once() -> None:
    chance = random.Random(4)
    divided = 0
    for _ in range(400):
        lines: list[str] = []
        for _ in range(chance.randint(1, 4)):
            lead, width = "|" * chance.choice((0, 0, 3)), chance.randint(1, 4)
            names = "ABCD"[:width]
            lines += [
                lead + "|".join(f"{name}{chance.choice('xyz')}" for name in names),
                *[""] * chance.choice((0, 0, 1)),
            ]
            for _ in range(chance.randint(0, 4)):
                lines.append(lead + "|".join(chance.choice(["", "x", "12", "2,5 %", "2024"]) for _ in names))
            lines += [""] * chance.randint(0, 2)
        beside = ["|" * chance.randint(5, 8) + line for line in lines[: chance.randint(0, len(lines))]]
        both = [f"{line}{more[line.count('|') :]}" for line, more in zip(lines, beside, strict=False)]
        table = sheet("\n".join([*both, *lines[len(both) :]]))
        whole = Counter(text for _, _, texts in table.list_rows() for text in texts)
        for is_plain in (False, True):
            regions = divide(table, is_plain=is_plain)
            if regions is not None:
                divided += 1
                assert Counter(text for region in regions for row in region.rows for text in row.texts) == whole
    assert divided > 50


BODY = "Date;Text;Amount\n01.10.2026;Rent;-850,00\n03.10.2026;Food, drinks;2.450,00\n05.10.2026;Salary;-1,50\n"
TABLE = (
    "| Date | Text | Amount |\n| --- | --- | --- |\n| 01.10.2026 | Rent | -850,00 |\n"
    "| 03.10.2026 | Food, drinks | 2.450,00 |\n| 05.10.2026 | Salary | -1,50 |\n"
)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Statement\n", "Statement"),
        ("Statement\n\n", "Statement"),
        ("Statement;;\nCreated: 2026-10-01 10:00;;\n;;\n", "Statement  \nCreated: 2026-10-01 10:00"),
        (
            "Account;DE12 34\nFrom;01.10.2026\nTo;31.10.2026\n\n",
            "Account: DE12 34  \nFrom: 01.10.2026  \nTo: 31.10.2026",
        ),
        ('"Account:";"DE12"\n\n"Balance:";"1,5"\n\n', "Account: DE12\n\nBalance: 1,5"),
        ("Account:;Main\n", "Account: Main"),
        (
            "".join(f"Line {at}, of many: x\n" for at in range(10)),
            "  \n".join(f"Line {at}, of many: x" for at in range(10)),
        ),
        ("".join(f"Key {at}: x\n" for at in range(9)) + "\n", "  \n".join(f"Key {at}: x" for at in range(9))),
        ("# exported\n", "\\# exported"),
        ("Source;World Bank\n\nUpdated;2026-01-01\n\n", "Source: World Bank\n\nUpdated: 2026-01-01"),
    ],
)
def test_lines_before_the_records_become_paragraphs(before: str, text: str) -> None:
    assert read((before + BODY).encode()).markdown == f"{text}\n\n{TABLE}"


@pytest.mark.parametrize("delimiter", [",", "\t", "|", ";"])
def test_lines_around_the_records_become_paragraphs_for_each_delimiter(delimiter: str) -> None:
    records = delimiter.join("AB") + "\n" + delimiter.join("1x") + "\n" + delimiter.join("2y") + "\n"
    assert read(f"A title\n\n{records}\nThe end\n".encode()).markdown == (
        "A title\n\n| A | B |\n| --- | --- |\n| 1 | x |\n| 2 | y |\n\nThe end\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "a,b,c\n1,2\n3\n4,5,6,7\n",
        "Region,2023,,\nName,Q1,Q2,Q3\nA,1,2,3\n",
        "a, b, c\n1, 2, 3\nx, y; z, w\nx, y; z, v\nx, y; z, u\n",
        "Item,Qty\nPen,5\n\nInk,6\n",
        "Item,Qty\nPen,5\n\nThe end\n",
        "Name\nAnn\nBob\n",
        "1,2,3\n4,5,6\n",
        "Title\n1,2,3\n4,5,6\n",
    ],
)
def test_records_without_a_text_line_stay_one_table(text: str) -> None:
    markdown = read(text.encode()).markdown
    assert markdown.startswith("| ")
    assert "\n\n" not in markdown


def test_tables_in_delimited_text_are_separated() -> None:
    assert read(b"Item,Qty\nPen,5\nInk,6\n\nCity,Area,Size\nRome,1,2\nOslo,3,4\n").markdown == (
        "| Item | Qty |\n| --- | --- |\n| Pen | 5 |\n| Ink | 6 |\n\n"
        "| City | Area | Size |\n| --- | --- | --- |\n| Rome | 1 | 2 |\n| Oslo | 3 | 4 |\n"
    )
