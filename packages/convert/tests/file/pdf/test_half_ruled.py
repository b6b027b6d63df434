"""Tables in which some lines are missing, and rows that are recognized by their distances."""

from textwrap import wrap

import pytest

from convert_support.portable import Sheet, portable
from webquarry_convert.file.pdf import read

STATEMENT = [
    ("Revenue", "812,450", "790,122"),
    ("Cost of sales", "(512,004)", "(498,220)"),
    ("Gross profit", "300,446", "291,902"),
    ("Distribution", "(88,120)", "(84,911)"),
    ("Other costs", "(61,009)", "(60,118)"),
    ("Profit", "151,317", "146,873"),
    ("Income tax", "(31,546)", "(29,918)"),
    ("Net profit", "119,771", "116,955"),
]


def rows(*sheets: Sheet) -> list[list[str]]:
    """Return the cells of all tables, without the separator rows below the headers."""
    lines = [line for line in read(portable(*sheets)).markdown.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "---" not in line]


def test_rows_between_lines_for_totals_stay_separate() -> None:
    sheet = Sheet().text(200, 60, "2026").text(280, 60, "2025")
    for place, cells in enumerate(STATEMENT):
        y = 76 + 14 * place
        for x, cell in zip((72, 200, 280), cells, strict=True):
            sheet.text(x, y, cell)
        if place in (1, 4, 6):
            sheet.line(72, y + 4, 340, y + 4)
    assert rows(sheet)[1:] == [list(cells) for cells in STATEMENT]


def test_undrawn_columns_are_recognized_by_their_numbers() -> None:
    sheet = Sheet().grid([60, 160, 400], [60, 80, *(100 + 20 * place for place in range(5))])
    sheet.text(64, 74, "Region").text(170, 74, "Day").text(230, 74, "Night").text(290, 74, "Standing charge")
    for place, name in enumerate(("North", "South", "East", "West", "Coast")):
        y = 94 + 20 * place
        sheet.text(64, y, name)
        for column in range(3):
            sheet.text(170 + 60 * column, y, f"{place + 1}{column}.50")
    found = rows(sheet)
    assert found[0] == ["Region", "Day", "Night", "Standing charge"]
    assert found[3] == ["East", "30.50", "31.50", "32.50"]


def test_running_text_in_a_drawn_cell_is_not_split() -> None:
    sheet = Sheet().grid([60, 160, 400], [60, 100, 140, 180])
    for place, name in enumerate(("North", "South", "East")):
        y = 74 + 40 * place
        sheet.text(64, y, name).text(164, y, "1.5 tons, or 20 carts").text(164, y + 14, "a year, on average")
    assert rows(sheet)[1] == ["South", "1.5 tons, or 20 carts<br>a year, on average"]


@pytest.mark.parametrize("wider", [2, 6])
def test_rows_are_recognized_by_slightly_larger_distances(wider: int) -> None:
    sheet = Sheet()
    y = 72
    wanted = []
    for place, name in enumerate(("Thames", "Severn", "Trent", "Mersey")):
        sheet.text(72, y, name).text(160, y, "rises in the hills").text(300, y, "seen by 1 of")
        sheet.text(72, y + 14, "river").text(160, y + 14, f"and is {place} m deep").text(300, y + 14, "seen by 2 of")
        y += 28 + wider
        wanted.append([f"{name} river", f"rises in the hills and is {place} m deep", "seen by 1 of seen by 2 of"])
    assert rows(sheet) == wanted


def test_continuing_sentence_is_not_split_into_rows() -> None:
    sheet = Sheet().grid([60, 160, 260, 360], [60, 160, 180])
    for x, first, rest in ((64, "The mill carries", "the flour"), (164, "Ada reads what", "she found")):
        sheet.text(x, 74, first).text(x, 92, rest).text(x, 104, "every year").text(x, 122, "and then again")
    sheet.text(264, 74, "Oats").text(64, 174, "Rye").text(164, 174, "Barley").text(264, 174, "Wheat")
    assert [cell.replace("<br>", " ") for cell in rows(sheet)[0]] == [
        "The mill carries the flour every year and then again",
        "Ada reads what she found every year and then again",
        "Oats",
    ]


def test_row_that_begins_with_its_number_is_not_a_header() -> None:
    sheet = Sheet()
    for x, head in zip((60, 90, 300, 400), ("No.", "What", "Who", "Until"), strict=True):
        sheet.text(x, 60, head)
    y = 75.0
    for number, who in enumerate(("Oskar", "Jonas", "Ilse", "Ada"), 1):
        sheet.text(60, y, str(number)).text(90, y, "The window is to be mended and the").text(300, y, f"{who} Hart")
        sheet.text(400, y, "8 May").text(90, y + 11, "door").text(300, y + 11, "and others")
        if number > 2:
            sheet.text(400, y + 11, "2026")
        y += 25.5
    assert rows(sheet)[1:3] == [
        ["1", "The window is to be mended and the door", "Oskar Hart and others", "8 May"],
        ["2", "The window is to be mended and the door", "Jonas Hart and others", "8 May"],
    ]


WRAPPED = [
    ["Wooden mill of oak", "", "The mill at the weir grinds the corn of the valley"],
    ["Bridge", "The old bridge goes over the river", "It was mended in the last winter"],
    ["Long narrow lane", "The lane to the north is closed", "Nobody goes there"],
    ["Quarry", "The quarry of the town has been flooded by the river", "Birds nest in it in spring"],
]


def test_rows_of_wrapped_cells_are_recognized_without_lines_or_space() -> None:
    places = ((60, 10), (140, 20), (280, 20))
    sheet = Sheet().line(60, 60, 400, 60).line(60, 76, 400, 76)
    for (x, _), name in zip(places, ("Subject", "Archive", "Ladder"), strict=True):
        sheet.text(x, 71, name, font="Courier")
    y = 88
    for row in WRAPPED:
        parted = [wrap(cell, width) for cell, (_, width) in zip(row, places, strict=True)]
        for lines, (x, _) in zip(parted, places, strict=True):
            for place, line in enumerate(lines):
                sheet.text(x, y + 12 * place, line, font="Courier")
        y += 12 * max(map(len, parted))
    sheet.line(60, y - 8, 400, y - 8)
    assert rows(sheet)[1:] == WRAPPED


def test_text_on_graph_paper_is_not_a_table() -> None:
    sheet = Sheet().grid([60 + 14 * at for at in range(36)], [60 + 14 * at for at in range(30)])
    lines = [
        "The mill is as old as the bridge is, and its wheel turns by what",
        "the river brings down from the old hills.",
    ]
    made = read(portable(sheet.lines(72, 96, lines, step=14))).markdown
    assert made == f"{' '.join(lines)}\n"
