"""Text recognition in generated images, with the real engines."""

import os
import random
import re
import shutil
import subprocess
import sys
import time
from difflib import SequenceMatcher
from itertools import count

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFilter, features

from convert_support.prints import PROSE, draw_lines, has_dejavu, printed, saved
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file import scans
from webquarry_convert.file.document import RecognisedPage
from webquarry_convert.file.image import ocr, read
from webquarry_convert.file.image.ocr import neural, tesseract
from webquarry_convert.file.image.ocr.deskew import measure_skew
from webquarry_convert.file.image.ocr.illegible import mark_illegible
from webquarry_convert.file.image.ocr.lines import Line, Reading
from webquarry_convert.file.image.ocr.low_confidence import warn_of_doubts
from webquarry_convert.file.scans import read_pages

pytestmark = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")

TEXT = " ".join(PROSE)
GERMAN = (
    "Die Brücke über den Fluß wurde für die Bewohner der Stadt",
    "gebaut, und die Kosten sind von den Händlern auf dem Markt",
    "bezahlt worden. Später fuhr die Straßenbahn über sie, bis",
    "das Hochwasser im Frühjahr zwei ihrer Bögen mitnahm.",
)
ARABIC = (
    "كان الميناء أقدم من المدينة وظل مئة عام",
    "لا يسكنه أحد سوى حارس المنارة ثم جاء",
    "القطار فبنيت البيوت الأولى قرب المحطة",
)
RECEIPT = ("CORNER BAKERY", "Rye bread 2.40", "Poppy rolls x 4 3.20", "TOTAL 5.60")


def noisy(amount: float) -> Image.Image:
    """Draw small print that noise makes almost illegible."""
    page = printed(PROSE, size=24, width=900, margin=40).point(lambda value: value * 0.6 + 50)
    chance = random.Random(3)
    grain = Image.frombytes("L", page.size, chance.randbytes(page.width * page.height))
    spread = amount / 74  # this spread gives uniform noise from 0 to 255
    grain = grain.point(lambda value: 128 + (value - 128) * spread)
    return ImageChops.add(page, grain, offset=-128)


def likeness(found: str, expected: str) -> float:
    return SequenceMatcher(None, " ".join(found.split()), expected, autojunk=False).ratio()


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_pages_are_read_in_any_orientation(degrees: int) -> None:
    recognition = ocr.read(ocr.Picture(printed(PROSE).rotate(degrees, expand=True)))
    assert recognition.markdown == f"{TEXT}\n"
    assert recognition.confidence > 0.9


def test_little_text_upside_down_is_read() -> None:
    recognition = ocr.read(ocr.Picture(printed(["The harbour is closed today."]).rotate(180)))
    assert recognition.markdown == "The harbour is closed today.\n"


@pytest.mark.skipif(
    "ara" not in tesseract.languages() or not has_dejavu() or not features.check("raqm"),
    reason="no Arabic, or no letters for it",
)
@pytest.mark.parametrize(
    "degrees", [pytest.param(0, marks=pytest.mark.long), 90, pytest.param(180, marks=pytest.mark.long)]
)
def test_other_scripts_are_read_in_any_orientation(degrees: int) -> None:
    recognition = ocr.read(ocr.Picture(printed(ARABIC, size=40).rotate(degrees, expand=True)))
    assert likeness(recognition.markdown, " ".join(ARABIC)) > 0.95


@pytest.mark.parametrize("angle", [-3.0, 2.2, 5.0])
def test_angle_of_slanted_pages_is_measured(angle: float) -> None:
    slanted = printed(PROSE).rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    lying = measure_skew(slanted)
    assert lying is not None
    assert lying.angle == pytest.approx(-angle, abs=0.3)
    assert not lying.is_sideways


