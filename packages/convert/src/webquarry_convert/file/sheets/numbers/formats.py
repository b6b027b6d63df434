"""Formats values as Numbers does in English."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from enum import IntEnum
from fractions import Fraction

from webquarry_convert.file.sheets.formats.code import parse_sections
from webquarry_convert.file.sheets.formats.digits import NumberSection
from webquarry_convert.file.sheets.numbers import cell as cells
from webquarry_convert.file.sheets.numbers.dates import format_date
from webquarry_convert.file.sheets.numbers.durations import format_duration
from webquarry_convert.file.sheets.numbers.wire import Message


class Kind(IntEnum):
    """The kinds of formats with special treatment. All others are plain numbers or depend on the cell's type."""

    CURRENCY = 257
    PERCENT = 258
    SCIENTIFIC = 259
    FRACTION = 262
    CHECKBOX = 263
    RATING = 267
    BASE = 269


MAX_STYLE, MAX_PATTERN = 4_000, 500
"""Maximum size, in bytes, of a custom format, and maximum length, in characters, of its pattern."""
_AUTOMATIC = 253
"""Special number of decimals that means "all decimals of the number"."""
_DIGITS = Context(prec=15, rounding=ROUND_HALF_UP)
_PRECISE = Context(prec=34, rounding=ROUND_HALF_UP)
_WIDE = Context(prec=7_000, rounding=ROUND_HALF_UP)
_RED_ONLY = 1
_PLACE_OF_TEXT = "\ue421"
_PLACE_OF_CURRENCY = "\u00a4"
_EPOCH = datetime(2001, 1, 1)  # cells have no time zones
_FIRST, _LAST = -62_135_596_800 - 978_307_200, 252_423_993_600
"""The first and the last second of years with at most four digits."""
_MAX_STARS = 5
_MAX_BASE = 36
_MOST_DIGITS = 400
"""Maximum number of digits in a number that is written without a power of ten."""
_SYMBOLS = {
    "AUD": "A$",
    "BRL": "R$",
    "CAD": "CA$",
    "CNY": "CN¥",
    "EUR": "€",
    "GBP": "£",
    "HKD": "HK$",
    "ILS": "₪",
    "INR": "₹",
    "JPY": "¥",
    "KRW": "₩",
    "MXN": "MX$",
    "NZD": "NZ$",
    "PHP": "₱",
    "TWD": "NT$",
    "USD": "$",
    "VND": "₫",
    "XAF": "FCFA",
    "XCD": "EC$",
    "XOF": "F\u202fCFA",
    "XPF": "CFPF",
}
_NUMBER_PLACES = re.compile(r"[#0.,]+(?:E\+[0#]+)?")
_QUOTED = re.compile(r"'((?:[^']|'')*)'?")
_COMPARE: dict[int, Callable[[Decimal, Decimal], bool]] = {
    0: Decimal.__eq__,
    1: Decimal.__lt__,
    2: Decimal.__le__,
    3: Decimal.__gt__,
    4: Decimal.__ge__,
}


class CustomFormats:
    """A document's user-defined formats, by identifier.

    Oversized formats are ignored, because each format is parsed again for each cell.
    """

    def __init__(self, formats: Message) -> None:
        keys = [(key.number(1), key.number(2)) for key in formats.messages(1)]
        styles = [Message(raw) if len(raw) <= MAX_STYLE else Message(b"") for raw in formats.raws(2)]
        self._by_key = dict(zip(keys, styles, strict=False))

    def get(self, style: Message) -> Message | None:
        if 41 not in style:
            return None
        key = style.message(41)
        return self._by_key.get((key.number(1), key.number(2)))


