"""Removal of invisible characters from fetched text.

These are control characters, directional marks, and characters without a glyph. A page can use them to show different
text to people and to a model.
"""

import re
from typing import Final

_CONTROLS = "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f"
_DIRECTIONS = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069"
_EMPTY = (
    "\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2028\\u2029\\u2060-\\u2065\\u206a-\\u206f"
    "\\u3164\\ud800-\\udfff\\ufeff\\uffa0\\ufff0-\\ufffb\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a"
    "\\U000e0000-\\U000e0fff"
)
INVISIBLE: Final = re.compile(f"[{_CONTROLS}{_DIRECTIONS}{_EMPTY}]")
_SHAPING: Final = re.compile("[\u200c\u200d\ufe00-\ufe0f]")
"""Joiners and variation selectors. They change adjacent characters, and are invisible elsewhere."""
_JOINERS: Final = "\u200c\u200d"
_KEYCAPS: Final = frozenset("#*0123456789")
_ESCAPED: Final = re.compile(r"(\\\\)|\\[bf]|\\u00(?:[01][0-9a-fA-F]|7[fF]|[89][0-9a-fA-F])")
"""An escaped backslash in JSON, which is skipped, or the escape of a control character."""


def remove_invisible(text: str) -> tuple[str, int]:
    """Remove invisible characters. Return the text and the number removed.

    Line ends become line feeds; tabs and line feeds are kept. Joiners are kept between two visible non-ASCII characters
    (emoji, Persian, Hindi), and variation selectors after such a character.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text, removed = INVISIBLE.subn("", text)
    return _remove_shapeless(text, removed)


def remove_invisible_from_json(text: str) -> tuple[str, int]:
    """Remove invisible characters, escaped or not, from JSON strings. Return the text and the number removed.

    The escapes of line feeds, tabs and carriage returns are kept.
    """
    escaped = 0

    def judge(found: re.Match[str]) -> str:
        nonlocal escaped
        if found[1] or found[0][-4:].lower() in ("0009", "000a", "000d"):
            return found[0]
        escaped += 1
        return ""

    if "\\" in text:
        text = _ESCAPED.sub(judge, text)
    text, removed = INVISIBLE.subn("", text)
    return _remove_shapeless(text, removed + escaped)


def make_line(text: str, limit: int) -> str:
    """Return the text as one visible line of at most `limit` characters."""
    line = " ".join(remove_invisible(text[: 4 * limit])[0].split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def _remove_shapeless(text: str, removed: int) -> tuple[str, int]:
    if text.isascii() or _SHAPING.search(text) is None:
        return text, removed
    more = 0

    def judge(found: re.Match[str]) -> str:
        nonlocal more
        at, sign = found.start(), found[0]
        before, behind = text[at - 1 : at], text[at + 1 : at + 2]
        if sign in _JOINERS:
            shapes = _is_shaped(before, may_be_selector=True) and _is_shaped(behind)
        else:
            shapes = _is_shaped(before) or before in _KEYCAPS
        more += not shapes
        return sign if shapes else ""

    return _SHAPING.sub(judge, text), removed + more


def _is_shaped(sign: str, *, may_be_selector: bool = False) -> bool:
    if may_be_selector and "\ufe00" <= sign <= "\ufe0f":
        return True
    return sign > "\x7f" and not sign.isspace() and _SHAPING.match(sign) is None
