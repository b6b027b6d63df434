"""Ruling lines in images."""

import pytest
from PIL import Image, ImageDraw

from convert_support.effort import assert_linear
from convert_support.prints import PROSE, draw_lines, printed
from webquarry_convert.file.image.ocr.rules import Rule, erase_grids, find_rules

DPI = 200
LYING, STANDING = (100, 160, 220, 280), (100, 400, 900)


def grid(shade: int) -> Image.Image:
    page = Image.new("L", (1000, 400), 240)
    drawing = ImageDraw.Draw(page)
    for y in LYING:
        drawing.line((100, y, 900, y), fill=shade, width=2)
    for x in STANDING:
        drawing.line((x, 100, x, 280), fill=shade, width=2)
    draw_lines(page, ["Office chair"], (120, 112))
    return page


@pytest.mark.parametrize("shade", [0, 120, 200])
def test_dark_and_light_table_lines_are_found(shade: int) -> None:
    lying, standing = find_rules(grid(shade), DPI)
    assert [round(rule.top, -1) for rule in lying] == list(LYING)
    assert sorted(round(rule.left, -1) for rule in standing) == list(STANDING)
    assert all(rule.right - rule.left > 790 for rule in lying)
    assert all(rule.bottom - rule.top > 175 for rule in standing)


def test_text_contains_no_rules() -> None:
    assert find_rules(printed(PROSE), DPI) == ([], [])


def test_filled_areas_contain_no_rules() -> None:
    page = Image.new("L", (1000, 400), 255)
    ImageDraw.Draw(page).rectangle((100, 100, 900, 300), fill=0)
    lying, standing = find_rules(page, DPI)
    assert not [rule for rule in (*lying, *standing) if min(rule.right - rule.left, rule.bottom - rule.top) > 12]


def test_slightly_slanted_line_is_found_as_one_rule() -> None:
    page = Image.new("L", (1000, 400), 255)
    ImageDraw.Draw(page).line((100, 200, 900, 204), fill=0, width=3)
    lying, _ = find_rules(page, DPI)
    assert [edge for rule in lying for edge in (rule.left, rule.right)] == pytest.approx([100, 900], abs=3)


def test_grids_are_erased_and_letters_are_kept() -> None:
    page = grid(0)
    lying, standing = find_rules(page, DPI)
    cleared = erase_grids(page, lying, standing, DPI)
    assert find_rules(cleared, DPI) == ([], [])
    word = (115, 105, 395, 155)
    assert cleared.crop(word).tobytes() == page.crop(word).tobytes()


def test_strokes_that_touch_no_line_are_kept() -> None:
    page = Image.new("L", (400, 400), 255)
    ImageDraw.Draw(page).line((200, 100, 200, 250), fill=0, width=3)
    _, standing = find_rules(page, DPI)
    assert len(standing) == 1
    assert erase_grids(page, [], standing, DPI).tobytes() == page.tobytes()


def test_strokes_of_large_letters_on_a_line_are_kept() -> None:
    page = Image.new("L", (1200, 300), 255)
    draw_lines(page, ["Payslip till July"], (100, 100), size=70)
    ImageDraw.Draw(page).rectangle((100, 172, 1000, 175), fill=0)
    assert find_rules(page, DPI)[1] == []


def test_many_lines_take_linear_time() -> None:
    page = Image.new("L", (100, 100), 255)
    standing = [Rule(at, 0, at + 1, 50) for at in range(50)]
    assert_linear(
        lambda size: lambda: erase_grids(page, [Rule(0, at, 90, at + 1) for at in range(size)], standing, 10), 100
    )
