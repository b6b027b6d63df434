"""Places on a sheet as workbooks name them: `B2`, `B2:C5`."""

import re

from webquarry_convert.file.document import beyond, corrupt
from webquarry_convert.file.limits import MAX_COLUMNS
from webquarry_convert.file.sheets.table import Area

_AREA = re.compile(r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})(?::\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6}))?")


def column_of(letters: str) -> int:
    """The number of the column `AB`, from 0 on."""
    column = 0
    for letter in letters:
        code = ord(letter)
        if not 65 <= code <= 90:
            raise corrupt("a cell of a sheet is nowhere")
        column = column * 26 + code - 64
        if column > MAX_COLUMNS:
            raise beyond(f"more than {MAX_COLUMNS:,} columns")
    return column - 1


def area_of(reference: str) -> Area | None:
    """The cells from one corner to the other; None for what names no cells."""
    found = _AREA.fullmatch(reference)
    if found is None:
        return None
    left, top, right, bottom = found.groups()
    return Area(int(top) - 1, column_of(left), int(bottom or top) - 1, column_of(right or left))
