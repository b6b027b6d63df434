"""No word is lost or torn silently, and no file is rejected because of bytes outside of its pages."""

import re
from collections.abc import Callable

import pytest

from convert_support.effort import assert_linear
from convert_support.kit import KIT
from convert_support.portable import Sheet, portable
from webquarry_convert.file.pdf import read
from webquarry_convert.file.readers import convert

CASES = KIT / "evals/files/cases"
with_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the evaluation kit is not there")
LINE = "The wages of Tuesday were paid at Yarrow by Anna Vey."
BODY = portable(Sheet().text(72, 100, LINE))


def turned(angle: int, *, size: int = 10) -> bytes:
    """Build a page with a line that is upright only after the viewer has rotated the page."""
    ways = {90: "0 1 -1 0 300 72", 180: "-1 0 0 -1 540 400", 270: "0 -1 1 0 300 720"}
    sheet = Sheet()
    for step in range(3):
        up = 30 * step if angle == 180 else 0
        shown = f"BT /Helvetica {size} Tf {ways[angle]} Tm ({LINE}) Tj ET"
        sheet.drawn.append(f"q 1 0 0 1 {30 * step} {up} cm {shown} Q")
    return portable(sheet).replace(b"/MediaBox", b"/Rotate %d/MediaBox" % angle)


@pytest.mark.parametrize(
    "before",
    [b"\xef\xbb\xbf", b"\r\n\r\n", b"\x1b%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=PDF\r\n", b"\0" * 900],
    ids=["byte order mark", "empty lines", "commands for a printer", "zeros"],
)
def test_file_with_bytes_before_its_header_is_read(before: bytes) -> None:
    kind, document = convert(before + BODY)
    assert (kind, document.markdown) == ("pdf", f"{LINE}\n")


@pytest.mark.parametrize("beside", [b"%/AIPrivateData1 7 0 R\n", b"/Keys<</AIPrivateData12 9 0 R>>"])
def test_pdf_with_a_drawing_programs_private_data_is_read(beside: bytes) -> None:
    body = portable(Sheet().text(72, 100, LINE), info=beside.decode()) if beside[:1] == b"/" else BODY + beside
    assert read(body).markdown == f"{LINE}\n"


def test_text_that_mentions_private_data_is_kept() -> None:
    line = f"{LINE} See the key /AIPrivateData1."
    assert read(portable(Sheet().text(72, 100, line))).markdown.startswith(LINE)
    assert "AIPrivateData1" in read(portable(Sheet().text(72, 100, line))).markdown


@pytest.mark.parametrize(("at", "sign"), [(257, b"ustar\x0000"), (60, b"BOOKMOBI")])
def test_a_file_that_looks_like_another_type_is_read_by_its_characters(at: int, sign: bytes) -> None:
    start = BODY.index(b"\n") + 1
    body = BODY[:start] + b"%" + b" " * (at - start - 1) + sign + b"\n" + BODY[start:]
    assert read(body).markdown == f"{LINE}\n"


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_words_of_a_turned_page_are_complete(angle: int) -> None:
    document = read(turned(angle))
    assert document.markdown.count(LINE) == 3


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_words_of_a_rotated_page_are_not_torn(angle: int) -> None:
    """Wide tables are printed in this way, and liteparse tears their words."""
    sheet = Sheet()
    for row, name in enumerate(("Rent", "Wages", "Power", "Travel", "Water", "Taxes")):
        for column, text in enumerate((name, "10", "20", "30")):
            sheet.text(72 + 90 * column, 100 + 20 * row, text, size=11)
    document = read(portable(sheet).replace(b"/MediaBox", b"/Rotate %d/MediaBox" % angle))
    assert re.findall(r"(?m)^\| (\w+) \| 10 \| 20 \| 30 \|", document.markdown) == [
        "Rent", "Wages", "Power", "Travel", "Water", "Taxes"
    ]  # fmt: skip
    if angle != 270:
        named = "The text on page 1 was rebuilt from single characters because words were missing or split."
        assert document.warnings == (named,)


def test_ordinary_page_is_not_rebuilt() -> None:
    assert read(BODY).warnings == ()


def test_text_outside_an_uncropped_page_is_counted() -> None:
    document = read(portable(Sheet().text(72, 100, LINE).text(72, 830, "Printed by hand")))
    assert document.markdown == f"{LINE}\n"
    assert document.warnings == ("Text outside the visible area of the pages is omitted: 13 characters.",)


def test_rebuilding_pages_takes_linear_work() -> None:
    def prepare(size: int) -> Callable[[], object]:
        sheet = Sheet()
        for at in range(size):
            sheet.drawn.append(f"BT /Helvetica 10 Tf 0 1 -1 0 {20 + at % 580} {20 + at * 7 % 700} Tm (Wave Tory) Tj ET")
        body = portable(sheet).replace(b"/MediaBox", b"/Rotate 90/MediaBox")
        return lambda: read(body)

    assert_linear(prepare, 200)


@with_cases
@pytest.mark.parametrize("name", ["f13b_blank_lines_before.pdf", "f23_illustrator_private.pdf"])
def test_valid_evaluation_files_are_read(name: str) -> None:
    text = convert((CASES / name).read_bytes(), name)[1].markdown
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 5
    assert rows[0] == "| Plant | Substance | Limit | Amount |"


@with_cases
def test_turned_evaluation_page_has_complete_words() -> None:
    text = read((CASES / "f10_rotated_90.pdf").read_bytes()).markdown
    assert re.findall(r"(?m)^\| (\w+) \|", text) == ["Item", "Rent", "Wages", "Power", "Travel"]
