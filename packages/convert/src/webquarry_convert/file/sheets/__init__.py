"""Conversion of spreadsheets: Excel (`xlsx`, `xls`), OpenDocument (`ods`), Apple Numbers (`numbers`) and delimited text
(`csv`).

Each of these modules has a function `read`. Values are formatted as spreadsheet programs display them (`formats/`) and
stored sparsely (`table.py`). They are written as one pipe table per sheet, or as several if a sheet contains several
tables (`regions.py`).
"""
