"""The meaning of style and font names in the languages of office programs."""

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
    """Return the heading level that a style name implies."""
    found = _HEADING.fullmatch(_normalise_name(name))
    return None if found is None else int(found[1])


def is_title(name: str) -> bool:
    return _normalise_name(name) in _TITLES


def is_quote(name: str) -> bool:
    """Return whether a paragraph style is used for quotes."""
    return _normalise_name(name) in _QUOTES


def is_code(name: str) -> bool:
    """Return whether a paragraph style is used for code blocks."""
    return _CODE.fullmatch(_normalise_name(name)) is not None


def is_code_word(name: str) -> bool:
    """Return whether a character style is used for code."""
    return _CODE_WORDS.fullmatch(_normalise_name(name)) is not None


def is_monospaced(font: str) -> bool:
    return _MONOSPACED.match(font.lower().strip("'\" ")) is not None


def is_code_text(text: str) -> bool:
    """Return whether a text in a monospaced font looks like code. Such fonts are also used for prose."""
    return _SAYS_CODE.search(text) is not None


def _normalise_name(name: str) -> str:
    return " ".join(name.lower().split())
