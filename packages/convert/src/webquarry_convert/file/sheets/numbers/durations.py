"""Formats durations as Numbers does: `1w 2d 3h`, `1 week 2 days`, `1:02:03`."""

from webquarry_convert.file.sheets.numbers.wire import Message

_COMPACT, _SHORT = 0, 1
_WEEK, _DAY, _HOUR, _MINUTE, _SECOND, _MILLISECOND = 1, 2, 4, 8, 16, 32
_UNITS = (
    (_WEEK, 604_800_000, "w", "week"),
    (_DAY, 86_400_000, "d", "day"),
    (_HOUR, 3_600_000, "h", "hour"),
    (_MINUTE, 60_000, "m", "minute"),
    (_SECOND, 1_000, "s", "second"),
    (_MILLISECOND, 1, "ms", "millisecond"),
)
"""Each unit's flag, milliseconds, abbreviation and name."""
_LONGEST = 1e15


def format_duration(seconds: float, style: Message) -> str:
    """Format a duration.

    style: a `FormatStructArchive` with the largest and the smallest unit, and the style of the unit names.
    """
    if not abs(seconds) < _LONGEST:
        return ""
    rest = round(abs(seconds) * 1_000)
    largest, smallest = style.number(15, _WEEK), style.number(16, _MILLISECOND)
    if style.number(40):
        largest, smallest = _find_units(rest)
    shape = style.number(7, _SHORT)
    units = [unit for unit in _UNITS if largest <= unit[0] <= smallest] or [_UNITS[-2]]
    pieces: list[str] = []
    for flag, size, sign, name in units:
        count, rest = divmod(rest, size)
        if shape == _COMPACT:
            pieces.append(_format_compact(count, flag, is_first=not pieces, is_alone=len(units) == 1))
        else:
            pieces.append(" " * bool(pieces) + _write_unit(count, sign if shape == _SHORT else None, name))
    return ("-" if seconds < 0 else "") + "".join(pieces)


def _write_unit(count: int, sign: str | None, name: str) -> str:
    """Return a count followed by its unit's abbreviation or name."""
    return f"{count} {name}{'' if count == 1 else 's'}" if sign is None else f"{count}{sign}"


def _format_compact(count: int, flag: int, *, is_first: bool, is_alone: bool) -> str:
    """Return a unit's count with the separator before it: `:02`.

    flag: the unit's flag.
    """
    width = 3 if flag == _MILLISECOND else 2 if flag >= _MINUTE and not is_alone else 1
    mark = "" if is_first else "." if flag == _MILLISECOND else ":"
    return f"{mark}{count:0{width}}"


def _find_units(milliseconds: int) -> tuple[int, int]:
    """Return a duration's largest and smallest non-zero units. For a duration of zero, both are days."""
    if not milliseconds:
        return _DAY, _DAY
    largest = next(flag for flag, size, _, _ in _UNITS if milliseconds >= size)
    smallest = next(flag for flag, size, _, _ in _UNITS if milliseconds % size == 0)
    return largest, max(largest, smallest)
