"""Code in PDFs: its recognition, its spaces, and what distinguishes it from tables and prose."""

import pytest

from convert_support.portable import HEIGHT, Sheet, portable
from webquarry_convert.file.pdf import read
from webquarry_convert.file.pdf.source.pdfium import Characters

CODE = ["# Run over all files", 'x <- f(a[1], "rows")', "cd /usr/share; make all"]


def typed(lines: list[str], *, step: float, other: str = "") -> str:
    """Return the markdown of lines whose letters are placed one by one. other: characters in a proportional font."""
    sheet = Sheet()
    for place, line in enumerate(lines):
        for at, sign in enumerate(line):
            font = "Helvetica" if sign in other else "Courier"
            if sign != " ":
                sheet.text(72 + at * step, 60 + 12 * place, sign, font=font)
    return read(portable(sheet)).markdown


def test_widely_spaced_letters_are_joined_into_words() -> None:
    """LaTeX spaces the letters of listings in this way."""
    assert typed(CODE, step=7.2) == "\n".join(["```", *CODE, "```\n"])


def test_comma_in_another_font_keeps_the_space_after_it() -> None:
    lines = ["short, long, and int", "short, long, and int"]
    assert "short,long" not in typed(lines, step=7.2, other=",")


def test_console_lines_are_not_table_rows() -> None:
    sheet = Sheet()
    rows = [("> fit <- run(data,", ""), ("+", "steps = 100,"), ("+", "rate = 0.1)"), ("+", "}")]
    for place, (left, right) in enumerate(rows):
        sheet.text(72, 60 + 12 * place, left, font="Courier").text(120, 60 + 12 * place, right, font="Courier")
    lines = ["> fit <- run(data,", "+       steps = 100,", "+       rate = 0.1)", "+       }"]
    assert read(portable(sheet)).markdown == "\n".join(["```", *lines, "```\n"])


def test_monospaced_numbers_form_a_table() -> None:
    sheet = Sheet()
    for place, cells in enumerate((("Region", "2023", "2024"), ("North", "10", "12"), ("South", "8", "9"))):
        for column, cell in enumerate(cells):
            sheet.text(72 + 120 * column, 60 + 12 * place, cell, font="Courier")
    assert "| North | 10 | 12 |" in read(portable(sheet)).markdown


def test_long_lines_of_code_are_not_a_paragraph() -> None:
    lines = [
        "names(seats) <- paste(parties, years, sep = ' in ')",
        "parties <- choose_colours(6, chroma = 60, light = 75)",
        "plot(seats, col = parties[names(seats)], main = town)",
    ]
    sheet = Sheet()
    for place, line in enumerate(lines):
        sheet.text(72, 60 + 12 * place, line, font="Courier")
    assert read(portable(sheet)).markdown == "\n".join(["```", *lines, "```\n"])


def test_prose_that_begins_with_monospaced_names_stays_prose() -> None:
    names = ["list.files()", "sum(x)", "file.size()"]
    rest = [
        "prints the names of all files in the meadow, and",
        "adds what is in them, if anything is, whereas",
        "tells it.",
    ]
    sheet = Sheet()
    for place, (name, text) in enumerate(zip(names, rest, strict=True)):
        shown = name.replace("(", r"\(").replace(")", r"\)")
        y = HEIGHT - 60 - 12 * place
        sheet.drawn.append(f"BT /Courier 10 Tf 72 {y} Td ({shown}) Tj /Helvetica 10 Tf ( {text}) Tj ET")
    assert "```" not in read(portable(sheet)).markdown


def test_number_of_searches_on_a_crowded_page_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each check visits all characters of the page."""
    looks = 0
    find_at = Characters.find_at

    def count(characters: Characters, x: float, y: float) -> int | None:
        nonlocal looks
        looks += 1
        return find_at(characters, x, y)

    monkeypatch.setattr(Characters, "find_at", count)
    sheet = Sheet()
    for place in range(2_000):
        at = f"{20 + place % 8 * 70} {HEIGHT - 20 - place // 8 * 2.5}"
        sheet.drawn.append(f"BT /Courier 4 Tf {at} Td (list) Tj /Helvetica 4 Tf ( will common) Tj ET")
    read(portable(sheet))
    assert 0 < looks <= 1_300
