"""Spreadsheets: Excel (`xlsx`, `xls`), OpenDocument (`ods`), Apple Numbers (`numbers`) and delimited text (`csv`).

Each of these modules has a `read`. Cells are shown as the program would show them (`formats/`), kept sparsely
(`table.py`) and written as one pipe table a sheet, or as several where it holds several (`regions.py`).
"""
