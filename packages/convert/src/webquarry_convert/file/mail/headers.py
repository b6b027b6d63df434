"""The header fields of a mail or one of its parts.

Fields are unfolded, and encoded words (RFC 2047) and parameters (RFC 2231) are decoded.
"""

import binascii
import re
from typing import Final
from urllib.parse import unquote_to_bytes

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.text.charset import find_codec

MAX_HEADERS: Final = 1_000_000
"""Maximum size, in bytes, of one part's header."""
MAX_VALUE: Final = 20_000
"""Number of characters that are read from a field."""
BLANK_LINE: Final = re.compile(rb"(?>\r\n|\n|\r)[ \t]*+(?:\r\n|\n|\r)")
"""Matches the blank line after a header."""
_FIELD: Final = re.compile(r"([!-9;-~]+):[ \t]*+(.*+)", re.DOTALL)
_FOLD: Final = re.compile(r"\r\n?|\n")
_WORD: Final = re.compile(r"=\?([^?\s]{1,60}+)\?([bBqQ])\?([^?\r\n]*+)\?=")
_PARAMETER: Final = re.compile(
    r';\s*+([^\s=;"*]++)(\*[0-9]{1,3}+)?(\*)?\s*+=\s*+("(?:[^"\\]|\\.)*+"?+|[^;]*+)', re.DOTALL
)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)


class Headers:
    """Header fields by case-insensitive name, undecoded. If a field is repeated, its first value counts."""

    def __init__(self, raw: bytes) -> None:
        if len(raw) > MAX_HEADERS:
            raise make_limit_error(f"more than {MAX_HEADERS:,} bytes of headers in a part")
        self._fields: dict[str, str] = {}
        lines: list[str] = []
        for line in _FOLD.split(_decode_raw(raw)):
            if line[:1] in (" ", "\t") and lines:
                lines.append(line.strip())
            else:
                self._add(lines)
                lines = [line]
        self._add(lines)

    def get(self, name: str) -> str:
        """Return a field's value as one line, or "" if the field is missing."""
        return self._fields.get(name, "")

    def read_text(self, name: str) -> str:
        """Return a field's decoded value."""
        return " ".join(decode_words(self.get(name)).split())

    def read_structured(self, name: str) -> tuple[str, dict[str, str]]:
        """Return a field's value before its parameters, in lower case, and the parameters by name."""
        value = self.get(name)
        return value.partition(";")[0].strip().lower(), _read_parameters(value)

    def _add(self, lines: list[str]) -> None:
        found = _FIELD.fullmatch(" ".join(lines)[:MAX_VALUE])
        if found is not None:
            self._fields.setdefault(found[1].lower(), found[2].strip())


def decode_words(text: str) -> str:
    """Decode the encoded words in a text.

    Adjacent words with the same charset are decoded together, because a character may be split between them.
    """
    pieces: list[str] = []
    charset, packed, end = "", b"", 0
    for word in _WORD.finditer(text):
        between = text[end : word.start()]
        if packed and (between.strip() or word[1].lower() != charset):
            pieces.append(_decode(packed, charset))
            packed = b""
        if between.strip() or not end:
            pieces.append(between)
        charset, end = word[1].lower(), word.end()
        packed += _unpack_word(word[2], word[3])
    if packed:
        pieces.append(_decode(packed, charset))
    return "".join([*pieces, text[end:]])


def unpack_base64(packed: bytes) -> bytes:
    """Decode base64, skipping invalid characters. The input may be truncated."""
    signs = packed.translate(None, _NO_BASE64)
    whole = len(signs) // 4 * 4
    rest = signs[whole:].ljust(4, b"=") if len(signs) - whole > 1 else b""
    return binascii.a2b_base64(signs[:whole] + rest)


def _unpack_word(form: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    return unpack_base64(raw) if form in "bB" else binascii.a2b_qp(raw.replace(b"_", b" "))


def _read_parameters(value: str) -> dict[str, str]:
    """Return parameters by name. Parameters that are split into sections are joined."""
    whole: dict[str, str] = {}
    pieces: dict[str, list[tuple[int, bool, str]]] = {}
    for name, number, is_encoded, given in _PARAMETER.findall(value):
        text = _ESCAPE.sub(r"\1", given.strip('"')) if given.startswith('"') else given.strip()
        if number or is_encoded:
            pieces.setdefault(name.lower(), []).append((int(number[1:] or 0), bool(is_encoded), text))
        else:
            whole.setdefault(name.lower(), decode_words(text))
    for name, parts in pieces.items():
        whole[name] = _join_pieces(sorted(parts))
    return whole


def _join_pieces(parts: list[tuple[int, bool, str]]) -> str:
    charset, joined = "utf-8", b""
    for at, (_, is_encoded, text) in enumerate(parts):
        if is_encoded and at == 0 and text.count("'") >= 2:
            charset, _, text = text.split("'", 2)
        joined += unquote_to_bytes(text) if is_encoded else text.encode("utf-8", "replace")
    return _decode(joined, charset)


def _decode(packed: bytes, charset: str) -> str:
    return packed.decode(find_codec(charset.partition("*")[0]) or "utf-8", "replace")


def _decode_raw(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


_NO_BASE64: Final = bytes(
    code for code in range(256) if chr(code) not in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
)
