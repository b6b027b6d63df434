"""Google's block pages: the captcha and the consent page."""

from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import SplitResult, urlsplit

from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.read.block_pages import WALL_WAIT_S

CONSENT: Final[Mapping[str, str]] = {
    "SOCS": "CAISNQgDEitib3FfaWRlbnRpdHlmcm9udGVuZHVpc2VydmVyXzIwMjMwODI5LjA3X3AxGgJlbiADGgYIgOa_pgY"
}
"""Cookie that records consent. Without it, Google shows a consent page first in Europe."""
_CAPTCHA_MARKS = (b"unusual traffic from your computer network", b'id="captcha-form"')
_CONSENT_MARKS = (b"Before you continue to Google", b'action="https://consent.google')
_MARKS_WITHIN_BYTES = 256 * 1024


def is_captcha(wire: Wire) -> bool:
    """Return whether the wire is the captcha or redirects to it."""
    return any(
        address.path.rstrip("/") == "/sorry"
        or address.path.startswith("/sorry/")
        or address.hostname == "sorry.google.com"
        for address in _addresses(wire)
    ) or _holds(wire, _CAPTCHA_MARKS)


def is_consent(wire: Wire) -> bool:
    """Return whether the wire is the consent page or redirects to it."""
    return any((address.hostname or "").startswith("consent.") for address in _addresses(wire)) or _holds(
        wire, _CONSENT_MARKS
    )


def find_block_page_of(wire: Wire, name: str) -> ProviderError | None:
    """Return the error for a captcha or consent page, or None. `name` names the source in the message."""
    if is_captcha(wire):
        return ProviderError(f"{name} returned a captcha.", reason="blocked", retry_after_s=WALL_WAIT_S)
    if is_consent(wire):
        return ProviderError(f"{name} returned a consent page instead of the data.", reason="blocked")
    return None


def refuse_block_pages(wire: Wire, name: str) -> None:
    """Raise ProviderError "blocked" for a captcha or a consent page."""
    if (block_page := find_block_page_of(wire, name)) is not None:
        raise block_page


def _addresses(wire: Wire) -> Iterator[SplitResult]:
    """Yield the wire's URL and, for a redirect that was not followed, its target."""
    yield urlsplit(wire.url)
    if 300 <= wire.status < 400:
        try:
            yield urlsplit(wire.headers.get("location", ""))
        except ValueError:  # not a valid URL
            return


def _holds(wire: Wire, marks: tuple[bytes, ...]) -> bool:
    """Return whether the body is a page that contains one of the marks near its beginning."""
    head = wire.body[:_MARKS_WITHIN_BYTES].lstrip()
    return head.startswith(b"<") and any(mark in head for mark in marks)
