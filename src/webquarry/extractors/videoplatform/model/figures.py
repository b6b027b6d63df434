"""Formatting of numbers, days and durations for markdown."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import TypeAlias

from webquarry.extractors.videoplatform.sources.innertube.texts import clock

Figure: TypeAlias = tuple[str, date | str | None]


def list_known(figures: Iterable[Figure]) -> list[Figure]:
    """Return the figures that have a value."""
    return [(name, value) for name, value in figures if value]


def write_number(number: int | None) -> str | None:
    return None if number is None else f"{number:,}"


def write_length(seconds: int | None) -> str | None:
    return None if seconds is None else clock(seconds)


def write_day(at: datetime | date | None) -> str | None:
    return None if at is None else at.isoformat()[:10]


def write_states(states: Iterable[tuple[bool | None, str]]) -> str | None:
    """Return the words of the states that apply, or None if no state applies."""
    return ", ".join(words for is_so, words in states if is_so) or None
