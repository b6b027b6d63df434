"""PDF pages that are images, read by the real OCR engines."""

import shutil
from collections.abc import Sequence
from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from convert_support.prints import PROSE, draw_lines, printed
from webquarry_convert.file.document import Document
from webquarry_convert.file.image.ocr.illegible import mark_illegible
from webquarry_convert.file.image.ocr.lines import Line, Reading, Word
from webquarry_convert.file.pdf import read
from webquarry_convert.file.scans import read_pages

pytestmark = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")


def scanned(*pictures: Image.Image) -> bytes:
    """Build a page for each image, at 200 dpi."""
    body = BytesIO()
    pictures[0].save(body, "PDF", resolution=200, save_all=True, append_images=pictures[1:])
    return body.getvalue()


def page() -> Image.Image:
    picture = Image.new("L", (1654, 2339), 255)
    draw_lines(picture, ["Of harbours"], (200, 200), size=80)
    draw_lines(picture, PROSE, (200, 400))
    return picture


def read_pictures(body: bytes) -> Document:
    return read(body, read_pages(body, read(body).unread))


def test_scanned_page_is_laid_out_like_a_printed_page() -> None:
    document = read_pictures(scanned(page()))
    assert document.markdown == f"# Of harbours\n\n{' '.join(PROSE)}\n"
    assert document.warnings == ()
    (recognised,) = document.recognised
    assert recognised.page == 1
    assert recognised.confidence > 0.9


def test_sideways_and_slanted_pages_are_read() -> None:
    slanted = page().rotate(2, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    document = read_pictures(scanned(page().rotate(90, expand=True), slanted))
    assert document.markdown.count("station, and the fishermen moved down from the hills.") == 2
    assert [recognised.page for recognised in document.recognised] == [1, 2]


def test_handwriting_does_not_become_headings() -> None:
    written = [("Mansion,", 90, 0.6), ("on Tuesday we reached the farm at noon", 40, 0.88), ("Abraham", 110, 0.85)]
    lines = [Line(200, 200 * at, 1400, 200 * at + high, text, sure) for at, (text, high, sure) in enumerate(written, 1)]
    document = read(scanned(page()), {1: Reading(mark_illegible(lines), 1654, 2339, 200)})
    assert document.markdown == "[illegible]\n\non Tuesday we reached the farm at noon\n\nAbraham\n"


def test_pictures_are_read_only_on_request() -> None:
    document = read(scanned(printed(PROSE)))
    assert document.markdown == ""
    assert document.recognised == ()
    assert len(document.warnings) == 1


def test_lines_with_and_without_descenders_have_the_same_size() -> None:
    picture = Image.new("L", (1654, 900), 255)
    lines = ["Terms: 11 March 2018", "Client no.: 17 August 2020", "on account", "Delivery by July", "Total 1995"]
    draw_lines(picture, lines, (200, 200))
    assert "#" not in read_pictures(scanned(picture)).markdown


def test_scanned_table_keeps_the_text_of_a_cell_together() -> None:
    picture = Image.new("L", (1654, 1100), 255)
    drawing = ImageDraw.Draw(picture)
    for y in (180, 245, 345, 445):
        drawing.line((190, y, 1460, y), fill=150, width=2)
    for x in (190, 900, 1460):
        drawing.line((x, 180, x, 445), fill=150, width=2)
    draw_lines(picture, ["Task", "The harbour is measured", "before the winter"], (220, 200))
    draw_lines(picture, ["Who", "Nadia Kowalski"], (930, 200))
    draw_lines(picture, ["The station is painted", "grey and green"], (220, 350))
    draw_lines(picture, ["Jonas", "Petersen"], (930, 350))
    draw_lines(picture, PROSE, (200, 600))
    assert (
        read_pictures(scanned(picture))
        .markdown.replace("<br>", " ")
        .startswith(
            "| Task | Who |\n| --- | --- |\n"
            "| The harbour is measured before the winter | Nadia Kowalski |\n"
            "| The station is painted grey and green | Jonas Petersen |\n"
        )
    )


@pytest.mark.parametrize(("place", "is_column"), [((400, 401, 399, 402), True), ((400, 430, 370, 460), False)])
def test_close_columns_are_recognized_by_the_starts_of_words(place: Sequence[int], is_column: bool) -> None:
    rows = [
        ("Option", "Meaning", "Default"),
        ("winter", "ladder", "all"),
        ("meadow", "kitchen", "five"),
        ("pier", "cellar", "ten"),
    ]
    lines = []
    for at, (left, (first, second, third)) in enumerate(zip(place, rows, strict=True)):
        top = 200 + 50 * at
        words = (Word(left - 200, left - 30, first), Word(left, left + 150, second))
        lines.append(Line(left - 200, top, left + 150, top + 30, f"{first} {second}", 0.9, None, words))
        lines.append(Line(900, top, 1000, top + 30, third, 0.9))
    markdown = read(scanned(page()), {1: Reading(lines, 1654, 2339, 200)}).markdown
    assert ("| Option | Meaning | Default |\n| --- | --- | --- |\n| winter | ladder | all |" in markdown) == is_column


def test_page_without_an_ocr_result_is_named() -> None:
    reading = Reading([Line(200, 200, 900, 240, "The second page", 0.95)], 1654, 2339, 200)
    document = read(scanned(page(), page(), page()), {2: reading})
    assert document.markdown == "The second page\n"
    assert document.unread == (1, 3)
    assert document.warnings == ("The text on pages 1 and 3 is omitted because it is part of an image.",)
