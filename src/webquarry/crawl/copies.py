"""Copies: pages of a crawl that have the same content as an earlier page."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from webquarry.crawl.addresses import DROPPED, canonical

_LEAST_TEXT: Final = 40
"""Minimum size of a copy's content in bytes. Shorter pages, such as notices, are often equal by chance."""


def digest_text(markdown: bytes) -> str:
    """Return the SHA-256 hash of a page's markdown, which ignores differences in white space."""
    return sha256(b" ".join(markdown.split())).hexdigest()


def list_identities(
    address: str,
    final_url: str,
    canonical_url: str | None,
    markdown: bytes,
    dropped: Sequence[str] = DROPPED,
) -> list[str]:
    """Return the identities of a page: its canonical URL first, then other URLs and a hash of its content.

    Two pages that share an identity are copies. A canonical URL stated by the page counts only if it is on the page's
    host and is not the home page, because some templates declare the home page as canonical on every page.
    """
    own = canonical(address, dropped)
    found = [own, _read(final_url, dropped)]
    stated = _read(canonical_url, dropped) if canonical_url else None
    if stated is not None and urlsplit(stated).netloc == urlsplit(found[1] or own).netloc:
        is_home = urlsplit(stated).path == "/" and not urlsplit(stated).query
        found.append(None if is_home else stated)
    if len(markdown) >= _LEAST_TEXT:
        found.append(f"sha256:{digest_text(markdown)}")
    return list(dict.fromkeys(each for each in found if each is not None))


def _read(url: str, dropped: Sequence[str]) -> str | None:
    try:
        return canonical(url, dropped)
    except ValueError:
        return None
