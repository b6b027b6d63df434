"""The clock. Code that needs the time takes a `Clock` as an argument."""

import time
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """Return the current time in UTC."""
        ...

    def monotonic(self) -> float:
        """Return monotonic seconds since an arbitrary moment."""
        ...


class SystemClock:
    now = staticmethod(partial(datetime.now, UTC))
    monotonic = staticmethod(time.monotonic)


def end_of_day(day: date) -> datetime:
    """Return the time at which a day ends in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)


def epoch_ms(instant: datetime) -> int:
    """Return the time in milliseconds since 1970, the form in which times are stored."""
    return round(instant.timestamp() * 1000)


def from_epoch_ms(value: int) -> datetime:
    return datetime.fromtimestamp(value / 1000, UTC)
