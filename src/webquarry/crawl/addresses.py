"""Canonical forms of URLs. A map or a crawl uses them to recognize a page that it has already seen.

    clean("https://example.com:443/a/../b?y=2&x=1&utm_source=mail#top")      https://example.com/b?y=2&x=1
    canonical("https://example.com:443/a/../b?y=2&x=1&utm_source=mail#top")  https://example.com/b?x=1&y=2

A page is requested at its clean URL. Two URLs refer to the same page if their canonical forms are equal.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, unquote_plus, urlsplit

from w3lib.url import canonicalize_url

from webquarry.core.urls import MAX_URL, normalise_url

DROPPED: Final = (
    *("utm_*", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "srsltid", "fbclid", "msclkid", "yclid", "ysclid"),
    *("twclid", "ttclid", "li_fat_id", "igshid", "igsh", "mc_cid", "mc_eid", "mkt_tok", "_ga", "_gl", "_hsenc"),
    *("_hsmi", "hsctatracking", "jsessionid", "phpsessid", "aspsessionid*", "cfid", "cftoken", "sessionid"),
    *("session_id", "sessid"),
)
"""Query parameters that do not change a page: campaigns, clicks and sessions. A name that ends in `*` is a prefix."""
_SHORT_SESSION: Final = frozenset({"sid", "s", "session", "oscsid", "zenid", "xtsession"})
"""Parameters that identify a session only if their value is a long token. `sid=7` may identify a page."""
_TOKEN: Final = re.compile(r"(?=[A-Za-z]*[0-9])[A-Za-z0-9_-]{20,}")
_PATH_SESSION: Final = re.compile(r";(?:jsessionid|phpsessid|sessionid|sid)=[^/;]*", re.IGNORECASE)
_PLAIN: Final = re.compile(
    r"https?://(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)++[a-z]{2,20}(?:/(?!\.)[A-Za-z0-9_~.-]*+)++", re.ASCII
)
"""Addresses that are already clean: a shortcut, because most addresses in sitemaps are clean."""
_IN_ORDER: Final = re.compile(r"[^?%]*+(?:\?[A-Za-z0-9_.~-]++=[A-Za-z0-9_.~-]*+)?", re.ASCII)
"""Clean addresses with at most one parameter, whose characters have only one spelling."""
_ODD: Final = re.compile(r"[^A-Za-z0-9_.~/:-]")


def clean(url: str, dropped: Sequence[str] = DROPPED) -> str:
    """Return the normalized URL without fragment, dot segments, sessions and the parameters named in `dropped`.

    The other parameters keep their order. Raises ValueError for an invalid URL, as `normalise_url` does.
    """
    if len(url) <= MAX_URL and _PLAIN.fullmatch(url):
        return url
    parts = urlsplit(normalise_url(url))
    path = _PATH_SESSION.sub("", parts.path) if ";" in parts.path else parts.path
    if "/." in path or "%2e" in path.lower():
        path = urlsplit(normalise_url(canonicalize_url(f"{parts.scheme}://{parts.netloc}{path}"))).path
    query = "&".join(pair for pair in parts.query.split("&") if pair and not _is_dropped(pair, tuple(dropped)))
    return SplitResult(parts.scheme, parts.netloc, path or "/", query, "").geturl()


def canonical(url: str, dropped: Sequence[str] = DROPPED) -> str:
    """Return the canonical URL of a page: the clean URL with sorted query parameters.

    Raises ValueError for an invalid URL.
    """
    return sort_query(clean(url, dropped))


def sort_query(url: str) -> str:
    """Return the canonical form of a clean address."""
    if _IN_ORDER.fullmatch(url) and not _ODD.search(url.partition("?")[0]):
        return url
    return canonicalize_url(url)


def _is_dropped(pair: str, dropped: tuple[str, ...]) -> bool:
    name, _, value = pair.partition("=")
    name = unquote_plus(name).lower()
    names, prefixes = _split_names(dropped)
    if name in names or name.startswith(prefixes):
        return True
    return name in _SHORT_SESSION and _TOKEN.fullmatch(value) is not None


@lru_cache(maxsize=64)
def _split_names(dropped: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    names = [name.lower() for name in dropped]
    return (
        frozenset(name for name in names if not name.endswith("*")),
        tuple(name[:-1] for name in names if name.endswith("*")),
    )