class CellFormat:
    """A formatter for cell values, based on a `FormatStructArchive`."""

    def __init__(self, style: Message, custom: CustomFormats) -> None:
        self._style = style
        self._custom = custom.get(style)
        self._kind = style.number(1)
        pattern = style.text(14) if self._custom is None else self._custom.message(3).text(18)
        self._pattern = pattern if len(pattern) <= MAX_PATTERN else ""

    def text(self, value: str) -> str:
        if self._custom is None:
            return value
        before, place, after = self._pattern.partition(_PLACE_OF_TEXT)
        return f"{before}{value}{after}" if place else value

    def value(self, cell: cells.Cell) -> str:
        """Format a cell that has no text, or return "" for an empty cell."""
        match cell.kind:
            case cells.NUMBER | cells.CURRENCY:
                return "" if cell.decimal is None else self._format_number(cell.decimal)
            case cells.BOOLEAN:
                return self._format_boolean((cell.double or 0) > 0)
            case cells.DATE:
                return "" if cell.seconds is None else self._format_date(cell.seconds)
            case cells.DURATION:
                return "" if cell.double is None else format_duration(cell.double, self._style)
            case cells.ERROR:
                return "#ERROR!"
            case _:
                return ""

    def _format_boolean(self, value: bool) -> str:
        if self._kind == Kind.CHECKBOX:
            return "☑" if value else "☐"
        named = self._style.text(44 if value else 45)
        return named or ("TRUE" if value else "FALSE")

    def _format_date(self, seconds: float) -> str:
        if not _FIRST <= seconds <= _LAST:
            return ""
        moment = _EPOCH + timedelta(seconds=seconds)
        return format_date(moment, self._pattern) if self._pattern else str(moment)

    def _format_number(self, value: Decimal) -> str:
        if value.adjusted() > _MOST_DIGITS or (value and value.adjusted() < -_MOST_DIGITS):
            return f"{_DIGITS.plus(value):e}".upper()
        if self._custom is not None:
            return _format_custom_number(value, self._custom)
        style = self._style
        match self._kind:
            case Kind.CURRENCY:
                return self._format_currency(value)
            case Kind.PERCENT:
                return self._format_decimal(value.scaleb(2), "%")
            case Kind.SCIENTIFIC:
                return _format_scientific(value, style.number(2, _AUTOMATIC))
            case Kind.FRACTION:
                return _format_fraction(value, style.number(11))
            case Kind.CHECKBOX:
                return "☑" if value else "☐"
            case Kind.RATING:
                return "★" * max(0, min(int(value), _MAX_STARS))
            case Kind.BASE:
                return _format_in_base(value, style)
            case _:
                return self._format_decimal(value)

    def _format_decimal(self, value: Decimal, unit: str = "") -> str:
        style = self._style
        negative = style.number(4)
        places = style.number(2, _AUTOMATIC)
        size = _DIGITS.plus(abs(value))
        if places < _AUTOMATIC:
            size = size.quantize(Decimal(1).scaleb(-min(places, 30)), context=_WIDE)
        text = f"{size:{',' if style.number(5) else ''}f}"
        if places >= _AUTOMATIC and "." in text:
            text = text.rstrip("0").rstrip(".")
        text += unit
        if value >= 0 or negative == _RED_ONLY:
            return text
        return f"({text})" if negative > _RED_ONLY else f"-{text}"

    def _format_currency(self, value: Decimal) -> str:
        style = self._style
        code = style.text(3)
        symbol = _SYMBOLS.get(code, f"{code} ")
        if not style.number(6):
            return symbol + self._format_decimal(value)
        amount = self._format_decimal(abs(value))
        return f"{symbol} ({amount})" if value < 0 else f"{symbol} {amount}"


