"""Conversion of OpenDocument slides (`.odp`).

Each slide becomes its title as a heading, its content, and its speaker notes.
"""

from typing import Final

from webquarry_convert.file import properties
from webquarry_convert.file.document import Document
from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.file.text.odf.body import Body
from webquarry_convert.file.text.odf.package import (
    DC,
    DRAW,
    OFFICE,
    PRESENTATION,
    STYLE,
    SVG,
    TABLE,
    TEXT,
    Package,
)
from webquarry_convert.file.text.odf.places import GROUP, Places, parse_length
from webquarry_convert.file.text.odf.styles import Styles
from webquarry_convert.file.text.output import write_slides
from webquarry_convert.file.text.placement import sort_by_place
from webquarry_convert.file.text.slides import begin_slide, build_slide, is_title, warn_of_hidden
from webquarry_convert.file.xml import Element
from webquarry_convert.tree import Node

_CLASS: Final = f"{PRESENTATION}class"
_NOTES: Final = f"{PRESENTATION}notes"
_COMMENT: Final = f"{OFFICE}annotation"
_FORMS: Final = f"{OFFICE}forms"
_BESIDE: Final = frozenset({_NOTES, _COMMENT, _FORMS})
_PARAGRAPH: Final = f"{TEXT}p"
_OVERLAP: Final = 0.5
"""Tolerated overlap, in centimeters, between a title's frame and the content below."""
_NO_HEIGHT: Final = 0.1
_AROUND: Final = frozenset({"header", "footer", "date-time", "page-number"})
"""Placeholders repeated on every slide."""


def read(body: bytes) -> Document:
    """Convert slides to markdown. Raises only `ConversionFailed`."""
    package = Package(body)
    root, presentation = package.body("presentation")
    styles = Styles(root, package.parse_optional("styles.xml", "styles"))
    reader = Body(package, styles, "presentation")
    page = Node("body", {}, -1)
    slides = presentation.findall(f"{DRAW}page")
    hidden_styles = _find_hidden_styles(root)
    hidden = []
    for number, slide in enumerate(slides, 1):
        if slide.get(f"{DRAW}style-name") in hidden_styles:
            hidden.append(number)
        is_first = len(page.children) < number  # all slides so far are empty
        page.children += [begin_slide(), *_read_slide(reader, slide, is_first=is_first)]
    page.children += reader.notes
    metadata = properties.read(package.parse_optional("meta.xml", "properties"))
    markdown, starts = write_slides(page)
    return Document(
        markdown=markdown,
        title=metadata.title,
        author=metadata.author,
        language=metadata.language or properties.normalise_language(styles.language),
        pages=len(slides),
        page_starts=starts,
        warnings=(*package.warnings, *warn_of_hidden(hidden), *reader.left_out.build_warnings()),
    )


def _find_hidden_styles(root: Element) -> frozenset[str | None]:
    """Return the style names of hidden slides."""
    automatic = root.find(f"{OFFICE}automatic-styles")
    return frozenset(
        style.get(f"{STYLE}name")
        for style in (automatic if automatic is not None else ())
        if (properties := style.find(f"{STYLE}drawing-page-properties")) is not None
        and properties.get(f"{PRESENTATION}visibility") == "hidden"
    )


def _read_slide(reader: Body, slide: Element, *, is_first: bool) -> Content:
    for forms in slide.iterchildren(_FORMS):
        reader.read_forms(forms)
    shapes = [shape for shape in slide if shape.get(_CLASS) not in _AROUND and shape.tag not in _BESIDE]
    places = Places()
    heading = _find_named(shapes)
    if heading is None:
        heading = _find_topmost(places, shapes)
    title = [] if heading is None else reader.shape(heading, is_cell=True)
    content = _read_shapes(reader, places, [shape for shape in shapes if shape is not heading])
    content += _read_comments(slide)
    return build_slide(title, content, _read_notes(reader, slide), is_first=is_first)


def _find_named(shapes: list[Element]) -> Element | None:
    """Return the shape that is marked as the title and contains text."""
    titles = (shape for shape in shapes if shape.get(_CLASS) == "title")
    return next((shape for shape in titles if next(shape.iter(_PARAGRAPH), None) is not None), None)


def _read_notes(reader: Body, slide: Element) -> Content:
    notes = slide.find(_NOTES)
    shapes = [] if notes is None else [shape for shape in notes if shape.get(_CLASS) == "notes"]
    return [node for shape in shapes for node in reader.shape(shape)]


def _read_shapes(reader: Body, places: Places, shapes: list[Element]) -> Content:
    """Read shapes in reading order. The shapes of a group stay together."""
    content: Content = []
    for at in sort_by_place([places.find(shape) for shape in shapes]):
        shape = shapes[at]
        content += _read_shapes(reader, places, list(shape)) if shape.tag == GROUP else reader.shape(shape)
    return content


def _read_comments(slide: Element) -> Content:
    """Return the comments on a slide."""
    content: Content = []
    for node in slide.iterchildren(_COMMENT):
        said = " ".join(" ".join("".join(line.itertext()) for line in node.iter(_PARAGRAPH)).split())
        author = " ".join((node.findtext(f"{DC}creator") or "").split())
        if said:
            label = f"Comment of {author}: " if author else "Comment: "
            content.append(make_element("blockquote", [make_element("p", [label + said])]))
    return content


def _find_topmost(places: Places, shapes: list[Element]) -> Element | None:
    """Return the topmost shape if it consists of one short line.

    On a slide without a title placeholder, it is the title.
    """
    placed = [(*height, shape) for shape in shapes if (height := _find_height(places, shape)) is not None]
    if len(placed) < 2:
        return None
    placed.sort(key=lambda place: place[0])
    _, bottom, highest = placed[0]
    is_above = all(top >= bottom - _OVERLAP for top, _, _ in placed[1:])
    return highest if is_above and _is_short_line(highest) else None


def _find_height(places: Places, shape: Element) -> tuple[float, float] | None:
    """Return the top and bottom of a shape, or None if it has no position or no height."""
    box = places.find(shape) if shape.tag == GROUP else None
    top = parse_length(shape.get(f"{SVG}y")) if box is None else box.top
    height = parse_length(shape.get(f"{SVG}height")) if box is None else box.bottom - box.top
    return None if top is None or height is None or height <= _NO_HEIGHT else (top, top + height)


def _is_short_line(shape: Element) -> bool:
    """Return whether a shape contains a single line that may be a title, and no table."""
    if shape.tag == GROUP or next(shape.iter(f"{TABLE}table"), None) is not None:
        return False
    paragraphs = ["".join(paragraph.itertext()).strip() for paragraph in shape.iter(_PARAGRAPH)]
    texts = [text for text in paragraphs if text]
    return len(texts) == 1 and is_title(texts[0])
