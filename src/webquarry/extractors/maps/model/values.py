"""Plausible values for a place; a source's implausible values become None."""

from datetime import time

from webquarry.read.fields import within


def coordinates(latitude: float | None, longitude: float | None) -> tuple[float | None, float | None]:
    """Return degrees north and east: both, or neither."""
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
        return None, None
    return latitude, longitude


def rating(mean: float | None) -> float | None:
    """Return a rating from 1 to 5; some sources write 0 for a place without reviews."""
    return within(mean, 1, 5)


def count(number: int | None) -> int | None:
    return number if number is not None and number >= 0 else None


def clock(hour: int, minute: int) -> time | None:
    """Return a time of day, with 24:00 as 0:00 of the next day; None if no clock shows it."""
    if (hour == 24 and minute == 0) or (0 <= hour < 24 and 0 <= minute < 60):
        return time(hour % 24, minute)
    return None
