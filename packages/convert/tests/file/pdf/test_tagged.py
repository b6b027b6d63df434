"""The structure of tagged pages, and cases in which the drawing takes precedence over the tags."""

from collections.abc import Callable, Sequence

from convert_support.effort import assert_linear
from convert_support.portable import Sheet, Tag, portable
from webquarry_convert.file.pdf import File, read
from webquarry_convert.file.pdf.source.content import read_batches
from webquarry_convert.file.pdf.words.marked_runs import divide_marked_runs


def markdown(*sheets: Sheet) -> str:
    return read(portable(*sheets)).markdown


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("| ---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_tagged_cells_as_close_as_words_stay_separate() -> None:
    sheet = Sheet()
    for mark, (x, y, text) in enumerate(
        [(72, 72, "Old kind"), (111, 72, "New kind"), (72, 84, "Mill"), (111, 84, "Broad river")]
    ):
        sheet.marked(mark, x, y, text)
    sheet.tags = [("Table", [("TR", [("TH", 0), ("TH", 1)]), ("TR", [("TD", 2), ("TD", 3)])])]
    assert rows(markdown(sheet)) == [["Old kind", "New kind"], ["Mill", "Broad river"]]


def test_tagged_boxes_next_to_each_other_are_read_one_after_the_other() -> None:
    left = ["The old harbour opens the", "station, and the theatre", "reaches the cellar."]
    right = ["A careful museum measures", "the council, and the local", "harbour follows the river."]
    sheet = Sheet()
    for place, text in enumerate([*left, *right]):
        sheet.marked(place, 72 if place < 3 else 192, 72 + 12 * (place % 3), text)
    for place, text in enumerate(["Author: Ada Birkett", "Place: York"]):
        sheet.marked(6 + place, 72 + 158 * place, 150, text)
    boxes: Tag = ("Table", [("TR", [("TD", [("P", 0), ("P", 1), ("P", 2)]), ("TD", [("P", 3), ("P", 4), ("P", 5)])])])
    sheet.tags = [boxes, ("Table", [("TR", [("TD", 6), ("TD", 7)])])]
    made = markdown(sheet)
    assert " ".join(made.replace("\\", "").split()).startswith(" ".join([*left, *right]))
    assert "Author: Ada Birkett" in made
    assert "|" not in made


def test_splitting_runs_takes_work_linear_in_the_page() -> None:
    def prepare(size: int) -> Callable[[], None]:
        sheet = Sheet()
        for row in range(size):
            sheet.marked(2 * row, 72, row / 10, "Old kind").marked(2 * row + 1, 111, row / 10, "New kind")
        sheet.tags = [("Table", [("TR", [("TD", 2 * row), ("TD", 2 * row + 1)]) for row in range(size)])]
        body = portable(sheet)

        def divide() -> None:
            with File(body) as file:
                pages = next(read_batches(body, file.find_slants, 1, is_tagged=True, is_form=False))
                divide_marked_runs(pages, file)

        return divide

    assert_linear(prepare, 200)


def stand_below(texts: Sequence[str]) -> Sheet:
    sheet = Sheet()
    for mark, text in enumerate(texts):
        sheet.marked(mark, 72, 72 + 12 * mark, text)
    return sheet


PROSE = [
    "The river rises in the hills and runs through meadows",
    "until it meets the sea, where in spring many birds nest,",
    "Ada and her friends among those who count them, and all",
    "in autumn the fog stands for days over these marshes.",
]


def test_close_tagged_paragraphs_stay_separate() -> None:
    sheet = stand_below(PROSE)
    sheet.tags = [("P", [("Span", 0), ("Span", 1)]), ("P", [("Span", 2), ("Span", 3)])]
    assert markdown(sheet).split("\n\n") == [" ".join(PROSE[:2]), " ".join(PROSE[2:]) + "\n"]


def test_lines_that_are_each_tagged_as_a_paragraph_are_joined() -> None:
    sheet = stand_below(PROSE)
    sheet.tags = [("P", mark) for mark in range(4)]
    assert markdown(sheet) == " ".join(PROSE) + "\n"


def test_short_tagged_paragraphs_become_lines_of_one_paragraph() -> None:
    sheet = stand_below(["Ada Birkett", "4 Rose Walk", "York YO1 7HH"])
    sheet.tags = [("P", mark) for mark in range(3)]
    assert markdown(sheet) == "Ada Birkett\\\n4 Rose Walk\\\nYork YO1 7HH\n"


def test_tagged_items_need_no_bullet_and_no_space_after_their_number() -> None:
    sheet = stand_below(["Old mills", "98.Broad river", "99.Quiet sea"])
    sheet.tags = [("L", [("LI", [("LBody", mark)]) for mark in range(3)])]
    assert markdown(sheet) == "- Old mills\n98. Broad river\n99. Quiet sea\n"


def test_adjacent_tagged_headings_stay_separate() -> None:
    sheet = stand_below(["Of rivers", "Of mills", *PROSE])
    sheet.tags = [("H2", 0), ("H2", 1), ("P", [("Span", mark) for mark in range(2, 6)])]
    assert markdown(sheet).startswith("## Of rivers\n\n## Of mills\n\n")
