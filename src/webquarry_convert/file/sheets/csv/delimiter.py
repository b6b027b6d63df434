"""Which sign divides the fields of a text."""

import re
from collections import Counter
from itertools import islice

from webquarry_convert.file.sheets.csv.fields import read_records

SAMPLE = 64 * 1024
"""Characters that are looked at."""
RECORDS = 500
"""Records that are looked at."""
_CANDIDATES = ",\t;|^:"
_LEAST_AGREEMENT = 0.5
"""Share of records that have the commonest number of fields, below which a sign divides nothing."""
_NO_DELIMITER = re.compile(r"[0-9]:[0-9]|://")  # times and addresses
_QUOTED = re.compile(r'(?:^|(?<=[,\t;|^:\n]))"(?:[^"]|"")*+"(?=[,\t;|^:\n]|\Z)')
"""What is in quotes divides nothing, whichever sign the delimiter is."""
_SAID = re.compile(r"sep=([^\n])\n", re.IGNORECASE)


def find_statement(text: str) -> re.Match[str] | None:
    """The first line when it says which sign it is, as Excel writes it: `sep=;`."""
    return _SAID.match(text)


def find_delimiter(text: str, usual: str) -> str | None:
    """The candidate by which most records have equally many fields, `usual` where it is as good as others; None when
    none divides them evenly."""
    beginning = take_sample(text)
    best, best_score = None, 0.0
    for candidate in (usual, *_CANDIDATES):  # of two that are as good the first one wins
        if candidate not in beginning or (candidate == ":" and (best_score or _NO_DELIMITER.search(beginning))):
            continue
        score = _measure_evenness(beginning, candidate)
        if score > best_score:
            best, best_score = candidate, score
    return best


def take_sample(text: str) -> str:
    """The first lines of a text, without what is in quotes."""
    beginning = text[:SAMPLE]
    if len(text) > SAMPLE:
        beginning = beginning[: beginning.rfind("\n") + 1] or beginning
    return _QUOTED.sub("", beginning)


def _measure_evenness(text: str, candidate: str) -> float:
    """From 0 to 1: how evenly a sign divides the records; more fields weigh a little more."""
    counts = Counter(len(fields) for fields in islice(read_records(text, candidate), RECORDS) if fields != [""])
    divided = {count: number for count, number in counts.items() if count > 1}
    if not divided:
        return 0.0
    count, number = max(divided.items(), key=lambda item: (item[1], item[0]))
    agreement = number / counts.total()
    return agreement * agreement * (1 - 1 / (2 * count)) if agreement >= _LEAST_AGREEMENT else 0.0
