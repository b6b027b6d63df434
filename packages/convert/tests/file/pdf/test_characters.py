"""The text of a page has each character at the same index in all functions of pdfium."""

import pytest

from convert_support.portable import Sheet, portable
from webquarry_convert.file.pdf.source.pdfium import File


@pytest.mark.parametrize(
    "lines",
    [
        ["Rivers rise in hills."],
        ["They are known for their mea-", "dows and wells."],
        ["A \x01 control sign", "and more."],
    ],
    ids=["plain", "a hyphen at the end of a line", "a character without a meaning"],
)
def test_characters_have_the_same_index_in_all_functions(lines: list[str]) -> None:
    with File(portable(Sheet().lines(72, 90, lines))) as file:
        characters = file.characters(1)
        assert characters.text.split()
        for at, sign in enumerate(characters.text):
            assert characters._read_character(at) == sign
