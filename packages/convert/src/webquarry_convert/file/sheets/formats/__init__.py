"""Number formats of spreadsheet programs. For example, `Format("0.0%").number(0.125)` is `12.5%`."""

from webquarry_convert.file.sheets.formats.builtin import builtin
from webquarry_convert.file.sheets.formats.number_format import GENERAL, Format

__all__ = ["GENERAL", "Format", "builtin"]
