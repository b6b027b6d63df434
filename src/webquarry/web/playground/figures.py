"""Figures in a result: values that are easier to understand as a chart, found by the shape of the JSON.

a list of {time, number} or of {time, [{name, number}]}, in order of time     lines
a list of {name, share or value or price}                                     bars
an object of shares that add up to at most 1, or of counts by whole numbers    bars
a list of {name, latitude, longitude}                                         places by distance
the URL of a picture of this service                                          a picture
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice, pairwise
from typing import Any, Final

MAX_FIGURES: Final = 8
MAX_VISITED: Final = 5_000
"""Maximum number of objects and lists that are searched."""
MAX_DEPTH: Final = 6
MAX_ROWS: Final = 400
"""Maximum number of rows of a list that are read."""
MAX_FIELDS: Final = 40
"""Maximum number of fields of a row that are read."""
MAX_SERIES: Final = 5
MAX_STEP: Final = 40
"""Maximum length of each step in a title, in characters."""
MAX_GROUP: Final = 3
"""Maximum number of fields of a row that counts as a group of other rows."""
MAX_NUMBER: Final = 1e15
MEASURES: Final = ("share", "share_percent", "percent", "value", "volume", "visits", "traffic", "price", "price_min")
"""Fields whose numbers are worth a chart, best first."""
_NO_LABEL: Final = re.compile(r"(?:^|_)(?:id|code|url|link|handle|sku|currency|image|thumbnail|text|description|date)$")
_SAYS_NOTHING: Final = frozenset({"data", "items", "hours", "values"})
_SUFFIX: Final = {
    "volume": ": volume",
    "visits": ": visits",
    "traffic": ": traffic",
    "price": ": price",
    "price_min": ": price",
}
_INITIALS: Final = {"ai": "AI", "id": "ID", "ids": "IDs", "url": "URL", "skus": "SKUs"}
_STARS: Final = frozenset("12345")
_TIME: Final = re.compile(r"\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)?)?)?", re.ASCII)
_VIEW: Final = re.compile(r"@(-?\d{1,2}(?:\.\d{1,10})?),(-?\d{1,3}(?:\.\d{1,10})?),[\d.]{1,8}z", re.ASCII)
_PICTURE: Final = re.compile(r"[0-9a-f]{32}\.(?:png|svg)", re.ASCII)
_EARTH_KM: Final = 6371.0088

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Lines:
    """Numbers over time. Each series has a value, or None, for each time; its name is "" if it is the only one."""

    title: str
    times: tuple[datetime, ...]
    series: tuple[tuple[str, tuple[float | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Numbers by name. `unit` is `share`, `percent`, a currency's code, or ""."""

    title: str
    rows: tuple[tuple[str, float], ...]
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Places:
    """Places, each as (name, address, rating, distance in km from `middle`)."""

    title: str
    rows: tuple[tuple[str, str, float | None, float], ...]
    middle: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of this service, with its size in pixels if known."""

    title: str
    name: str
    width: int | None
    height: int | None


Figure = Lines | Bars | Places | Picture


def find_figures(value: Any, pictures: str) -> list[Figure]:
    """Return the figures in a result, in the result's order.

    `pictures` is the prefix of the URLs of this service's pictures.
    """
    search = _Search(pictures)
    found: list[Figure] = []
    for figure in search.walk(value, (), 0):
        found.append(figure)
        if len(found) == MAX_FIGURES:
            break
    return found


class _Search:
    """Walks through a result. `left` is the number of objects and lists that may still be visited."""

    def __init__(self, pictures: str) -> None:
        self._pictures = pictures
        self._left = MAX_VISITED

    def walk(self, value: Any, path: tuple[str, ...], depth: int, around: Row | None = None) -> Iterator[Figure]:
        self._left -= 1
        if self._left < 0 or depth > MAX_DEPTH:
            return
        if isinstance(value, dict):
            yield from self._walk_object(value, path, depth)
        elif isinstance(value, list) and value and all(isinstance(row, dict) for row in value[:MAX_ROWS]):
            figure = _read_rows(value[:MAX_ROWS], spell(path), around or {})
            if figure is not None:
                yield figure
            elif len(value[0]) <= MAX_GROUP:  # a list of groups, such as the hours of each day
                for row in value[:MAX_FIGURES]:
                    named = [f"{key} {item}" for key, item in row.items() if isinstance(item, int | str)][:1]
                    yield from self.walk(row, (*path, *named), depth + 1)

    def _walk_object(self, value: Row, path: tuple[str, ...], depth: int) -> Iterator[Figure]:
        bars = _read_numbers(value, spell(path))
        if bars is not None:
            yield bars
            return
        for key, child in value.items():
            if isinstance(child, str):
                yield from self._read_picture(child, value)
            elif isinstance(child, dict | list):
                yield from self.walk(child, (*path, key), depth + 1, value)

    def _read_picture(self, text: str, around: Row) -> Iterator[Picture]:
        name = text.removeprefix(self._pictures)
        if name != text and _PICTURE.fullmatch(name):
            width, height = (_whole(around.get(side)) for side in ("width", "height"))
            yield Picture("Picture", name, width, height)


def spell(path: Sequence[str]) -> str:
    """Return a title for a path from its last two steps, such as `Visits, history` for `visits.history`."""
    telling = [step for step in path if step not in _SAYS_NOTHING]
    words = ", ".join(
        " ".join(_INITIALS.get(word, word) for word in step[:MAX_STEP].split("_")) for step in telling[-2:]
    )
    return words[:1].upper() + words[1:] or "Values"


def _read_rows(rows: Sequence[Row], title: str, around: Row) -> Figure | None:
    return _read_lines(rows, title) or _read_bars(rows, title, around) or _read_places(rows, title, around)


def _read_numbers(value: Row, title: str) -> Bars | None:
    """Return bars for an object whose values are all numbers: shares, or counts by whole number, such as stars."""
    numbers = {key: number for key, item in value.items() if (number := _number(item)) is not None}
    if len(numbers) < 3 or any(item is not None and key not in numbers for key, item in value.items()):
        return None
    if all(key.isascii() and key.isdigit() for key in numbers):
        unit = " stars" if numbers.keys() <= _STARS else ""
        keys = sorted(numbers, key=lambda key: int(key[:9]), reverse=True)
        return Bars(
            title, tuple((f"{key}{unit.removesuffix('s') if key == '1' else unit}", numbers[key]) for key in keys)
        )
    rows = tuple((key.replace("_", " "), number) for key, number in numbers.items())
    if max(numbers.values()) <= 1 and 0 < sum(numbers.values()) <= 1.05:
        return Bars(title, tuple(sorted(rows, key=lambda row: -row[1])), "share")
    return None


def _read_lines(rows: Sequence[Row], title: str) -> Lines | None:
    found = _find_times(rows)
    if found is None:
        return None
    key, times = found
    numbers = [
        name
        for name in _names(rows[0])
        if name not in (key, "timestamp") and all(_number(row.get(name)) is not None for row in rows)
    ]
    if len(numbers) == 1:
        return Lines(title, times, (("", tuple(_number(row[numbers[0]]) for row in rows)),))
    if numbers:
        return None
    for name in _names(rows[0]):
        item = rows[0][name]
        if isinstance(item, list) and item and all(isinstance(each, dict) for each in item):
            return _read_series(rows, name, title, times)
    return None


def _find_times(rows: Sequence[Row]) -> tuple[str, tuple[datetime, ...]] | None:
    """Return the first field that has a time in each row, in strictly ascending or descending order, and the times."""
    if len(rows) < 3:
        return None
    for key in _names(rows[0]):
        times = [_time(row.get(key)) for row in rows]
        known = tuple(time for time in times if time is not None)
        if len(known) == len(rows) and all(a < b for a, b in pairwise(known)):
            return key, known
    return None


def _read_series(rows: Sequence[Row], field: str, title: str, times: tuple[datetime, ...]) -> Lines | None:
    """Return lines for rows that each contain a list of named numbers."""
    first = [each for each in rows[0][field] if isinstance(each, dict)]
    label, measure = _find_label(first), _find_measure(first)
    if label is None or measure is None:
        return None
    names = [str(each[label]) for each in first[:MAX_SERIES]]
    values: dict[str, list[float | None]] = {name: [] for name in names}
    for row in rows:
        listed = row.get(field)
        here = {each.get(label): each for each in listed if isinstance(each, dict)} if isinstance(listed, list) else {}
        for name in values:
            each = here.get(name, {})
            values[name].append(_number(each.get(measure)) if each.get("has_data", True) else None)
    return Lines(title, times, tuple((name, tuple(numbers)) for name, numbers in values.items()))


def _read_bars(rows: Sequence[Row], title: str, around: Row) -> Bars | None:
    measure, label = _find_measure(rows), _find_label(rows)
    if measure is None or label is None or len(rows) < 2:
        return None
    read = tuple(
        (str(row[label]), number)
        for row in rows
        if row.get(label) not in (None, "") and (number := _number(row.get(measure))) is not None
    )
    if len(read) < 2:
        return None
    return Bars(f"{title}{_SUFFIX.get(measure, '')}", read, _find_unit(measure, rows, around))


def _find_unit(measure: str, rows: Sequence[Row], around: Row) -> str:
    if measure.endswith("percent"):
        return "percent"
    if measure == "share":
        return "share"
    if measure.startswith("price"):
        currency = rows[0].get("currency") or around.get("currency")
        return currency if isinstance(currency, str) and re.fullmatch("[A-Z]{3}", currency) else ""
    return ""


def _find_measure(rows: Sequence[Row]) -> str | None:
    """Return the field with the numbers: the best of `MEASURES` that most rows have."""
    for name in MEASURES:
        numbers = [row.get(name) for row in rows]
        if any(isinstance(item, int | float) and item < 0 for item in numbers):
            continue
        if sum(_number(item) is not None for item in numbers) * 2 > len(rows):
            return name
    return None


def _find_label(rows: Sequence[Row]) -> str | None:
    """Return the field with the names: the first text that is not an id or URL, otherwise a rising whole number."""
    if not rows:
        return None
    for key in _names(rows[0]):
        texts = [row.get(key) for row in rows]
        if not _NO_LABEL.search(key) and sum(isinstance(text, str) and bool(text) for text in texts) * 2 > len(rows):
            return key
    for key in _names(rows[0]):
        numbers = [_whole(row.get(key)) for row in rows]
        known = [number for number in numbers if number is not None]
        if len(known) == len(rows) > 2 and all(a < b for a, b in pairwise(known)):
            return key
    return None


def _read_places(rows: Sequence[Row], title: str, around: Row) -> Places | None:
    label = _find_label(rows)
    located = [(row, place) for row in rows if (place := _locate(row)) is not None]
    if label is None or len(located) < 2:
        return None
    view = next((found for text in around.values() if isinstance(text, str) and (found := _VIEW.fullmatch(text))), None)
    middle = (float(view[1]), float(view[2])) if view else _find_middle([place for _, place in located])
    return Places(
        title,
        tuple(
            (
                str(row.get(label) or ""),
                _text(row.get("address")),
                _number(row.get("rating")),
                find_distance(middle, place),
            )
            for row, place in located
        ),
        "the middle of the map view" if view else "the middle of these places",
    )


def _locate(row: Row) -> tuple[float, float] | None:
    latitude, longitude = row.get("latitude"), row.get("longitude")
    if not isinstance(latitude, int | float) or not isinstance(longitude, int | float):
        return None
    return (float(latitude), float(longitude)) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


def _find_middle(places: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the midpoint of places on the globe. This also works across the date line."""
    x = y = z = 0.0
    for latitude, longitude in places:
        up, around = math.radians(latitude), math.radians(longitude)
        x, y, z = x + math.cos(up) * math.cos(around), y + math.cos(up) * math.sin(around), z + math.sin(up)
    return math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(y, x))


def find_distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Return the distance between two places, given as latitude and longitude in degrees, in km."""
    up_a, up_b, around = math.radians(a[0]), math.radians(b[0]), math.radians(b[1] - a[1])
    chord = math.sin((up_b - up_a) / 2) ** 2 + math.cos(up_a) * math.cos(up_b) * math.sin(around / 2) ** 2
    return 2 * _EARTH_KM * math.asin(min(1.0, math.sqrt(chord)))


def _names(row: Row) -> list[str]:
    return list(islice(row, MAX_FIELDS))


def _number(value: Any) -> float | None:
    """Return the number if a chart can show it, or None if it is negative or unreasonably large."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= MAX_NUMBER else None


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MAX_NUMBER else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _time(value: Any) -> datetime | None:
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        return None
    try:
        time = datetime.fromisoformat(f"{value}-01" if len(value) == 7 else value)
    except ValueError:
        return None
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
