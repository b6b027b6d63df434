"""The offsets in a document's markdown at which its pages begin."""

import pytest

from convert_support.office import odf, pptx
from convert_support.portable import Sheet, portable
from webquarry_convert import Document, convert
from webquarry_convert.file import document as file
from webquarry_convert.file import readers
from webquarry_convert.file.page_starts import make_page_starts
from webquarry_convert.file.pdf.source.unmapped import drop_unmapped
from webquarry_convert.file.text.pptx import read as read_slides

XS = (60, 190, 290)


def pages(body: bytes) -> list[str]:
    """Return the markdown of each page."""
    return divide(convert(body, ocr=False))


def divide(document: Document | file.Document) -> list[str]:
    ends = [*document.page_starts[1:], len(document.markdown)]
    return [document.markdown[start:end] for start, end in zip(document.page_starts, ends, strict=True)]


def table(top: float, years: range, *, has_head: bool) -> Sheet:
    rows = [*([("Year", "Apples")] if has_head else []), *((str(year), str(year % 97)) for year in years)]
    sheet = Sheet().grid(XS, [top + 20 * place for place in range(len(rows) + 1)])
    for place, cells in enumerate(rows):
        for x, cell in zip(XS, cells, strict=False):
            sheet.text(x + 6, top + 14 + 20 * place, cell)
    return sheet


def test_each_page_begins_with_its_first_block() -> None:
    sheets = [Sheet().text(72, 300 - 50 * n, f"Sentence number {n} is here.") for n in range(3)]
    assert pages(portable(*sheets)) == [
        "Sentence number 0 is here.\n\n",
        "Sentence number 1 is here.\n\n",
        "Sentence number 2 is here.\n",
    ]


def test_blank_page_begins_where_the_next_page_begins() -> None:
    blank, full = Sheet(), Sheet().text(72, 100, "Something is written here.")
    assert pages(portable(blank, blank, full, blank)) == ["", "", "Something is written here.\n", ""]


def test_a_paragraph_belongs_to_the_page_on_which_it_begins() -> None:
    lines = [f"line {n} of a long paragraph that fills the whole width of its column and goes on" for n in range(5)]
    first = Sheet().lines(72, 700, lines)
    second = Sheet().lines(72, 80, ["and ends on the second page."]).text(72, 200, "Another paragraph.")
    one, two = pages(portable(first, second))
    assert one.endswith("ends on the second page.\n\n")
    assert two == "Another paragraph.\n"


def test_a_table_belongs_to_the_page_on_which_it_begins() -> None:
    first, second, third = (
        table(120, range(1980, 2009), has_head=True),
        table(72, range(2009, 2039), has_head=False),
        table(72, range(2039, 2042), has_head=False).text(66, 300, "After the table."),
    )
    one, two, three = pages(portable(first, second, third))
    assert one.startswith("| Year | Apples |")
    assert "| 2041 |" in one
    assert (two, three) == ("", "After the table.\n")


def test_a_removed_running_title_does_not_move_pages() -> None:
    sheets = [
        Sheet().text(72, 30, "Annual report").text(72, 500 - 50 * n, f"{name} tells something.").text(300, 770, str(n))
        for n, name in enumerate(("one", "two", "three", "four"), 1)
    ]
    assert [page.strip().split("\n")[-1] for page in pages(portable(*sheets))] == [
        f"{name} tells something." for name in ("one", "two", "three", "four")
    ]


def test_removed_characters_move_pages() -> None:
    marked = file.Document("o\u200bn\u200be\n\n\u200btwo\n", page_starts=(0, 7, 12))
    assert divide(readers.clean_document(marked)) == ["one\n\n", "two\n", ""]


def test_unknown_characters_move_pages() -> None:
    text = "\ue123\n\nOne \ue123 two\n\n\ue1235 items\n\n\ue123\n"
    places = [0, text.index("One"), text.index("\ue1235"), len(text) - 2, len(text)]
    found, moved, _ = drop_unmapped(text, places)
    assert found == "One two\n\n?5 items\n"
    assert [found[place : place + 4] for place in moved] == ["One ", "One ", "?5 i", "", ""]


def test_slides_begin_with_their_title_or_the_rule_above_it() -> None:
    def shape(text: str, kind: str = "") -> str:
        holder = f'<p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>' if kind else ""
        return f"<p:sp>{holder}<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"

    body = pptx("", shape("a"), shape("One", "title") + shape("b"), "", shape("c"))
    assert divide(read_slides(body)) == ["", "a\n\n", "## One\n\nb\n\n", "", "---\n\nc\n"]


def test_opendocument_slides_count_as_pages() -> None:
    slides = "".join(
        f"<draw:page><draw:frame><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame></draw:page>"
        for text in ("a", "b")
    )
    assert pages(odf("presentation", slides)) == ["a\n\n", "---\n\nb\n"]


@pytest.mark.parametrize("name", ["scores.csv", "notes.eml"])
def test_files_without_pages_have_no_page_starts(name: str) -> None:
    body = b"Name,Score\nAda,12\n" if name.endswith("csv") else b"From: a@example.com\nSubject: Hi\n\nHello.\n"
    assert convert(body, name=name).page_starts == ()


def test_block_of_an_earlier_page_counts_as_part_of_the_later_page() -> None:
    assert make_page_starts([(2, 0), (1, 10), (3, 20)], 4, 30) == (0, 0, 20, 30)
    assert make_page_starts([], 2, 0) == (0, 0)
    assert make_page_starts([], 0, 0) == ()
