"""Opening hours: the weekday and times of each day, from a source's numbers or, without numbers, from its text.

Text is parsed only if it is unambiguous: 12-hour times with their marks (`7 AM–8:30 PM`, `1–5 pm`), and 24-hour times
if at least one of the week's times can't be a 12-hour time. Names of days, "closed" and "open 24 hours" are recognized
in English. If the text can't be parsed, the times are None and the text is kept.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from itertools import chain
from typing import Final, NamedTuple

from webquarry.extractors.maps.model.result import DayHours, OpeningSpan
from webquarry.extractors.maps.model.values import clock

MAX_LENGTH: Final = 200
"""Maximum length of a day's text in characters; longer strings are not parsed."""
WEEKDAYS: Final[Mapping[str, int]] = {
    name[:length]: number
    for number, name in enumerate(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), 1)
    for length in (3, len(name))
}
_CLOSED: Final = frozenset({"closed"})
_ALL_DAY: Final = frozenset({"open 24 hours", "24 hours", "open 24/7", "24/7"})
_TIME = r"([0-9]{1,2})(?:[:.]([0-5][0-9]))?\s?(?:([ap])\.?\s?m\.?)?"
_SPAN = re.compile(rf"{_TIME}\s?(?:[-\u2010-\u2015\u2212~\u301c\uff5e]|to)\s?{_TIME}", re.ASCII)
_APART = re.compile(r"[,;\u3001\uff0c]")


class Times(NamedTuple):
    """Opening and closing time; a closing time at or before the opening time is on the next day."""

    opens: time
    closes: time


ALL_DAY: Final = Times(time(0), time(0))


@dataclass(frozen=True, slots=True)
class Day:
    """A source's data for a day.

    text: the source's text, on one line. weekday: ISO number, or None to derive it from the name. times: from the
    source's numbers; [] for a closed day, None without numbers. is_open: the source's separate flag.
    """

    name: str
    text: str
    weekday: int | None = None
    times: Sequence[Times] | None = None
    is_open: bool | None = None


def find_weekday(name: str) -> int | None:
    """Return the ISO number of a day from its English name, in full or as three letters."""
    return WEEKDAYS.get(name.strip(" .:").lower())


def read_week(days: Sequence[Day]) -> list[DayHours] | None:
    """Return the days in the given order, or None for an empty list."""
    hours = [_Said.of(day.text) for day in days]
    has_24_hours = any(one.shows_24_hours for one in hours)
    return [_read(day, one.times(has_24_hours)) for day, one in zip(days, hours, strict=True)] or None


def _read(day: Day, shown: Sequence[Times] | None) -> DayHours:
    times = shown if day.times is None else day.times
    if times is None and day.is_open is False:
        times = ()
    is_open = bool(times) if times is not None else day.is_open
    return DayHours(
        day=day.name,
        hours=day.text,
        weekday=find_weekday(day.name) if day.weekday is None else day.weekday,
        spans=None
        if times is None
        else [OpeningSpan(opens=_format_time(t.opens), closes=_format_time(t.closes)) for t in times],
        is_closed=None if is_open is None else not is_open,
        is_24h=None if times is None else any(t.opens == t.closes for t in times),
    )


def _format_time(moment: time) -> str:
    return moment.strftime("%H:%M")


class _WrittenTime(NamedTuple):
    """A time as written. half: "a" for AM, "p" for PM, None without a mark."""

    hour: int
    minute: int
    half: str | None

    def on_clock(self) -> time | None:
        if self.half is None:
            return clock(self.hour, self.minute)
        if not 1 <= self.hour <= 12:
            return None
        return clock(self.hour % 12 + (12 if self.half == "p" else 0), self.minute)


@dataclass(frozen=True, slots=True)
class _Said:
    """The parsed text of a day.

    spans: None if the text has no times. fixed: the times of a fixed phrase such as "closed".
    """

    spans: Sequence[tuple[_WrittenTime, _WrittenTime]] | None
    fixed: Sequence[Times] | None = None

    @classmethod
    def of(cls, text: str) -> "_Said":
        words = " ".join(text[: MAX_LENGTH + 1].lower().split())
        if words in _CLOSED:
            return cls(None, ())
        if words in _ALL_DAY:
            return cls(None, (ALL_DAY,))
        if len(text) > MAX_LENGTH:
            return cls(None)
        matches = [_SPAN.fullmatch(part.strip()) for part in _APART.split(words)]
        spans = [
            (_WrittenTime(int(m[1]), int(m[2] or 0), m[3]), _WrittenTime(int(m[4]), int(m[5] or 0), m[6]))
            for m in matches
            if m
        ]
        return cls(spans if len(spans) == len(matches) else None)

    @property
    def shows_24_hours(self) -> bool:
        """Whether the times have no marks and at least one can't be a 12-hour time."""
        if self.spans is None or any(moment.half for moment in chain.from_iterable(self.spans)):
            return False
        return any(moment.hour == 0 or moment.hour > 12 for moment in chain.from_iterable(self.spans))

    def times(self, has_24_hours: bool) -> Sequence[Times] | None:
        """Return the times, or None if they are ambiguous or can't be parsed.

        has_24_hours: whether the week's times are in 24-hour form, which times without marks require.
        """
        if self.spans is None:
            return self.fixed
        read = [_times(opens, closes, has_24_hours) for opens, closes in self.spans]
        times = [one for one in read if one is not None]
        return times if len(times) == len(read) else None


def _times(opens: _WrittenTime, closes: _WrittenTime, has_24_hours: bool) -> Times | None:
    is_shared = opens.half is None and closes.half is not None  # `1–5 PM`: the mark applies to both times
    if opens.half is not None and closes.half is None:
        return None
    if closes.half is None and not has_24_hours:
        return None
    begin = (opens._replace(half=closes.half) if is_shared else opens).on_clock()
    end = closes.on_clock()
    if begin is None or end is None or (is_shared and end <= begin):
        return None
    return Times(begin, end)
