"""Formats dates with Unicode patterns (UTS #35) in English: `EEEE, d. MMMM yyyy 'at' h:mm a`."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from webquarry_convert.file.sheets.formats.calendars import ENGLISH

_PIECE = re.compile(r"'((?:[^']|'')*)'?|(([A-Za-z])\3*)|([^A-Za-z']+)")


def format_date(moment: datetime, pattern: str) -> str:
    pieces: list[str] = []
    for quoted, field, letter, other in _PIECE.findall(pattern):
        if letter:
            pieces.append(_format_field(letter, len(field), moment))
        else:
            pieces.append(other or quoted.replace("''", "'"))
    return "".join(pieces)


def _format_field(letter: str, width: int, moment: datetime) -> str:
    sunday = moment.isoweekday() % 7
    match letter:
        case "y" | "Y" | "u":
            return f"{moment.year % 100:02}" if width == 2 else f"{moment.year:0{width}}"
        case "M" | "L":
            name = ENGLISH.months[moment.month - 1]
            return {3: name[:3], 4: name, 5: name[:1]}.get(width) or f"{moment.month:0{width}}"
        case "E" | "c":
            return ENGLISH.days[sunday] if width == 4 else ENGLISH.short_days[sunday]
        case "a":
            return "AM" if moment.hour < 12 else "PM"
        case "G":
            return "AD"
        case "Q" | "q":
            quarter = (moment.month + 2) // 3
            return f"Q{quarter}" if width > 2 else f"{quarter:0{width}}"
        case "S":
            return f"{moment.microsecond:06}"[:width].ljust(width, "0")
        case _:
            number = _get_number(letter, moment)
            return "" if number is None else f"{number:0{min(width, 4)}}"


def _get_number(letter: str, moment: datetime) -> int | None:
    """Return the value of a numeric field, or None for an unsupported field.

    Time zones are unsupported, because cells have no time zones.
    """
    read = _NUMBERS.get(letter)
    return None if read is None else read(moment)


_NUMBERS: Final[Mapping[str, Callable[[datetime], int]]] = {
    "d": lambda moment: moment.day,
    "D": lambda moment: moment.timetuple().tm_yday,
    "F": lambda moment: (moment.day - 1) // 7 + 1,
    "H": lambda moment: moment.hour,
    "k": lambda moment: moment.hour or 24,
    "h": lambda moment: (moment.hour + 11) % 12 + 1,
    "K": lambda moment: moment.hour % 12,
    "m": lambda moment: moment.minute,
    "s": lambda moment: moment.second,
    "w": lambda moment: int(moment.strftime("%W")),
    "W": lambda moment: (moment.day + moment.replace(day=1).weekday() - 1) // 7,
}
