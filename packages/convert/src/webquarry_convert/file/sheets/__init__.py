"""Conversion of spreadsheets: Excel (`xlsx`, `xls`), OpenDocument (`ods`), Apple Numbers (`numbers`) and delimited text
(`csv`).

Each of these modules has a function `read`. Values are formatted as the program would display them (`formats/`), stored
sparsely (`table.py`), and written as one pipe table per sheet, or several if a sheet holds several tables
(`regions.py`).
"""
