"""Numbers as people write them: "1,234", "1.2M", "1,2 Mio.", "12 тыс.", "1.2万", "24,17 €", "12 %".

These rules decide, in this order, what a dot or comma means:

1. If both occur in a number, the last one is the decimal mark and the other separates thousands.

2. A mark that occurs several times separates thousands. White space, including thin and no-break spaces, and
apostrophes always separate thousands.

3. A single mark that is not followed by exactly three digits is the decimal mark, as is any mark after a leading zero.

4. A single mark followed by three digits ("1.234") is ambiguous. Before a unit ("1.234 Mio.") it is the decimal mark.
It separates thousands where fractions are impossible: in counts, and in money without minor units. A caller that knows
the source's language can pass `decimal`. Otherwise the result is None.

All functions accept any text and are exact: they use decimal arithmetic, and return None for text that they do not
fully understand.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

MAX_LENGTH: Final = 64
MAX_DIGITS: Final = 18
DecimalMark = Literal[".", ","]

_K, _M, _B, _T = Decimal(10) ** 3, Decimal(10) ** 6, Decimal(10) ** 9, Decimal(10) ** 12
_MAN, _OKU = Decimal(10) ** 4, Decimal(10) ** 8
_SPELLED: Final[Mapping[Decimal, str]] = {
    _K: """k thousand tsd tausend mil mille mila тыс тысяч тис тисяч tys tysięcy tis tisíc tusen bin ribu rb nghìn nghin
        ngàn ezer хил χιλ พัน हज़ार हजार ألف אלף 千 천 duizend tūkst""",
    _M: """m mn mln mio mill mil. million millions millionen millones millón milhão milhões mi milioni milione milyon
        miljoner miljoen miljoona milj миллион миллиона миллионов млн мільйон мільйонів milion milionów milionů juta jt
        triệu εκ ล้าน مليون מיליון millió 百万""",
    _B: """b bn bln mrd mia md mld mdr milliard milliards milliarden miliardi miliardo milyar miljard miljarder bi
        billion billions bilhão bilhões млрд миллиард миллиардов мільярд tỷ مليار מיליארד""",
    _T: "trillion trillions трлн",
    _MAN: "万 萬 만 หมื่น",
    _OKU: "億 亿 억",
    Decimal(10) ** 5: "lakh lakhs lac लाख แสน",
    Decimal(10) ** 7: "crore crores cr करोड़",
}
_UNITS: Final[Mapping[str, Decimal]] = {
    unicodedata.normalize("NFKC", word).casefold(): unit for unit, words in _SPELLED.items() for word in words.split()
}
# Words and symbols for powers of ten. A final dot only matters if it changes the meaning (`mil` is a thousand in
# Spanish, `mil.` a million in Czech). Words with two meanings are read in their English meaning, because services that
# show numbers in German or French write `Mrd.` and `Md`, not Billion.
SIGNS: Final = tuple(unit for unit in _UNITS if unit[0] > "\u2e80")
"""Units that words can follow without a space."""

_SPACES: Final = re.compile(r"[\s\u00a0\u2000-\u200b\u202f\u2060]+")
_BODY: Final = re.compile(r"([+\u2212-]?)([0-9][0-9.,'’ ]*+)(.*)", re.DOTALL)
_WITHOUT_MINOR: Final = frozenset(
    (
        "BIF",
        "CLP",
        "DJF",
        "GNF",
        "ISK",
        "JPY",
        "KMF",
        "KRW",
        "PYG",
        "RWF",
        "UGX",
        "UYI",
        "VND",
        "VUV",
        "XAF",
        "XOF",
        "XPF",
    )
)
_WITH_MILLS: Final = frozenset(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"))
_MINOR_DIGITS: Final[Mapping[str, int]] = {
    **dict.fromkeys(_WITHOUT_MINOR, 0),
    **dict.fromkeys(_WITH_MILLS, 3),
}
_CURRENCY: Final = re.compile(r"[A-Z]{3}", re.ASCII)
_MARKS: Final[Mapping[str, str]] = {
    "€": "EUR", "£": "GBP", "₹": "INR", "₫": "VND", "đ": "VND", "₩": "KRW", "฿": "THB", "₱": "PHP", "₺": "TRY",
    "₽": "RUB", "₴": "UAH", "₪": "ILS", "₦": "NGN", "us$": "USD", "r$": "BRL", "zł": "PLN", "rp": "IDR", "rm": "MYR",
    "s$": "SGD", "a$": "AUD", "c$": "CAD", "hk$": "HKD", "nt$": "TWD", "mx$": "MXN", "chf": "CHF",
}  # fmt: skip
"""Symbols of exactly one currency. Several currencies share `$`, `¥` and `kr`, so these symbols are not listed."""
_SHARED: Final = frozenset({"$", "¥", "￥", "kr", "kr.", ""})


@dataclass(frozen=True, slots=True)
class Money:
    """An amount of money.

    `minor` is in the currency's smallest unit (cents; yen); `currency` is an upper-case ISO 4217 code.
    """

    minor: int
    currency: str


def minor_digits(currency: str) -> int:
    """Return the number of digits after the decimal mark in amounts of a currency (ISO 4217)."""
    return _MINOR_DIGITS.get(currency, 2)


def is_currency(code: str) -> bool:
    """Return whether the code has the form of an ISO 4217 code."""
    return _CURRENCY.fullmatch(code) is not None


def parse_count(text: str, decimal: DecimalMark | None = None, *, of_things: bool = False) -> int | None:
    """Parse a number of things, including lower bounds ("1.2M+"). Return None for fractions.

    With `of_things`, words that name the things may follow ("1,862 views", "12 тыс. подписчиков"). If the first word is
    a known unit, it is treated as a unit, so don't use this option for strings in which "5 m" may mean meters. Returns
    None if another number follows, because it is unclear which number is meant.
    """
    amount = _parse_said(text)
    if amount is None or amount.sign == "-" or (of_things and any(sign.isdigit() for sign in amount.rest)):
        return None
    unit = _unit(amount.rest.rstrip("+").rstrip(), of_things=of_things)
    if unit is None:
        return None
    number = _number(amount.figures, decimal, is_whole=unit == 1, has_unit=unit != 1)
    if number is None:
        return None
    counted = number * unit
    return int(counted) if counted == counted.to_integral_value() and counted < 10**MAX_DIGITS else None


def parse_number(text: str, decimal: DecimalMark | None = None) -> Decimal | None:
    """Parse any number, with or without a unit.

    The result for "1.234" is None unless `decimal` defines the meaning of the dot.
    """
    amount = _parse_said(text)
    if amount is None:
        return None
    unit = _unit(amount.rest)
    number = None if unit is None else _number(amount.figures, decimal, has_unit=unit != 1)
    return None if number is None or unit is None else (-number if amount.sign == "-" else number) * unit


def parse_percent(text: str, decimal: DecimalMark | None = None) -> Decimal | None:
    """Parse a percentage such as "12 %", "+12,5%" or "%12". Return None without a percent sign."""
    bare = _plain(text)
    if bare is None:
        return None
    for sign in ("%", "٪", "﹪"):
        if sign in bare and bare.count(sign) == 1 and (bare.startswith(sign) or bare.endswith(sign)):
            return parse_number(bare.replace(sign, ""), decimal)
    return None


def parse_money(text: str, currency: str, decimal: DecimalMark | None = None) -> Money | None:
    """Parse an amount of this currency, with the currency's symbol or code before or after the number, or without.

    Returns None for another currency, a range, or more digits than the currency has.
    """
    bare = _plain(text)
    if bare is None or not is_currency(currency):
        return None
    first = next((place for place, sign in enumerate(bare) if sign.isdigit()), len(bare))
    before = bare[:first].strip()
    body = _BODY.fullmatch(bare[first:])
    if body is None:
        return None
    minus = before.startswith(("-", "−")) or before.endswith(("-", "−"))
    signs = (before.strip("-−+ ").casefold(), body[3].strip().casefold())
    if not all(sign == "" or _is_of(sign, currency) for sign in signs):
        return None
    number = _number(body[2].strip(), decimal, digits=minor_digits(currency))
    return None if number is None else to_minor(-number if minus else number, currency)


def to_minor(amount: Decimal, currency: str) -> Money | None:
    """Return the amount in minor units, or None if it is not a whole number of them or too large for JSON."""
    scaled = amount.scaleb(minor_digits(currency)) if abs(amount) < 10**MAX_DIGITS else None
    if scaled is None or scaled != scaled.to_integral_value():
        return None
    return Money(int(scaled), currency)


@dataclass(frozen=True, slots=True)
class _Said:
    sign: str
    figures: str
    rest: str


def _plain(text: str) -> str | None:
    """Return the text in compatibility form, with single plain spaces, or None if it is too long for a number."""
    if len(text) > MAX_LENGTH:
        return None
    normal = unicodedata.normalize("NFKC", text)
    digits = "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in normal)
    return _SPACES.sub(" ", digits).strip() if len(digits) <= 4 * MAX_LENGTH else None


def _parse_said(text: str) -> _Said | None:
    bare = _plain(text)
    body = _BODY.fullmatch(bare) if bare else None
    if body is None:
        return None
    sign = "-" if body[1] in ("-", "−") else ""
    return _Said(sign, body[2].strip(), body[3].strip().casefold())


def _unit(rest: str, *, of_things: bool = False) -> Decimal | None:
    """Return the power of ten named by the words after a number, 1 if there are no words, or None for unknown words."""
    if not rest:
        return Decimal(1)
    word = rest.split(" ", 1)[0].rstrip("+,;:") if of_things else rest
    known = _UNITS.get(word) or _UNITS.get(word.rstrip("."))
    if known is not None or not of_things:
        return known
    sign = next((sign for sign in SIGNS if word.startswith(sign)), None)
    if sign is not None:
        return _UNITS[sign]
    return Decimal(1) if word[:1].isalpha() else None


def _number(
    figures: str,
    decimal: DecimalMark | None,
    *,
    is_whole: bool = False,
    has_unit: bool = False,
    digits: int | None = None,
) -> Decimal | None:
    """Parse `figures`, which consists of digits, dots, commas, spaces and apostrophes.

    `digits` is the maximum number of digits after the decimal mark, if known.
    """
    figures = figures.rstrip(".,'’ ") if figures[-1:] in "'’ " else figures
    marks = [sign for sign in figures if sign in ".,"]
    mark = _decimal_mark(figures, marks, decimal, is_whole=is_whole, has_unit=has_unit, digits=digits)
    if mark is None:
        return None
    whole, fraction = figures, ""
    if mark and mark in figures:
        whole, _, fraction = figures.rpartition(mark)
        if is_whole or not fraction.isdecimal():
            return None
    ungrouped = _ungroup(whole)
    most = MAX_DIGITS if digits is None else digits
    if ungrouped is None or len(fraction) > most or len(ungrouped) + len(fraction) > MAX_DIGITS:
        return None
    return Decimal(f"{ungrouped}.{fraction or '0'}")


def _decimal_mark(
    figures: str,
    marks: list[str],
    decimal: DecimalMark | None,
    *,
    is_whole: bool,
    has_unit: bool,
    digits: int | None,
) -> str | None:
    """Return the decimal mark, "." or ",", "" if there is none, or None if it is ambiguous."""
    if not marks:
        return ""
    last = marks[-1]
    if len(set(marks)) == 2:
        return last if marks.count(last) == 1 else None
    if len(marks) > 1:
        return ""
    if decimal is not None:
        return last if last == decimal else ""
    head, _, tail = figures.rpartition(last)
    if len(tail) != 3 or head.startswith("0") or len(head) > 3:
        return last
    if has_unit:
        return last
    if is_whole or digits == 0:
        return ""
    return None


def _ungroup(whole: str) -> str | None:
    """Return the digits of a whole number without the separator of its groups, which may be thousands or Indian
    groups.
    """
    if whole.isdecimal():
        return whole
    signs = {sign for sign in whole if not sign.isdecimal()}
    if len(signs) != 1:
        return None
    first, *groups = whole.split(signs.pop())
    if first.startswith("0") or not all(map(str.isdecimal, (first, *groups))):
        return None
    return first + "".join(groups) if _are_groups(len(first), [len(group) for group in groups]) else None


def _are_groups(first: int, others: list[int]) -> bool:
    """Return whether groups of these lengths form a whole number, in thousands or in Indian groups."""
    if first <= 3 and all(length == 3 for length in others):
        return True
    return first <= 2 and others[-1] == 3 and all(length == 2 for length in others[:-1])


def _is_of(sign: str, currency: str) -> bool:
    """Return whether a symbol can stand for the currency."""
    if sign in _SHARED or sign.upper() == currency:
        return True
    known = _MARKS.get(sign)
    return known == currency
