"""Google's walls, which stand before all that it serves: the captcha, and the question for consent."""

from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import SplitResult, urlsplit

from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.read.walls import WALL_WAIT_S

CONSENT: Final[Mapping[str, str]] = {
    "SOCS": "CAISNQgDEitib3FfaWRlbnRpdHlmcm9udGVuZHVpc2VydmVyXzIwMjMwODI5LjA3X3AxGgJlbiADGgYIgOa_pgY"
}
"""A cookie that says that the question for consent has been answered, which else is asked in Europe before anything."""
_CAPTCHA_MARKS = (b"unusual traffic from your computer network", b'id="captcha-form"')
_CONSENT_MARKS = (b"Before you continue to Google", b'action="https://consent.google')
_MARKS_WITHIN_BYTES = 256 * 1024


def is_captcha(wire: Wire) -> bool:
    """Whether the wire is the captcha, or leads to it."""
    return any(
        address.path.rstrip("/") == "/sorry"
        or address.path.startswith("/sorry/")
        or address.hostname == "sorry.google.com"
        for address in _addresses(wire)
    ) or _holds(wire, _CAPTCHA_MARKS)


def is_consent(wire: Wire) -> bool:
    """Whether the wire is the question for consent, or leads to it."""
    return any((address.hostname or "").startswith("consent.") for address in _addresses(wire)) or _holds(
        wire, _CONSENT_MARKS
    )


def wall_of(wire: Wire, name: str) -> ProviderError | None:
    """The error, of which `name` is the subject, for a captcha or a question for consent; None for any other wire."""
    if is_captcha(wire):
        return ProviderError(f"{name} returned a captcha.", reason="blocked", retry_after_s=WALL_WAIT_S)
    if is_consent(wire):
        return ProviderError(f"{name} returned a consent page instead of the data.", reason="blocked")
    return None


def refuse_walls(wire: Wire, name: str) -> None:
    """ProviderError "blocked" for a captcha or a question for consent; any other wire passes."""
    if (wall := wall_of(wire, name)) is not None:
        raise wall


def _addresses(wire: Wire) -> Iterator[SplitResult]:
    """Where the wire is from, and where it leads when it is a redirect that was not followed."""
    yield urlsplit(wire.url)
    if 300 <= wire.status < 400:
        try:
            yield urlsplit(wire.headers.get("location", ""))
        except ValueError:  # leads nowhere
            return


def _holds(wire: Wire, marks: tuple[bytes, ...]) -> bool:
    """Whether a page has one of the marks near its beginning; an answer that is no page has none, whatever its texts
    say."""
    head = wire.body[:_MARKS_WITHIN_BYTES].lstrip()
    return head.startswith(b"<") and any(mark in head for mark in marks)
