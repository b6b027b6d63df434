"""Recognizes facts in short texts by their form: a date or time, an amount of money, or an author's name."""

import re
from collections.abc import Sequence
from typing import NamedTuple

MAX_CHARS = 120
"""Maximum length, in characters, of a text that states a fact."""
_DIGIT = re.compile(r"\d")
_MONTH_NAMES = """
    jan feb mar mär apr may mai maj jun jul aug sep okt oct nov dec dez déc fév avr jui aoû ene abr ago dic gen mag giu
    lug set ott fev out sty lut kwi cze lip sie wrz paź lis gru янв фев мар апр май мая июн июл авг сен окт ноя дек
"""
_MONTH_STARTS = frozenset(_MONTH_NAMES.split())
_BEFORE_SPAN = frozenset({"vor", "hace"})
_DAY = re.compile(
    r"\d(?<!\d\d)(?:\d?[./-]\d{1,2}[./-](?:\d{4}|\d{2})(?!\d)"
    r"|(?:(?<=1)9|(?<=2)0)\d\d[./-]\d{1,2}[./-]\d{1,2}(?!\d)"
    r"|\d{0,3} ?(?:[年月日년월일]|[^\W\d_]{1,12} (?:ago|fa|geleden|назад|temu|sedan|siden)(?!\w)"
    r"|(?:分钟|小时|天|週|周|時間|分)前))"
)
"""Matches a date.

The pattern begins with a digit that no digit precedes, because a search for a rare first character is faster.
"""
_BESIDE_NUMBER = re.compile(
    r"(?<!\d)\d{1,4}(?:st|nd|rd|th|\.)?[ -]{1,2}(?:de |of )?([^\W\d_]{3,14})"
    r"|(?<![^\W\d_])([^\W\d_]{3,14}+)(?=\.? \d{1,2}(?!\d))"
)
"""Matches the word directly after or before a number."""
_TODAY = re.compile(
    r"(?<!\w)(?=[tyhgaiovсв])(?:today|yesterday|heute|gestern|hier|ayer|hoy|ieri|oggi|aujourd|vandaag|gisteren"
    r"|вчера|сегодня)(?!\w)"
)
_SIGNS = "[$€£¥₹₽₩₺₴₪฿₫]"
_CODES = "usd|eur|gbp|chf|cad|aud|nzd|sek|nok|dkk|pln|czk|huf|ron|inr"
_CURRENCY = rf"{_SIGNS}|(?<![a-z])(?:{_CODES}|rs|kn|kr|zł|kč|ft|lei|руб|тг|ars|r)"
_AMOUNT = r"(?<![\d.,])\d[\d.,']{0,14}(?: \d{3}(?:[.,]\d{2})?)?(?:,-)? ?"
_PRICE = re.compile(rf"(?:{_CURRENCY})\.? ?\d|{_AMOUNT}(?:{_CURRENCY}|,-)")
_SUM = re.compile(
    rf"(?:{_SIGNS}|(?<![a-z])(?:{_CODES}))\.? ?\d|(?:{_CURRENCY})(?:\. ?| )\d"
    rf"|{_AMOUNT}(?:(?:{_CURRENCY})(?:os?|л[ьея]й?)?|,-)(?![^\W\d_])"
)


class Named(NamedTuple):
    """Flags with one byte per text.

    days: 1 for a text with a date or a relative time, otherwise 0. prices: 1 for a text with a price and its currency,
    otherwise 0.
    """

    days: bytes
    prices: bytes


def find_named(texts: Sequence[str]) -> Named:
    """Return which texts contain dates and prices. texts: strings of any length. The flags of long strings are 0."""
    days, prices = bytearray(len(texts)), bytearray(len(texts))
    for place, text in enumerate(texts):
        if _is_short_with_digit(text):
            low = text.lower()
            days[place] = _names_day(low)
            prices[place] = _names_price(low)
    return Named(bytes(days), bytes(prices))


def has_sum(text: str) -> bool:
    """Return whether a short text contains an amount of money, regardless of its white space.

    Rejects matches where the currency is part of another word, such as `8 results` and `KR800`. The forest was trained
    without this condition.
    """
    line = " ".join(text[: 8 * MAX_CHARS].split())
    if not _is_short_with_digit(line):
        return False
    low = line.lower()
    return _names_price(low) and _SUM.search(low) is not None


def _is_short_with_digit(text: str) -> bool:
    return len(text) <= MAX_CHARS and _DIGIT.search(text) is not None


def _names_day(low: str) -> bool:
    """Return whether a text contains a date. low: a lowercase text with a digit."""
    if _DAY.search(low) is not None:
        return True
    words = [word for pair in _BESIDE_NUMBER.findall(low) for word in pair if word]
    return any(word[:3] in _MONTH_STARTS or word in _BEFORE_SPAN for word in words) or _TODAY.search(low) is not None


def _names_price(low: str) -> bool:
    """Return whether a text contains a price. low: a lowercase text, as in `_names_day`."""
    return _PRICE.search(low.replace("\u00a0", " ")) is not None
