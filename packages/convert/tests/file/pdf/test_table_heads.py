"""Table headers that repeat at the top of pages.

They are not running titles: the columns stay, and one header is kept.
"""

import pytest

from convert_support.kit import KIT
from convert_support.portable import Sheet, portable
from webquarry_convert.file.pdf import read

CASES = KIT / "evals/files/cases"
with_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the evaluation kit is not there")
HEAD = ("Date", "Text", "Money out", "Money in", "Balance")
XS = (72, 100, 300, 360, 430)
"""The columns' positions. The first two headers are close to each other, as in narrow columns."""


def statement(rows: range) -> Sheet:
    """Draw a page of a bank statement. In every third row, an amount is paid in."""
    sheet = Sheet()
    for x, text in zip(XS, HEAD, strict=True):
        sheet.text(x, 60, text)
    for place, row in enumerate(rows):
        cells = (f"{row % 28 + 1:02}", f"Paid to mill {row}", "", f"{row}.50", f"{1000 + row}.00")
        if row % 3:
            cells = (cells[0], cells[1], f"{row}.25", "", cells[4])
        for x, text in zip(XS, cells, strict=True):
            if text:
                sheet.text(x, 76 + 14 * place, text)
    return sheet


def list_rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("| ---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_statement_over_three_pages_becomes_one_table() -> None:
    sheets = [statement(range(40)), statement(range(40, 80)), statement(range(80, 100))]
    text = read(portable(*sheets)).markdown
    rows = list_rows(text)
    assert text.count("\n| ---") == 1
    assert text.count("Money in") == 1
    assert text.rstrip().endswith("|")
    assert [row[3] for row in rows[1:]] == [f"{row}.50" if row % 3 == 0 else "" for row in range(100)]


def test_running_title_close_above_a_text_is_kept_once() -> None:
    sheets = [
        Sheet().lines(72, 60, ["Of the mills", *(f"{page} a line {line}" for line in range(9))]) for page in "abc"
    ]
    assert read(portable(*sheets)).markdown.count("Of the mills") == 1


@with_cases
def test_evaluation_statement_becomes_one_table() -> None:
    text = read((CASES / "j01_bank_statement.pdf").read_bytes()).markdown
    rows = [row for row in list_rows(text) if len(row) == 5]
    assert text.count("| Date |") == 1
    assert {row[3] for row in rows if "J SMITH" in row[1]} == {"375.00"}
    assert {row[2] for row in rows if "COUNCIL TAX" in row[1]} == {"141.00"}
    assert text.rstrip().endswith("£85,000.")


@with_cases
def test_two_line_header_of_an_evaluation_file_is_written_once() -> None:
    text = read((CASES / "f03_stacked_repeated_head.pdf").read_bytes()).markdown
    assert text.count("LQFP64") == text.count("Pin name") == 1
    assert len(list_rows(text)) == 92
    assert text.rstrip().endswith("End of the list.")
