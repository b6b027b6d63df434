"""The package of a book: its metadata, files and reading order."""

from dataclasses import dataclass
from posixpath import dirname, join, normpath
from typing import Final
from urllib.parse import unquote

from webquarry_convert.file import properties
from webquarry_convert.file.document import make_corrupt_error, make_encrypted_error, make_limit_error
from webquarry_convert.file.properties import Properties
from webquarry_convert.file.text.parts import Parts
from webquarry_convert.file.xml import Element

_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_ROOT_FILE: Final = "{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"
_CIPHER: Final = "{http://www.w3.org/2001/04/xmlenc#}CipherReference"
OPF: Final = "{http://www.idpf.org/2007/opf}"
_TEXTS: Final = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"})
NAVIGATION: Final = "application/x-dtbncx+xml"
MAX_CHAPTERS: Final = 5_000


@dataclass(frozen=True, slots=True)
class Item:
    """A file of the book.

    name: the name of its part in the archive. properties: properties from the manifest, such as `nav`.
    """

    name: str
    media_type: str
    properties: frozenset[str]


class Package(Parts):
    """The package document. metadata: title, author and language. spine: the text files in reading order."""

    def __init__(self, body: bytes) -> None:
        super().__init__(body)
        self._folder = ""
        root = self._parse_root()
        self.metadata: Properties = properties.read(root.find(f"{OPF}metadata"))
        self.items = self._read_items(root)
        self.spine = self._read_spine(root)
        self._refuse_encrypted()

    def resolve(self, source: str, address: str) -> str:
        """Return the name of the part that a link in another part points to."""
        path = unquote(address.partition("#")[0])
        return normpath(join("/", dirname(source), path)).lstrip("/") if path else source

    def _parse_root(self) -> Element:
        container = self.parse_optional(_CONTAINER, "container")
        named = None if container is None else next(container.iter(_ROOT_FILE), None)
        name = "" if named is None else named.get("full-path", "")
        if name not in self.archive:
            name = next((part for part in self.archive.names if part.lower().endswith(".opf")), "")
        root = self.parse(name) if name else None
        if root is None:
            raise make_corrupt_error("the book has no list of its chapters")
        self._source = name
        return root

    def _read_items(self, root: Element) -> dict[str, Item]:
        manifest = root.find(f"{OPF}manifest")
        return {
            node.get("id", ""): Item(
                self.resolve(self._source, node.get("href", "")),
                node.get("media-type", ""),
                frozenset(node.get("properties", "").split()),
            )
            for node in (manifest if manifest is not None else ())
        }

    def _read_spine(self, root: Element) -> list[Item]:
        spine = root.find(f"{OPF}spine")
        found = (self.items.get(node.get("idref", "")) for node in (spine if spine is not None else ()))
        chapters = [item for item in found if item is not None and item.media_type in _TEXTS]
        if len(chapters) > MAX_CHAPTERS:
            raise make_limit_error(f"more than {MAX_CHAPTERS:,} chapters")
        return chapters or [item for item in self.items.values() if item.media_type in _TEXTS]

    def _refuse_encrypted(self) -> None:
        """Raise an error if chapters are encrypted. Obfuscated fonts are allowed."""
        if _ENCRYPTION not in self.archive:
            return
        root = self.parse_optional(_ENCRYPTION, "rights")
        scrambled = {
            normpath(unquote(node.get("URI", ""))).lstrip("/")
            for node in (root.iter(_CIPHER) if root is not None else ())
        }
        if any(item.name in scrambled for item in self.spine):
            raise make_encrypted_error()
