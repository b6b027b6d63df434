"""What names of styles and fonts say, in the languages that office programs write them in."""

import re
from typing import Final

_HEADING_WORDS: Final = """
    heading überschrift titre título titulo titolo titlu kop rubrik overskrift otsikko nagłówek nadpis címsor заголовок
    başlık 見出し 标题 標題 제목 عنوان naslov antraštė virsraksts pealkiri επικεφαλίδα כותרת encabezado
"""
_HEADING: Final = re.compile(rf"(?:{'|'.join(_HEADING_WORDS.split())})[ _-]?([1-9])")
_TITLES: Final = frozenset({"title", "titel", "título", "titolo", "название", "tytuł", "表題", "제목"})
_QUOTES: Final = frozenset(
    {"quote", "intense quote", "block quote", "block text", "quotations", "quotation", "zitat", "citation", "cita"}
)
_CODE: Final = re.compile(
    r"(?:source ?code|html preformatted|preformatted(?: text)?|code(?: ?(?:block|listing|snippet))?|verbatim"
    r"|program ?listing|listing|macro text)"
)
_CODE_WORDS: Final = re.compile(
    r"(?:verbatim|html (?:code|typewriter|sample|keyboard)|(?:inline ?|source ?)?code|source text|teletype)"
    r"(?: char| text)?"
)
_MONOSPACED: Final = re.compile(
    r"courier|consolas|menlo|monaco|lucida console|.*\bmono\b|.*monospace|andale mono|source code|inconsolata|fira code"
    r"|jetbrains mono|cascadia (?:code|mono)|terminal|ocr a"
)
_SAYS_CODE: Final = re.compile(r"[{}=;<>|\\]|\(\)|^\s*(?:[$#] |(?:import|from|def|sudo|git|npm|pip) )")


def read_heading_level(name: str) -> int | None:
    """The level of a heading that a style's name says."""
    found = _HEADING.fullmatch(_normalise_name(name))
    return None if found is None else int(found[1])


def is_title(name: str) -> bool:
    return _normalise_name(name) in _TITLES


def is_quote(name: str) -> bool:
    """Whether paragraphs of a style are quoted."""
    return _normalise_name(name) in _QUOTES


def is_code(name: str) -> bool:
    """Whether paragraphs of a style are listings."""
    return _CODE.fullmatch(_normalise_name(name)) is not None


def is_code_word(name: str) -> bool:
    """Whether words of a style are code."""
    return _CODE_WORDS.fullmatch(_normalise_name(name)) is not None


def is_monospaced(font: str) -> bool:
    return _MONOSPACED.match(font.lower().strip("'\" ")) is not None


def is_code_text(text: str) -> bool:
    """Whether a text in a font for code reads as such: prose is set in one as well."""
    return _SAYS_CODE.search(text) is not None


def _normalise_name(name: str) -> str:
    return " ".join(name.lower().split())
