"""Typed values at paths of parsed JSON."""

import json
import math
import re
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import urlsplit

import orjson

from webquarry.core.errors import ProviderError
from webquarry.core.process.loop import watch_parsing
from webquarry.core.types import Wire
from webquarry.read import block_pages
from webquarry.read.losses import lose, read_rows
from webquarry_convert.text.instants import parse

T = TypeVar("T")
Row = TypeVar("Row")
JsonObject = dict[str, Any]
"""A JSON object as its source sent it. Readers take such objects and never return them."""
Step = str | int | None  # a member's name, an index, or None for every item

_STEP = re.compile(r"(?:^|(?<!^)\.)(?P<member>[^.\[\]]+)|\[(?P<place>-?\d+)\]|\[\]", re.ASCII)
FIRST_YEAR, NEVER = 1754, 9000
"""Range of valid years. Years outside this range are placeholders."""
_ZERO_DAYS = frozenset(
    date(*day) for day in ((1899, 12, 29), (1899, 12, 30), (1899, 12, 31), (1900, 1, 1), (1969, 12, 31), (1970, 1, 1))
)
_END_OF_32_BITS = datetime(2038, 1, 19, 3, 14, 7, tzinfo=UTC)
_EXACT_FLOAT = 2.0**53
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    list: "a list",
    dict: "an object",
}


def json_of(wire: Wire) -> Any:
    """Return the body as JSON. Whole numbers beyond 64 bits lose digits.

    Tolerates common mistakes of servers: a byte order mark, bytes that are not UTF-8 and lone surrogates (which become
    U+FFFD), NaN and infinities (which become null). Raises ProviderError for anything else: "blocked" for a block page,
    otherwise "changed".
    """
    try:
        return parse_json(wire.body)
    except ValueError as exc:
        source = _source(wire)
        raise block_pages.unreadable(wire, source, f"{source} sent a response that is not JSON.") from exc


def parse_json(body: bytes) -> Any:
    """Parse JSON as tolerantly as `json_of`. Raises ValueError for anything else."""
    watch_parsing(len(body))
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        pass
    text = body.decode("utf-8-sig", errors="replace")
    try:
        return cleaned(json.loads(text, parse_constant=lambda _: None))
    except RecursionError as exc:
        raise ValueError("is nested too deeply") from exc


def parse_json_at(text: str, start: int) -> tuple[Any, int]:
    """Parse the JSON value that begins at `start`, and ignore the text after it.

    Return the value and its end. Strings may contain control characters. Raises ValueError if no value begins there.
    """
    watch_parsing(len(text) - start)
    try:
        value, end = _DECODER.raw_decode(text, start)
    except RecursionError as exc:
        raise ValueError("is nested too deeply") from exc
    try:
        return orjson.loads(text[start:end]), end
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        pass
    try:
        return cleaned(value), end
    except RecursionError as exc:
        raise ValueError("is nested too deeply") from exc


def reach(value: Any, path: str) -> Any:
    """Return the value at `path`, of any type, or None. Does not count a loss."""
    return _one(value, path)


def reach_list(value: Any, path: str, most: int | None = None) -> list[Any]:
    """Return the items of the list at `path`, at most `most`, or an empty list if there is no list.

    Does not count a loss.
    """
    found = _one(value, path)
    return found[:most] if isinstance(found, list) else []


def take(value: Any, path: str, convert: Callable[[Any], T | None], *, required: bool = False) -> T | None:
    """Return the value at `path` converted by `convert` (see `fields`).

    An unreadable value is counted as a loss; an absent value or null is only counted if the value is `required`.
    """
    found = _one(value, path)
    if found is None:
        if required:
            lose(path)
        return None
    read = convert(found)
    if read is None:
        lose(path)
    return read


def at(value: Any, path: str, kind: type[T]) -> T | None:
    """Return the value at `path` if it has this type.

    For an absent value or a wrong type, count a loss and return None. A whole number is also a float, and `12.0` is the
    whole number 12; true and false are not numbers.
    """
    found = as_kind(_one(value, path), kind)
    if found is None:
        lose(path)
    return found


def must(value: Any, path: str, kind: type[T]) -> T:
    """Return the value at `path`.

    Raises ProviderError "changed", naming the path, if the value is absent or of another type.
    """
    parsed = _parse_wire(value)
    found = at(parsed, path, kind)
    if found is None:
        there = _one(parsed, path)
        seen = "missing" if there is None else next(word for known, word in _KINDS.items() if isinstance(there, known))
        raise ProviderError(
            f"{_source(value)} sent an unexpected response: {path or 'the body'} is {seen}, not {_KINDS[kind]}.",
            reason="changed",
        )
    return found


