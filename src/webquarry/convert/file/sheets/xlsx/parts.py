"""The parts of a workbook's package and how they refer to each other (ECMA-376 part 2)."""

from dataclasses import dataclass
from posixpath import dirname, normpath

from webquarry.convert.file.archive import Archive
from webquarry.convert.file.xml import parse


@dataclass(frozen=True, slots=True)
class Relation:
    """kind: the last segment of its type (`worksheet`). target: a part's name."""

    kind: str
    target: str


def relations(archive: Archive, part: str) -> dict[str, Relation]:
    """The parts that a part refers to, by identifier; {} for a part without relations. part: "" for the package."""
    folder = dirname(part)
    body = archive.read(f"{folder}/_rels/{part.rpartition('/')[2]}.rels".lstrip("/"))
    if body is None:
        return {}
    found: dict[str, Relation] = {}
    for element in parse(body):
        if element.get("TargetMode") == "External":
            continue
        target = element.get("Target", "")
        path = target if target.startswith("/") else f"/{folder}/{target}"
        kind = element.get("Type", "").rpartition("/")[2]
        found[element.get("Id", "")] = Relation(kind, normpath(path).lstrip("/"))
    return found


def first(related: dict[str, Relation], kind: str) -> str | None:
    """The part of a kind."""
    return next((relation.target for relation in related.values() if relation.kind == kind), None)
