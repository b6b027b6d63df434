"""Code shared by the search sources that request pages: the form body, and errors for refusals."""

from collections.abc import Mapping
from urllib.parse import urlencode

from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.read.block_pages import WALL_WAIT_S, unreadable
from webquarry.read.html import Element

FORM = "application/x-www-form-urlencoded"
TOKEN_LIFE_S = 3600.0
"""Lifetime in seconds of a token that a source issued."""


def make_block_page_error(source: str) -> ProviderError:
    """Return the error for a captcha or a consent page."""
    return _make_blocked_error(f"{source} returned a captcha or a consent page.")


def shut(source: str, status: int) -> ProviderError:
    """Return the error for a status that a source sends to clients that it considers bots."""
    return _make_blocked_error(f"{source} is blocking this service (status {status}).")


def _make_blocked_error(message: str) -> ProviderError:
    return ProviderError(message, reason="blocked", retry_after_s=WALL_WAIT_S)


def without_rows(wire: Wire, page: Element, source: str) -> ProviderError:
    """Return the error for a page without rows and without a "nothing found" mark."""
    cause = "a page without readable results"
    return unreadable(wire, source, f"{source} sent {cause}.", page)


def form(fields: Mapping[str, str]) -> bytes:
    return urlencode(fields).encode()
