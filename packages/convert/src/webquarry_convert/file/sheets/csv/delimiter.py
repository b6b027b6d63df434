"""Detects a text's delimiter."""

import re
from collections import Counter
from itertools import islice

from webquarry_convert.file.sheets.csv.fields import read_records

SAMPLE = 64 * 1024
"""Number of characters that are examined."""
RECORDS = 500
"""Number of records that are examined."""
_CANDIDATES = ",\t;|^:"
_LEAST_AGREEMENT = 0.5
"""Minimum share of records with the most common number of fields that makes a character the delimiter."""
_LEAST_LATER = 0.75
"""The minimum share for records after some lines of text."""
_LEAST_RECORDS = 3
_MOST_SPACED = 0.6
"""Maximum share of delimiters that a space follows. Prose has a higher share."""
_NO_DELIMITER = re.compile(r"[0-9]:[0-9]|://")  # matches times and URLs
_QUOTED = re.compile(r'(?:^|(?<=[,\t;|^:\n]))"(?:[^"]|"")*+"(?=[,\t;|^:\n]|\Z)')
"""Matches a quoted field with any delimiter. Delimiters inside the field don't count."""
_SAID = re.compile(r"sep=([^\n])\n", re.IGNORECASE)


def find_statement(text: str) -> re.Match[str] | None:
    """Match a first line that declares the delimiter. Excel writes it as `sep=;`."""
    return _SAID.match(text)


def find_delimiter(text: str, usual: str) -> str | None:
    """Return the delimiter that gives most records the same number of fields, or None if no candidate does.

    Of several equally good candidates, `usual` is preferred. Lines of text before the records may contain other
    candidates, too.
    """
    beginning = take_sample(text)
    best: str | None = None
    best_score = 0.0
    for candidate in (usual, *_CANDIDATES):  # `max` returns the first of several equally good candidates
        if candidate not in beginning or (candidate == ":" and (best_score or _NO_DELIMITER.search(beginning))):
            continue
        score = _measure_evenness(beginning, candidate)
        if score > best_score:
            best, best_score = candidate, score
    if best is None or _is_of_prose(beginning, best):
        return _find_later(beginning, best) or best
    return best


def _find_later(text: str, best: str | None) -> str | None:
    """Return the candidate that splits all records from some line on, and does so more evenly than `best`."""
    found, first = None, len(text)
    for candidate in _CANDIDATES:
        at = text.find(candidate)
        start = text.rfind("\n", 0, max(at, 0)) + 1
        if candidate in (best, ":") or at < 0 or start >= first:
            continue
        later = text[start:]
        agreement = _measure_agreement(later, candidate)
        if agreement >= _LEAST_LATER and (best is None or _measure_agreement(later, best) < agreement):
            found, first = candidate, start
    return found


def _is_of_prose(text: str, sign: str) -> bool:
    """Return whether a space follows most occurrences of this character, as in prose."""
    return sign in ",:" and text.count(f"{sign} ") > _MOST_SPACED * text.count(sign)


def take_sample(text: str) -> str:
    """Return the first lines of a text, without quoted fields."""
    beginning = text[:SAMPLE]
    if len(text) > SAMPLE:
        beginning = beginning[: beginning.rfind("\n") + 1] or beginning
    return _QUOTED.sub("", beginning)


def _measure_evenness(text: str, candidate: str) -> float:
    """Return how evenly a character splits the records, from 0 to 1.

    A higher number of fields increases the result slightly.
    """
    agreement, count, _ = _count_fields(text, candidate)
    return agreement * agreement * (1 - 1 / (2 * count)) if agreement >= _LEAST_AGREEMENT else 0.0


def _measure_agreement(text: str, candidate: str) -> float:
    """Return the share of records with the most common number of fields, or 0 if there are few records."""
    agreement, _, number = _count_fields(text, candidate)
    return agreement if number >= _LEAST_RECORDS else 0.0


def _count_fields(text: str, candidate: str) -> tuple[float, int, int]:
    """Return how often the most common number of fields above 1 occurs.

    The result consists of the share of records with this number of fields, the number itself, and the number of such
    records.
    """
    counts = Counter(len(fields) for fields in islice(read_records(text, candidate), RECORDS) if fields != [""])
    divided = {count: number for count, number in counts.items() if count > 1}
    if not divided:
        return 0.0, 1, 0
    count, number = max(divided.items(), key=lambda item: (item[1], item[0]))
    return number / counts.total(), count, number
