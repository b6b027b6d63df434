"""What the sources of search results have in common: what a page is asked with, and how a refusal looks."""

from collections.abc import Mapping
from urllib.parse import urlencode

from webquarry.errors import ProviderError
from webquarry.providers.answers import WALL_WAIT_S
from webquarry.read.html import Element

BROWSER_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Site": "none",
    "Sec-Fetch-User": "?1",
}
"""Beside the honest User-Agent, for sources that serve pages to browsers only."""
FORM = "application/x-www-form-urlencoded"
TOKEN_LIFE_S = 3600.0
"""For which a token that a source gave is used again."""

_WALL = '[id*="captcha" i], [class*="captcha" i], [action*="captcha" i], [src*="captcha" i], [action*="consent" i]'


def wall(source: str) -> ProviderError:
    """The error for a page that asks whether a person is there, or for consent."""
    return _blocked(f"{source} asks whether a person is searching, and this service does not pretend to be one.")


def shut(source: str, status: int) -> ProviderError:
    """The error for a status by which a source keeps away whom it takes for a robot."""
    return _blocked(f"{source} lets this service search no more for now (status {status}).")


def _blocked(message: str) -> ProviderError:
    return ProviderError(message, reason="blocked", retry_after_s=WALL_WAIT_S)


def without_rows(page: Element, source: str) -> ProviderError:
    """The error for a page without rows, of a source whose mark for "nothing found" is not known."""
    if page.has(_WALL):
        return wall(source)
    return ProviderError(
        f"{source} answered with a page in which no results could be read, and which does not say that there are none.",
        reason="changed",
    )


def form(fields: Mapping[str, str]) -> bytes:
    return urlencode(fields).encode()
