"""The parts of an OpenDocument file."""

from posixpath import normpath
from typing import Final

from webquarry_convert.file.document import make_corrupt_error, make_encrypted_error
from webquarry_convert.file.text.parts import Parts
from webquarry_convert.file.xml import Element

_URN: Final = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE: Final = f"{{{_URN}office:1.0}}"
TEXT: Final = f"{{{_URN}text:1.0}}"
TABLE: Final = f"{{{_URN}table:1.0}}"
DRAW: Final = f"{{{_URN}drawing:1.0}}"
STYLE: Final = f"{{{_URN}style:1.0}}"
FO: Final = f"{{{_URN}xsl-fo-compatible:1.0}}"
SVG: Final = f"{{{_URN}svg-compatible:1.0}}"
PRESENTATION: Final = f"{{{_URN}presentation:1.0}}"
CHART: Final = f"{{{_URN}chart:1.0}}"
FORM: Final = f"{{{_URN}form:1.0}}"
FIELD: Final = "{urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0}"
DC: Final = "{http://purl.org/dc/elements/1.1/}"
XLINK: Final = "{http://www.w3.org/1999/xlink}"
XML: Final = "{http://www.w3.org/XML/1998/namespace}"


class Package(Parts):
    def __init__(self, body: bytes) -> None:
        super().__init__(body)
        manifest = self.archive.read("META-INF/manifest.xml")
        if manifest is not None and b":encryption-data" in manifest:
            raise make_encrypted_error()

    def body(self, kind: str) -> tuple[Element, Element]:
        """Return the content's root element, and the element that contains the document.

        kind: `text` or `presentation`.
        """
        root = self.parse("content.xml")
        found = None if root is None else root.find(f"{OFFICE}body/{OFFICE}{kind}")
        if root is None or found is None:
            raise make_corrupt_error("it contains no document")
        return root, found

    def object(self, address: str) -> Element | None:
        """Return an embedded object's content, such as a formula or a chart."""
        if not address or ":" in address:
            return None
        return self.parse_optional(f"{normpath(address)}/content.xml", "embedded objects")
