"""Checks for values of a place. Implausible values become None."""

from datetime import time

from webquarry.read.fields import within


def coordinates(latitude: float | None, longitude: float | None) -> tuple[float | None, float | None]:
    """Return latitude and longitude in degrees, or two Nones if either is implausible."""
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
        return None, None
    return latitude, longitude


def rating(mean: float | None) -> float | None:
    """Return a rating from 1 to 5, or None. Some sources write 0 for a place without reviews."""
    return within(mean, 1, 5)


def count(number: int | None) -> int | None:
    return number if number is not None and number >= 0 else None


def clock(hour: int, minute: int) -> time | None:
    """Return a time of day, or None if it is not valid. 24:00 becomes 0:00."""
    if (hour == 24 and minute == 0) or (0 <= hour < 24 and 0 <= minute < 60):
        return time(hour % 24, minute)
    return None
