"""Publication dates from the text that a source displays: a time, a day, or None if it is unclear.

Sources write for readers in their language: "3 days ago", "vor einem Tag", "Aug 31, 2022", "2026年6月27日". Ages
in weeks, months and years are only approximate, and dates in digits (03/04/2024) are ambiguous: the result is
None for both, and for dates without a year or in the future.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Final

from webquarry.read.time_words import FILLERS, LANGUAGES
from webquarry_convert.text.instants import parse

MAX_LENGTH: Final = 64
MAX_HEAD: Final = 40
"""Maximum length of a date before a snippet."""
FUTURE: Final = timedelta(days=1)
"""Maximum time that a date may be after the fetch, because of time zones."""
UNITS: Final = ("seconds", "minutes", "hours", "days", "weeks", "months", "years")
_EXACT: Final = frozenset(UNITS[:4])
_MAX_ENDING: Final = 8
_BUDDHIST: Final = range(2443, 2643)
"""Years of the Thai calendar, which is 543 years ahead."""

_YEAR_FIRST = re.compile(
    r"([0-9]{4})(?:([-/.]) ?| ?[年년] ?)([0-9]{1,2})(?:\2 ?| ?[月월] ?)([0-9]{1,2})(?:\.| ?[日일])?", re.ASCII
)
_IN_FIGURES = re.compile(r"([0-9]{1,2})([-/.]) ?([0-9]{1,2})\2 ?([0-9]{4})", re.ASCII)
_ISO_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[t ][0-9]{2}:.*", re.ASCII | re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,4}", re.ASCII)
_PARTS = re.compile(
    r"[0-9]{1,4}(?![0-9])|[^\W\d_](?:[\w.'\u0300-\u036f\u0900-\u097f\u0e00-\u0e7f](?<![0-9]))*", re.UNICODE
)
_BETWEEN = re.compile(r"\s{1,3}(?:[·•|–—-]|\.{3}|…)\s{1,3}")
_EDGES = "·•|–—- \t\u2002\u2003\u00a0"
_INVISIBLE = re.compile(r"[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def published(shown: str | None, now: datetime) -> datetime | date | None:
    """Return when something was published, according to the displayed text.

    `now` is the time when the text was fetched, in UTC. The result is a time in whole minutes for minutes and hours
    ago, a day for days ago, and a time for a date with a time, which is in UTC unless the text names a zone.
    """
    text = _folded(shown)
    if text is None:
        return None
    found = _relative(text, now) or _absolute(text)
    if found is None:
        return None
    latest = now + FUTURE
    is_ahead = found > latest if isinstance(found, datetime) else found > latest.date()
    return None if is_ahead else found


def says_when(shown: str | None) -> bool:
    """Return whether a text is only a date or an age, even if `published` cannot determine the day."""
    text = _folded(shown)
    return text is not None and (_ago(text) is not None or text in _DAYS or _absolute(text) is not None)


def split_date(snippet: str | None) -> tuple[str | None, str | None]:
    """Split the date before a snippet ("4 days ago - The text", "2026年6月27日 · …") from the rest.

    Returns None and the snippet if there is no date.
    """
    match = _BETWEEN.search(snippet, 0, MAX_HEAD + 5) if snippet else None
    if snippet is None or match is None or not says_when(head := snippet[: match.start()].strip(_EDGES)):
        return None, snippet
    return head, snippet[match.end() :].lstrip(_EDGES) or None


def without_edges(snippet: str | None) -> str | None:
    """Return a snippet without the separators between it and a date."""
    return snippet.strip(_EDGES) or None if snippet else None


def ago_languages(words: Collection[str]) -> tuple[str | None, set[str]]:
    """Return the unit of an age ("days") in these folded words, and the languages that have both the unit and "ago"."""
    ago = {code for word in words for code in _languages("ago", word)}
    for unit in UNITS:
        said = {code for word in words for code in _languages(unit, word)} & ago
        if said:
            return unit, said
    return None, set()


def is_time_word(word: str) -> bool:
    """Return whether a folded word denotes a time in any language."""
    return any(_languages(kind, word) for kind in ("ago", *UNITS, "one", "two", "today", "yesterday"))


def fold(text: str) -> str:
    """Normalize a text in the same way as the tables' entries: compatibility form, lower case, ASCII digits and
    apostrophes.
    """
    normal = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().replace("\u2019", "'").replace("ʼ", "'")
    return "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in normal)


def _folded(shown: str | None) -> str | None:
    return " ".join(fold(shown).split()) if shown is not None and len(shown) <= MAX_LENGTH else None


def _relative(text: str, now: datetime) -> datetime | date | None:
    if text in _DAYS:
        return now.date() - timedelta(days=_DAYS[text])
    count, unit = _ago(text) or (None, "")
    if count is None or unit not in _EXACT:
        return None
    then = now - timedelta(**{unit: float(count)})
    return then.date() if unit == "days" else then.astimezone(UTC).replace(second=0, microsecond=0)


def _ago(text: str) -> tuple[int | None, str] | None:
    """Return the number and unit of an age, or None if any word is unknown. The number may be missing."""
    parts = [part.rstrip(".") for part in _PARTS.findall(text)]
    numbers = list(filter(_NUMBER.fullmatch, parts))
    words = [part for part in parts if not part[0].isdigit()]
    unit, codes = ago_languages(words)
    if unit is None or not all(word in _FILLERS or _is_said(word, codes, "ago", unit, "one") for word in words):
        return None
    if numbers:
        return (int(numbers[0]), unit) if len(numbers) == 1 and len(numbers[0]) <= 3 else None
    return _count_in_words(words, codes, unit), unit


def _count_in_words(words: list[str], codes: set[str], unit: str) -> int | None:
    """Return the number of units, one or two, that the text states in words, or None if the text states no number."""
    if any(_is_said(word, codes, "two") and _TWOS[word] == unit for word in words):
        return 2
    return 1 if any(_is_said(word, codes, "one") for word in words) else None


def _is_said(word: str, codes: set[str], *kinds: str) -> bool:
    """Return whether a word has one of the meanings in one of the languages."""
    return any(codes & _languages(kind, word) for kind in kinds)


def _absolute(text: str) -> datetime | date | None:
    if match := _YEAR_FIRST.fullmatch(text):
        return _day(match[1], int(match[3]), match[4])
    if match := _IN_FIGURES.fullmatch(text):
        return _one_reading(int(match[1]), int(match[3]), match[4])
    if _ISO_INSTANT.fullmatch(text):
        return parse(text.upper())
    return _in_words(text)


def _one_reading(first: int, second: int, year: str) -> date | None:
    """Return the day of a date in digits if only one reading is possible (27/06/2026), or None (03/04/2024)."""
    if (first > 12) == (second > 12):
        return None
    return _day(year, second, str(first)) if first > 12 else _day(year, first, str(second))


def _in_words(text: str) -> date | None:
    """Return the day from a year, a day and the name of a month, in any order, optionally after a weekday."""
    parts = _PARTS.findall(text)
    numbers = list(filter(_NUMBER.fullmatch, parts))
    words = [part.rstrip(".") for part in parts if not part[0].isdigit()]
    days = [number for number in numbers if len(number) <= 2]
    year = _find_year(numbers)
    if year is None:
        return None
    if len(days) == 2 and words in _NUMBERED_MONTHS:
        return _day(year, int(days[1]), days[0])
    month = _find_month(words, begins_with_word=not parts[0][0].isdigit()) if len(days) == 1 else None
    return None if month is None else _day(year, month, days[0])


def _find_year(numbers: list[str]) -> str | None:
    """Return the Gregorian year among the numbers of a date, or None if there is no year or more than one."""
    years = [number for number in numbers if len(number) == 4]
    if len(years) != 1:
        return None
    return str(int(years[0]) - 543) if int(years[0]) in _BUDDHIST else years[0]


_NUMBERED_MONTHS = (["thg"], ["tháng"], ["ngày", "tháng"], ["tháng", "năm"], ["ngày", "tháng", "năm"])
"""The words in Vietnamese dates, in which months are numbers."""


def _find_month(words: list[str], *, begins_with_word: bool) -> int | None:
    """Return the month that the words of a date name, or None if they name no month, several months, or anything else.

    A date that begins with a word may begin with a weekday.
    """
    named = [(place, months) for place, word in enumerate(words) if (months := _months(word))]
    if len(named) == 2 and named[0][0] == 0 and begins_with_word:
        del named[0]  # "mar. 27 juin 2026" begins with an abbreviated weekday
    if len(named) != 1 or len(named[0][1]) != 1:
        return None
    place, (month,) = named[0]
    unknown = {at for at, word in enumerate(words) if word not in _FILLERS} - {place}
    return month if unknown <= ({0} if begins_with_word else set()) else None


def _months(word: str) -> set[int]:
    """Return the months that a word may name: several if languages differ ("listopad")."""
    fitting = [
        (len(stem), number)
        for table in _MONTHS.values()
        for stem, number in table.items()
        if word.startswith(stem) and len(word) - len(stem) <= _MAX_ENDING
    ]
    longest = max((length for length, _ in fitting), default=0)
    return {number for length, number in fitting if length == longest}


def _day(year: str, month: int | None, day: str) -> date | None:
    try:
        return date(int(year), month or 0, int(day))
    except ValueError:
        return None


def _languages(kind: str, word: str) -> set[str]:
    found = set(_WORDS[kind].get(word, ()))
    for stem, code in _STEMS[kind].get(word[:1], ()):
        if word.startswith(stem) and len(word) - len(stem) <= 6:
            found.add(code)
    return found


def _listed() -> Iterator[tuple[str, str, str]]:
    names = {"months": "months_long"}
    for code, words in LANGUAGES.items():
        for kind in ("ago", *UNITS, "one", "two", "today", "yesterday"):
            for word in getattr(words, names.get(kind, kind)).split():
                yield kind, code, fold(word.partition("=")[0])


_FILLERS: Final = frozenset(fold(FILLERS).split())
_WORDS: Final[dict[str, dict[str, set[str]]]] = defaultdict(lambda: defaultdict(set))
_STEMS: Final[dict[str, dict[str, list[tuple[str, str]]]]] = defaultdict(lambda: defaultdict(list))
for _kind, _code, _word in _listed():
    if _word.endswith("*"):
        _STEMS[_kind][_word[0]].append((_word[:-1], _code))
    else:
        _WORDS[_kind][_word].add(_code)
_TWOS: Final = {
    fold(word): unit
    for words in LANGUAGES.values()
    for word, _, unit in (pair.partition("=") for pair in words.two.split())
}
_DAYS: Final = {
    fold(word): count
    for words in LANGUAGES.values()
    for count, said in enumerate((words.today, words.yesterday))
    for word in said.split()
}
_MONTHS: Final = {
    code: {
        fold(stem).rstrip("*"): number
        for number, group in enumerate(words.months.split("|"), 1)
        for stem in group.split()
    }
    for code, words in LANGUAGES.items()
    if words.months
}
