"""Word's XML documents: `.docx`, `.docm`, `.dotx`, `.dotm`, in the transitional and the strict form (ISO 29500).

`styles` and `numbering` say what a paragraph is, `tables` what only places text, `forms` what a field in one shows;
`body` walks the text, `document` adds the notes and comments.
"""

from webquarry_convert.file.text.docx.document import read

__all__ = ["read"]
