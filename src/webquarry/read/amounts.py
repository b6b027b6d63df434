"""Numbers as people write them: "1,234", "1.2M", "1,2 Mio.", "12 тыс.", "1.2万", "24,17 €", "12 %".

What a dot or a comma means is decided by these rules, in order:
1. Of two kinds of them in one number the last one is the decimal mark and the other one sets apart thousands.
2. One that stands several times sets apart thousands. White space, thin and no-break, and apostrophes always do.
3. A single one that is not followed by exactly three digits is the decimal mark, and so is any behind a leading zero.
4. A single one followed by three digits ("1.234") is ambiguous. It is the decimal mark before a unit ("1.234 Mio."); it
   sets apart thousands where no fraction can be meant: in counts, and in money without minor units; and anywhere it is
   what the caller says who knows the source's language (`decimal`). Else there is no number.

Everything is total and exact: decimal arithmetic, None for what is not wholly understood.
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
# Words and signs for powers of ten; a dot behind one counts only where it changes it (`mil` is a thousand in Spanish,
# `mil.` a million in Czech). Those that mean two are read as English has them: services that show numbers in German or
# French write `Mrd.` and `Md`, not Billion.
SIGNS: Final = tuple(unit for unit in _UNITS if unit[0] > "\u2e80")
"""Units that words follow without a space."""

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
"""Signs of one currency. `$`, `¥` and `kr` are of several and so of none."""
_SHARED: Final = frozenset({"$", "¥", "￥", "kr", "kr.", ""})


@dataclass(frozen=True, slots=True)
class Money:
    """minor: in the smallest unit of the currency (cents; yen), whose ISO 4217 code is upper case."""

    minor: int
    currency: str


def minor_digits(currency: str) -> int:
    """Digits behind the decimal mark of an amount, by ISO 4217."""
    return _MINOR_DIGITS.get(currency, 2)


def is_currency(code: str) -> bool:
    """Whether the code has the form of ISO 4217."""
    return _CURRENCY.fullmatch(code) is not None


def parse_count(text: str, decimal: DecimalMark | None = None, *, of_things: bool = False) -> int | None:
    """A number of things, "at least" so many ("1.2M+") included. None for a fraction of a thing.

    of_things: words may stand behind it that say of what ("1,862 views", "12 тыс. подписчиков"); their first one is a
    unit where it is known as one, so that a text that may say "5 m" of metres is not for this. None where another
    number follows: the text does not say which one counts.
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
    """Any number, with a unit or without. "1.234" is None unless `decimal` says what its dot is."""
    amount = _parse_said(text)
    if amount is None:
        return None
    unit = _unit(amount.rest)
    number = None if unit is None else _number(amount.figures, decimal, has_unit=unit != 1)
    return None if number is None or unit is None else (-number if amount.sign == "-" else number) * unit


def parse_percent(text: str, decimal: DecimalMark | None = None) -> Decimal | None:
    """The number of "12 %", "+12,5%" or "%12"; None without the sign."""
    bare = _plain(text)
    if bare is None:
        return None
    for sign in ("%", "٪", "﹪"):
        if sign in bare and bare.count(sign) == 1 and (bare.startswith(sign) or bare.endswith(sign)):
            return parse_number(bare.replace(sign, ""), decimal)
    return None


def parse_money(text: str, currency: str, decimal: DecimalMark | None = None) -> Money | None:
    """An amount of this currency, with its sign or code before or behind it, or without. None for an amount of another
    currency, a range, or more digits than the currency has."""
    bare = _plain(text)
    if bare is None or not is_currency(currency):
        return None
    first = next((place for place, sign in enumerate(bare) if sign.isdigit()), None)
    if first is None:
        return None
    before, after = bare[:first].strip(), ""
    minus = before.startswith(("-", "−")) or before.endswith(("-", "−"))
    body = _BODY.fullmatch(bare[first:])
    if body is None:
        return None
    after = body[3].strip()
    signs = [sign for sign in (before.strip("-−+ ").casefold(), after.casefold()) if sign]
    if len(signs) > 2 or not all(_is_of(sign, currency) for sign in signs):
        return None
    number = _number(body[2].strip(), decimal, digits=minor_digits(currency))
    return None if number is None else to_minor(-number if minus else number, currency)


def to_minor(amount: Decimal, currency: str) -> Money | None:
    """None when the currency has no unit so small, or the amount more digits than a number of JSON may have."""
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
    """In compatible characters, with single plain spaces; None for what is too long for a number."""
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
    """The power of ten that the words behind a number say, 1 for none; None when they say something else."""
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
    """figures: digits, dots, commas, spaces and apostrophes. digits: most behind the decimal mark, where that is
    known."""
    figures = figures.rstrip(".,'’ ") if figures[-1:] in "'’ " else figures
    marks = [sign for sign in figures if sign in ".,"]
    mark = _decimal_mark(figures, marks, decimal, is_whole=is_whole, has_unit=has_unit, digits=digits)
    if mark is None:
        return None
    whole, _, fraction = figures.rpartition(mark) if mark and mark in figures else (figures, "", "")
    if mark and mark in figures and not fraction.isdecimal():
        return None
    if is_whole and fraction:
        return None
    ungrouped = _ungroup(whole)
    if (
        ungrouped is None
        or len(ungrouped) + len(fraction) > MAX_DIGITS
        or (digits is not None and len(fraction) > digits)
    ):
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
    """ "." or ",", "" when there is none, None when it cannot be told."""
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
    """The digits of a whole number whose thousands may be set apart by one sign, in threes or as in India."""
    if whole.isdecimal():
        return whole
    signs = {sign for sign in whole if not sign.isdecimal()}
    if len(signs) != 1:
        return None
    first, *groups = whole.split(signs.pop())
    if not first.isdecimal() or first.startswith("0") or not all(group.isdecimal() for group in groups):
        return None
    lengths = [len(group) for group in groups]
    is_in_threes = len(first) <= 3 and all(length == 3 for length in lengths)
    is_indian = len(first) <= 2 and lengths[-1] == 3 and all(length == 2 for length in lengths[:-1])
    return first + "".join(groups) if is_in_threes or is_indian else None


def _is_of(sign: str, currency: str) -> bool:
    """Whether a sign may stand with an amount of the currency."""
    if sign in _SHARED or sign.upper() == currency:
        return True
    known = _MARKS.get(sign)
    return known == currency
