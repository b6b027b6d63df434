"""Traps: endless URLs that a site generates, such as calendars, session paths and list filters.

`find_trap` recognizes some of them from a single URL. `Groups` counts the pages of a crawl by group (`list_keys`), and
skips a page if one of its groups is full.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal
from urllib.parse import parse_qsl, urlsplit

Trap = Literal["repeats", "deep", "calendar", "parameters", "prefix"]
MAX_REPEATS: Final = 2
"""Maximum number of times that a segment occurs in a path: `/a/b/a/b/a/b` is a trap."""
MAX_SEGMENTS: Final = 20
MAX_PARAMETER_SETS: Final = 200
"""Maximum number of pages with the same path and different queries."""
MAX_DATES: Final = 400
"""Maximum number of pages whose URLs differ only in the date at the end: enough for each day of a year."""
MAX_PER_PREFIX: Final = 10_000
OLDEST_YEAR: Final = 1990
YEARS_AHEAD: Final = 2
_DATE: Final = re.compile(
    r"(?<![0-9])(?P<year>1[89][0-9]{2}|2[0-9]{3})(?P<mark>[-/_.])(?P<month>0?[1-9]|1[0-2])"
    r"(?:(?P=mark)(?P<day>[0-3]?[0-9]))?/?$",
    re.ASCII,
)
_DATED_NAMES: Final = frozenset(
    {"date", "day", "month", "year", "week", "from", "to", "start", "end", "ym", "cal_date"}
)
_CALENDAR_WORDS: Final = re.compile(r"calend|kalend|agenda|termine|events?\b|schedule", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Key:
    """A group of pages that may be endless. A crawl visits at most `most` of its pages."""

    trap: Trap
    text: str
    most: int


def find_trap(address: str, today: date) -> Trap | None:
    """Return the kind of trap that a clean URL is, judged from the URL alone, or None."""
    parts = urlsplit(address)
    segments = [segment for segment in parts.path.split("/") if segment]
    if len(segments) > MAX_SEGMENTS:
        return "deep"
    if _repeats(segments):
        return "repeats"
    years = [int(found["year"]) for found in map(_DATE.search, _list_dated(parts.path, parts.query)) if found]
    if any(not OLDEST_YEAR <= year <= today.year + YEARS_AHEAD for year in years) and (
        parts.query or _CALENDAR_WORDS.search(parts.path)
    ):
        return "calendar"
    return None


def list_keys(address: str, max_per_prefix: int = MAX_PER_PREFIX) -> list[Key]:
    """Return the groups of a clean URL that may be endless."""
    parts = urlsplit(address)
    base = f"{parts.netloc}{parts.path}"
    keys = []
    if parts.query:
        keys.append(Key("parameters", base, MAX_PARAMETER_SETS))
    dated = _DATE.search(parts.path)
    if dated is not None:
        keys.append(Key("calendar", f"{parts.netloc}{parts.path[: dated.start()]}", MAX_DATES))
    first = parts.path.split("/", 2)[1]
    if parts.path.count("/") > 1:
        keys.append(Key("prefix", f"{parts.netloc}/{first}/", max_per_prefix))
    return keys


class Groups:
    """Counts of a crawl's pages by group."""

    def __init__(self, max_per_prefix: int = MAX_PER_PREFIX) -> None:
        self._max_per_prefix = max_per_prefix
        self._counts: dict[Key, int] = {}

    def take(self, address: str) -> Trap | None:
        """Count a page and return None, or return the trap if one of its groups is full."""
        keys = list_keys(address, self._max_per_prefix)
        for key in keys:
            if self._counts.get(key, 0) >= key.most:
                return key.trap
        for key in keys:
            self._counts[key] = self._counts.get(key, 0) + 1
        return None


def _repeats(segments: Sequence[str]) -> bool:
    """Return whether a segment occurs too often. Numbers may repeat."""
    return any(segments.count(segment) > MAX_REPEATS for segment in set(segments) if not segment.isdigit())


def _list_dated(path: str, query: str) -> list[str]:
    """Return the parts of a URL that may contain dates: the path, and the values of parameters whose names suggest
    dates.
    """
    values = [value for name, value in parse_qsl(query) if name.lower() in _DATED_NAMES]
    return [path, *(f"{value}/1" if re.fullmatch(r"[0-9]{4}", value, re.ASCII) else value for value in values)]
