"""Lines of records stay separate (addresses, labels, listings, lists with drawn bullets), and tables stay tables."""

import pytest

from convert_support.portable import HEIGHT, Sheet, portable
from webquarry_convert.file.pdf import read

ADDRESS = ["Meadow Mills Ltd", "4 Weir Lane", "York YO1 7HH"]
PROSE = [
    "The river rises in the hills and runs through broad meadows",
    "until it meets the sea, where in spring many birds nest and",
    "in autumn the fog stands for days over the marshes.",
]


def markdown(*sheets: Sheet) -> str:
    return read(portable(*sheets)).markdown


def shade(sheet: Sheet, x0: float, y0: float, x1: float, y1: float) -> None:
    sheet.drawn.append(f"0.9 g {x0} {HEIGHT - y1} {x1 - x0} {y1 - y0} re f 0 g")


@pytest.mark.parametrize(
    "records",
    [ADDRESS, ["Date: 3 May 2026", "Order: 117", "Client number: 40071"], ["12 apples", "7 pears and figs", "3 plums"]],
)
def test_records_keep_their_lines_and_lines_of_prose_are_joined(records: list[str]) -> None:
    made = markdown(Sheet().lines(72, 72, records).lines(72, 160, PROSE))
    assert made == "\\\n".join(records) + "\n\n" + " ".join(PROSE) + "\n"


@pytest.mark.parametrize(
    "lines",
    [
        [
            "Table 6: Courses of the evening schools in the valley in",
            "three towns that had one in 2000, in 2002 and in 2004, and by the age of who came",
        ],
        [
            *PROSE[:1],
            "until it meets the broad sea, where many",
            "birds nest in spring and where in autumn the fog stands",
            "for days over the marshes that the sea leaves behind.",
        ],
    ],
    ids=["balanced", "ragged"],
)
def test_sentence_continues_below_a_line_with_room(lines: list[str]) -> None:
    assert markdown(Sheet().lines(72, 72, lines)) == f"{' '.join(lines)}\n"


def test_short_lowercase_lines_are_records() -> None:
    records = ["apples from the south,", "pears", "plums, as long as there are any"]
    assert markdown(Sheet().lines(72, 72, records)) == "\\\n".join(records) + "\n"


def test_address_blocks_are_not_a_table() -> None:
    sheet = Sheet()
    for row in range(3):
        for column in range(3):
            sheet.lines(
                60 + 180 * column, 72 + 90 * row, [f"{name} {row}{column}" for name in ("Ada B", "Rose Walk", "York")]
            )
    made = markdown(sheet)
    assert "|" not in made
    assert made.split("\n\n")[1] == "Ada B 01\\\nRose Walk 01\\\nYork 01"


def test_monospaced_text_becomes_a_code_block_with_its_indentation() -> None:
    sheet = Sheet().lines(72, 60, PROSE)
    for place, (indent, text) in enumerate([(0, "retry:"), (2, "- 5"), (2, "- 25"), (0, "name = harbour")]):
        sheet.text(72 + 6 * indent, 120 + 12 * place, text, font="Courier")
    assert "```\nretry:\n  - 5\n  - 25\nname = harbour\n```" in markdown(sheet)


def test_drawn_bullets_make_a_list() -> None:
    sheet = Sheet().lines(72, 60, PROSE)
    for place, text in enumerate(("Orders are up", "Two new sites", "Cash is stable")):
        y = 120 + 14 * place
        sheet.text(90, y, text)
        shade(sheet, 80, y - 6, 84, y - 2)
    assert markdown(sheet).endswith("- Orders are up\n- Two new sites\n- Cash is stable\n")


def test_rows_between_and_below_colored_rows_belong_to_the_table() -> None:
    sheet = Sheet()
    for row, name in enumerate(("Station", "Mill Lane", "Quay", "Market", "Harbour", "Bridge")):
        y = 72 + 16 * row
        for column, text in enumerate((name, f"7:{row}0" if row else "Mon", f"8:{row}0" if row else "Tue")):
            if row % 2 == 0:
                shade(sheet, 60 + 100 * column, y - 11, 160 + 100 * column, y + 5)
            if (row, column) != (3, 1):
                sheet.text(64 + 100 * column, y, text)
    rows = [line for line in markdown(sheet).splitlines() if line.startswith("| ")]
    assert len(rows) == 7
    assert rows[4] == "| Market |  | 8:30 |"
    assert rows[6] == "| Bridge | 7:50 | 8:50 |"


def test_cell_missing_in_the_structure_does_not_shift_other_cells() -> None:
    sheet = Sheet()
    cells = [("Stop", "Sat", "Sun"), ("Quay", "7:10", "8:10"), ("Mill", None, "8:20")]
    mark = 0
    table = []
    for row, texts in enumerate(cells):
        tags = []
        for column, text in enumerate(texts):
            if text is not None:
                sheet.marked(mark, 72 + 80 * column, 72 + 14 * row, text)
                tags.append(("TD", mark))
                mark += 1
        table.append(("TR", tags))
    sheet.tags = [("Table", table)]  # type: ignore[list-item]  # nested
    assert "| Mill |  | 8:20 |" in markdown(sheet)


def test_header_wider_than_its_numbers_is_above_them() -> None:
    sheet = Sheet().text(72, 72, "Country").text(120, 72, "Narrow meadow").text(230, 72, "Library")
    for place, name in enumerate(("Finland", "Croatia", "Denmark", "Portugal")):
        y = 90 + 16 * place
        sheet.text(72, y, name).text(164, y, f"{place + 1}4.1").text(245, y, f"{place + 2}1.7")
    assert markdown(sheet).startswith("| Country | Narrow meadow | Library |")


def test_options_next_to_each_other_become_items_rather_than_a_table() -> None:
    sheet = Sheet()
    for place, question in enumerate(["1. Which river is the longest of these?", "2. Which one is the widest?"]):
        y = 72 + 60 * place
        sheet.text(72, y, question).text(500, y, "[4]")
        for option, (x, down) in zip(
            ("a) Thames", "b) Ouse", "c) Tyne", "d) Severn"), ((84, 14), (284, 14), (84, 28), (284, 28)), strict=True
        ):
            sheet.text(x, y + down, option)
    assert read(portable(sheet)).markdown.splitlines()[:5] == [
        "1. Which river is the longest of these? [4]",
        "   - a) Thames",
        "   - b) Ouse",
        "   - c) Tyne",
        "   - d) Severn",
    ]


def test_number_from_a_sentence_at_the_start_of_a_line_does_not_begin_a_list() -> None:
    lines = ["The agreement begins on the day of its signature and ends after", "(3) years unless it is ended before"]
    assert "after (3) years" in read(portable(Sheet().lines(72, 80, [*lines, "by both of them."]))).markdown


def test_consecutive_numbers_at_the_start_of_lines_form_a_list() -> None:
    lines = ["The agreement ends in each of these cases, whichever is the first", "(1) the mill has burnt down,"]
    made = read(portable(Sheet().lines(72, 80, [*lines, "(2) the river has run dry."]))).markdown
    assert "\n- (1) the mill" in made
    assert "\n- (2) the river" in made
