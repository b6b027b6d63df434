"""Conversion of PowerPoint's XML presentations: `.pptx`, `.pptm`, `.ppsx`, `.potx`, transitional and strict (ISO
29500).

`presentation` finds the slides, `shapes` reads the shapes of a slide, `placeholders` resolves properties inherited from
its layout, and `text` reads paragraphs.
"""

from webquarry_convert.file.text.pptx.presentation import read

__all__ = ["read"]
