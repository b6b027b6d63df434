"""Credentials: which key a request carries, what a key looks like, how it is kept."""

import hashlib
import re
import string
from collections.abc import Callable, Sequence

from webquarry.errors import Unauthorized

KEY_START = "wq_live_"
KEY_RANDOM = 32
SHOWN = len(KEY_START) + 4
"""How much of a key is kept for display."""
ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_KEY = re.compile(rf"{KEY_START}[0-9A-Za-z]{{{KEY_RANDOM}}}")
_BEARER = re.compile(r"bearer +(\S+)", re.IGNORECASE)

HOW = "Send your API key as `Authorization: Bearer <key>` or as `x-api-key: <key>`."


def credentials_from(authorization: Sequence[str], x_api_key: Sequence[str]) -> str:
    """The one key in all values of these two headers.

    Unauthorized when there is none, when an Authorization is not a bearer's, or when two differ.
    """
    keys = {value.strip() for value in x_api_key}
    for value in authorization:
        bearer = _BEARER.fullmatch(value.strip())
        if bearer is None:
            raise Unauthorized(f"The Authorization header is not of the form `Bearer <key>`. {HOW}")
        keys.add(bearer[1])
    if not keys:
        raise Unauthorized(f"This request carries no API key. {HOW}")
    if len(keys) > 1:
        raise Unauthorized("This request carries two API keys that differ: send one.")
    return keys.pop()


def new_key(random_bytes: Callable[[int], bytes]) -> str:
    """A key with 190 random bits. random_bytes(n): n bytes that nobody can guess."""
    text = ""
    while len(text) < KEY_RANDOM:
        # bytes from 248 up would make the first letters of the alphabet likelier
        text += "".join(ALPHABET[byte % 62] for byte in random_bytes(KEY_RANDOM) if byte < 248)
    return KEY_START + text[:KEY_RANDOM]


def is_key(text: str) -> bool:
    """Whether `text` has the form of a key; what has not was never given out."""
    return _KEY.fullmatch(text) is not None


def digest(key: str) -> str:
    """What is stored of a key. Keys are random, so a plain hash keeps them."""
    return hashlib.sha256(key.encode()).hexdigest()
