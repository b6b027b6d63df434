"""Conversion of a Word document."""

from collections.abc import Iterator
from typing import Final

from webquarry_convert.file import properties
from webquarry_convert.file.document import Document
from webquarry_convert.file.text.comments import name_author
from webquarry_convert.file.text.docx.body import Body
from webquarry_convert.file.text.docx.handlers import HANDLERS
from webquarry_convert.file.text.docx.numbering import Numbering
from webquarry_convert.file.text.docx.paragraph import Counts
from webquarry_convert.file.text.docx.styles import Styles
from webquarry_convert.file.text.implied_headings import make_headings
from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.file.text.ooxml.package import WP, Package, W
from webquarry_convert.file.text.output import warn_of_furniture, write_document
from webquarry_convert.file.xml import Element
from webquarry_convert.hidden import warn_of_hidden
from webquarry_convert.tree import Node

_SAID: Final = (f"{W}t", f"{W}tab")
_ANCHOR: Final = f"{WP}anchor"
_PICTURE: Final = f"{W}pict"


def read(body: bytes) -> Document:
    """Convert a document to markdown.

    Footnotes, endnotes and comments follow the text. Raises only `ConversionFailed`.
    """
    package = Package(body, "word/document.xml")
    text = package.text()
    styles_part = package.part("styles", "styles")
    numbering_part = package.part("numbering", "lists")
    styles = Styles(styles_part and styles_part[1])
    numbering = Numbering(numbering_part and numbering_part[1])
    counts = Counts(comments=_find_comments(package), is_white=_has_white_pages(package, text))
    root = Node("body", {}, -1)
    main = text.find(f"{W}body")
    reader = Body(package, package.main, styles, numbering, counts)
    root.children = reader.read(text if main is None else main, HANDLERS)
    make_headings(root.children)
    root.children += _read_notes(package, styles, numbering, counts)
    core = package.find_related("", "core-properties")
    stated = properties.read(None if core is None else package.parse_optional(core, "properties"))
    package.warnings += warn_of_furniture(_read_furniture(package))
    package.warnings += counts.left_out.build_warnings()
    package.warnings += warn_of_hidden(counts.hidden, "document")
    return Document(
        markdown=write_document(root),
        title=stated.title or counts.title,
        title_source="heading" if counts.title and not stated.title else None,
        author=stated.author,
        language=stated.language or properties.normalise_language(styles.language),
        warnings=tuple(package.warnings),
    )


def _read_furniture(package: Package) -> Iterator[str]:
    """Yield the paragraphs of headers and footers. Fields such as the page number show their stored values."""
    for relation in package.get_relations(package.main).values():
        if relation.kind in ("header", "footer") and not relation.is_outside:
            root = package.parse_optional(relation.target, "headers")
            for paragraph in root.iter(f"{W}p") if root is not None else ():
                yield "".join(" " if node.tag == f"{W}tab" else node.text or "" for node in paragraph.iter(*_SAID))


def _has_white_pages(package: Package, text: Element) -> bool:
    """Return whether the pages are white.

    They are white without a page background, and without a shape or background picture in a header.
    """
    if text.find(f"{W}background") is not None or next(text.iter(_ANCHOR, _PICTURE), None) is not None:
        return False
    for relation in package.get_relations(package.main).values():
        if relation.kind in ("header", "footer") and not relation.is_outside:
            root = package.parse_optional(relation.target, "headers")
            if root is not None and next(root.iter(_ANCHOR, _PICTURE), None) is not None:
                return False
    return True


def _find_comments(package: Package) -> frozenset[str]:
    part = package.part("comments", "comments")
    return frozenset(node.get(f"{W}id", "") for node in part[1].iterchildren(f"{W}comment")) if part else frozenset()


def _read_notes(package: Package, styles: Styles, numbering: Numbering, counts: Counts) -> Content:
    """Return the notes that the text refers to, in the order of their references."""
    found: dict[int, Node] = {}
    for kind in ("footnote", "endnote", "comment"):
        if not any(one == kind for one, _ in counts.notes):
            continue
        part = package.part(f"{kind}s", f"{kind}s")
        if part is None:
            continue
        for node in part[1].iterchildren(f"{W}{kind}"):
            number = counts.notes.get((kind, node.get(f"{W}id", "")))
            if number is not None and number not in found:
                content = Body(package, part[0], styles, numbering, counts).read(node, HANDLERS)
                if kind == "comment":
                    name_author(content, " ".join(node.get(f"{W}author", "").split()))
                found[number] = make_element("div", content, id=f"note-{number}")
    return [found[number] for number in sorted(found)]
