"""Tables of contents, and headings that follow them on the same page."""

from collections.abc import Sequence

from convert_support.portable import Sheet, portable
from webquarry_convert.file.pdf import read

TITLES = (("1", "Rye"), ("2", "Four stones"), ("3", "Oats"))
PARTS = ("Sowing", "Cutting", "The sifter")
PROSE = [
    "The mill is as old as the bridge, and its wheel turns by what the river brings down from the old forest.",
    "Nobody has counted the bags of flour that were carried from it to the town below since it has been built.",
]


def markdown(sheet: Sheet) -> str:
    return read(portable(sheet)).markdown


def list_contents(sheet: Sheet, titles: Sequence[tuple[str, str]] = TITLES) -> Sheet:
    """Draw a table of contents with two levels, and with the page numbers in a separate column, as in an article."""
    for place, (number, title) in enumerate(titles):
        y = 80 + 40 * place
        sheet.text(72, y, number, font="Helvetica-Bold").text(87, y, title, font="Helvetica-Bold")
        sheet.text(500, y, str(place + 2), font="Helvetica-Bold")
        for part, text in enumerate(PARTS[: place + 1], 1):
            sheet.text(87, y + 12 * part, f"{number}.{part}").text(111.5, y + 12 * part, text)
            sheet.text(500, y + 12 * part, str(place + 2))
    return sheet


def test_numbered_heading_below_the_contents_is_not_a_row_of_them() -> None:
    sheet = list_contents(Sheet())
    sheet.text(72, 222, "1", size=14, font="Helvetica-Bold").text(96, 222, "Rye", size=14, font="Helvetica-Bold")
    made = markdown(sheet.lines(72, 246, PROSE))
    assert "| 3 | Oats |" in made
    assert "\n\n# 1 Rye\n\n" in made


def test_numbered_heading_above_a_table_is_not_a_row_of_it() -> None:
    sheet = Sheet().lines(72, 60, PROSE)
    sheet.text(72, 110, "4", size=14, font="Helvetica-Bold").text(96, 110, "Prices", size=14, font="Helvetica-Bold")
    for place, (what, price) in enumerate([("Rye", "2.10"), ("Oats", "1.90"), ("Wheat", "2.40")]):
        sheet.text(96, 130 + 13 * place, what).text(260, 130 + 13 * place, price)
    made = markdown(sheet)
    assert "# 4 Prices\n\n| Rye | 2.10 |" in made


def test_letters_over_two_columns_are_not_a_heading() -> None:
    sheet = Sheet().lines(72, 60, PROSE)
    sheet.text(72, 110, "L", size=14).text(300, 110, "S", size=14)
    for place in range(4):
        for x, name in ((72, "Larch"), (300, "Spruce")):
            sheet.text(x, 130 + 13 * place, f"{name}, Ada").text(x + 100, 130 + 13 * place, f"{place}51")
    assert "L S" not in markdown(sheet)


def test_title_in_the_contents_is_not_split_at_a_nearly_aligned_word() -> None:
    """The word "stones" in "Four stones" begins half a point from the titles of parts."""
    assert "| 2 | Four stones |" in markdown(list_contents(Sheet()))


def test_dots_before_a_page_number_are_not_cells() -> None:
    sheet = Sheet().lines(72, 60, PROSE)
    for place, (number, title, end) in enumerate([("1", "Rye .", 96), ("2", "Four stones", 132), ("3", "Oats", 105)]):
        sheet.text(60, 110 + 14 * place, number).text(72, 110 + 14 * place, title)
        for dot in range(end, 300, 9):
            sheet.text(dot, 110 + 14 * place, ".")
        sheet.text(310, 110 + 14 * place, "2, 12" if place == 1 else "9")
    assert "| 1 | Rye | 9 |\n| --- | --- | --- |\n| 2 | Four stones | 2, 12 |\n| 3 | Oats | 9 |\n" in markdown(sheet)


def test_dots_to_fill_in_stay_after_their_label() -> None:
    sheet = Sheet().lines(72, 60, PROSE)
    for place, label in enumerate(("Name", "Town", "Date")):
        sheet.text(72, 110 + 20 * place, label)
        for dot in range(110, 300, 9):
            sheet.text(dot, 110 + 20 * place, ".")
    made = markdown(sheet)
    assert "|" not in made
    assert "Town . . . . ." in made


def test_sentence_before_a_number_keeps_its_period() -> None:
    assert "turns. 7" in markdown(Sheet().text(72, 60, "The wheel turns.").text(300, 60, "7"))
