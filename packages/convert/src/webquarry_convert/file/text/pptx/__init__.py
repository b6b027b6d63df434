"""PowerPoint's XML presentations: `.pptx`, `.pptm`, `.ppsx`, `.potx`, in the transitional and the strict form
(ISO 29500).

`presentation` finds the slides, `shapes` what lies on one, `placeholders` what a shape inherits from its layout, `text`
reads paragraphs.
"""

from webquarry_convert.file.text.pptx.presentation import read

__all__ = ["read"]
