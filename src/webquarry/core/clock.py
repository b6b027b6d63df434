"""The time, as an argument: whatever asks for it takes a `Clock`."""

import time
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The instant, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, from an arbitrary origin."""
        ...


class SystemClock:
    now = staticmethod(partial(datetime.now, UTC))
    monotonic = staticmethod(time.monotonic)


def end_of_day(day: date) -> datetime:
    """The instant at which a day is over, in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)


def epoch_ms(instant: datetime) -> int:
    """Milliseconds since 1970, the form in which instants are stored."""
    return round(instant.timestamp() * 1000)


def from_epoch_ms(value: int) -> datetime:
    return datetime.fromtimestamp(value / 1000, UTC)
