"""Positions of a slide's shapes, in centimeters from the slide's top left."""

import re
from collections.abc import Sequence
from typing import Final

from webquarry_convert.file.text.odf.package import DRAW, SVG
from webquarry_convert.file.text.placement import Box
from webquarry_convert.file.xml import Element

GROUP: Final = f"{DRAW}g"
_LENGTH: Final = re.compile(r"(-?[0-9]{1,6}(?:\.[0-9]{1,9})?)(cm|mm|in|pt|pc|px)")
_UNITS: Final = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "pc": 2.54 / 6, "px": 2.54 / 96}


class Places:
    """The positions of shapes.

    Each position is computed only once. A group spans its shapes, and a line spans its end points.
    """

    def __init__(self) -> None:
        self._known: dict[Element, Box | None] = {}

    def find(self, shape: Element) -> Box | None:
        """Return a shape's box, or None if the file does not specify a position."""
        if shape not in self._known:
            if shape.tag == GROUP:  # recursion is safe, because the nesting of XML is limited
                box = _surround([box for part in shape if (box := self.find(part)) is not None])
            else:
                box = _read_box(shape)
            self._known[shape] = box
        return self._known[shape]


def _read_box(shape: Element) -> Box | None:
    left, top = (parse_length(shape.get(f"{SVG}{name}")) for name in "xy")
    if left is not None and top is not None:
        wide, high = (parse_length(shape.get(f"{SVG}{name}")) or 0.0 for name in ("width", "height"))
        return Box(left, top, left + wide, top + high)
    ends = [parse_length(shape.get(f"{SVG}{name}")) for name in ("x1", "y1", "x2", "y2")]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends):
        return None
    return Box(min(known[::2]), min(known[1::2]), max(known[::2]), max(known[1::2]))


def _surround(boxes: Sequence[Box]) -> Box | None:
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def parse_length(length: str | None) -> float | None:
    found = _LENGTH.fullmatch(length or "")
    return None if found is None else float(found[1]) * _UNITS[found[2]]
