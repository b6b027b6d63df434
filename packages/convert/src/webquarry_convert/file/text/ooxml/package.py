"""The parts of an Office document and their relationships.

Names in the strict format are translated to the transitional format.
"""

from dataclasses import dataclass
from posixpath import dirname, join, normpath
from typing import Final

from webquarry_convert.file.document import make_corrupt_error, make_limit_error
from webquarry_convert.file.text.parts import Parts
from webquarry_convert.file.xml import Element

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
WP: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
V: Final = "{urn:schemas-microsoft-com:vml}"
OFFICE: Final = "{urn:schemas-microsoft-com:office:office}"
_TRANSITIONAL: Final = "http://schemas.openxmlformats.org/"
_STRICT: Final = "http://purl.oclc.org/ooxml/"
_MOST_ATTRIBUTES: Final = 1_000
_RELATIONSHIP: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


@dataclass(frozen=True, slots=True)
class Relation:
    """A relationship between a part and another part or a URL.

    kind: the last segment of the relationship's type, such as `hyperlink`. target: the name of the other part, or an
    external URL.
    """

    kind: str
    target: str
    is_outside: bool


class Package(Parts):
    """An Office Open XML package, with its parts and their relationships.

    main: the name of the main part, which contains the text or the list of slides. It is `usual_main` if the package
    declares no main part.
    """

    def __init__(self, body: bytes, usual_main: str) -> None:
        super().__init__(body)
        self._relations: dict[str, dict[str, Relation]] = {}
        self.main = self.find_related("", "officeDocument") or usual_main

    def text(self) -> Element:
        """Return the root of the main part."""
        root = self.parse(self.main)
        if root is None:
            raise make_corrupt_error("it contains no document")
        return root

    def part(self, kind: str, title: str) -> tuple[str, Element] | None:
        """Return the name and the root of a part that the main part refers to.

        kind: the relationship's kind. title: the part's name in a warning.
        """
        name = self.find_related(self.main, kind)
        root = None if name is None else self.parse_optional(name, title)
        return None if name is None or root is None else (name, root)

    def parse(self, name: str) -> Element | None:
        root = super().parse(name)
        if root is not None and root.tag.startswith(f"{{{_STRICT}"):
            _rename(root)
        return root

    def find_related(self, source: str, kind: str) -> str | None:
        return next((one.target for one in self.get_relations(source).values() if one.kind == kind), None)

    def get_relations(self, source: str) -> dict[str, Relation]:
        """Return the relationships of a part, by id. source: the part's name, or "" for the package itself."""
        known = self._relations.get(source)
        if known is None:
            known = self._relations[source] = self._read_relations(source)
        return known

    def _read_relations(self, source: str) -> dict[str, Relation]:
        folder = dirname(source)
        name = join(folder, "_rels", f"{source.removeprefix(folder).lstrip('/')}.rels")
        root = self.parse_optional(name, "relations")
        relations: dict[str, Relation] = {}
        for node in root.iter(_RELATIONSHIP) if root is not None else ():
            target = node.get("Target", "")
            is_outside = node.get("TargetMode") == "External"
            if not is_outside:
                target = normpath(join("/", folder, target)).lstrip("/")
            kind = node.get("Type", "").rpartition("/")[2]
            relations[node.get("Id", "")] = Relation(kind, target, is_outside)
        return relations


def _rename(root: Element) -> None:
    """Rename elements and attributes of the strict format to their names in the transitional format."""
    names: dict[str, str] = {}
    for node in root.iter():
        node.tag = _translate_name(node.tag, names)
        if len(node.attrib) > _MOST_ATTRIBUTES:  # the parser compares each attribute with all others
            raise make_limit_error(f"more than {_MOST_ATTRIBUTES:,} attributes of one element")
        for name, value in node.attrib.items():
            if name[0] == "{":
                other = _translate_name(name, names)
                if other != name:
                    del node.attrib[name]
                    node.set(other, value)


def _translate_name(name: str, names: dict[str, str]) -> str:
    """Translate a name: `…/ooxml/drawingml/main` becomes `…/drawingml/2006/main` in the transitional format."""
    known = names.get(name)
    if known is None:
        known = name
        if name.startswith(f"{{{_STRICT}"):
            family, _, rest = name[len(_STRICT) + 1 :].partition("/")
            known = f"{{{_TRANSITIONAL}{family}/2006/{rest}"
        names[name] = known
    return known
