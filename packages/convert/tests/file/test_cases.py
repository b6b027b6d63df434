"""Files based on defects that users of converters reported; `cases.md` describes the expected output."""

import pytest

from convert_support.kit import KIT
from webquarry_convert.file.document import Document
from webquarry_convert.file.readers import convert

CASES = KIT / "evals/files/cases"

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the cases are not there")


def read(name: str) -> Document:
    return convert((CASES / name).read_bytes(), name)[1]


def test_a_mail_with_the_first_line_of_a_mailbox() -> None:
    document = read("e05_mbox_from.eml")
    assert document.title == "Exported by a takeout"
    assert document.markdown.endswith("\n\nThis mail begins with the line that mbox files have.\n")


def test_a_mail_stored_in_utf_16() -> None:
    document = read("e06_utf16_stored.eml")
    assert document.title == "Stored as UTF-16"
    assert document.markdown.endswith("\n\nThe body that must not be lost.\n")


def test_a_mail_without_a_date() -> None:
    assert read("e07_no_date.eml").markdown == (
        "# A mail without a date\n\n- From: sender@example.com\n- To: recipient@example.com\n\nShort body.\n"
    )


def test_formulas_side_by_side_and_beside_prices() -> None:
    assert read("d14_omml_three.docx").markdown == (
        "$a=b$ $c=d$\n\nCost is \\$5 and $\\frac{a}{b}$ or \\$6, then $\\sum_{i=1}^{n}x^{2}$\n"
    )


def test_lines_in_front_of_delimited_records() -> None:
    assert read("c01_preamble.csv").markdown == (
        "Account statement  \nAccount: 12345678  \nPeriod: 01.10.2026 - 31.10.2026\n\n"
        "| Date | Text | Amount |\n| --- | --- | --- |\n| 01.10.2026 | Rent; October | -850,00 |\n"
        "| 03.10.2026 | Salary | 2.450,00 |\n| Closing balance |  | 1.600,00 |\n"
    )


def test_tables_on_one_sheet() -> None:
    assert read("x03_blocks.xlsx").markdown == (
        "## Dashboard\n\nSales report Q3  \nprepared by Finance\n\n"
        "| Region | Units | Revenue |\n| --- | --- | --- |\n| North | 10 | 1000 |\n| South | 20 | 2100 |\n"
        "| Total | 30 | 3100 |\n\n| Channel | Share |\n| --- | --- |\n| Web | 0.6 |\n| Shop | 0.4 |\n\n"
        "| Assumption | Value |\n| --- | --- |\n| FX rate | 1.08 |\n| Tax | 19 % |\n\nSource: internal ledger\n"
    )
