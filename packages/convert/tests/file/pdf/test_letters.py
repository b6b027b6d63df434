"""Letter-spaced and single letters, and dot leaders, as in titles, initials, directories and tables of contents."""

import pytest

from convert_support.portable import HEIGHT, Sheet, portable
from webquarry_convert.file.pdf import read
from webquarry_convert.file.pdf.source.content import Span
from webquarry_convert.file.pdf.words.leaders import drop_leaders

PROSE = [
    "he river rises in the hills and runs through broad meadows until",
    "it meets the sea, where in spring many birds nest, and in autumn",
    "the fog stands for days over the marshes, so that no ship leaves.",
    "On the other side of the bay there is a light, which is kept by a",
    "family of the town, and was built by its council long ago.",
]


def markdown(sheet: Sheet) -> str:
    return read(portable(sheet)).markdown


def spread(sheet: Sheet, y: float, title: str, *, by: float) -> Sheet:
    sheet.drawn.append(f"BT /Helvetica-Bold 18 Tf {by} Tc 72 {HEIGHT - y} Td ({title}) Tj 0 Tc ET")
    return sheet


@pytest.mark.parametrize("by", [2.4, 5, 9])
def test_letters_of_a_spaced_title_are_joined_into_words(by: float) -> None:
    sheet = spread(Sheet(), 60, "Old mill houses", by=by).lines(72, 100, PROSE)
    assert markdown(sheet).startswith("# Old mill houses\n")


def test_separate_letters_of_an_alphabet_are_not_joined() -> None:
    sheet = spread(Sheet(), 60, "ABCDEFG", by=9).lines(72, 100, PROSE)
    assert "ABC" not in markdown(sheet)


def test_initial_is_joined_to_its_word() -> None:
    sheet = Sheet().text(60, 84, "T", size=33)
    sheet.lines(81, 62, PROSE[:3]).lines(60, 98, PROSE[3:])
    assert markdown(sheet).startswith("The river rises")


def test_separate_large_letter_is_a_heading() -> None:
    sheet = Sheet().text(60, 60, "B", size=16, font="Helvetica-Bold").lines(60, 80, PROSE)
    assert markdown(sheet).startswith("# B\n\n")


@pytest.mark.parametrize("number", ["12", "355 4129"])
def test_leader_between_a_name_and_its_number_is_shortened(number: str) -> None:
    names = ["Birkett, Ada", "Brown, Jo", "Burton, Zoe"]
    sheet = Sheet().lines(60, 60, [f"{name}{'.' * (60 - len(name))} {number}" for name in names])
    assert markdown(sheet) == "\\\n".join(f"{name} … {number}" for name in names) + "\n"


@pytest.mark.parametrize(
    ("row", "left"),
    [
        (["The stones .", "12"], ["The stones", "12"]),
        (["The stones . . .", "12"], ["The stones", "12"]),
        (["The stones", ".", ".", "12"], ["The stones", "12"]),
        (["The stones . .", ".", "12"], ["The stones", "12"]),
        ([". . .", "12"], [".", "12"]),  # dots without a label: a run keeps one word
        (["The stones.", "12"], ["The stones.", "12"]),
    ],
)
def test_dots_before_a_number_are_dropped_and_their_label_is_kept(row: list[str], left: list[str]) -> None:
    spans, x = [make_run(".", 60, 200)], 60.0
    for text in row:
        spans.append(make_run(text, x, 60))
        x = spans[-1].x1 + 8
    assert [span.text for span in drop_leaders(spans) if span.y0 == 60] == left


def make_run(text: str, x: float, y: float) -> Span:
    """Create a run of words in which each character is 5 points wide."""
    run = Span((x, y, x + 5 * len(text), y + 10), text, 10)
    run.parts, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        run.parts.append(Span((x + 5 * at, y, x + 5 * (at + len(word)), y + 10), word, 10))
        at += len(word)
    return run


def test_lines_that_begin_with_capitals_are_records_despite_similar_widths() -> None:
    people = [
        "Ada Birkett, chair of mills",
        "Jonas Brown, head of works",
        "Zoe Dunne, keeper of books",
        "Ilse Novak, clerk of rolls",
    ]
    prose = [line.capitalize() for line in PROSE]
    assert "\\\n".join(people) in markdown(Sheet().lines(60, 60, people).lines(60, 140, prose))


def test_smaller_line_below_a_label_is_a_separate_row() -> None:
    sheet = Sheet()
    for place, name in enumerate(("Birkett, Ada", "Brown, Jo", "Burton, Zoe", "Byrd, Ilse", "Bull, Luca")):
        y = 60 + 24 * place
        sheet.text(60, y, name).text(300, y, f"355 41{place}9")
        if place in (1, 3):
            sheet.text(70, y + 12, "mill house", size=9)
    made = markdown(sheet)
    assert "| Brown, Jo | 355 4119 |\n| mill house |  |\n| Burton, Zoe | 355 4129 |" in made


@pytest.mark.parametrize("whole", ["", "2"])
def test_fraction_is_joined_and_separated_from_the_preceding_number(whole: str) -> None:
    sheet = Sheet().lines(60, 40, PROSE[:2])
    left = 60 + 5.6 * len(whole)
    if whole:
        sheet.text(60, 100, whole)
    sheet.text(left, 96, "1", size=6)
    sheet.drawn.append(f"BT /Slash 10 Tf {left + 3.6} {HEIGHT - 100} Td <DA> Tj ET")
    sheet.text(left + 5.2, 102, "4", size=6).text(left + 11.4, 100, "kg of flour")
    fonts = {"Slash": "/Subtype/Type1/BaseFont/Helvetica/Encoding/MacRomanEncoding"}
    made = read(portable(sheet, fonts=fonts)).markdown
    assert f"{whole} 1\u20444 kg of flour".strip() in made
