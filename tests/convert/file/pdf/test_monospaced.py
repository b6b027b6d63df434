"""Spaces of code, which stand where letters are two steps apart."""

from support.portable import Sheet, portable
from webquarry_convert.file.pdf import read

CODE = ["# Run over all files", 'x <- f(a[1], "rows")', "cd /usr/share; make all"]


def typed(lines: list[str], *, step: float, other: str = "") -> str:
    """Markdown of lines of which each letter is set by itself. other: signs in a font of many widths."""
    sheet = Sheet()
    for place, line in enumerate(lines):
        for at, sign in enumerate(line):
            font = "Helvetica" if sign in other else "Courier"
            if sign != " ":
                sheet.text(72 + at * step, 60 + 12 * place, sign, font=font)
    return read(portable(sheet)).markdown


def test_letters_set_far_apart_are_words() -> None:
    """As listings of LaTeX set them."""
    assert typed(CODE, step=7.2) == "\n".join(["```", *CODE, "```\n"])


def test_commas_of_another_font_keep_their_space() -> None:
    lines = ["short, long, and int", "short, long, and int"]
    assert "short,long" not in typed(lines, step=7.2, other=",")
