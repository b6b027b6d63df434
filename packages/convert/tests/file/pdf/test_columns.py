"""Columns next to each other that are not tables: sidebars, boxes, widely spaced lines, small labels above values."""

import pytest

from convert_support.portable import HEIGHT, Sheet, portable
from webquarry_convert.file.pdf import read
from webquarry_convert.file.pdf.layout import offset_columns
from webquarry_convert.file.pdf.source.content import Box, Span
from webquarry_convert.file.pdf.source.kept_words import NO_WORDS
from webquarry_convert.file.pdf.words.lines import group_strips

ENTRIES = [
    "Baker, Mill Lane",
    "Baked bread for the whole of the valley and",
    "sold it on both of its markets.",
    "Miller, Weir Close",
    "Ground corn for eleven villages at the river,",
    "and mended the wheel.",
]
SIDE = ["12 Rose Walk", "York YO1 7HH", "Good at bread", "Knows the river", "Speaks Polish"]
AROUND = [
    "The river rises in the hills and runs",
    "through broad meadows until it meets",
    "the sea, where in spring many birds",
    "nest, and in autumn the fog stands for",
]
BELOW = ["days over the marshes, so that no ship leaves the harbour before noon on most of the days", "of the year."]


def markdown(*sheets: Sheet) -> str:
    return read(portable(*sheets)).markdown


def test_columns_whose_lines_are_level_by_chance_are_read_separately() -> None:
    sheet = Sheet().lines(60, 70, ENTRIES, step=13).lines(400, 75.5, SIDE, step=16.7)
    made = markdown(sheet)
    assert "|" not in made
    assert made.index(ENTRIES[-1]) < made.index(SIDE[0])
    assert "12 Rose Walk\\\nYork YO1 7HH\\\nGood at bread" in made


def test_vertically_centered_cells_stay_in_their_rows() -> None:
    sheet = Sheet()
    for place, (first, beside) in enumerate(
        [("Baker of bread", "York"), ("Miller of corn", "Bath"), ("Smith of iron", "Leeds"), ("Cooper, oak", "Derby")]
    ):
        y = 80 + 34 * place
        sheet.text(60, y, first).text(60, y + 12, "and of other things").text(300, y + 6, beside)
    assert "| Derby |" in markdown(sheet)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_longer_column_is_read_without_interruption(first: int) -> None:
    """Read columns of different lengths. first: the line of the longer column next to which the other column begins."""
    left, right = [*AROUND, "days over all of these wet marshes."], ["A mill stands on each of the banks and", "grinds"]
    made = markdown(
        Sheet().lines(60, 70, left).lines(330, 70 + 12 * first, [*right, "corn for the villages around it."])
    )
    assert " ".join(left) in made


def test_marks_in_the_margin_do_not_form_a_table_column() -> None:
    text = [line for paragraph in range(4) for line in (*AROUND, f"days over marsh number {paragraph} of the valley.")]
    made = markdown(Sheet().lines(120, 70, text, step=12).lines(50, 74.5, ["JMR", "29,2", "164"], step=16.3))
    assert "|" not in made
    assert " ".join(text[:5]) in made.replace("\n\n", " ").replace("\\\n", " ")


def test_text_around_a_box_is_read_without_interruption() -> None:
    box = ["Length: 40 miles", "Source: Far Hill", "Mouth: Quay Bay"]
    made = markdown(Sheet().lines(60, 70, AROUND).lines(330, 64, box, step=14.3).lines(60, 118, BELOW))
    assert " ".join([*AROUND, *BELOW]) in made
    assert made.startswith("\\\n".join(box))


def test_words_of_a_widely_spaced_line_are_not_cells() -> None:
    sheet = Sheet().lines(60, 60, ["The valley of the river has many old mills,"])
    for y, text in ((72, "which stand empty, and a"), (96, "summer to guests of the")):
        sheet.drawn.append(f"BT /Helvetica 10 Tf 16 Tw 60 {HEIGHT - y} Td ({text}) Tj 0 Tw ET")
    sheet.lines(60, 84, ["few of them were made into houses, let in"]).lines(60, 108, ["town and of its harbour."])
    assert "mills, which stand empty, and a few" in markdown(sheet)


