"""What tesseract's rows become."""

from webquarry_convert.file.image.ocr.tesseract import _parse_lines


def rows(*words: tuple[int, int, str]) -> str:
    """words: left edge, width and text, of one line of 30 pixels in height."""
    return "\n".join(
        f"5\t1\t1\t1\t1\t{at}\t{left}\t0\t{width}\t30\t90\t{text}" for at, (left, width, text) in enumerate(words)
    )


def test_syllables_of_korean_are_words_where_they_stand_close() -> None:
    found = _parse_lines(rows((0, 30, "코"), (35, 30, "로"), (70, 30, "나"), (102, 60, "-19"), (175, 60, "관련")))
    assert [line.text for line in found] == ["코로나-19 관련"]


def test_words_of_other_scripts_stay_apart() -> None:
    assert [line.text for line in _parse_lines(rows((0, 30, "in"), (32, 30, "it"), (64, 30, "一")))] == ["in it 一"]
