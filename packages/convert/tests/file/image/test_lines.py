"""Order, paragraphs, spaces and language of recognized lines. These tests run no OCR engine."""

import pytest

from webquarry_convert.file.image.ocr.compose import write_markdown
from webquarry_convert.file.image.ocr.lines import Line, compute_confidence, count_sure_signs, find_reach
from webquarry_convert.file.image.ocr.reading_order import find_regions
from webquarry_convert.file.image.ocr.scripts import guess_language
from webquarry_convert.file.image.ocr.spacing import restore_spaces

WORDS = "the quick brown fox jumps over"  # 30 characters


def line(text: str, left: float, row: float, width: float | None = None, sure: float = 1.0) -> Line:
    """Return a line.

    row: the vertical position, in steps of one and a half lines of 20 pixels. A character is 10 pixels wide.
    """
    return Line(left, row * 30, left + (10 * len(text) if width is None else width), row * 30 + 20, text, sure)


def read(lines: list[Line]) -> list[str]:
    return [line.text for region in find_regions(lines) for row in region for line in row]


def column(name: str, left: float, rows: range) -> list[Line]:
    return [line(f"{name}{row} {WORDS}", left, row) for row in rows]


def test_confidence_is_the_average_per_character() -> None:
    lines = [line("abcdef gh", 0, 0, sure=1.0), line("ij", 0, 1, sure=0.5)]
    assert compute_confidence(lines) == pytest.approx(0.9)
    assert count_sure_signs(lines) == pytest.approx(9.0)
    assert compute_confidence([]) == 0


def test_columns_of_prose_are_read_one_after_the_other() -> None:
    lines = column("a", 0, range(5)) + column("b", 400, range(5)) + column("c", 800, range(5))
    assert [text[:2] for text in read(lines[::-1])] == [f"{name}{row}" for name in "abc" for row in range(5)]


def test_title_over_columns_separates_content_above_and_below() -> None:
    lines = [
        *column("a", 0, range(4)),
        *column("b", 400, range(4)),
        line("A title over both columns " + WORDS, 0, 5, 730),
        *column("c", 0, range(6, 10)),
        *column("d", 400, range(6, 10)),
    ]
    order = [text[:2] for text in read(lines)]
    assert order == [
        *(f"{n}{r}" for n in "ab" for r in range(4)),
        "A ",
        *(f"{n}{r}" for n in "cd" for r in range(6, 10)),
    ]


def test_caption_between_columns_does_not_split_them() -> None:
    lines = [*column("a", 0, range(8)), *column("b", 400, range(8)), line("caption", 320, 3.5, 90)]
    assert [text[:2] for text in read(lines)] == [*(f"{name}{row}" for name in "ab" for row in range(8)), "ca"]


def test_labels_and_prices_are_read_row_by_row() -> None:
    lines = [line(f"item {row}", 0, row) for row in range(6)] + [line(f"{row}.50", 500, row) for row in range(6)]
    assert read(lines) == [text for row in range(6) for text in (f"item {row}", f"{row}.50")]
    assert write_markdown(lines).startswith("item 0 0.50\\\nitem 1 1.50\\\n")


def test_nearly_level_lines_form_one_row() -> None:
    assert read([Line(300, 8, 400, 28, "right", 1), Line(0, 0, 100, 20, "left", 1)]) == ["left", "right"]


def test_lines_of_prose_are_joined_into_a_paragraph() -> None:
    text = ["   In the beginning there was noth-", "ing but a plain, and nobody lived", "there."]
    lines = [line(words.strip(), 10 * (len(words) - len(words.strip())), row) for row, words in enumerate(text)]
    assert write_markdown(lines) == "In the beginning there was nothing but a plain, and nobody lived there.\n"


def test_line_keeps_its_break_if_the_next_word_would_have_fit() -> None:
    lines = [line("12 Harbour Road", 0, 0), line("A rather long town's name that goes on", 0, 1)]
    assert write_markdown(lines) == "12 Harbour Road\\\nA rather long town's name that goes on\n"


def test_centered_lines_keep_their_breaks() -> None:
    lines = [line("The name of the house, which is long", 0, 0), line("and its street, shorter", 65, 1)]
    assert write_markdown(lines).count("\\\n") == 1


def test_blank_space_ends_a_paragraph() -> None:
    lines = [line(WORDS, 0, 0), line(WORDS, 0, 1), line(WORDS, 0, 3)]
    assert write_markdown(lines) == f"{WORDS} {WORDS}\n\n{WORDS}\n"


def test_hebrew_and_arabic_are_read_from_the_right() -> None:
    lines = [line("שתיים", 0, 0), line("אחת", 300, 0)]
    assert write_markdown(lines) == "אחת שתיים\n"


def test_missing_spaces_are_restored_from_tesseract() -> None:
    network = [line("THANKYOU.COME AGAIN 2.50 ßTAX", 0, 0)]
    seen = [line("THAMK YOU. COME AGA IN 2 .50", 5, 0), line("ßT AX", 260, 0, 20), line("NO T BESIDE", 0, 2)]
    assert [of.text for of in restore_spaces(network, seen)] == ["THANK YOU. COME AGA IN 2.50 ßT AX"]
    assert [of.text for of in restore_spaces(network, [])] == [network[0].text]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The bridge was built by the people of the town, and it was paid for by them", "eng"),
        ("Die Brücke ist von der Stadt und nicht mit dem Geld auf der Bank gebaut", "deu"),
        ("Le pont est dans la ville et les habitants des rues ne sont pas sur le pont", "fra"),
        ("El puente de la ciudad es para los que viven en las casas y no se paga", "spa"),
        ("Il ponte della città non è per gli uomini che sono nel paese con la barca", "ita"),
        ("Most na rzece nie jest dla ludzi, ale to do miasta z nim i przez las po drodze", "pol"),
        ("1,20 2,40 INVOICE 44", "eng"),
        ("", "eng"),
    ],
)
def test_languages_are_recognized_by_common_words(text: str, language: str) -> None:
    assert guess_language(text) == language


def test_many_lines_take_linear_time() -> None:
    lines = [line(f"word {at}", at % 97 * 10, at / 3) for at in range(20_000)]
    assert len(read(lines)) == 20_000


@pytest.mark.parametrize("text", ["Height", "Client no.: 17 August", "nose", "Terms 11", "a, b; c", "Jo"])
def test_lines_of_the_same_type_have_the_same_height(text: str) -> None:
    """The type size is 100 pixels: capitals are 73 pixels high, small letters 53, descenders 21 and commas below the
    line 12.
    """
    top = 53 if text == "nose" else 73
    depth = {"nose": 0, "Terms 11": 0, "a, b; c": 12}.get(text, 21)
    assert find_reach(text, 100 - top, 100 + depth) == pytest.approx((27, 121), abs=0.1)


def test_lines_in_scripts_without_capitals_keep_their_height() -> None:
    assert find_reach("港口比", 10, 60) == (10, 60)
