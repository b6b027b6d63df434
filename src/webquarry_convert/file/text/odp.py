"""OpenDocument slides: `.odp`. Each slide is its title as a heading, what else it shows, and what its speaker notes."""

import re
from typing import Final

from webquarry_convert.file import properties
from webquarry_convert.file.document import Document
from webquarry_convert.file.text.line import Content
from webquarry_convert.file.text.odf.body import Body
from webquarry_convert.file.text.odf.package import DRAW, PRESENTATION, SVG, TABLE, TEXT, Package
from webquarry_convert.file.text.odf.styles import Styles
from webquarry_convert.file.text.output import write_document
from webquarry_convert.file.text.slides import build_slide
from webquarry_convert.file.xml import Element
from webquarry_convert.tree import Node

_CLASS: Final = f"{PRESENTATION}class"
_NOTES: Final = f"{PRESENTATION}notes"
_PARAGRAPH: Final = f"{TEXT}p"
_LENGTH: Final = re.compile(r"(-?[0-9]{1,6}(?:\.[0-9]{1,9})?)(cm|mm|in|pt|pc|px)")
_UNITS: Final = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "pc": 2.54 / 6, "px": 2.54 / 96}
_OVERLAP: Final = 0.5
"""Centimetres by which the frame of a title may reach into what is below."""
_NO_HEIGHT: Final = 0.1
MAX_TITLE: Final = 120
_AROUND: Final = frozenset({"header", "footer", "date-time", "page-number"})
"""What every slide repeats."""


def read(body: bytes) -> Document:
    """The slides as markdown. Raises `ConversionFailed` only."""
    package = Package(body)
    root, presentation = package.body("presentation")
    styles = Styles(root, package.parse_optional("styles.xml", "styles"))
    reader = Body(package, styles)
    page = Node("body", {}, -1)
    slides = presentation.findall(f"{DRAW}page")
    for slide in slides:
        page.children += _read_slide(reader, slide, is_first=not page.children)
    page.children += reader.notes
    metadata = properties.read(package.parse_optional("meta.xml", "properties"))
    return Document(
        markdown=write_document(page),
        title=metadata.title,
        author=metadata.author,
        language=metadata.language or properties.normalise_language(styles.language),
        pages=len(slides),
        warnings=tuple(package.warnings),
    )


def _read_slide(reader: Body, slide: Element, *, is_first: bool) -> Content:
    shapes = [shape for shape in slide if shape.get(_CLASS) not in _AROUND and shape.tag != _NOTES]
    named = next(
        (shape for shape in shapes if shape.get(_CLASS) == "title" and next(shape.iter(_PARAGRAPH), None) is not None),
        None,
    )
    heading = named if named is not None else _find_topmost(shapes)
    title = [] if heading is None else reader.shape(heading, is_cell=True)
    content: Content = []
    for shape in shapes:
        if shape is not heading:
            content += reader.shape(shape)
    notes = slide.find(_NOTES)
    notes_content = (
        [node for shape in notes if shape.get(_CLASS) == "notes" for node in reader.shape(shape)]
        if notes is not None
        else []
    )
    return build_slide(title, content, notes_content, is_first=is_first)


def _find_topmost(shapes: list[Element]) -> Element | None:
    """The shape with one short line that stands above all others: the title of slides that name none."""
    placed: list[tuple[float, float, Element]] = []
    for shape in shapes:
        top = _parse_length(shape.get(f"{SVG}y"))
        height = _parse_length(shape.get(f"{SVG}height"))
        if top is not None and height is not None and height > _NO_HEIGHT:
            placed.append((top, top + height, shape))
    if len(placed) < 2:
        return None
    placed.sort(key=lambda place: place[0])
    _, bottom, highest = placed[0]
    paragraphs = ["".join(paragraph.itertext()).strip() for paragraph in highest.iter(_PARAGRAPH)]
    texts = [text for text in paragraphs if text]
    if len(texts) != 1 or len(texts[0]) > MAX_TITLE or next(highest.iter(f"{TABLE}table"), None) is not None:
        return None
    return highest if all(top >= bottom - _OVERLAP for top, _, _ in placed[1:]) else None


def _parse_length(length: str | None) -> float | None:
    found = _LENGTH.fullmatch(length or "")
    return None if found is None else float(found[1]) * _UNITS[found[2]]