def _format_custom_number(value: Decimal, custom: Message) -> str:
    """Format a number with a pattern such as `'about '#,##0.00`.

    The pattern consists of quoted text, digit placeholders, and other characters, which are written unchanged.
    """
    chosen = _choose_rule(value, custom)
    style = custom.message(3) if chosen is None else chosen
    sign = "-" if value < 0 and chosen is None else ""  # the rule's format determines the sign
    if style.number(20):
        return _format_fraction(value, style.number(11))
    pattern = style.text(18).replace(_PLACE_OF_CURRENCY, style.text(3) + "\u00a0")
    scale = Decimal(style.real(19, 1.0))
    if not scale.is_finite() or scale == 1:
        scale = Decimal(100 if "%" in pattern else 1)
    size = _PRECISE.multiply(abs(value), scale)
    places = _NUMBER_PLACES.search(pattern)
    if places is None:
        return _unquote(pattern)
    number = NumberSection(parse_sections(_build_code(places[0], style))[0]).show_exactly(size)
    return sign + _unquote(pattern[: places.start()]) + number.rstrip(".") + _unquote(pattern[places.end() :])


def _choose_rule(value: Decimal, custom: Message) -> Message | None:
    """Return the format of the first rule that applies to the number, or None if no rule applies."""
    for condition in custom.messages(4):
        limit = Decimal(condition.real(4, condition.real(2)))
        compare = _COMPARE.get(condition.number(1))
        if limit.is_finite() and compare is not None and compare(_DIGITS.plus(value), _DIGITS.plus(limit)):
            return condition.message(3)
    return None


def _build_code(places: str, style: Message) -> str:
    """Return placeholders as a spreadsheet format code. Spaces in placeholders only add width and are dropped."""
    whole, point, decimals = places.partition(".")
    mantissa, power, exponent = decimals.partition("E")
    is_wide = style.number(30) == 0 and mantissa.startswith("0")
    if not whole:
        whole = "#" if is_wide else "0"
    else:
        if is_wide:
            mantissa = mantissa.replace("0", "?")
        if style.number(29) == 0:
            whole = whole.replace("0", "?")
        if whole.endswith("#") and not is_wide:
            whole = f"{whole[:-1]}0"
    if not style.number(5):
        whole = whole.replace(",", "")
    return f"{whole}{point}{mantissa}{power}{exponent}"


def _unquote(pattern: str) -> str:
    return _QUOTED.sub(lambda match: match[1].replace("''", "'") or ("'" if match[0] == "''" else ""), pattern)


def _format_scientific(value: Decimal, places: int) -> str:
    """Format with an exponent of at least two digits."""
    shown = _DIGITS.plus(value)
    text = f"{shown:.{places}E}" if places < _AUTOMATIC else f"{shown.normalize():E}"
    mantissa, _, power = text.partition("E")
    return f"{mantissa}E{power[0]}{power[1:]:0>2}"


def _format_fraction(value: Decimal, accuracy: int) -> str:
    """Format as a fraction.

    accuracy: a denominator, or the number of the denominator's digits as a negative 32-bit number.
    """
    size = Fraction(float(abs(value)))  # Numbers uses binary fractions, so 0.45 is less than 4 1/2 tenths
    whole = int(size)
    if accuracy & 0x8000_0000:
        near = (size - whole).limit_denominator(10 ** min((1 << 32) - accuracy, 6) - 1)
        above, below = near.numerator, near.denominator
    else:
        below = accuracy or 1
        above = round(float(size - whole) * below)
    if above == below:
        whole, above = whole + 1, 0
    sign = "-" if value < 0 and (whole or above) else ""
    if not above:
        return f"{sign}{whole}"
    return f"{sign}{whole} {above}/{below}" if whole else f"{sign}{above}/{below}"


def _format_in_base(value: Decimal, style: Message) -> str:
    """Format a whole number in another base.

    If the format has no minus sign, negative numbers are written in two's complement.
    """
    base = min(max(style.number(8, 10), 2), _MAX_BASE)
    number = int(value.to_integral_value(ROUND_HALF_UP))
    sign = ""
    if number < 0:
        if not style.number(10, 1) and base in (2, 8, 16):
            number += 1 << max(32, number.bit_length() + 1)
        else:
            sign, number = "-", -number
    digits = ""
    while number:
        number, digit = divmod(number, base)
        digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[digit] + digits
    return sign + digits.rjust(min(style.number(9), _MOST_DIGITS), "0") or "0"
