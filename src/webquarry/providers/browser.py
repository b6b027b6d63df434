"""The plain headers of a browser, for sources that answer nobody else.

A provider declares them where its dossier records that all working clients send them; the setting `browser_headers`
turns them off for all. Nothing else of a browser is imitated.
"""

from collections.abc import Mapping
from typing import Final

AGENT: Final = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
)
ACCEPT_PAGE: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
ACCEPT_DATA: Final = "application/json, text/plain, */*"


def plain_headers(
    accept: str = ACCEPT_PAGE, *, language: str | None = None, referer: str | None = None, origin: str | None = None
) -> Mapping[str, str]:
    """What a browser sends with a page (or, with `ACCEPT_DATA`, with a call of a page's script). language: the field
    `Accept-Language`, where no call says its own."""
    given = {"Accept-Language": language, "Referer": referer, "Origin": origin}
    return {"User-Agent": AGENT, "Accept": accept, **{name: text for name, text in given.items() if text is not None}}
