"""Symbols, labels and style names, which are small tables that the readers share."""

import pytest

from webquarry_convert.file.properties import normalise_language
from webquarry_convert.file.text import symbols
from webquarry_convert.file.text.labels import format_label
from webquarry_convert.file.text.style_names import is_code, is_monospaced, is_title, read_heading_level
from webquarry_convert.file.text.targets import build_target


@pytest.mark.parametrize(
    ("number", "form", "label"),
    [
        (4, "1", "4"),
        (4, "01", "04"),
        (4, "", ""),
        (27, "a", "aa"),
        (3, "A", "C"),
        (1994, "I", "MCMXCIV"),
        (4, "i", "iv"),
        (0, "i", "0"),
        (999_999_999, "a", "999999999"),
        (999_999_999, "i", "999999999"),
    ],
)
def test_list_labels_are_formatted(number: int, form: str, label: str) -> None:
    assert format_label(number, form) == label


@pytest.mark.parametrize(
    ("letters", "font", "text"),
    [
        ("abc", "Calibri", "abc"),
        ("abc", None, "abc"),
        ("aS", "Symbol", "αΣ"),
        ("\uf0b7 abc", None, "• abc"),
        ("\uf0fe", "Wingdings", "☑"),
        ("\uf052", "Wingdings 2", "☑"),
        ("é\ue000", "Calibri", "é\ue000"),
    ],
)
def test_symbol_fonts_are_translated(letters: str, font: str | None, text: str) -> None:
    assert symbols.translate_text(letters, font) == text


def test_style_names_are_recognized() -> None:
    names = ("heading 1", "Titre2", "Überschrift 3", "标题 4", "Heading", "heading 10")
    assert [read_heading_level(name) for name in names] == [1, 2, 3, 4, None, None]
    assert is_title("Title")
    assert not is_title("Subtitle")
    assert is_code("Source Code")
    assert not is_code("Source Reference")
    assert is_monospaced("'Courier New'")
    assert not is_monospaced("Monotype Corsiva")


def test_language_codes_are_normalized() -> None:
    codes = ("en-US", "zh_hant_tw", "de", "x-none", "zxx", "", None, "de-DE-1996")
    assert [normalise_language(code) for code in codes] == [
        "en-US",
        "zh-Hant-TW",
        "de",
        None,
        None,
        None,
        None,
        "de-DE",
    ]


def test_link_targets_are_built() -> None:
    assert build_target(" https://example.com ", "part") == "https://example.com#part"
    assert build_target("https://example.com#a", "b") == "https://example.com#a"
    assert build_target("javascript:alert(1)") is None
    assert build_target("../other.odt") is None
