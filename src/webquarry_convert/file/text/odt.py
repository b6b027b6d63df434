"""OpenDocument texts: `.odt` and their templates."""

from webquarry_convert.file import properties
from webquarry_convert.file.document import Document
from webquarry_convert.file.text.odf.body import Body
from webquarry_convert.file.text.odf.package import Package
from webquarry_convert.file.text.odf.styles import Styles
from webquarry_convert.file.text.promoted import promote
from webquarry_convert.file.text.written import written
from webquarry_convert.tree import Node


def read(body: bytes) -> Document:
    """The text as markdown, notes behind it. Raises `ConversionFailed` only."""
    package = Package(body)
    root, text = package.body("text")
    styles = Styles(root, package.optional("styles.xml", "styles"))
    reader = Body(package, styles)
    page = Node("body", {}, -1)
    page.children = reader.read(text)
    promote(page.children)
    page.children += reader.notes
    said = properties.read(package.optional("meta.xml", "properties"))
    return Document(
        markdown=written(page),
        title=said.title or reader.title,
        author=said.author,
        language=said.language or properties.language(styles.language),
        warnings=tuple(package.warnings),
    )
