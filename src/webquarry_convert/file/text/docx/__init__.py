"""Word's XML documents: `.docx`, `.docm`, `.dotx`, `.dotm`, in the transitional and the strict form (ISO 29500).

`package` finds the parts, `styles` and `numbering` say what a paragraph is, `body` walks the text, `fields` reads the
instructions of fields.
"""

from webquarry_convert.file.text.docx.document import read

__all__ = ["read"]
