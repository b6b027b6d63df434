"""The format `General`, which displays eleven characters without the sign.

Whole numbers keep all digits that a spreadsheet stores, because they are often account, order or article numbers.
"""

import re
from decimal import ROUND_HALF_UP, Context, Decimal

WIDTH = 11
"""Maximum number of characters, including the decimal point but not the sign."""
_DIGITS = 15
"""Number of significant digits that spreadsheets keep."""
_LEAST_FIXED = -4
"""Minimum decimal exponent of small numbers that are rounded. Smaller numbers are written with a power of ten."""
_LEAST_QUICK = 1e-3
_MOST_QUICK = 1e9
_NEAR_HALF = 1e-3
_ROUNDED = Context(prec=800, rounding=ROUND_HALF_UP)
_PLAIN = re.compile(r"0|-?(?:[1-9][0-9]{0,10}|(?=[0-9.]{3,11}$)(?:0|[1-9][0-9]*)\.[0-9]*[1-9])")


def to_decimal(value: float) -> Decimal:
    """Return `value` with the fifteen significant digits that spreadsheets keep.

    For example, 1.005 stays 1.005 instead of slightly less.
    """
    return Decimal(f"{value:.15g}")


def round_half_up(value: Decimal, places: int) -> Decimal:
    """Round `value` to this many decimals. Halves are rounded away from zero."""
    return value.quantize(Decimal(1).scaleb(-places), context=_ROUNDED)


def format_general(value: float) -> str:
    """Format a finite number as `General`."""
    return _format_quickly(value) or _format_exactly(value)


def _format_quickly(value: float) -> str:
    """Return the text of `_format_exactly`, computed faster.

    Returns "" for numbers that need a power of ten, and for numbers near the midpoint between two results, because
    binary and decimal rounding may differ there.
    """
    size = abs(value)
    if not _LEAST_QUICK <= size < _MOST_QUICK:
        return ""
    places = WIDTH - 1 - len(str(int(size)))
    if abs(size * 10.0**places % 1 - 0.5) < _NEAR_HALF:
        return ""
    text = f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if places else text


def _format_exactly(value: float) -> str:
    number = to_decimal(value)
    if not number:
        return "0"
    exponent = number.adjusted()
    if exponent >= WIDTH:
        is_kept = exponent < _DIGITS and number == number.to_integral_value()
        return f"{number:f}" if is_kept else _format_scientific(number)
    if exponent < _LEAST_FIXED:
        fixed = f"{number:f}".lstrip("-")
        return f"{number:f}" if len(fixed) <= WIDTH else _format_scientific(number)
    places = max(WIDTH - 2 - max(exponent, 0), 0)
    short = round_half_up(number, places)
    if short.adjusted() >= WIDTH:
        return _format_scientific(number)
    text = f"{short:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def as_written(digits: str) -> str | None:
    """Return the digits of a number in a file if they are displayed unchanged, or None if they need formatting."""
    return digits if _PLAIN.fullmatch(digits) else None


def _format_scientific(number: Decimal) -> str:
    """Format with an exponent of at least two digits: `1.23457E+11`.

    The mantissa has as many significant digits as fit, at most six.
    """
    digits = 6 if abs(number.adjusted()) < 100 else 5
    mantissa, _, exponent = f"{Context(prec=digits, rounding=ROUND_HALF_UP).plus(number):e}".partition("e")
    power = int(exponent)
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}E{'-' if power < 0 else '+'}{abs(power):02}"
