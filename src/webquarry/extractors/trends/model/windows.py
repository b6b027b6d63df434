"""The time window of a request, in the callers' notation."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

from pydantic import AfterValidator

from webquarry.core.clock import SystemClock

RELATIVE: Final[Mapping[str, str]] = {
    "now 1-H": "the last hour",
    "now 4-H": "the last 4 hours",
    "now 1-d": "the last day",
    "now 7-d": "the last 7 days",
    "today 1-m": "the last month",
    "today 3-m": "the last 3 months",
    "today 12-m": "the last 12 months",
    "today 5-y": "the last 5 years",
    "all": "since 2004",
}
"""Time windows without a date, and their meanings."""
_DAY: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_HOUR: Final = f"{_DAY}T[0-9]{{2}}"
PATTERN: Final = f"^({'|'.join(RELATIVE)}|{_DAY} {_DAY}|{_HOUR} {_HOUR})$"
RULE: Final = (
    f"must be one of {', '.join(RELATIVE)}, or two dates such as 2024-01-01 2024-06-30, or two hours such as "
    "2024-01-01T06 2024-01-02T18"
)
LONGEST_KEPT: Final = timedelta(hours=12)
_AGES: Final[Mapping[str, timedelta]] = {
    "now 1-H": timedelta(minutes=5),
    "now 4-H": timedelta(minutes=15),
    "now 1-d": timedelta(hours=1),
    "now 7-d": timedelta(hours=6),
}
FIRST_DAY: Final = datetime(2004, 1, 1, tzinfo=UTC)
LONGEST_BY_THE_HOUR: Final = timedelta(days=7)


def check_window(text: str, now: datetime) -> str:
    """Check the dates of text that matches `PATTERN`.

    Raises ValueError, with a sentence, for a date that does not exist, a start after the end, dates before the data
    begins or in the future, and too many hours.
    """
    if text in RELATIVE:
        return text
    begins, ends = (_read_instant(part) for part in text.split(" "))
    by_the_hour = "T" in text
    if ends < begins or (by_the_hour and ends == begins):
        raise ValueError("must start before it ends")
    if begins < FIRST_DAY:
        raise ValueError(f"must not start before {FIRST_DAY:%Y-%m-%d}, when the data starts")
    if ends > now:
        raise ValueError("must not end in the future (UTC)")
    if by_the_hour and ends - begins > LONGEST_BY_THE_HOUR:
        raise ValueError(f"must span at most {LONGEST_BY_THE_HOUR.days} days if it is in hours")
    return text


def ages(window: str) -> timedelta:
    """Return how long data of this window may be cached. If the window ends now, this is a fraction of its length."""
    return _AGES.get(window, LONGEST_KEPT)


def words(window: str) -> str:
    """Return a description of the window for people."""
    return RELATIVE.get(window) or window.replace(" ", " to ")


def _read_instant(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H" if "T" in text else "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as exc:
        raise ValueError(f"must contain dates that exist; {re.sub('[^0-9T-]', '', text)} does not exist") from exc


Window = Annotated[str, AfterValidator(lambda text: check_window(text, SystemClock().now()))]
