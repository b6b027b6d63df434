"""Credentials: which key a request carries, what a key looks like, how it is kept."""

import hashlib
import re
import string
from collections.abc import Callable, Sequence

from webquarry.core.errors import Unauthorized

LIVE = "wq_live_"
SANDBOX = "wq_test_"
"""How keys begin: those of a service, and those of its sandbox, which open nothing else."""
KEY_RANDOM = 32
SHOWN = len(LIVE) + 4
"""How much of a key is kept for display."""
ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_KEY = re.compile(rf"(?:{LIVE}|{SANDBOX})[0-9A-Za-z]{{{KEY_RANDOM}}}")

HOW = "Send your API key as `Authorization: Bearer <key>` or as `x-api-key: <key>`."


def credentials_from(authorization: Sequence[str], x_api_key: Sequence[str]) -> str:
    """The one key in all values of these two headers.

    An empty header is none, and an Authorization of another scheme (`Basic`, which proxies and browsers add) is passed
    over beside a key. Unauthorized when there is no key, or when two differ.
    """
    keys = {key for value in x_api_key if (key := value.strip())}
    passed_over = False
    for value in authorization:
        scheme, _, rest = value.strip().partition(" ")
        words = rest.split()
        if scheme.lower() == "bearer" and len(words) == 1:
            keys.add(words[0])
        elif scheme.lower() == "bearer" and words:
            raise _make_malformed_error()
        else:
            passed_over = passed_over or scheme != ""
    if not keys and passed_over:
        raise _make_malformed_error()
    if not keys:
        raise Unauthorized(f"This request has no API key. {HOW}")
    if len(keys) > 1:
        raise Unauthorized("This request has two different API keys. Send only one.")
    return keys.pop()


def _make_malformed_error() -> Unauthorized:
    return Unauthorized(f"The Authorization header must have the form `Bearer <key>`. {HOW}")


def new_key(random_bytes: Callable[[int], bytes], start: str = LIVE) -> str:
    """A key with 190 random bits. random_bytes(n): n bytes that nobody can guess; start: `LIVE` or `SANDBOX`."""
    text = ""
    while len(text) < KEY_RANDOM:
        # bytes from 248 up would make the first letters of the alphabet likelier
        text += "".join(ALPHABET[byte % 62] for byte in random_bytes(KEY_RANDOM) if byte < 248)
    return start + text[:KEY_RANDOM]


def is_key(text: str) -> bool:
    """Whether `text` has the form of a key; what has not was never given out."""
    return _KEY.fullmatch(text) is not None


def digest(key: str) -> str:
    """What is stored of a key. Keys are random, so a plain hash keeps them."""
    return hashlib.sha256(key.encode()).hexdigest()
