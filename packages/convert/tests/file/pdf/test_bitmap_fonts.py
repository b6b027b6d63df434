"""Ligatures, quotes, dashes, bullets and letters in TeX's bitmap fonts, whose glyphs have numbers but no names."""

import pytest

from convert_support.portable import HEIGHT, Sheet, portable, streams_from
from webquarry_convert.file.pdf import read

PLAIN = "an a\033air to con\034rm"
"""Text with ligatures, as on every page of TeX."""


def written(*lines: str) -> bytes:
    """Build lines in a font without a name. All its glyphs look alike."""
    sheet = Sheet()
    for place, line in enumerate(lines):
        shown = "".join(sign if sign.isascii() and sign.isalnum() else f"\\{ord(sign):03o}" for sign in line)
        sheet.drawn.append(f"BT /Bitmap 10 Tf 72 {HEIGHT - 60 - 40 * place} Td ({shown}) Tj ET")
    first = streams_from(sheet)
    space = ord(" ")
    names = " ".join(f"/a{code}" for code in range(256))
    widths = " ".join("300" if code == space else "500" for code in range(256))
    pictures = " ".join(f"/a{code} {first + (code == space)} 0 R" for code in range(256))
    font = (
        "/Subtype/Type3/FontBBox[0 0 500 700]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 0/LastChar 255"
        f"/Widths[{widths}]/CharProcs<<{pictures}>>/Encoding<</Type/Encoding/Differences[0 {names}]>>"
    )
    drawn = [("", b"500 0 40 0 460 680 d1 40 0 420 680 re f"), ("", b"300 0 d0")]
    return portable(sheet, streams=drawn, fonts={"Bitmap": font})


@pytest.mark.parametrize(
    ("drawn", "meant"),
    [
        ("the di\033erence", "the difference"),
        ("a work\035ow", "a workflow"),
        ("su\036cient ba\037ed", "sufficient baffled"),
        ("say \020here\021 or \022there\020", "say “here” or „there“"),
        ("one \026 or two", "one — or two"),
        ("pages 12\02515", "pages 12–15"),
        ("wi\246cej", "więcej"),
        ("Stra\377e c\367ur", "Straße cœur"),
    ],
)
def test_codes_are_read_in_the_european_encoding(drawn: str, meant: str) -> None:
    document = read(written(PLAIN, drawn))
    assert (document.markdown, document.warnings) == (f"an affair to confirm\n\n{meant}\n", ())


def test_bullets_begin_list_items() -> None:
    document = read(written(PLAIN, "\210 apples of the \034rst tree", "\210 pears"))
    assert document.markdown.endswith("- apples of the first tree\n- pears\n")


def test_file_without_ligatures_is_read_unchanged() -> None:
    assert "Stra\u00ffe" in read(written("an affair", "Stra\377e")).markdown
