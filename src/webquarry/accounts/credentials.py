"""API keys: reading them from request headers, generating them, and hashing them for storage."""

import hashlib
import re
import string
from collections.abc import Callable, Sequence

from webquarry.core.errors import Unauthorized

LIVE = "wq_live_"
SANDBOX = "wq_test_"
"""Prefixes of live keys and of sandbox keys. A sandbox key only works in a sandbox."""
KEY_RANDOM = 32
SHOWN = len(LIVE) + 4
"""Number of leading characters of a key that are stored for display."""
ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_KEY = re.compile(rf"(?:{LIVE}|{SANDBOX})[0-9A-Za-z]{{{KEY_RANDOM}}}")

HOW = "Send your API key as `Authorization: Bearer <key>` or as `x-api-key: <key>`."


def credentials_from(authorization: Sequence[str], x_api_key: Sequence[str]) -> str:
    """Return the key that these two header values contain.

    Empty headers are ignored. An Authorization header with another scheme (`Basic`, which proxies and browsers add) is
    ignored if X-API-Key has a key. Raises Unauthorized if there is no key or if the two headers contain different keys.
    """
    keys = {key for value in x_api_key if (key := value.strip())}
    passed_over = False
    for value in authorization:
        scheme, _, rest = value.strip().partition(" ")
        words = rest.split()
        if scheme.lower() != "bearer" or not words:
            passed_over = passed_over or scheme != ""
        elif len(words) == 1:
            keys.add(words[0])
        else:
            raise _make_malformed_error()
    if not keys:
        raise _make_malformed_error() if passed_over else Unauthorized(f"This request has no API key. {HOW}")
    if len(keys) > 1:
        raise Unauthorized("This request has two different API keys. Send only one.")
    return keys.pop()


def _make_malformed_error() -> Unauthorized:
    return Unauthorized(f"The Authorization header must have the form `Bearer <key>`. {HOW}")


def new_key(random_bytes: Callable[[int], bytes], start: str = LIVE) -> str:
    """Return a key with 190 random bits that begins with `start`, `LIVE` or `SANDBOX`.

    `random_bytes(n)` returns n unpredictable bytes.
    """
    text = ""
    while len(text) < KEY_RANDOM:
        # bytes of 248 and above would make the alphabet's first characters more likely
        text += "".join(ALPHABET[byte % 62] for byte in random_bytes(KEY_RANDOM) if byte < 248)
    return start + text[:KEY_RANDOM]


def is_key(text: str) -> bool:
    """Return whether `text` has the form of a key. Text in any other form cannot be a valid key."""
    return _KEY.fullmatch(text) is not None


def digest(key: str) -> str:
    """Return the stored digest of a key. Keys are random, so a plain hash protects them."""
    return hashlib.sha256(key.encode()).hexdigest()
