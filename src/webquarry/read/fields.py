"""Converters from field values of sources to values of results, for `take` and `Fact`.

    take(node, "stats.playCount", to_count)
    take(node, "url", partial(to_address, base=wire.url))

Every function accepts any parsed JSON and returns None if it is not clearly a value of this kind. Callers count None as
a loss.
"""

import math
import re
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, Final

from webquarry.core.urls import MAX_URL
from webquarry.read import amounts
from webquarry.read.amounts import DecimalMark, Money
from webquarry.read.html import absolute, plain_text
from webquarry.read.values import as_kind, known_date
from webquarry_convert.text import instants
from webquarry_convert.text.escape import clean_line

MAX_LINE: Final = 2_000
MAX_TEXT: Final = 100_000
MAX_TOKEN: Final = 8_192
MAX_COUNTED: Final = 60
"""Number of characters after a number's start that are searched for its unit."""
TOLERANCE: Final = 0.001
"""Tolerance for numbers outside their bounds, as a share of the upper bound."""
LARGEST: Final = 2**53
"""Maximum count. Larger numbers lose digits in some JSON parsers."""
FIRST_EPOCH: Final = 100_000_000
"""Smallest number that is read as a time in seconds.

Smaller numbers are zero placeholders, years, or dates in digits.
"""
_MILLISECONDS_FROM, _MICROSECONDS_FROM, _NANOSECONDS_FROM = 10**11, 10**14, 10**17
_LAST_SECOND: Final = 253_402_300_799  # end of the year 9999
_EPOCH: Final = re.compile(r"[0-9]{9,19}(?:\.[0-9]{1,9})?", re.ASCII)
_CONTROLS: Final = dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(127, 160)])
_FLAGS: Final[dict[Any, bool]] = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
_NUMBERS: Final = re.compile(r"\d(?:[\d.,'\u2019\u00a0\u2009\u202f ]{0,30}\d)?")
_BLANK_LINES: Final = re.compile(r"\n{3,}")


def to_address(value: Any, base: str = "") -> str | None:
    """Return an absolute http or https URL, or None.

    `base` is the page's URL, against which relative URLs are resolved. Without it, the result for a relative URL is
    None.
    """
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_URL or value.rstrip().endswith("://"):
        return None  # a browser would resolve a bare `https://` to the page itself
    return absolute(value, base)


def to_line(value: Any) -> str | None:
    """Return one line of text with single spaces and without control characters, or None if no text is left."""
    if not isinstance(value, str):
        return None
    return clean_line(value[: 2 * MAX_LINE])[:MAX_LINE].rstrip() or None


def to_token(value: Any) -> str | None:
    """Return a text that is sent back to its source (a token, a cursor) unchanged, or None if it is too long."""
    return value if isinstance(value, str) and len(value) <= MAX_TOKEN and value.strip() else None


def to_text(value: Any) -> str | None:
    """Return multi-line text with `\\n` line ends, without consecutive empty lines and control characters."""
    if not isinstance(value, str):
        return None
    lines = value[:MAX_TEXT].replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS).split("\n")
    return _BLANK_LINES.sub("\n\n", "\n".join(line.rstrip() for line in lines)).strip() or None


def to_plain(value: Any) -> str | None:
    """Return the text of an HTML fragment as one line."""
    return to_line(plain_text(value[:MAX_TEXT])) if isinstance(value, str) else None


def to_id(value: Any) -> str | None:
    """Return an id as text. Accepts text or a whole number; above 2⁵³ digits are lost, so the result is None."""
    if isinstance(value, str):
        return to_line(value)
    found = as_kind(value, int)
    return str(found) if found is not None and 0 <= found <= LARGEST else None


def to_count(value: Any, decimal: DecimalMark | None = None) -> int | None:
    """Return a non-negative count from a number, or from text as people write it (`amounts`)."""
    found = amounts.parse_count(value, decimal) if isinstance(value, str) else as_kind(value, int)
    return found if found is not None and 0 <= found <= LARGEST else None


def to_counted(value: Any, decimal: DecimalMark | None = None) -> int | None:
    """Return a count from a text that names what is counted ("1,862 views"). See `to_count`."""
    if not isinstance(value, str):
        return to_count(value)
    found = amounts.parse_count(value, decimal, of_things=True)
    return found if found is not None and found <= LARGEST else None


def to_only_count(value: Any) -> int | None:
    """Return the only number in a text, with its unit ("along with 2,560 other people").

    Returns None for strings with two numbers, because it is unclear which one is meant.
    """
    if not isinstance(value, str):
        return to_count(value)
    numbers = list(_NUMBERS.finditer(value[:MAX_LINE]))
    return to_counted(value[numbers[0].start() :][:MAX_COUNTED]) if len(numbers) == 1 else None


