"""What the structure of a tagged page tells, and when what is drawn is believed instead."""

from collections.abc import Callable

from support.effort import assert_linear
from support.portable import Sheet, portable
from webquarry_convert.file.pdf import File, read
from webquarry_convert.file.pdf.source.content import read_pages
from webquarry_convert.file.pdf.words.marked_runs import divide_marked_runs


def markdown(*sheets: Sheet) -> str:
    return read(portable(*sheets)).markdown


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("| ---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_tagged_cells_that_stand_as_close_as_words_are_cells() -> None:
    sheet = Sheet()
    for mark, (x, y, text) in enumerate(
        [(72, 72, "Old kind"), (111, 72, "New kind"), (72, 84, "Mill"), (111, 84, "Broad river")]
    ):
        sheet.marked(mark, x, y, text)
    sheet.tags = [("Table", [("TR", [("TH", 0), ("TH", 1)]), ("TR", [("TD", 2), ("TD", 3)])])]
    assert rows(markdown(sheet)) == [["Old kind", "New kind"], ["Mill", "Broad river"]]


def test_runs_are_divided_in_work_that_grows_with_a_page() -> None:
    def prepare(size: int) -> Callable[[], None]:
        sheet = Sheet()
        for row in range(size):
            sheet.marked(2 * row, 72, row / 10, "Old kind").marked(2 * row + 1, 111, row / 10, "New kind")
        sheet.tags = [("Table", [("TR", [("TD", 2 * row), ("TD", 2 * row + 1)]) for row in range(size)])]
        body = portable(sheet)

        def divide() -> None:
            with File(body) as file:
                divide_marked_runs(read_pages(body, file.find_slants, is_tagged=True, is_form=False), file)

        return divide

    assert_linear(prepare, 200)
