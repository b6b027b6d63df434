"""Diagrams as lists of the text in their shapes, and descriptions of pictures."""

import re
from typing import Final

from webquarry_convert.file.text.blocks import Blocks, Item
from webquarry_convert.file.text.line import Content, Line
from webquarry_convert.file.text.ooxml.package import A
from webquarry_convert.file.xml import Element

DGM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_SHOWN: Final = frozenset({"", "node", "asst"})
"""Types of a diagram's points that are shapes with text. Other points only arrange these shapes."""
_AUTOMATIC: Final = re.compile(
    r"(?<!\s)\s*+(?:Description automatically generated.*|Automatically generated description)$", re.S
)


def read_diagram(root: Element) -> Content:
    """Convert a diagram to a list with one item per shape."""
    blocks = Blocks()
    for point in root.iterfind(f"{DGM}ptLst/{DGM}pt"):
        if point.get("type", "") in _SHOWN:
            blocks.item(Item(0), _make_line(" ".join(part.text or "" for part in point.iter(f"{A}t"))))
    return blocks.nodes


def clean_description(text: str | None) -> str:
    """Return the author's description of a picture, or "" if a program generated it."""
    return _AUTOMATIC.sub("", " ".join((text or "").split()))


def _make_line(text: str) -> Line:
    line = Line()
    line.text(text)
    return line
