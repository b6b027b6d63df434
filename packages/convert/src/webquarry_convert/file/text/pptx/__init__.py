"""Conversion of PowerPoint's XML presentations: `.pptx`, `.pptm`, `.ppsx`, `.potx`, transitional and strict (ISO
29500).

`presentation` finds the slides, `shapes` reads a slide's shapes, `placeholders` resolves properties that shapes inherit
from the slide's layout, and `text` reads paragraphs.
"""

from webquarry_convert.file.text.pptx.presentation import read

__all__ = ["read"]
