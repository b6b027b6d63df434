"""Date and time sections of format codes, and conversion of serial numbers to dates.

A serial number counts days, and its fraction is the time of day. Day 1 is 1 January 1900. Day 60 is 29 February 1900.
This date never existed, but all spreadsheet programs count it. Workbooks may count from 1 January 1904 as day 0
instead.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from webquarry_convert.file.sheets.formats.calendars import CALENDARS, ENGLISH
from webquarry_convert.file.sheets.formats.code import Section, Token

FIRST_1904 = 1_462
"""Serial number of 1 January 1904 if days are counted from 1900."""
LAST = 2_958_466
"""The first serial number beyond the last date, which is 31 December 9999."""
MAX_DECIMALS = 3
"""Maximum number of displayed decimals for seconds."""
_EPOCH = date(1899, 12, 30)
_LEAP_DAY = 60
_DAY = 86_400
_BUDDHIST = 543


@dataclass(frozen=True, slots=True)
class Moment:
    """A date and time.

    weekday: 0 is Sunday. day: 0 for serial number 0, the day before the first day. part: the fraction of a second, from
    0 to 1. total: the number of whole seconds since day 0.
    """

    year: int
    month: int
    day: int
    weekday: int
    hour: int
    minute: int
    second: int
    part: float
    total: int


def build_moment(serial: float, decimals: int) -> Moment:
    """Convert a serial number from 0 to `LAST`. decimals: number of decimals to which seconds are rounded."""
    unit = 10**decimals
    total, part = divmod(int(serial * _DAY * unit + 0.5), unit)
    days, clock = divmod(total, _DAY)
    if days == 0:
        year, month, day, weekday = 1900, 1, 0, 6
    elif days == _LEAP_DAY:
        year, month, day, weekday = 1900, 2, 29, 3
    else:
        real = _EPOCH + timedelta(days=days + (days < _LEAP_DAY))
        # Before the nonexistent day, weekdays are counted as if it had existed.
        year, month, day, weekday = real.year, real.month, real.day, (days - 1) % 7
    return Moment(year, month, day, weekday, clock // 3600, clock // 60 % 60, clock % 60, part / unit, total)


class DateSection:
    """A section that displays a date, a time, or elapsed time."""

    def __init__(self, section: Section) -> None:
        self._names = CALENDARS.get(section.locale & 0x3FF, ENGLISH)
        self._tokens = _resolve_minutes(section.tokens)
        self._is_halved = section.has("half")
        self.is_elapsed = section.has("elapsed")
        self._decimals = max((len(token.text) for token in self._tokens if token.kind == "part"), default=0)

    def show(self, serial: float) -> str:
        """Format a serial number. serial: at least 0 and below `LAST`."""
        when = build_moment(serial, self._decimals)
        return "".join(self._format_token(token, when) for token in self._tokens)

    def _format_token(self, token: Token, when: Moment) -> str:
        match token.kind:
            case "literal":
                return token.text
            case "slash":
                return f"/{token.text}"
            case "point":
                return "."
            case "comma":
                return ","
            case "percent":
                return "%"
            case "part":
                return f"{when.part:.{len(token.text)}f}"[1:]
            case "half":
                return _choose_half(token.text, when.hour)
            case "elapsed":
                return _format_elapsed(token.text, when.total)
            case "moment":
                return self._format_field(token.text, when)
            case _:
                return ""

    def _format_field(self, text: str, when: Moment) -> str:
        width = len(text)
        names = self._names
        match text[0]:
            case "y" | "e":
                return f"{when.year % 100:02}" if text[0] == "y" and width < 3 else f"{when.year:04}"
            case "b":
                year = when.year + _BUDDHIST
                return f"{year % 100:02}" if width < 3 else str(year)
            case "m" if width < 3:
                return f"{when.month:0{width}}"
            case "m":
                name = names.months[when.month - 1]
                return {3: names.short_months[when.month - 1], 5: name[:1]}.get(width, name)
            case "d" if width < 3:
                return f"{when.day:0{width}}"
            case "d":
                return names.short_days[when.weekday] if width == 3 else names.days[when.weekday]
            case "a":
                return names.short_days[when.weekday] if width == 3 else names.days[when.weekday]
            case "h":
                hour = (when.hour + 11) % 12 + 1 if self._is_halved else when.hour
                return f"{hour:0{min(width, 2)}}"
            case "i":
                return f"{when.minute:0{min(width, 2)}}"
            case "s":
                return f"{when.second:0{min(width, 2)}}"
            case _:  # the token is the name of an era
                return ""


def _resolve_minutes(tokens: list[Token]) -> list[Token]:
    """Return the tokens with minutes as `i`, and with the decimals of seconds as one token.

    An `m` after hours or before seconds means minutes, regardless of characters in between. Otherwise, it means months.
    """
    units = [at for at, token in enumerate(tokens) if token.kind in _UNITS]
    firsts = [tokens[at].text[0] for at in units]
    resolved = [*tokens]
    for at, before, after in zip(units, ["", *firsts], [*firsts[1:], ""], strict=False):
        token = tokens[at]
        if token.kind == "moment" and token.text in {"m", "mm"} and (before == "h" or after == "s"):
            resolved[at] = Token("moment", "i" * len(token.text))
    return _join_decimals(resolved)


def _join_decimals(tokens: list[Token]) -> list[Token]:
    """Join the decimals after each seconds token into a single token, and turn other digits into literals."""
    found: list[Token] = []
    last = ""
    for token in tokens:
        before = found[-1] if found else None
        if token.kind in _UNITS:
            last = token.text
        if token.kind != "digit":
            found.append(token)
        elif before is not None and before.kind == "part":
            if len(before.text) < MAX_DECIMALS:
                found[-1] = Token("part", before.text + "0")
        elif before is not None and before.kind == "point" and last[:1] == "s":
            found[-1] = Token("part", "0")
        else:
            found.append(Token("literal", token.text))
    return found


_UNITS = frozenset({"moment", "elapsed"})


def _choose_half(text: str, hour: int) -> str:
    morning, _, evening = text.partition("/")
    return evening if hour >= 12 else morning


def _format_elapsed(text: str, total: int) -> str:
    seconds = {"h": 3600, "m": 60, "s": 1}[text[0]]
    return f"{total // seconds:0{len(text)}}"
