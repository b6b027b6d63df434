"""Files that reproduce defects reported by users of converters. `cases.md` describes the expected output."""

import pytest

from convert_support.kit import KIT
from webquarry_convert.file.document import Document
from webquarry_convert.file.readers import convert

CASES = KIT / "evals/files/cases"

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the cases are not there")


def read(name: str) -> Document:
    return convert((CASES / name).read_bytes(), name)[1]


def test_mail_with_the_first_line_of_a_mailbox_is_read() -> None:
    document = read("e05_mbox_from.eml")
    assert document.title == "Exported by a takeout"
    assert document.markdown.endswith("\n\nThis mail begins with the line that mbox files have.\n")


def test_mail_stored_in_utf_16_is_read() -> None:
    document = read("e06_utf16_stored.eml")
    assert document.title == "Stored as UTF-16"
    assert document.markdown.endswith("\n\nThe body that must not be lost.\n")


def test_mail_without_a_date_is_read() -> None:
    assert read("e07_no_date.eml").markdown == (
        "# A mail without a date\n\n- From: sender@example.com\n- To: recipient@example.com\n\nShort body.\n"
    )


def test_adjacent_formulas_and_formulas_next_to_prices_stay_separate() -> None:
    assert read("d14_omml_three.docx").markdown == (
        "$a=b$ $c=d$\n\nCost is \\$5 and $\\frac{a}{b}$ or \\$6, then $\\sum_{i=1}^{n}x^{2}$\n"
    )


def test_lines_before_delimited_records_are_paragraphs() -> None:
    assert read("c01_preamble.csv").markdown == (
        "Account statement  \nAccount: 12345678  \nPeriod: 01.10.2026 - 31.10.2026\n\n"
        "| Date | Text | Amount |\n| --- | --- | --- |\n| 01.10.2026 | Rent; October | -850,00 |\n"
        "| 03.10.2026 | Salary | 2.450,00 |\n| Closing balance |  | 1.600,00 |\n"
    )


def test_tables_on_one_sheet_are_separated() -> None:
    assert read("x03_blocks.xlsx").markdown == (
        "## Dashboard\n\nSales report Q3  \nprepared by Finance\n\n"
        "| Region | Units | Revenue |\n| --- | --- | --- |\n| North | 10 | 1000 |\n| South | 20 | 2100 |\n"
        "| Total | 30 | 3100 |\n\n| Channel | Share |\n| --- | --- |\n| Web | 0.6 |\n| Shop | 0.4 |\n\n"
        "| Assumption | Value |\n| --- | --- |\n| FX rate | 1.08 |\n| Tax | 19 % |\n\nSource: internal ledger\n"
    )


def test_notes_below_a_page_are_linked_to_their_marks() -> None:
    text = read("f06_superscript_notes.pdf").markdown
    assert "as Smith\u00b3,\u2074 showed." in text
    assert text.endswith(
        "\n\n1 Decree 14 of that year.\n\n2 See annex.\n\n3 Smith (1999).\n\n4 But see Jones (2001).\n"
    )


def test_vertical_lines_are_read_from_top_to_bottom() -> None:
    document = read("f08_vertical_cjk.pdf")  # the font does not show that both lines begin with 春
    title, first, second = document.markdown.split("\n\n")
    assert title == "# の海"
    assert first.endswith("の海ひねもすのたりのたりかな。これは有名な俳句である。")
    assert second.startswith("二番目の段落はここから始まる。")
    assert document.warnings == ('Unidentifiable text is omitted, or shown as "?" before a number: 2 characters.',)


def test_title_with_four_lines_becomes_one_heading() -> None:
    headings = [line for line in read("f19_title_three_lines.pdf").markdown.splitlines() if line.startswith("# ")]
    assert headings == ["# A Comparison of Programming Languages in Economics"]


def test_number_at_the_start_of_a_line_stays_in_its_sentence() -> None:
    text = read("f20_contract_breaks.pdf").markdown
    assert "a period of three (3) years after that date" in text
    assert "coverage of (b) personal injury and" in text
    assert not any(line.startswith("-") for line in text.splitlines())


def test_wrapped_value_in_a_bank_statement_stays_in_its_cell() -> None:
    assert "\n| IBAN | GB29 NORB 2044 9173 3104 82 |\n" in read("j01_bank_statement.pdf").markdown


def test_lines_of_a_side_column_stay_together() -> None:
    text = read("j07_cv.pdf").markdown
    assert "ada@birkett.example\\\n+44 7700 900123\\\nYork, UK\n" in text
    assert "English \u2013 native\\\nGerman \u2013 C1\\\nPolish \u2013 B1\n" in text


def test_data_sheet_in_two_columns_is_read_by_column() -> None:
    text = read("j08_data_sheet.pdf").markdown
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == [
        "# LX-220 Low-noise amplifier",
        "## Features",
        "## Applications",
        "## Ordering",
        "## Electrical characteristics",
    ]
    assert "- Noise figure 0.8 dB at 1 GHz\n- Gain 20 dB" in text
    assert "equipment between 0.4 and 3 GHz. The device is matched" in text
