"""Texts that are no table: a letter, a log, notes in markdown."""

from collections import Counter
from itertools import islice

from webquarry.convert.file.sheets.csv.delimiter import RECORDS, sample
from webquarry.convert.file.sheets.csv.fields import records

LEAST_WORDS = 8
"""Words of a line, on average, from which on lines that nothing divides are sentences and not a column."""
LEAST_WORDS_IN_FIELD = 4
"""The same for the fields of lines that a sign divides, but not all of them alike."""
LEAST_AGREEMENT = 0.9
"""Share of lines with the same number of fields, from which on they are divided alike. One line says nothing."""


def is_prose(text: str, delimiter: str | None) -> bool:
    """delimiter: what divides the text best; None when nothing does. What is in quotes is no prose."""
    lines = [line for line in islice(records(sample(text), delimiter or "\n"), RECORDS) if any(map(str.strip, line))]
    fields = [field for line in lines for field in line]
    words = sum(len(field.split()) for field in fields) / max(len(fields), 1)
    if delimiter is None:
        return words >= LEAST_WORDS
    agreement = max(Counter(map(len, lines)).values(), default=0) / max(len(lines), 1)
    return words >= LEAST_WORDS_IN_FIELD and (agreement < LEAST_AGREEMENT or len(lines) == 1)
