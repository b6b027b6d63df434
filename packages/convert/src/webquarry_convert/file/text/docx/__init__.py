"""Conversion of Word's XML documents: `.docx`, `.docm`, `.dotx`, `.dotm`, transitional and strict (ISO 29500).

`styles` and `numbering` determine a paragraph's kind, `tables` recognizes layout tables, and `forms` reads form
fields. `body` walks the text, and `document` adds notes and comments.
"""

from webquarry_convert.file.text.docx.document import read

__all__ = ["read"]
