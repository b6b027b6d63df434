"""OpenDocument texts: `.odt` and their templates."""

from webquarry_convert.file import properties
from webquarry_convert.file.document import Document
from webquarry_convert.file.text.implied_headings import make_headings
from webquarry_convert.file.text.odf.body import Body
from webquarry_convert.file.text.odf.package import Package
from webquarry_convert.file.text.odf.styles import Styles
from webquarry_convert.file.text.output import write_document
from webquarry_convert.tree import Node


def read(body: bytes) -> Document:
    """The text as markdown, notes behind it. Raises `ConversionFailed` only."""
    package = Package(body)
    root, text = package.body("text")
    styles = Styles(root, package.parse_optional("styles.xml", "styles"))
    reader = Body(package, styles)
    page = Node("body", {}, -1)
    page.children = reader.read(text)
    make_headings(page.children)
    page.children += reader.notes
    stated = properties.read(package.parse_optional("meta.xml", "properties"))
    return Document(
        markdown=write_document(page),
        title=stated.title or reader.title,
        title_source="heading" if reader.title and not stated.title else None,
        author=stated.author,
        language=stated.language or properties.normalise_language(styles.language),
        warnings=tuple(package.warnings),
    )
