"""Parameters of requests as they are logged: shortened to one line, without secrets.

Only values of parameters that the endpoint declares are shown, because a caller may have sent a key under another name.
API keys are removed wherever they occur. A URL's user, password and secret query parameters are left out.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final
from urllib.parse import parse_qsl, urlsplit

MAX_QUERY: Final = 2048
"""Maximum number of characters of a query, or of the values of a tool's arguments, that are examined."""
MAX_SHOWN: Final = 300
MAX_VALUE: Final = 160
MAX_SECRET_FREE: Final = 40
"""Maximum length of a value in the query of a URL. Longer values are left out, because they may be tokens or
signatures.
"""
MAX_NAME: Final = 24
MAX_PAIRS: Final = 20
LEFT_OUT: Final = "…"
_KEY: Final = re.compile(r"wq_(live|test)_\w*")
_NAME: Final = re.compile(rf"[A-Za-z_]{{1,{MAX_NAME}}}")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_USER: Final = re.compile(r"//[^/?#\\\s]*@")
_HOST: Final = re.compile(r"[^\s:@/]+(:\d{0,5})?|\[[0-9A-Fa-f:.]+\](:\d{0,5})?")
_SECRET_NAMES: Final = re.compile(
    r"key|token|secret|pass|pwd|auth|sig|credential|session|sid$|jwt|code|policy|nonce|hmac", re.IGNORECASE
)

Query = bytes | Sequence[tuple[str, str]]
"""A raw query, or pairs of text."""


def shorten_query(query: Query, known: Collection[str]) -> str:
    """Return a query as text of at most `MAX_SHOWN` characters, such as `q=coffee&limit=10`.

    `known` are the parameters of the endpoint, whose values may be shown.
    """
    pairs, is_cut = _read(query)
    shown = [
        _show_pair(name, value, known, is_cut=is_cut and number == len(pairs) - 1)
        for number, (name, value) in enumerate(pairs[:MAX_PAIRS])
    ]
    if len(pairs) > MAX_PAIRS:
        shown.append(LEFT_OUT)
    return _cut("&".join(shown), MAX_SHOWN)


def _read(query: Query) -> tuple[Sequence[tuple[str, str]], bool]:
    """Return the pairs of a query, and whether the last value may be incomplete."""
    if not isinstance(query, bytes):
        return query, any(len(value) >= MAX_QUERY for _, value in query)
    text = query[:MAX_QUERY].decode("latin-1")
    return parse_qsl(text, keep_blank_values=True, errors="replace"), len(query) >= MAX_QUERY


def _show_pair(name: str, value: str, known: Collection[str], *, is_cut: bool) -> str:
    if name in known:
        return f"{name}={_show_value(value, is_cut=is_cut)}"
    return f"{name if _NAME.fullmatch(name) and not _KEY.search(name) else LEFT_OUT}={LEFT_OUT}"


def _show_value(value: str, *, is_cut: bool) -> str:
    text = _UNPRINTABLE.sub(" ", value).strip()
    if "//" in text or "@" in text:
        text = _show_address(text, is_cut=is_cut)
    return _cut(_KEY.sub(rf"wq_\1_{LEFT_OUT}", text), MAX_VALUE)


def _show_address(text: str, *, is_cut: bool) -> str:
    """Return a URL without user, password, fragment and secret parameters."""
    try:
        parts = urlsplit(_USER.sub("//", text))
    except ValueError:  # an invalid host
        return LEFT_OUT
    if not parts.netloc:  # not an address, such as @name or name@example.com
        return text if "//" not in text and ":" not in text else LEFT_OUT
    is_unfinished = is_cut and not parts.path  # the text may end within a user name or password
    if is_unfinished or not _HOST.fullmatch(parts.netloc):
        return LEFT_OUT
    query = "&".join(_show_part(part) for part in parts.query.split("&")) if parts.query else ""
    return f"{parts.scheme}://{parts.netloc}{parts.path}{'?' if query else ''}{query}"


def _show_part(part: str) -> str:
    """Return a parameter in the query of a URL, without its value if the value may be secret."""
    name, equals, value = part.partition("=")
    if len(name) > MAX_SECRET_FREE:
        return LEFT_OUT
    is_secret = len(value) > MAX_SECRET_FREE or "@" in value or "%40" in value or _SECRET_NAMES.search(name)
    return f"{name}{equals}{LEFT_OUT if is_secret and value else value}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}{LEFT_OUT}"


shorten_raw_query = lru_cache(maxsize=2048)(shorten_query)
"""Cached `shorten_query` for raw queries, which are often repeated. `known` must be hashable."""
