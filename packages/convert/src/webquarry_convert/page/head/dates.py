"""Parsing of dates in metadata and in text."""

import re
from collections.abc import Iterator
from datetime import date, datetime

from webquarry_convert.text.instants import parse

MAX_TEXT = 200
"""Maximum length, in characters, of a line with a date. Longer text is prose that mentions dates."""
FIRST_YEAR = 1000
"""First accepted year. Software writes earlier years to express "no date"."""
FIRST_WEB_YEAR = 1990

# English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Danish, Polish, Russian, Turkish.
_MONTH_NAMES = (
    "january jan januar jänner janvier enero ene gennaio gen janeiro januari stycznia января янв ocak",
    "february feb februar février fév fevrier febrero febbraio fevereiro fev februari lutego февраля фев şubat",
    "march mar märz mrz mars marzo março maart mrt marts marca марта мар mart",
    "april apr avril avr abril abr aprile kwietnia апреля апр nisan",
    "may mai mayo maggio mag maio mei maj maja мая mayıs",
    "june jun juni juin junio giugno giu junho czerwca июня июн haziran",
    "july jul juli juillet juil julio luglio lug julho lipca июля июл temmuz",
    "august aug août aout agosto ago augustus augusti sierpnia августа авг ağustos",
    "september sep sept septembre septiembre settembre set setembro września сентября сен eylül",
    "october oct oktober okt octobre octubre ottobre ott outubro out października октября окт ekim",
    "november nov novembre noviembre novembro listopada ноября ноя kasım",
    "december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro grudnia декабря дек aralık",
)
MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_YEAR_FIRST = re.compile(
    r"(?<!\d)(?P<y>(?:19|20)\d\d)(?:(?P<mark>[-/.])(?P<m>\d{1,2})(?P=mark)(?P<d>\d{1,2})"
    r"|\s?[年년]\s?(?P<mm>\d{1,2})\s?[月월]\s?(?P<dd>\d{1,2})\s?[日일])(?!\d)"
)
_DAY_FIRST = re.compile(r"(?<![\d.:/-])(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d\d)(?![\d./-])")
_NAMED = re.compile(
    r"(?<!\d)(?P<d>\d{1,2})(?:st|nd|rd|th|er|[.º])?(?:\s+(?:de|of))?[\s-]+(?P<m>[^\W\d_]{3,12})\.?,?(?:\s+de)?[\s-]+(?P<y>(?:19|20)\d\d)(?!\d)"
    r"|(?<![^\W\d_])(?P<mm>[^\W\d_]{3,12})\.?\s+(?P<dd>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<yy>(?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_IN_PATH = re.compile(
    r"/(?:[^/]*?[^\d/])?((?:19|20)\d\d)(?:([/-])(\d{1,2})\2(\d{1,2})|(\d\d)(\d\d))(?!\d)[^?#]*?[^\W\d_]"
)


def parse_instant(value: str | None) -> str | None:
    """Return an instant as `2024-05-01T06:30:00Z`, a date without a time as `2024-05-01`, and None for other text."""
    found = parse(value) if value else None
    if found is None or found.year < FIRST_YEAR:
        return None
    return found.strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(found, datetime) else found.isoformat()


def parse_day(value: str | None) -> str | None:
    """Return the date in a line written for people as `2024-05-01`, as found by `find_date`."""
    found = find_date(value) if value else None
    return None if found is None else found.isoformat()


def find_date(text: str) -> date | None:
    """Return the date in a short text, or None if there are several dates or the date is ambiguous.

    `04/05/2024` may be April or May; `13/05/2024` and `04.05.2024` are read as day first.
    """
    if len(text) > MAX_TEXT:
        return None
    found = {*_read_year_first(text), *_read_named(text)}
    for match in _DAY_FIRST.finditer(text):
        order = _find_order(match)
        if order is None:
            return None
        found.add(_make_date(match[4], *order))
    found.discard(None)
    return found.pop() if len(found) == 1 else None


def _read_year_first(text: str) -> Iterator[date | None]:
    """Yield the dates that begin with the year. An impossible date gives None."""
    for match in _YEAR_FIRST.finditer(text):
        yield _make_date(match["y"], match["m"] or match["mm"], match["d"] or match["dd"])


def _read_named(text: str) -> Iterator[date | None]:
    """Yield the dates with the name of a month. An impossible date or an unknown name gives None."""
    for match in _NAMED.finditer(text):
        month = MONTHS.get((match["m"] or match["mm"]).lower())
        yield _make_date(match["y"] or match["yy"], month, match["d"] or match["dd"]) if month else None


def _find_order(match: re.Match[str]) -> tuple[str, str] | None:
    """Return the month and day of a date that ends with the year, or None if their order is ambiguous."""
    first, mark, second = match[1], match[2], match[3]
    if mark == "." or int(first) > 12:
        return second, first
    return (first, second) if int(second) > 12 or first == second else None


def find_date_in_path(path: str) -> date | None:
    """Return the date in a URL's path. Blogs and newspapers write `/2024/05/01/name` or `/20240501/name`."""
    match = _IN_PATH.search(path[:1000])
    return None if match is None else _make_date(match[1], match[3] or match[5], match[4] or match[6])


def _make_date(year: str, month: str | int, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day)) if int(year) >= FIRST_WEB_YEAR else None
    except ValueError:
        return None