@pytest.mark.parametrize("is_below", [False, True])
def test_small_labels_are_joined_with_their_values(is_below: bool) -> None:
    sheet = Sheet().lines(
        60, 40, ["The ticket of a traveller is valid on the day that it is printed for, and only then."]
    )
    pairs = [("Passenger", "Ada Birkett"), ("From", "York"), ("Date", "3 May 2026"), ("Seat", "14A")]
    for place, (label, value) in enumerate(pairs):
        x, y = 60 + 200 * (place % 2), 80 + 40 * (place // 2)
        sheet.text(x, y + 12 * is_below, label, size=7).text(x, y + 12 * (not is_below), value, size=12)
    made = markdown(sheet)
    assert "|" not in made
    for label, value in pairs:
        assert f"{value} {label}" in made if is_below else f"{label} {value}" in made


def test_frame_with_a_label_and_its_value_becomes_one_cell() -> None:
    sheet = Sheet().grid([60, 200, 340], [60, 90, 120])
    for place, (label, value) in enumerate([("Name", "Ada"), ("Grade", "B4"), ("Bank", "70-63"), ("Hours", "18")]):
        x, y = 64 + 140 * (place % 2), 70 + 30 * (place // 2)
        sheet.text(x, y, label, size=7).text(x, y + 14, value, size=11)
    assert markdown(sheet).startswith("| Name<br>Ada | Grade<br>B4 |")


def test_options_next_to_each_other_are_written_alike() -> None:
    sheet = Sheet().text(60, 60, "Which do you use?")
    for x, text in ((60, "Bridge"), (160, "Ferry"), (260, "Train")):
        sheet.text(x, 80, f"[ ] {text}")
    assert markdown(sheet).endswith("- [ ] Bridge\n- [ ] Ferry\n- [ ] Train\n")


def test_value_is_written_on_the_line_of_its_label() -> None:
    sheet = Sheet().text(60, 88, "Name:").field(95, 66, 250, 92, "name", "Ada Birkett")
    assert markdown(sheet) == "Name: Ada Birkett\n"


def test_name_below_a_bold_job_title_is_not_a_heading() -> None:
    sheet = Sheet().text(60, 60, "Keeper of the light", font="Helvetica-Bold")
    sheet.text(60, 72, "Harbour board", font="Helvetica-Oblique").lines(60, 84, BELOW)
    made = markdown(sheet)
    assert made.startswith("# Keeper of the light\n\nHarbour board\n\n")


def set_column(sheet: Sheet, x: float, y: float, start: str) -> list[str]:
    """Draw lines of nearly equal length without space between them."""
    lines = [f"{start} of {name} grinds the {name} corn of {name}" for name in "aeosdnhgbpqaeosdnh"]
    sheet.lines(x, y, lines, size=12, step=13.8)
    return lines


def test_columns_with_a_narrow_gutter_are_recognized_by_the_starts_of_lines() -> None:
    sheet = Sheet().text(60, 70, "Rivers of the northern", size=18).text(60, 92, "valleys", size=18)
    left = set_column(sheet, 60, 115, "the miller")
    right = set_column(sheet, 256, 70, "the farmer")
    made = markdown(sheet)
    assert made.startswith("# Rivers of the northern valleys\n")
    assert " ".join(left[-3:]) in made
    assert " ".join(right[:3]) in made
    assert made.index(left[-1]) < made.index(right[0])


def test_raised_number_does_not_merge_the_lines_around_it() -> None:
    above, figure, line = Box(52, 405.5, 69, 418.3), Box(145, 415.2, 148, 422.7), Box(40, 415.6, 145, 428.5)
    assert [strip.boxes for strip in group_strips([above, line, figure])] == [[above], [line, figure]]


def test_text_below_an_item_with_room_is_not_part_of_it() -> None:
    sheet = Sheet().lines(72, 100, ["1. one", "2. two", "Mixed words and x", "More text " * 9], step=10)
    assert markdown(sheet).startswith("1. one\n2. two\n\nMixed words and x")


@pytest.mark.parametrize(("offset", "are_columns"), [(0.7, True), (0.0, False)])
def test_lines_with_different_baselines_are_read_as_columns(offset: float, are_columns: bool) -> None:
    """Read columns with different baselines.

    offset: the vertical offset of the right column's text. This text begins below a heading that is far above the left
    column.
    """
    left = [(93, 11, "Features"), *((115 + 10.5 * place, 9, "Lifts much water") for place in range(4))]
    right = [(84, 11, "Applications"), *((104.5 + offset + 10.5 * place, 9, "Marshes and mills") for place in range(4))]
    boxes = [(60.0, *line) for line in left] + [(330.0, *line) for line in right]
    spans = [Span((x, y, x + 6 * len(text), y + 1.16 * size), text, size) for x, y, size, text in boxes]
    for span in spans:
        span.source = NO_WORDS
    rows = group_strips(spans)
    start = next(place for place, row in enumerate(rows) if len(row.boxes) == 2)
    found = offset_columns.find_columns(rows, 0, start, (156.0, 330.0), 9.0, [])
    assert (found == (0, len(rows), (156 + 330) / 2)) if are_columns else found is None


def test_slightly_lower_table_column_stays_in_its_rows() -> None:
    names, towns, years = ["Baker", "Miller", "Smith", "Cooper"], ["York", "Bath", "Leeds", "Derby"], range(1745, 1749)
    sheet = Sheet().lines(60, 80, names, step=15).lines(200, 80.7, towns, step=15)
    assert "| Miller | Bath | 1746 |" in markdown(sheet.lines(330, 80, map(str, years), step=15))


def test_consecutive_numbers_before_texts_are_read_as_notes() -> None:
    sheet = Sheet()
    for place, note in enumerate(["See the decree of that year.", "Both mills were burnt.", "Not before 1745."]):
        sheet.text(60, 80 + 14 * place, str(place + 1), size=7).text(75, 82 + 14 * place, note, size=9)
    made = markdown(sheet)
    assert "|" not in made
    assert "3 Not before 1745." in made
