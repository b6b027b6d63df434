"""Plain headers of a browser, for sources that only respond to browsers.

A provider declares these headers if its notes show that all working clients send them. If the setting `browser_headers`
is false, they are not sent to any provider. No other browser behavior is imitated.
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
    """Return a browser's headers for a page or, with `ACCEPT_DATA`, for a request from a page's script.

    `language` is `Accept-Language`, unless a request sets it.
    """
    given = {"Accept-Language": language, "Referer": referer, "Origin": origin}
    return {"User-Agent": AGENT, "Accept": accept, **{name: text for name, text in given.items() if text is not None}}