def each(value: Any, path: str) -> list[dict[str, Any]]:
    """Return every object that `path` matches, in order.

    A missing list and items that are not objects are counted as losses.
    """
    return _all(value, path, dict)


def each_given(value: Any, path: str) -> list[dict[str, Any]]:
    """Return every object, as `each` does, for a list that its source omits when it is empty.

    A missing list is not counted.
    """
    return each(value, path) if reach(value, path.removesuffix("[]")) else []


def read_each(value: Any, path: str, read: Callable[[dict[str, Any]], Row | None]) -> list[Row]:
    """Return the result of `read` for every object that `each` returns.

    Objects whose result is None are dropped and counted.
    """
    return read_rows(each(value, path), read, path)


def texts(value: Any, path: str) -> list[str]:
    """Return every non-blank text that `path` matches, in order.

    Blank strings and other values are counted as losses.
    """
    return read_rows(_all(value, path, str), lambda text: text if text.strip() else None, path)


def instant(value: Any, path: str) -> datetime | None:
    """Return the time at `path` in UTC (formats: `instants.parse`). A date without a time becomes midnight.

    For an absent or unreadable value, count a loss and return None.
    """
    text = at(value, path, str)
    if text is None:
        return None
    found = known_date(parse(text))
    if found is None:
        lose(path)
        return None
    return found if isinstance(found, datetime) else datetime.combine(found, time(), UTC)


def known_date(found: datetime | date | None) -> datetime | date | None:
    """Return a date or instant, or None for a placeholder that databases use for unknown dates.

    Placeholders are the zeros of clocks and spreadsheets (the year 1, 1753, 1899-12-30 to 1900-01-01, 1970-01-01) in
    any time zone, the end of 32 bits (2038-01-19 03:14:07), and the year 9999.
    """
    if found is None or not FIRST_YEAR <= found.year < NEVER:
        return None
    day = found.date() if isinstance(found, datetime) else found
    return None if day in _ZERO_DAYS or found == _END_OF_32_BITS else found


def _all(value: Any, path: str, kind: type[T]) -> list[T]:
    reached = [_parse_wire(value)]
    for step in _steps(path):
        if step is None:
            reached = [item for node in reached for item in (node if isinstance(node, list) else (None,))]
        else:
            reached = [_child(node, step) for node in reached]
    found = []
    for node in reached:
        typed = as_kind(node, kind)
        if typed is None:
            lose(path)
        else:
            found.append(typed)
    return found


def _one(value: Any, path: str) -> Any:
    found = _parse_wire(value)
    for step in _steps(path):
        if step is None:
            raise ValueError(f"{path}: a single value is expected; use each or texts")
        found = found.get(step) if isinstance(found, dict) else _child(found, step)
    return found


def _child(node: Any, step: str | int) -> Any:
    if isinstance(step, str):
        return node.get(step) if isinstance(node, dict) else None
    return node[step] if isinstance(node, list) and -len(node) <= step < len(node) else None


def as_kind(value: Any, kind: type[T]) -> T | None:
    """Return `value` if it has this type, according to JSON's types, or None."""
    if type(value) is kind:  # the usual case; this runs for every value of a wire
        return value
    found: Any = value
    if isinstance(value, bool):
        found = value if kind is bool else None
    elif kind is int and isinstance(value, float):
        found = int(value) if value.is_integer() and abs(value) <= _EXACT_FLOAT else None
    elif kind is float and isinstance(value, int):
        found = float(value) if abs(value) <= sys.float_info.max else None
    return found if isinstance(found, kind) else None


@lru_cache(maxsize=1024)
def _steps(path: str) -> tuple[Step, ...]:
    """Parse a path into steps. Raises ValueError for invalid syntax."""
    steps: list[Step] = []
    end = 0
    for match in _STEP.finditer(path):
        if match.start() != end:
            break
        end = match.end()
        steps.append(match["member"] or (int(match["place"]) if match["place"] else None))
    if end != len(path):
        raise ValueError(f"{path!r} is not a path")
    return tuple(steps)


def _parse_wire(value: Any) -> Any:
    return json_of(value) if isinstance(value, Wire) else value


def cleaned(value: Any) -> Any:
    """Return the value without the parts that JSON text cannot represent."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {cleaned(name): cleaned(item) for name, item in value.items()}
    return value


def _source(value: Any) -> str:
    return (urlsplit(value.url).hostname if isinstance(value, Wire) else None) or "The source"
