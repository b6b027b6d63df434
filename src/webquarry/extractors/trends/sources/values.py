"""Values in the form that Google Trends and its republishers share."""

from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

from webquarry.core.errors import ProviderError
from webquarry.extractors.trends.sources.widgets import HOST_URL
from webquarry.read import at
from webquarry.read.fields import within

HIGHEST: Final = 100
LESS_THAN_ONE: Final = "<1"
"""The text of a value that is below 1 but has data; its number is 0."""
_MAX_SECONDS: Final = 253_402_300_799  # the end of the year 9999
_MAX_DIGITS: Final = 12
_ROUNDING: Final = 1e-6


def index_at(value: Any, path: str) -> int | None:
    """Return an integer from 0 to 100, or None for any other value."""
    found = within(at(value, path, float), 0, HIGHEST)
    return round(found) if found is not None and abs(found - round(found)) < _ROUNDING else None


def count_at(value: Any, path: str) -> int | None:
    """Return an integer that is not negative, or None for any other value."""
    found = at(value, path, int)
    return found if found is not None and found >= 0 else None


def read_moment(seconds: Any) -> datetime | None:
    """Return the instant from seconds since 1970, given as a number or as digits."""
    if isinstance(seconds, str) and seconds.isascii() and seconds.isdecimal() and len(seconds) <= _MAX_DIGITS:
        seconds = int(seconds)
    if isinstance(seconds, bool) or not isinstance(seconds, int) or not 0 <= seconds <= _MAX_SECONDS:
        return None
    return datetime.fromtimestamp(seconds, UTC)


def read_web_address(text: str | None) -> str | None:
    """Return a web address. Relative addresses of Google Trends are completed. Returns None for any other value."""
    if text and text.startswith("/") and not text.startswith("//"):
        text = f"{HOST_URL}{text}"
    try:
        parts = urlsplit(text or "")
    except ValueError:
        return None
    return text if parts.scheme in ("http", "https") and parts.hostname else None


def has_enough(kept: int, seen: int, what: str) -> list[str]:
    """Return a warning if some rows are unreadable. Raises ProviderError "changed" if less than half are readable.

    what: a plural noun for the rows, used in the warning ("points").
    """
    if kept * 2 < seen:
        raise ProviderError(
            f"Google Trends sent {what} in an unknown format: {kept} of {seen} are readable.", reason="changed"
        )
    return [f"{seen - kept} of {seen} {what} could not be parsed and were omitted."] if kept < seen else []
