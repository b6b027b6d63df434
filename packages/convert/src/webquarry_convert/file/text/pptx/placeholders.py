"""Inherited properties of shapes.

A placeholder inherits its position and bullets from the layout, and the layout inherits them from the master.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from webquarry_convert.file.text.ooxml.package import A
from webquarry_convert.file.text.placement import Box
from webquarry_convert.file.xml import Element

P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
LEVELS: Final = 9
TITLES: Final = frozenset({"title", "ctrTitle"})
AROUND: Final = frozenset({"dt", "ftr", "sldNum", "hdr"})
"""Types of placeholders that are repeated on every slide."""
_MASTER_KINDS: Final[Mapping[str, str]] = {"ctrTitle": "title", "subTitle": "body", "obj": "body"}
_HOLDER: Final = f"{P}nvPr/{P}ph"
MAX_EMU: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A placeholder shape.

    kind: its type, such as `title`, `body` or `obj`. identity: its index, which the corresponding placeholder of the
    layout has, too.
    """

    kind: str
    identity: str


@dataclass(slots=True)
class Sheet:
    """A layout or a master.

    by_identity, by_kind: the first of its placeholders with each identity and kind. styles: a master's list levels for
    all text of a kind. below: the layout's master.
    """

    by_identity: dict[str, Element] = field(default_factory=dict)
    by_kind: dict[str, Element] = field(default_factory=dict)
    styles: dict[str, Element] = field(default_factory=dict)
    below: "Sheet | None" = None


def read_sheet(root: Element | None, below: Sheet | None) -> Sheet:
    """Read a layout or master. root: the root of its part, or None if the part is missing or damaged."""
    sheet = Sheet(below=below)
    if root is None:
        return sheet
    for shape in root.iter(f"{P}sp", f"{P}pic", f"{P}graphicFrame"):
        placeholder = read_placeholder(shape)
        if placeholder is not None:
            sheet.by_identity.setdefault(placeholder.identity, shape)
            sheet.by_kind.setdefault(placeholder.kind, shape)
    styles = root.find(f"{P}txStyles")
    sheet.styles = {} if styles is None else {style.tag: style for style in styles}
    return sheet


def read_placeholder(shape: Element) -> Placeholder | None:
    """Return the placeholder that a shape declares in its first child, or None if it declares no placeholder."""
    found = shape[0].find(_HOLDER) if len(shape) else None
    return None if found is None else Placeholder(found.get("type", "obj"), found.get("idx", "0"))


def read_box(shape: Element) -> Box | None:
    """Return the position that a shape declares, or None if it declares no position."""
    frame = next(
        (found for path in _FRAMES if (found := shape.find(path)) is not None),
        None,
    )
    if frame is None:
        return None
    offset, extent = frame.find(f"{A}off"), frame.find(f"{A}ext")
    if offset is None or extent is None:
        return None
    left, top = _parse_emu(offset.get("x")), _parse_emu(offset.get("y"))
    width, height = _parse_emu(extent.get("cx")), _parse_emu(extent.get("cy"))
    return Box(left, top, left + width, top + height)


class Inherited:
    """A shape with its inherited properties. sheet: its slide's layout."""

    def __init__(self, shape: Element, placeholder: Placeholder | None, sheet: Sheet | None) -> None:
        self._levels: dict[int, list[Element]] = {}
        self._chain = [shape]
        self._styles: list[Element] = []
        while sheet is not None:
            same = None if placeholder is None else _find_same(placeholder, sheet)
            if same is not None:
                self._chain.append(same)
            name = "otherStyle" if placeholder is None else _name_style(placeholder.kind)
            if (style := sheet.styles.get(f"{P}{name}")) is not None:
                self._styles.append(style)
            sheet = sheet.below

    def find_box(self) -> Box | None:
        return next((box for shape in self._chain if (box := read_box(shape)) is not None), None)

    def find_levels(self, level: int) -> list[Element]:
        """Return the properties of paragraphs on a level, in order of precedence. level: from 0."""
        if level not in self._levels:  # a shape's list style comes after all its paragraphs
            self._levels[level] = list(self._look_up_level(level))
        return self._levels[level]

    def _look_up_level(self, level: int) -> Iterator[Element]:
        name = f"{A}lvl{min(max(level, 0), LEVELS - 1) + 1}pPr"
        for shape in self._chain:
            found = shape.find(f"{P}txBody/{A}lstStyle/{name}")
            if found is not None:
                yield found
        for style in self._styles:
            found = style.find(name)
            if found is not None:
                yield found


def _find_same(placeholder: Placeholder, sheet: Sheet) -> Element | None:
    """Return the matching placeholder of a layout or master."""
    if sheet.below is None:
        return sheet.by_kind.get(_MASTER_KINDS.get(placeholder.kind, placeholder.kind))
    same = None if placeholder.kind in TITLES else sheet.by_identity.get(placeholder.identity)
    return sheet.by_kind.get(placeholder.kind) if same is None else same


def _name_style(kind: str) -> str:
    return "titleStyle" if kind in TITLES else "bodyStyle"


def _parse_emu(text: str | None) -> float:
    try:
        return max(-MAX_EMU, min(int(text or "0"), MAX_EMU))
    except ValueError:
        return 0


_FRAMES: Final = (f"{P}spPr/{A}xfrm", f"{P}xfrm", f"{P}grpSpPr/{A}xfrm")
