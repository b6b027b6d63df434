"""Values as Google Trends and those who pass it on write them."""

from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

from webquarry.core.errors import ProviderError
from webquarry.extractors.trends.sources.widgets import HOST_URL
from webquarry.read import at
from webquarry.read.fields import within

HIGHEST: Final = 100
LESS_THAN_ONE: Final = "<1"
"""How a value of 0 that has data is told to people."""
_MAX_SECONDS: Final = 253_402_300_799  # the end of the year 9999
_MAX_DIGITS: Final = 12
_ROUNDING: Final = 1e-6


def index_at(value: Any, path: str) -> int | None:
    """Return a whole number from 0 to 100; None for any other."""
    found = within(at(value, path, float), 0, HIGHEST)
    return round(found) if found is not None and abs(found - round(found)) < _ROUNDING else None


def count_at(value: Any, path: str) -> int | None:
    """A number that is not negative."""
    found = at(value, path, int)
    return found if found is not None and found >= 0 else None


def read_moment(seconds: Any) -> datetime | None:
    """The instant of seconds since 1970, given as a number or as its digits."""
    if isinstance(seconds, str) and seconds.isascii() and seconds.isdecimal() and len(seconds) <= _MAX_DIGITS:
        seconds = int(seconds)
    if isinstance(seconds, bool) or not isinstance(seconds, int) or not 0 <= seconds <= _MAX_SECONDS:
        return None
    return datetime.fromtimestamp(seconds, UTC)


def read_web_address(text: str | None) -> str | None:
    """An address of the web, those of Google Trends' own pages made whole; None for anything else."""
    if text and text.startswith("/") and not text.startswith("//"):
        text = f"{HOST_URL}{text}"
    try:
        parts = urlsplit(text or "")
    except ValueError:
        return None
    return text if parts.scheme in ("http", "https") and parts.hostname else None


def has_enough(kept: int, seen: int, what: str) -> list[str]:
    """The warning that some rows could not be read, if any. ProviderError (changed) when less than half of them could.

    what: the rows, for people ("points").
    """
    if kept * 2 < seen:
        raise ProviderError(
            f"Google Trends sent {what} in an unknown format: {kept} of {seen} are readable.", reason="changed"
        )
    return [f"{seen - kept} of {seen} {what} could not be parsed and were omitted."] if kept < seen else []
