"""The parts of a workbook's package and the relationships between them (ECMA-376 part 2)."""

from dataclasses import dataclass
from posixpath import dirname, normpath

from webquarry_convert.file.archive import Archive
from webquarry_convert.file.xml import parse


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship between a workbook's part and another part or a URL.

    kind: the last segment of the relationship's type (`worksheet`). target: the other part's name, or an external URL.
    """

    kind: str
    target: str
    is_external: bool = False


def read_relationships(archive: Archive, part: str) -> dict[str, Relationship]:
    """Return a part's relationships by identifier. part: the part's name, or "" for the package."""
    folder = dirname(part)
    body = archive.read(f"{folder}/_rels/{part.rpartition('/')[2]}.rels".lstrip("/"))
    if body is None:
        return {}
    found: dict[str, Relationship] = {}
    for element in parse(body):
        target = element.get("Target", "")
        is_external = element.get("TargetMode") == "External"
        if not is_external:
            target = normpath(target if target.startswith("/") else f"/{folder}/{target}").lstrip("/")
        kind = element.get("Type", "").rpartition("/")[2]
        found[element.get("Id", "")] = Relationship(kind, target, is_external)
    return found


def find_part(related: dict[str, Relationship], kind: str) -> str | None:
    """Return the first related part of this kind."""
    return next((one.target for one in related.values() if one.kind == kind and not one.is_external), None)
