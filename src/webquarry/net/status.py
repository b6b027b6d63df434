"""Mapping of HTTP statuses to results and errors."""

from collections.abc import Collection
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Wire
from webquarry.net.breaker import LONGEST_WAIT_S
from webquarry.net.transport import Response
from webquarry_convert.marks import find_by_header

ANY_STATUS: Collection[int] = range(200, 1000)
"""Value for `ok_on` that accepts any status."""


def accept_wire(wire: Wire, ok_on: Collection[int], absent_on: Collection[int]) -> Wire:
    """Return the wire if its status is in `ok_on`.

    Raises Absent if the status is in `absent_on`, ProviderError otherwise. The error's reason is "blocked" if the
    headers show a bot challenge, and "refused" otherwise.
    """
    if wire.status in ok_on:
        return wire
    host = urlsplit(wire.url).hostname or ""
    if wire.status in absent_on:
        raise Absent(f"{host} reports that this does not exist (status {wire.status}).")
    if (mark := find_by_header(wire.headers)) is not None:
        message = f"{host} returned a captcha ({mark.vendor}, status {wire.status})."
        raise ProviderError(message, reason="blocked", retry_after_s=retry_after_s(wire))
    raise ProviderError(
        f"{host} refused the request (status {wire.status}).", reason="refused", retry_after_s=retry_after_s(wire)
    )


def retry_after_s(wire: Wire | Response, *, longest_s: float = LONGEST_WAIT_S) -> float | None:
    """Return the seconds to wait that Retry-After states, in either of its forms, or None.

    The result is at most `longest_s`, which defaults to the breakers' longest wait.
    """
    value = wire.headers.get("retry-after", "").strip()
    if not value:
        return None
    if value.isdecimal():
        return min(float(value[:9]), longest_s)
    try:
        when = parsedate_to_datetime(value)
        if when.tzinfo is None:
            return None
        return min(max(0.0, (when - wire.fetched_at).total_seconds()), longest_s)
    # the parser raises an undocumented TypeError for a zone out of range
    except (ValueError, OverflowError, TypeError):
        return None
