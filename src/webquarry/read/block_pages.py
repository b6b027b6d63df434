"""Block pages: pages that a source sends instead of data to demand a human check or consent.

Readers check for block pages only after a response could not be read, never before, because a page of results may have
a captcha in its corner and contain every phrase of a block page. `convert.verdict` judges more carefully whether a page
is worth reading.
"""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.read.html import Element, html_of
from webquarry_convert import marks, phrases
from webquarry_convert.marks import BlockKind, Mark

WALL_WAIT_S: Final = 600.0
"""Seconds for which no requests go to a source after a block page."""
MAX_BYTES: Final = 256 * 1024
"""Bytes of a page's markup to search for marks."""
MAX_SAID: Final = 3000
"""Characters of text beyond which a page is not a block page."""
TITLE_REST: Final = 45
"""Number of characters, for the site's name, that a title may have in addition to a block page's title."""

_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*<", re.ASCII)
_WIDGETS = (
    '[id*="captcha" i], [class*="captcha" i], [action*="captcha" i], [src*="captcha" i], altcha-widget, .cf-turnstile, '
    '#challenge-form, [class^="anomaly-modal__"]'
)
_CONSENT = '[action*="consent" i]'
_SEGMENT = re.compile(
    r"(?:sorry|(?:show|check|sp)?-?captcha(?:\.\w+)?|challenge(?:\.\w+)?|robot-?check)", re.IGNORECASE
)
_SEGMENTS = 6
_SAYING: tuple[BlockKind, ...] = ("captcha", "challenge", "denied", "consent")
_DEMANDS: dict[str, str] = {
    "consent": "returned a consent page instead of the data",
    "denied": "rejected this service as a bot",
}
_PERSON = "returned a captcha"


def find_block_page_in(wire: Wire, source: str, page: Element | None = None) -> ProviderError | None:
    """Return the error "blocked" if the response is a block page, or None. `source` names the source in the message.

    Pass `page` if the response has already been parsed.
    """
    mark = next(_marks(wire, page), None)
    if mark is None:
        return None
    vendor = f" ({mark.vendor})" if mark.vendor else ""
    demand = _DEMANDS.get(mark.kind, _PERSON)
    return ProviderError(f"{source} {demand}{vendor}.", reason="blocked", retry_after_s=WALL_WAIT_S)


def refuse_block_page(wire: Wire, source: str) -> None:
    """Raise ProviderError "blocked" if the response is a block page. `source` names the source in the message."""
    if (block_page := find_block_page_in(wire, source)) is not None:
        raise block_page


def unreadable(wire: Wire, source: str, otherwise: str, page: Element | None = None) -> ProviderError:
    """Return the error for an unreadable response: "blocked" for a block page, otherwise "changed" with this
    message.
    """
    return find_block_page_in(wire, source, page) or ProviderError(otherwise, reason="changed")


def is_page(wire: Wire) -> bool:
    """Return whether the body begins like markup."""
    return _PAGE.match(wire.body) is not None


def vendor_mark(wire: Wire) -> Mark | None:
    """Return a vendor's mark in headers or markup that occurs only on block pages, or None."""
    if (mark := marks.find_by_header(wire.headers)) is not None:
        return mark
    if not is_page(wire):
        return None
    markup = wire.body[:MAX_BYTES].decode("utf-8", "replace").lower()
    return next((mark for mark in marks.SURE if mark.sign in markup), None)


def _marks(wire: Wire, page: Element | None) -> Iterator[Mark]:
    if (mark := vendor_mark(wire)) is not None:
        yield mark
    yield from _by_address(wire)
    if is_page(wire):
        yield from _on_page(page or html_of(wire))


def _on_page(page: Element) -> Iterator[Mark]:
    """Yield marks in a page's elements, its title and its text."""
    if page.has(_WIDGETS):
        yield Mark("a captcha", "captcha")
    named = page.node.css_first("title")
    title = _plain(named.text()[:MAX_SAID]) if named is not None else ""
    for mark in marks.TITLES:
        if mark.sign in title and len(title) - len(mark.sign) <= TITLE_REST:
            yield mark
    text = _plain(page.plain)
    if len(text) <= MAX_SAID:
        for kind in _SAYING:
            if (phrase := phrases.find_phrase(f"{title} {text}", kind)) is not None:
                yield Mark(phrase, kind)
    if page.has(_CONSENT):
        yield Mark("a consent form", "consent")


def _by_address(wire: Wire) -> Iterator[Mark]:
    """Yield marks in the URLs of a redirect to a human check or a consent page, even if it was not followed."""
    addresses = [wire.url, *([wire.headers.get("location", "")] if 300 <= wire.status < 400 else [])]
    for address in addresses:
        try:
            parts = urlsplit(address)
        except ValueError:  # not a valid URL
            continue
        if (parts.hostname or "").startswith("consent."):
            yield Mark("redirected to a consent page", "consent")
        segments = parts.path[:500].split("/")[: _SEGMENTS + 1]
        if (parts.hostname or "").startswith("sorry.") or any(map(_SEGMENT.fullmatch, segments)):
            yield Mark("redirected to a captcha", "captcha")


def _plain(text: str) -> str:
    """Normalize text in the same way as the phrases in `marks`."""
    return " ".join(text.lower().replace("\u2019", "'").replace("\u2026", "...").split())