def test_slanted_pages_are_read() -> None:
    slanted = printed(PROSE).rotate(3, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    assert likeness(ocr.read(ocr.Picture(slanted)).markdown, TEXT) > 0.98


def test_empty_picture_has_no_orientation() -> None:
    assert measure_skew(Image.new("L", (500, 700), 255)) is None
    assert measure_skew(Image.new("L", (1, 1), 0)) is None


def test_columns_are_read_one_after_the_other() -> None:
    page = Image.new("L", (2200, 500), 255)
    draw_lines(page, ["A title that runs over both of the columns of this page"], (60, 40))
    draw_lines(page, PROSE, (60, 160))
    draw_lines(page, [line.upper() for line in PROSE], (1180, 160))
    text = ocr.read(ocr.Picture(page)).markdown
    assert text.index("A title") < text.index("moved down from the hills") < text.index("THE HARBOUR WAS")


def test_rows_of_a_receipt_are_kept() -> None:
    page = Image.new("L", (700, 400), 255)
    draw_lines(page, ["CORNER BAKERY"], (200, 30))
    draw_lines(page, ["Rye bread", "Poppy rolls x 4", "TOTAL"], (60, 120))
    draw_lines(page, ["2.40", "3.20", "5.60"], (560, 120))
    rows = [row.rstrip("\\") for row in ocr.read(ocr.Picture(page)).markdown.split("\n") if row]
    assert rows == list(RECEIPT)


@pytest.mark.skipif("deu" not in tesseract.languages() or not has_dejavu(), reason="no German, or no letters for it")
def test_languages_in_latin_script_are_recognized_by_common_words() -> None:
    assert ocr.read(ocr.Picture(printed(GERMAN))).markdown == " ".join(GERMAN) + "\n"


@pytest.mark.long
@pytest.mark.skipif(not neural.is_there(), reason="the extra ocr is not installed")
def test_text_that_tesseract_reads_badly_is_read_by_the_network() -> None:
    receipt = printed(RECEIPT, size=30, width=520, margin=40)
    for x in range(0, receipt.width, 3):  # dot-matrix print on gray paper
        receipt.paste(255, (x, 0, x + 2, receipt.height))
    dots = receipt.filter(ImageFilter.GaussianBlur(0.8)).point(lambda value: 120 + value // 2)
    by_tesseract = tesseract.read(dots, "eng", 200)
    assert likeness(" ".join(line.text for line in by_tesseract), " ".join(RECEIPT)) < 0.7
    text = ocr.read(ocr.Picture(dots)).markdown
    assert likeness(text.replace("\\", ""), " ".join(RECEIPT)) > 0.9


@pytest.mark.skipif(not neural.is_there(), reason="the extra ocr is not installed")
def test_text_that_only_the_network_reads_is_read_upright() -> None:
    """Tesseract recognizes no text here, and assumes that the page is upside down."""
    assert likeness(ocr.read(ocr.Picture(noisy(120))).markdown, TEXT) > 0.5


@pytest.mark.long
@pytest.mark.skipif(not neural.is_there(), reason="the extra ocr is not installed")
def test_print_out_of_focus_is_read() -> None:
    lines = neural.read(printed(PROSE).filter(ImageFilter.GaussianBlur(4.2)))
    assert likeness(" ".join(line.text for line in sorted(lines, key=lambda line: line.top)), TEXT) > 0.9


def test_pages_read_with_low_confidence_are_named() -> None:
    reading = Reading([Line(10, 10, 90, 30, "Pior", 0.8)], 100, 40, 200)
    document = read(saved(Image.new("L", (100, 40), 255), "PNG"), {1: reading})
    assert document.markdown == "Pior\n"
    assert document.warnings == (
        "The text on page 1 was recognized with low confidence (down to 0.80), so words may be wrong.",
    )


def test_all_pages_with_low_confidence_are_named_in_one_warning() -> None:
    pages = [
        RecognisedPage(1, 0.5),
        RecognisedPage(2, 0.99),
        RecognisedPage(3, 0.61),
        RecognisedPage(4, 0.0),
        RecognisedPage(7, 0.7),
    ]
    (warning,) = warn_of_doubts(pages)
    assert warning.startswith("The text on pages 1, 3 and 7 was recognized with low confidence (down to 0.50)")
    assert warn_of_doubts([RecognisedPage(1, 0.9), RecognisedPage(2, 0.0)]) == ()


def test_lines_that_cannot_be_read_are_marked_and_counted() -> None:
    lines = [
        Line(10, 10, 390, 30, "on Tuesday we reached", 0.88),
        Line(10, 60, 390, 80, "Jaman ot 1801", 0.6),
        Line(10, 110, 390, 130, "the farm", 0.87),
    ]
    reading = Reading(mark_illegible(lines), 400, 140, 200)
    document = read(saved(Image.new("L", (400, 140), 255), "PNG"), {1: reading})
    assert document.markdown == "on Tuesday we reached\n\n[illegible]\n\nthe farm\n"
    assert document.warnings[1:] == ("Unreadable lines on page 1, such as handwriting, are shown as [illegible]: 1.",)


def test_short_lines_of_print_are_kept_despite_low_confidence() -> None:
    lines = [Line(0, 0, 90, 20, "The harbour was built before the town", 0.98), Line(0, 30, 9, 50, "8", 0.7)]
    assert mark_illegible(lines) == lines


@pytest.mark.long
@pytest.mark.skipif(not neural.is_there(), reason="the extra ocr is not installed")
def test_scribble_is_not_read_as_text() -> None:
    page = Image.new("L", (1200, 300), 255)
    drawing = ImageDraw.Draw(page)
    chance = random.Random(2)
    for top in (60, 160):
        points = [(60 + step * 9, top + chance.randrange(45)) for step in range(110)]
        drawing.line(points, fill=30, width=3)
    assert not re.sub(r"\[illegible\]|\s", "", ocr.read(ocr.Picture(page)).markdown)


@pytest.mark.long
@pytest.mark.skipif(not neural.is_there(), reason="the extra ocr is not installed")
def test_lines_found_in_a_smaller_picture_have_positions_in_the_original() -> None:
    page = Image.new("L", (2400, 3000), 255)
    draw_lines(page, ["The harbour is closed"], (1300, 2500), size=60)
    draw_lines(page, ["Pier 7"], (200, 300), size=60)
    top, bottom = sorted(neural.read(page), key=lambda line: line.top)
    assert (top.text, bottom.text) == ("Pier 7", "The harbour is closed")
    assert [top.left, top.top, bottom.left, bottom.top] == pytest.approx([200, 310, 1300, 2510], abs=30)
    assert [line.text for line in neural.read(page, most=1)] == ["The harbour is closed"]


def test_picture_without_text_gives_an_empty_result() -> None:
    for picture in (Image.new("L", (400, 300), 255), Image.new("L", (1, 1), 0), Image.new("L", (3000, 1), 90)):
        recognition = ocr.read(ocr.Picture(picture))
        assert recognition.markdown == ""
        assert recognition.confidence == 0


def test_recognized_text_is_escaped() -> None:
    text = ocr.read(ocr.Picture(printed(["# no heading", "<b>no tag</b> and no heading"], size=44))).markdown
    assert text == "\\# no heading\\\n\\<b>no tag\\</b> and no heading\n"


def test_tiff_with_two_pages_gives_a_document_with_two_pages() -> None:
    body = saved(printed(PROSE[:2]), "TIFF", save_all=True, append_images=[printed(PROSE[2:])])
    document = read(body, read_pages(body, read(body).unread))
    assert document.markdown == f"{' '.join(PROSE[:2])}\n\n{' '.join(PROSE[2:])}\n"
    assert document.pages == 2
    assert document.page_starts == (0, document.markdown.index(PROSE[2]))
    assert read(body).page_starts == (0, 0)
    assert [page.page for page in document.recognised] == [1, 2]
    assert all(page.confidence > 0.9 for page in document.recognised)
    assert document.warnings == ()


def test_pages_are_read_regardless_of_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a busy machine: hours pass on the wall clock, but the process uses no CPU time."""
    hours = count(step=3600.0)
    for name in ("monotonic", "time", "perf_counter"):
        monkeypatch.setattr(time, name, lambda: next(hours))
    blank = Image.new("L", (400, 300), 255)
    body = saved(blank, "TIFF", save_all=True, append_images=[blank] * 8)
    assert list(read_pages(body, range(1, 10))) == list(range(1, 10))


def test_search_stops_early_in_a_file_without_text(monkeypatch: pytest.MonkeyPatch) -> None:
    used_s = count(step=3.0)
    monkeypatch.setattr(scans, "measure_cpu", lambda: next(used_s))
    blank = Image.new("L", (400, 300), 255)
    body = saved(blank, "TIFF", save_all=True, append_images=[blank] * 8)
    readings = read_pages(body, range(1, 10))
    assert list(readings) == [1, 2, 3]
    assert read(body, readings).warnings == ("The text on pages 4 to 9 was not recognized.",)


def test_cpu_time_includes_child_processes() -> None:
    before_s, own_before_s = scans.measure_cpu(), time.process_time()
    tesseract.read(printed(PROSE * 4), "eng", 200)
    assert scans.measure_cpu() - before_s > 2 * (time.process_time() - own_before_s)


def test_pages_beyond_the_limit_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scans, "MAX_PAGES", 2)
    blank = Image.new("L", (64, 64), 255)
    body = saved(blank, "TIFF", save_all=True, append_images=[blank] * 6)
    document = read(body, read_pages(body, read(body).unread))
    assert document.pages == 7
    assert len(document.recognised) == 2
    assert document.warnings == ("The text on pages 3 to 7 was not recognized.",)


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tesseract, "languages", lambda: frozenset[str]())
    monkeypatch.setattr(neural, "is_there", lambda: False)


@pytest.mark.usefixtures("nothing_installed")
def test_error_explains_how_to_install_a_missing_engine() -> None:
    with pytest.raises(ConversionFailed, match="tesseract-ocr"):
        scans.read_page(saved(printed(PROSE[:1]), "PNG"), 1)


def test_tesseract_reads_pages_if_the_network_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neural, "is_there", lambda: False)
    monkeypatch.setattr(neural, "read", None)
    assert ocr.read(ocr.Picture(printed(PROSE).rotate(180))).markdown == f"{TEXT}\n"


@pytest.mark.skipif(not neural.is_there(), reason="the extra ocr is not installed")
def test_network_reads_pages_if_tesseract_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tesseract, "languages", lambda: frozenset[str]())
    assert likeness(ocr.read(ocr.Picture(printed(PROSE[:2]))).markdown, " ".join(PROSE[:2])) > 0.95


@pytest.mark.skipif(not neural.is_there(), reason="the extra ocr is not installed")
def test_network_needs_no_internet() -> None:
    """The library can download models. The model in its wheel is used if no socket is available."""
    script = (
        "import socket, sys\n"
        "def refuse(*_, **__): raise SystemExit('a socket was asked for')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "from PIL import Image\n"
        "from webquarry_convert.file.image.ocr import neural\n"
        "assert neural.read(Image.open(sys.stdin.buffer).convert('L'))\n"
    )
    body = saved(printed(PROSE[:1]), "PNG")
    environment = {"PATH": os.defpath, "HOME": "/nonexistent", "TMPDIR": "/nonexistent"}
    done = subprocess.run([sys.executable, "-c", script], input=body, capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr.decode()[-500:]


def test_tiny_picture_is_not_read_by_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neural, "_engine", lambda: pytest.fail("it takes 300 MB"))
    assert neural.read(Image.effect_noise((64, 64), 90)) == []
