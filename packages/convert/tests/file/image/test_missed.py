"""Single characters in a row, which Tesseract misses."""

import shutil

import pytest
from PIL import Image, ImageDraw

from convert_support.effort import assert_linear
from convert_support.prints import draw_lines
from webquarry_convert.file.image import ocr
from webquarry_convert.file.image.ocr import neural
from webquarry_convert.file.image.ocr.lines import Line
from webquarry_convert.file.image.ocr.missed import add_missed, find_missed

READ = [Line(50, 100, 350, 130, "Office chair", 0.9), Line(600, 100, 700, 130, "99.00", 0.9)]


def page_with(*boxes: tuple[int, int, int, int], grey: int = 0) -> Image.Image:
    page = Image.new("L", (800, 300), 255)
    drawing = ImageDraw.Draw(page)
    for line in READ:
        drawing.rectangle((line.left, line.top, line.right, line.bottom), fill=0)
    for box in boxes:
        drawing.rectangle(box, fill=grey)
    return page


def test_character_sized_ink_in_a_row_is_found_as_missed_text() -> None:
    assert find_missed(page_with((450, 102, 463, 126)), READ) == [(450, 102, 464, 127)]


@pytest.mark.parametrize(
    "box",
    [
        pytest.param((450, 60, 453, 200), id="a rule that goes on"),
        pytest.param((450, 118, 458, 122), id="a point"),
        pytest.param((380, 115, 580, 140), id="a drawing"),
        pytest.param((450, 202, 463, 226), id="in no row"),
        pytest.param((60, 105, 70, 120), id="in what was read"),
    ],
)
def test_other_ink_is_not_found_as_missed_text(box: tuple[int, int, int, int]) -> None:
    assert find_missed(page_with(box), READ) == []


def test_cluster_of_specks_is_not_a_character() -> None:
    assert find_missed(page_with((450, 102, 451, 103), (455, 120, 456, 121)), READ) == []


def test_light_rules_do_not_count_as_ink() -> None:
    assert find_missed(page_with((450, 102, 463, 126), grey=200), READ) == []


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
@pytest.mark.parametrize("rules", [None, 205])
def test_single_digits_in_tables_are_read(rules: int | None) -> None:
    page = Image.new("L", (1000, 420), 255)
    if rules is not None:
        drawing = ImageDraw.Draw(page)
        for y in range(45, 400, 48):
            drawing.line((40, y, 960, y), fill=rules)
        for x in (40, 560, 700, 960):
            drawing.line((x, 45, x, 381), fill=rules)
    draw_lines(page, ["Item", "Office chair", "Standing desk", "Lamp of brass", "Delivery", "Mounting"], (60, 50))
    draw_lines(page, ["Qty", "4", "1", "12", "1", "2"], (600, 50))
    draw_lines(page, ["Price", "99.00", "199.50", "15.25", "25.00", "40.00"], (760, 50))
    rows = ocr.read(ocr.Picture(page)).markdown.replace("\\", "").split("\n")
    assert [row.split()[-2] for row in rows if row] == ["Qty", "4", "1", "12", "1", "2"]


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
@pytest.mark.skipif(not neural.is_there(), reason="the network is not installed")
def test_numbers_with_low_confidence_are_read_again() -> None:
    page = Image.new("L", (1000, 420), 255)
    draw_lines(page, ["Office chair", "Standing desk", "Lamp of brass"], (60, 50))
    draw_lines(page, ["13", "7", "29"], (600, 50))
    step = 48
    sure = [
        Line(60, 50 + at * step, 290, 86 + at * step, text, 0.95)
        for at, text in enumerate(["Office chair", "Standing desk", "Lamp of brass"])
    ]
    unsure = [Line(600, 52, 645, 85, "is", 0.6), Line(598, 98, 650, 185, "au FW", 0.5)]
    found = add_missed(page, [*sure, *unsure], "eng", 200)
    assert [line.text for line in found] == ["Office chair", "Standing desk", "Lamp of brass", "13", "7", "29"]


@pytest.mark.skipif(not neural.is_there(), reason="the network is not installed")
def test_uncertain_words_of_tesseract_are_kept() -> None:
    page = Image.new("L", (1000, 200), 255)
    draw_lines(page, ["Office chair"], (60, 50))
    draw_lines(page, ["Öl"], (600, 50))
    lines = [Line(60, 50, 290, 86, "Office chair", 0.95), Line(600, 50, 650, 86, "Öl", 0.6)]
    assert add_missed(page, lines, "eng", 200) == lines


def test_many_rows_take_linear_time() -> None:
    page = Image.new("L", (200, 4000), 255)
    assert_linear(
        lambda size: lambda: find_missed(page, [Line(0, at * 8, 50, at * 8 + 6, "x", 1) for at in range(size)]), 100
    )
