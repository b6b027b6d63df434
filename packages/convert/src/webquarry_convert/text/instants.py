"""Parsing of instants and dates in the formats used on the web."""

import re
from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

MAX_LENGTH = 64
_ISO = re.compile(
    r"(?P<year>\d{4})(?:(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})|(?P<mm>\d\d)(?P<dd>\d\d))"
    r"(?P<time>[Tt ](?P<hour>\d\d):?(?P<minute>\d\d)(?::?(?P<second>\d\d))?(?:[.,](?P<fraction>\d*))?"
    r"[ ]?(?:[Zz]|UTC|GMT|(?P<sign>[+-])(?P<ahead>\d\d)(?::?(?P<beside>[0-5]\d))?)?)?",
    re.ASCII,
)
_YEAR_FIRST = re.compile(r"\d{4}", re.ASCII)


def rfc3339(instant: datetime) -> str:
    """Format an instant in UTC to the second, as in all responses: `2026-01-31T12:00:00Z`."""
    return f"{instant.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def parse(text: str) -> datetime | date | None:
    """Parse an instant or a date. Returns an instant in UTC, a date if the text has no time, or None for other text.

    Supports RFC 3339 and similar formats, and the dates in mail and HTTP (RFC 2822). Dates are written as `2024-05-01`,
    `2024/5/1` or `20240501`, and time zones as `Z`, `UTC`, `GMT`, `+03:00`, `+0300` or `+03`. The default time zone is
    UTC. Fractions of a second are truncated to microseconds.
    """
    text = text.strip()
    if len(text) > MAX_LENGTH:
        return None
    try:
        if match := _ISO.fullmatch(text):
            return _iso(match)
        if _YEAR_FIRST.match(text):
            return None
        moment = parsedate_to_datetime(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    # For example, June 31st, a time in the year 1 in a zone east of Greenwich, and errors that the mail parser raises
    # for text without a date.
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def _iso(match: re.Match[str]) -> datetime | date:
    day = date(int(match["year"]), int(match["month"] or match["mm"]), int(match["day"] or match["dd"]))
    if not match["time"]:
        return day
    ahead = timedelta(hours=int(match["ahead"] or 0), minutes=int(match["beside"] or 0))
    return datetime(
        day.year,
        day.month,
        day.day,
        int(match["hour"]),
        int(match["minute"]),
        int(match["second"] or 0),
        int((match["fraction"] or "")[:6].ljust(6, "0")),
        tzinfo=timezone(-ahead if match["sign"] == "-" else ahead),
    ).astimezone(UTC)
