"""Cell references in workbooks, such as `B2` and `B2:C5`."""

import re

from webquarry_convert.file.document import make_corrupt_error, make_limit_error
from webquarry_convert.file.limits import MAX_COLUMNS
from webquarry_convert.file.sheets.table import Area

_AREA = re.compile(r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})(?::\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6}))?")


def parse_column(letters: str) -> int:
    """Return the index, from 0, of a column such as `AB`."""
    column = 0
    for letter in letters:
        code = ord(letter)
        if not 65 <= code <= 90:
            raise make_corrupt_error("a cell has no valid reference")
        column = column * 26 + code - 64
        if column > MAX_COLUMNS:
            raise make_limit_error(f"more than {MAX_COLUMNS:,} columns")
    return column - 1


def parse_area(reference: str) -> Area | None:
    """Return the area of a reference, or None if it is invalid."""
    found = _AREA.fullmatch(reference)
    if found is None:
        return None
    left, top, right, bottom = found.groups()
    return Area(int(top) - 1, parse_column(left), int(bottom or top) - 1, parse_column(right or left))
