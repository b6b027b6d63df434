"""When something was published, from what a source says of it: an instant, a day, or nothing where that is not clear.

Sources write for readers: "3 days ago", "Aug 31, 2022", "2026-06-25". What is said in weeks, months and years is only
about right, dates in figures (03/04/2024) mean one day here and another there, and months are known by their English
names only: all of these are None, as is what has no year, and what lies in the future.
"""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final

from webquarry_convert.text.instants import parse

MAX_LENGTH: Final = 64
FUTURE: Final = timedelta(days=1)
"""By which a date may lie ahead of the fetch: somewhere it is tomorrow already."""

_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTHS: Final = {
    name[:length]: number for number, name in enumerate(_MONTH_NAMES.split(), 1) for length in (3, 4, len(name))
}
_UNITS: Final = {
    "s": "seconds", "sec": "seconds", "second": "seconds", "m": "minutes", "min": "minutes", "minute": "minutes",
    "h": "hours", "hr": "hours", "hour": "hours", "d": "days", "day": "days",
}  # fmt: skip
_AGO = re.compile(r"([0-9]{1,3}|an?)\s?([a-z]{1,6}?)s?\.?\s(?:ago|old)", re.ASCII)
_DAY_FIRST = re.compile(
    r"(?:[a-z]{2,9}\.?,?\s)?([0-9]{1,2})(?:st|nd|rd|th|\.)?\s([a-z]{3,9})\.?,?\s([0-9]{4})", re.ASCII
)
_MONTH_FIRST = re.compile(
    r"(?:[a-z]{2,9}\.?,?\s)?([a-z]{3,9})\.?\s([0-9]{1,2})(?:st|nd|rd|th)?,?\s([0-9]{4})", re.ASCII
)
_YEAR_FIRST = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})", re.ASCII)
_ISO_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[t ][0-9]{2}:.*", re.ASCII | re.DOTALL)
_DAYS: Final = {"today": 0, "yesterday": 1}


def published(shown: str | None, now: datetime) -> datetime | date | None:
    """now: the instant of the wire in which it is said, UTC.

    Minutes and hours ago are an instant, whole minutes; days ago are a day; a date with a time of day is an instant, in
    UTC where it names no zone.
    """
    if shown is None or len(shown) > MAX_LENGTH:
        return None
    text = " ".join(shown.lower().split())
    found = _relative(text, now) or _absolute(text)
    if found is None:
        return None
    latest = now + FUTURE
    is_ahead = found > latest if isinstance(found, datetime) else found > latest.date()
    return None if is_ahead else found


def _relative(text: str, now: datetime) -> datetime | date | None:
    if text in _DAYS:
        return now.date() - timedelta(days=_DAYS[text])
    ago = _AGO.fullmatch(text)
    unit = _UNITS.get(ago[2]) if ago else None
    if ago is None or unit is None:
        return None
    count = int(ago[1]) if ago[1].isdigit() else 1
    then = now - timedelta(**{unit: count})
    return then.date() if unit == "days" else then.astimezone(UTC).replace(second=0, microsecond=0)


def _absolute(text: str) -> datetime | date | None:
    if match := _YEAR_FIRST.fullmatch(text):
        return _day(match[1], int(match[3]), match[4])
    if match := _DAY_FIRST.fullmatch(text):
        return _day(match[3], _MONTHS.get(match[2]), match[1])
    if match := _MONTH_FIRST.fullmatch(text):
        return _day(match[3], _MONTHS.get(match[1]), match[2])
    return parse(text.upper()) if _ISO_INSTANT.fullmatch(text) else None


def _day(year: str, month: int | None, day: str) -> date | None:
    try:
        return date(int(year), month or 0, int(day))
    except ValueError:
        return None
