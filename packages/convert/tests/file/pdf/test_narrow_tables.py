"""Tables with columns that are nearly empty or close together, and the text directly above them."""

import pytest

from convert_support.portable import Sheet, portable
from webquarry_convert.file.pdf import read

BOOKINGS = ("Fee", "Salary", "Transfer", "Card", "Rent", "Interest", "Deposit", "Toll")
HEADS = ("Date", "Text", "Debit", "Credit", "Balance")
LEFTS = (60, 130, 260, 340, 420)


def markdown(*sheets: Sheet) -> str:
    return read(portable(*sheets)).markdown


def book(sheet: Sheet, y: float, *, of: int = 0) -> Sheet:
    """Draw an account statement with a single value in the fourth column. of: the beginning of its numbers."""
    for x, head in zip(LEFTS, HEADS, strict=True):
        sheet.text(x, y, head)
    for place, text in enumerate(BOOKINGS, 1):
        line = y + 14 * place
        sheet.text(60, line, f"{of + place:02}.05.26").text(130, line, text)
        sheet.text(340 if place == 5 else 260, line, f"{10 + of + place}.50").text(420, line, f"{500 + of + place}.20")
    return sheet


def test_column_with_a_single_value_is_kept() -> None:
    made = markdown(book(Sheet(), 60))
    assert "| Date | Text | Debit | Credit | Balance |" in made
    assert "| 05.05.26 | Rent |  | 15.50 | 505.20 |" in made
    assert "| 06.05.26 | Interest | 16.50 |  | 506.20 |" in made


def test_repeated_headers_stay_with_their_tables() -> None:
    sheets = [Sheet().lines(60, 60, ["The account of the mill, as it stood on the last day of the month of May."])]
    sheets += [book(Sheet(), 40, of=10 * number) for number in range(3)]
    made = markdown(*sheets)
    assert made.count("| Date | Text | Debit | Credit | Balance |") == 1
    assert "| 25.05.26 | Rent |  | 35.50 | 525.20 |" in made
    assert not made.rstrip().endswith("Balance")


def test_labels_above_a_table_are_not_rows_of_it() -> None:
    sheet = Sheet().text(60, 60, "Holder: Ada Birkett").text(260, 60, "Born: 3 May 1980")
    sheet.text(60, 73, "Account: 40071").text(260, 73, "Branch: York")
    made = markdown(book(sheet, 90))
    assert made.startswith("Holder: Ada Birkett\\\nBorn: 3 May 1980\\\nAccount: 40071\\\nBranch: York\n\n| Date |")


def test_cells_that_fill_their_column_stay_separate_from_the_next() -> None:
    sheet = Sheet().text(60, 60, "What").text(200, 60, "Who").text(280, 60, "When")
    texts = [
        "The mill at the weir is mended",
        "Corn is bought",
        "A new wheel is made of oak",
        "Stones are cut",
        "Bread",
    ]
    for place, text in enumerate(texts):
        y = 76 + 16 * place
        sheet.text(60, y, text).text(200, y, "Ada B").text(280, y, f"{place + 3} May")
    assert "| The mill at the weir is mended | Ada B | 3 May |" in markdown(sheet)


def test_partial_lines_separate_rows_next_to_a_spanning_cell() -> None:
    sheet = Sheet().text(60, 60, "Part").text(220, 60, "State").text(320, 60, "Min.").text(400, 60, "Max.")
    for place, name in enumerate(("Voltage", "Current", "Clock", "Noise")):
        y = 78 + 32 * place
        sheet.line(60, y - 12, 440, y - 12).text(60, y, name).line(215, y + 4, 440, y + 4)
        for row in range(2):
            x = y + 16 * row
            sheet.text(220, x, "idle" if row else "at work").text(320, x, f"{place}.{row}1").text(
                400, x, f"{place}.{row}9"
            )
    made = markdown(sheet)
    assert "| Voltage | at work | 0.01 | 0.09 |\n|  | idle | 0.11 | 0.19 |" in made


@pytest.mark.parametrize(("rest", "is_label"), [("harbour", True), ("a) harbour", False)])
def test_the_label_of_the_last_row_may_wrap(rest: str, *, is_label: bool) -> None:
    sheet = Sheet()
    for place, text in enumerate(("The mill at the weir", "The bridge", "The light beyond the")):
        sheet.text(60, 60 + 20 * place, text).text(260, 60 + 20 * place, f"{place + 3}.50")
        sheet.text(340, 60 + 20 * place, f"{place}.20")
    assert (f"| The light beyond the {rest} | 5.50 | 2.20 |" in markdown(sheet.text(60, 112, rest))) is is_label


def test_cell_that_nearly_fills_its_column_keeps_its_value() -> None:
    sheet = Sheet().lines(72, 100, ["The chair is sold in these forms, which our shop has in its store in the town."])
    for place, (label, value) in enumerate([("Weight", "12 kg"), ("Colour", "red"), ("Made in", "Spain")]):
        sheet.text(72, 130 + 13 * place, label).text(115, 130 + 13 * place, value)
    assert "| Weight | 12 kg |\n| --- | --- |\n| Colour | red |\n| Made in | Spain |\n" in markdown(sheet)


def test_words_of_a_code_listing_are_not_cells() -> None:
    sheet = Sheet().lines(72, 100, ["The program is called so, with what the reader of this manual wants of it."])
    for place, line in enumerate(["kitchen --all --since 2026", "kitchen --list | sort", "kitchen --help"]):
        sheet.text(72, 130 + 13 * place, line, font="Courier")
    assert "```\nkitchen --all --since 2026\nkitchen --list | sort\nkitchen --help\n```" in markdown(sheet)


def test_numbers_at_the_end_of_a_run_get_separate_columns() -> None:
    """The run "Less so 10 20 30" has the usual distance between its words."""
    sheet = Sheet().text(60, 60, "Age").text(134.8, 60, "Less so 10 20 30")
    for place, name in enumerate(("North", "South", "East", "West")):
        sheet.text(60, 76 + 14 * place, name).text(146, 76 + 14 * place, f"{place + 3}6")
        for x in (174, 188, 202):
            sheet.text(x, 76 + 14 * place, str(place + x % 7))
    assert "| Age | Less so | 10 | 20 | 30 |" in markdown(sheet)


def test_items_below_a_number_in_the_margin_are_not_table_rows() -> None:
    """The words of one item are separated by wide gaps."""
    sheet = Sheet().text(100, 73, "14").text(482, 73, "NEWS")
    for place, apart in enumerate((7, 0, 0, 0)):
        y = 101 + 34 * place
        sheet.text(134, y, "\u2022").text(144, y, "The modern meadow carries the old bridge to")
        sheet.text(349 + apart, y, "the town, and the narrow").text(
            144, y + 12, "market is open until nine in the evening."
        )
    assert markdown(sheet).count("\n- The modern meadow") == 4
