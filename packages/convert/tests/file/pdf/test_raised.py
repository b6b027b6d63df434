"""Superscripts and subscripts are not treated as digits of the number or word before them."""

import pytest

from convert_support.portable import HEIGHT, Sheet, portable
from webquarry_convert.file.pdf import read


def line(text: str, *, rise: float, small: str, after: str = "in all", size: float = 7) -> str:
    """Return the markdown for a line in which a part is raised or lowered."""
    sheet = Sheet().text(72, 80, "The meadow lies beside the river.")
    sheet.drawn.append(
        f"BT /Helvetica 10 Tf 72 {HEIGHT - 100} Td ({text}) Tj /Helvetica {size} Tf {rise} Ts ({small}) Tj"
        f" /Helvetica 10 Tf 0 Ts ( {after}) Tj ET"
    )
    return read(portable(sheet)).markdown.splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "small", "found"),
    [
        ("an area of 14 m", "2", "14 m\u00b2"),
        ("a mass of 24.91", "3", "24.91\u00b3"),
        ("times of 10", "12", "10\u00b9\u00b2"),
        ("a part of 10", "-3", "10\u207b\u00b3"),
        ("as was found in the meadow.", "7", "meadow.\u2077"),
        ("as was found \\(1998\\)", "12", "(1998)\u00b9\u00b2"),
    ],
)
def test_raised_digits_become_superscripts(text: str, small: str, found: str) -> None:
    assert f"{found} in all" in line(text, rise=4, small=small)


def test_lowered_digits_become_subscripts() -> None:
    assert "with CO\u2082 in all" in line("with CO", rise=-3, small="2")


def test_digits_on_the_baseline_stay_unchanged() -> None:
    assert "of A4 in all" in line("a sheet of A", rise=0, small="4", size=10)
    assert "of A4 in all" in line("a sheet of A", rise=0, small="4", size=7)


def test_note_mark_is_raised_without_an_adjacent_word_for_comparison() -> None:
    sheet = Sheet()
    for place, word in enumerate(("meadow", "river")):
        y = HEIGHT - 100 - 40 * place
        sheet.drawn.append(f"BT /Helvetica 10 Tf 0 Ts 72 {y} Td ({word}) Tj /Helvetica 7 Tf 4 Ts ({place + 3}) Tj ET")
    assert read(portable(sheet)).markdown == "meadow\u00b3\n\nriver\u2074\n"


@pytest.mark.parametrize(
    "code", ['vec <- c(s0, "s0")', "some p0 and qp0 more", 'as.Date("2019-01-30"), x', "list(d1, d2) |> f()"]
)
def test_tall_brackets_and_descenders_do_not_raise_digits(code: str) -> None:
    """In fonts without details about their height, the boxes of words are as tall as their letters."""
    widths = " ".join(["600"] * 95)
    font = (
        f"/Subtype/Type1/BaseFont/Code/FirstChar 32/LastChar 126/Widths[{widths}]/Encoding/WinAnsiEncoding"
        "/FontDescriptor<</Type/FontDescriptor/FontName/Code/Flags 33/FontBBox[-43 -250 681 930]/Ascent 629"
        "/Descent -157/ItalicAngle 0/CapHeight 500/StemV 40>>"
    )
    sheet = Sheet()
    for place, text in enumerate(["one more row in here", code, "one more row in here"]):
        shown = text.replace("(", r"\(").replace(")", r"\)")
        sheet.drawn.append(f"BT /Code 10 Tf 72 {HEIGHT - 60 - 12 * place} Td ({shown}) Tj ET")
    assert code in read(portable(sheet, fonts={"Code": font})).markdown.replace("\\", "")


@pytest.mark.parametrize(("small", "found"), [("3,4", "\u00b3,\u2074"), ("1,3,4", "\u00b9,\u00b3,\u2074")])
def test_several_note_references_after_a_word_are_raised(small: str, found: str) -> None:
    assert f"as Smith{found} in all" in line("as Smith", rise=4, small=small)
