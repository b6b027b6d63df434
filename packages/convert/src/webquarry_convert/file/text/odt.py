"""Conversion of OpenDocument text files (`.odt`) and templates."""

from collections.abc import Iterator
from typing import Final

from webquarry_convert.file import properties
from webquarry_convert.file.document import Document
from webquarry_convert.file.text.implied_headings import make_headings
from webquarry_convert.file.text.odf.body import Body
from webquarry_convert.file.text.odf.package import OFFICE, STYLE, TEXT, Package
from webquarry_convert.file.text.odf.styles import Styles
from webquarry_convert.file.text.output import warn_of_furniture, write_document
from webquarry_convert.file.xml import Element, get_local_name
from webquarry_convert.tree import Node

_PAGES: Final = f"{OFFICE}master-styles/{STYLE}master-page"
_FURNITURE: Final = ("header", "footer")


def read(body: bytes) -> Document:
    """Convert a text document to markdown, with notes at the end. Raises only `ConversionFailed`."""
    package = Package(body)
    root, text = package.body("text")
    styles_root = package.parse_optional("styles.xml", "styles")
    styles = Styles(root, styles_root)
    reader = Body(package, styles)
    page = Node("body", {}, -1)
    page.children = reader.read(text)
    make_headings(page.children)
    page.children += reader.notes
    if styles_root is not None:
        package.warnings += warn_of_furniture(_read_furniture(styles_root))
    package.warnings += reader.left_out.build_warnings()
    stated = properties.read(package.parse_optional("meta.xml", "properties"))
    return Document(
        markdown=write_document(page),
        title=stated.title or reader.title,
        title_source="heading" if reader.title and not stated.title else None,
        author=stated.author,
        language=stated.language or properties.normalise_language(styles.language),
        warnings=tuple(package.warnings),
    )


def _read_furniture(styles: Element) -> Iterator[str]:
    """Yield the paragraphs of headers and footers."""
    for page in styles.iterfind(_PAGES):
        for node in page:
            if get_local_name(node.tag).startswith(_FURNITURE):
                yield from ("".join(paragraph.itertext()) for paragraph in node.iter(f"{TEXT}p"))
