"""Figures as they can be of a place; what a source says beyond that is none."""

from datetime import time

from webquarry.read.fields import within


def coordinates(latitude: float | None, longitude: float | None) -> tuple[float | None, float | None]:
    """Degrees north and east: both, or neither."""
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
        return None, None
    return latitude, longitude


def rating(mean: float | None) -> float | None:
    """From 1 to 5. Some write 0 for a place without reviews."""
    return within(mean, 1, 5)


def count(number: int | None) -> int | None:
    return number if number is not None and number >= 0 else None


def clock(hour: int, minute: int) -> time | None:
    """24:00 is the next day's 0:00. None for what no clock shows."""
    if (hour == 24 and minute == 0) or (0 <= hour < 24 and 0 <= minute < 60):
        return time(hour % 24, minute)
    return None
