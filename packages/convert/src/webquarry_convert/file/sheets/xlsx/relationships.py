"""The parts of a workbook's package and how they refer to each other (ECMA-376 part 2)."""

from dataclasses import dataclass
from posixpath import dirname, normpath

from webquarry_convert.file.archive import Archive
from webquarry_convert.file.xml import parse


@dataclass(frozen=True, slots=True)
class Relationship:
    """kind: the last segment of its type (`worksheet`). target: a part's name; an address when it is external."""

    kind: str
    target: str
    is_external: bool = False


def read_relationships(archive: Archive, part: str) -> dict[str, Relationship]:
    """The parts that a part refers to, by identifier; {} for a part without relations. part: "" for the package."""
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
    """The part of a kind."""
    return next((one.target for one in related.values() if one.kind == kind and not one.is_external), None)
