"""Conversion of Tesseract's output rows."""

import pytest

from webquarry_convert.file.image.ocr.rules import Rule
from webquarry_convert.file.image.ocr.tesseract import _parse_lines


def rows(*words: tuple[int, int, str]) -> str:
    """Build rows for one line of 30 pixels in height. words: each word's left edge, width and text."""
    return "\n".join(
        f"5\t1\t1\t1\t1\t{at}\t{left}\t0\t{width}\t30\t90\t{text}" for at, (left, width, text) in enumerate(words)
    )


def test_close_korean_syllables_are_joined_into_words() -> None:
    found = _parse_lines(rows((0, 30, "코"), (35, 30, "로"), (70, 30, "나"), (102, 60, "-19"), (175, 60, "관련")))
    assert [line.text for line in found] == ["코로나-19 관련"]


def test_words_in_other_scripts_are_separated_by_spaces() -> None:
    assert [line.text for line in _parse_lines(rows((0, 30, "in"), (32, 30, "it"), (64, 30, "一")))] == ["in it 一"]


def test_distant_words_become_separate_lines() -> None:
    assert [line.text for line in _parse_lines(rows((0, 60, "Pos."), (110, 90, "Item"), (210, 40, "no.")))] == [
        "Pos.",
        "Item no.",
    ]


def test_line_of_text_ends_at_a_drawn_rule() -> None:
    words = rows((0, 60, "the"), (66, 4, "|"), (75, 60, "Ada"), (140, 60, "Hall"))
    assert [line.text for line in _parse_lines(words)] == ["the | Ada Hall"]
    assert [line.text for line in _parse_lines(words, [Rule(67, 0, 69, 200)])] == ["the", "Ada Hall"]
    assert [line.text for line in _parse_lines(words, [Rule(67, 60, 69, 200)])] == ["the | Ada Hall"]


@pytest.mark.parametrize(
    ("sign", "size", "read"),
    [
        ("¢", 12, "\u2022 The harbour"),
        ("e", 12, "\u2022 The harbour"),
        ("e", 22, "e The harbour"),
        ("5", 12, "5 The harbour"),
    ],
)
def test_small_round_character_before_words_becomes_a_bullet(sign: str, size: int, read: str) -> None:
    table = f"5\t1\t1\t1\t1\t1\t0\t10\t{size}\t{size}\t60\t{sign}\n" + rows((30, 60, "The"), (100, 120, "harbour"))
    assert [line.text for line in _parse_lines(table)] == [read]