def to_whole(value: Any) -> int | None:
    """Return a whole number from a number or its digits."""
    if isinstance(value, str):
        text = value.strip().replace("−", "-")
        digits = text.removeprefix("-")
        value = int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 16 else None
    found = as_kind(value, int)
    return found if found is not None and abs(found) <= LARGEST else None


def to_number(value: Any, decimal: DecimalMark | None = None) -> float | None:
    """Return a number from a JSON number or from text as people write it (`amounts`).

    The result for "1.234" is None unless `decimal` is given.
    """
    if isinstance(value, str):
        found = amounts.parse_number(value, decimal)
        return None if found is None else float(found)
    number = as_kind(value, float)
    return number if number is not None and math.isfinite(number) else None


def to_decimal(value: Any) -> float | None:
    """Return a number in machine notation: a JSON number, or text with a decimal point and without groups ("1.234")."""
    return to_number(value, ".") if not isinstance(value, str) or "," not in value else None


def within(number: float | None, least: float, most: float) -> float | None:
    """Return the number if it is within the bounds, inclusive, or None.

    Sources add and round numbers. A number that exceeds a bound by up to a thousandth of the upper bound therefore
    becomes the bound: 1.0000000000000002 becomes a share of 1.
    """
    if number is None or not math.isfinite(number):
        return None
    slack = abs(most) * TOLERANCE
    return min(max(number, least), most) if least - slack <= number <= most + slack else None


def to_rating(value: Any, least: float = 1.0, most: float = 5.0) -> float | None:
    """Return a mean rating between the bounds from a number or text ("4,5").

    Zeros, which unrated items have, become None.
    """
    return within(to_number(value), least, most)


def to_percent(value: Any) -> float | None:
    """Return a percentage from a number that is already a percentage, or from text with a percent sign."""
    if isinstance(value, str):
        found = amounts.parse_percent(value)
        return None if found is None else float(found)
    return to_number(value)


def to_share(value: Any) -> float | None:
    """Return a share from 0 to 1, from a number, its text, or text in percent."""
    percent = amounts.parse_percent(value) if isinstance(value, str) else None
    return within(float(percent / 100) if percent is not None else to_decimal(value), 0, 1)


def to_money(value: Any, currency: str, decimal: DecimalMark | None = None) -> Money | None:
    """Return an amount in minor units from an amount in major units ("24.17", 24.17, "1.234,50 €").

    Pass `decimal="."` for prices written by machines, which have a decimal point.
    """
    if isinstance(value, str):
        return amounts.parse_money(value, currency, decimal)
    found = as_kind(value, float)
    if found is None or not math.isfinite(found) or not amounts.is_currency(currency):
        return None
    exact = Decimal(value) if type(value) is int else Decimal(repr(found))
    return amounts.to_minor(exact, currency)


def to_flag(value: Any) -> bool | None:
    """Return True or False from a boolean, 1 or 0, or a word such as "yes"."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _FLAGS.get(value.strip().lower()[:5])
    found = as_kind(value, int)
    return bool(found) if found in (0, 1) else None


def to_instant(value: Any) -> datetime | None:
    """Return an instant in UTC.

    Accepts seconds since 1970 or, depending on their size, milli-, micro- or nanoseconds, as a number or digits;
    `[seconds, nanoseconds]`; and the formats of `instants.parse`. A date without a time becomes midnight UTC. Numbers
    from 10¹¹ are milliseconds, because in seconds they would be after the year 5000. Returns None below `FIRST_EPOCH`
    and for placeholder dates (`known_date`).
    """
    if isinstance(value, list):
        value = value[0] if 1 <= len(value) <= 2 else None
    if isinstance(value, str):
        text = value.strip()
        if not _EPOCH.fullmatch(text):
            return _first_instant(known_date(instants.parse(text)))
        value = float(text) if "." in text else int(text)
    return None if isinstance(value, bool) or not isinstance(value, int | float) else _read_epoch(value)


def _read_epoch(value: float) -> datetime | None:
    """Return the instant of a number of seconds or, depending on its size, of smaller units."""
    # the last second of the year 9999 means "never"; the loop below would read it as milliseconds
    if not value >= FIRST_EPOCH or value == _LAST_SECOND:
        return None
    for limit, divisor in ((_NANOSECONDS_FROM, 10**9), (_MICROSECONDS_FROM, 10**6), (_MILLISECONDS_FROM, 10**3)):
        if value >= limit:
            value = value / divisor
            break
    return _first_instant(known_date(datetime.fromtimestamp(value, UTC))) if value <= _LAST_SECOND else None


def to_day(value: Any) -> date | None:
    """Return the UTC day of a date or time."""
    text = value.strip() if isinstance(value, str) else ""
    if text and not _EPOCH.fullmatch(text):
        found = known_date(instants.parse(text))
        return found.date() if isinstance(found, datetime) else found
    found = to_instant(value)
    return None if found is None else found.date()


def _first_instant(found: datetime | date | None) -> datetime | None:
    if found is None or isinstance(found, datetime):
        return found
    return datetime.combine(found, time(), UTC)
