"""Compression of page tokens that are too long for a cursor. These tokens are nested base64 strings."""

import base64
import binascii
import zlib
from typing import Final

MAX_TOKEN_BYTES: Final = 16_384
_TAILS: Final = ("%3D%3D", "%3D", "==", "=", "")


def pack(token: str) -> str | None:
    """Shorten the token to characters that are safe in JSON text. Returns None if the token is not base64."""
    number, tail = next((number, tail) for number, tail in enumerate(_TAILS) if token.endswith(tail))
    body = token.removesuffix(tail)
    try:
        held = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    if base64.urlsafe_b64encode(held).rstrip(b"=").decode() != body:
        return None
    return f"{number}{base64.b85encode(zlib.compress(held, 9)).decode()}"


def unpack(packed: str) -> str | None:
    """Return the token that was packed, or None for other text."""
    if packed[:1] not in ("0", "1", "2", "3", "4"):
        return None
    try:
        opened = zlib.decompressobj()
        held = opened.decompress(base64.b85decode(packed[1:]), MAX_TOKEN_BYTES)
    except (ValueError, zlib.error):
        return None
    if not opened.eof:
        return None
    return base64.urlsafe_b64encode(held).rstrip(b"=").decode() + _TAILS[int(packed[0])]
