"""Names of authors in bylines."""

import re

from webquarry_convert.page.head.dates import MONTHS

_MARKS = " |,;:·•-–—"
MAX_NAME = 60
MAX_WORDS = 5
MAX_LINE = 160
MAX_NAME_TEXT = 100
"""Maximum length, in characters, of an element that contains only the author's name.

Longer elements contain a biography.
"""
_BY = re.compile(
    r"(?:[a-z]++\s++)?by(?:\s*+:)?\s++"
    r"|(?:author|autor|autore|auteur|автор|作者|文|编辑|記者|记者|撰文)s?\s*+[:：]\s*+|文\s*+[/／]\s*+",
    re.IGNORECASE,
)
_NOT_BY = re.compile(
    r"(?:edited|reviewed|checked|verified|photos?|photography|image|video|illustrations?|illustrated|sponsored|promoted|"
    r"presented|powered|translated|approved|shared)\s+by\b",
    re.IGNORECASE,
)
_BY_IN = {
    "de": re.compile(r"von\s+", re.IGNORECASE),
    "fr": re.compile(r"par\s+", re.IGNORECASE),
    "es": re.compile(r"por\s+", re.IGNORECASE),
    "pt": re.compile(r"por\s+", re.IGNORECASE),
    "nl": re.compile(r"door\s+", re.IGNORECASE),
    "sv": re.compile(r"av\s+", re.IGNORECASE),
    "da": re.compile(r"af\s+", re.IGNORECASE),
    "no": re.compile(r"av\s+", re.IGNORECASE),
    "nb": re.compile(r"av\s+", re.IGNORECASE),
}
# Words that follow a name on its line and begin a date, a role, a place or a "more" link.
_TAIL = re.compile(
    r"(?:[|•·,;/(@]|\s[-–—]\s|\d|\b(?:updated|published|posted|last|on behalf of|follow|see more)\b)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:.* )?(?:authors?|autor|by|editors?)", re.IGNORECASE)
_SMALL_WORDS = (
    "and und et y e & de da di del della der den dem von van zu la le du des dos das bin ibn al el the of for"
)
_SMALL = frozenset(_SMALL_WORDS.split())
_NAME = re.compile(r"[^\W\d_][\w'’.&-]*(?: [\w'’.&-]+)*")


_DAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun"
_DAYS = frozenset(_DAY_NAMES.split())


def clean_name(name: str, language: str | None) -> str | None:
    """Remove a leading "By" and trailing punctuation from a name. Returns None if the name has no letter."""
    name = _strip_label(name, language)[0].strip(_MARKS)
    return name if any(map(str.isalpha, name)) else None


def find_name(line: str, language: str | None) -> tuple[str, bool] | None:
    """Return the name in a short byline, and whether the byline has a label ("By …").

    Returns None if the line contains anything but a name, its label, and a date or a role after it.
    """
    if len(line) > MAX_LINE or _NOT_BY.search(line):
        return None
    name, is_labelled = _strip_label(line, language)
    if tail := _TAIL.search(name):
        name = name[: tail.start()]
    words = _strip_end(name.split(), is_labelled)
    name = " ".join(words).strip(_MARKS)
    if not 1 < len(name) <= MAX_NAME or len(words) > MAX_WORDS or not _NAME.fullmatch(name) or _LABEL.fullmatch(name):
        return None
    return (name, is_labelled) if is_labelled or _are_written_as_name(words) else None


def _strip_end(words: list[str], is_labelled: bool) -> list[str]:
    """Return the words up to a date or a statement of what the person did."""
    while words and _is_line_end(words[-1], is_labelled):
        words.pop()
    return words


def _are_written_as_name(words: list[str]) -> bool:
    return len(words) == 1 or all(word in _SMALL or not word[0].islower() for word in words)


def _is_line_end(word: str, is_labelled: bool) -> bool:
    """Return whether a word at the end of a line begins a date or, after a labeled name, a verb phrase."""
    bare = word.strip(".,").lower()
    return bare in MONTHS or bare in _DAYS or (is_labelled and word.islower() and word.isascii())


def _strip_label(line: str, language: str | None) -> tuple[str, bool]:
    """Return the line without the words that introduce a name, and whether it had such words."""
    line = line.strip(_MARKS)
    own = _BY_IN.get((language or "").partition("-")[0])
    for found in (_BY.match(line), own and own.match(line)):
        if found and found.end() < len(line):
            return line[found.end() :], True
    return line, False
