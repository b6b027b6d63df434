"""Drawings on a worksheet: text boxes, shapes with text, and titles of charts (ECMA-376 part 1, 20.5)."""

from collections.abc import Iterator
from typing import Final

from webquarry_convert.file.archive import Archive
from webquarry_convert.file.sheets.drawn import name_chart
from webquarry_convert.file.sheets.table import Budget
from webquarry_convert.file.sheets.xlsx.relationships import Relationship, read_relationships
from webquarry_convert.file.xml import Element, get_local_name, parse

_FALLBACK: Final = "Fallback"


class Drawings:
    """Reads a workbook's drawings. Each drawing and chart is read only once, even if several sheets refer to it."""

    def __init__(self, archive: Archive, budget: Budget) -> None:
        self._archive = archive
        self._budget = budget
        self._read: set[str] = set()

    def read(self, part: str) -> list[str]:
        """Return the text of a drawing's shapes in drawing order. Raises `ConversionFailed`."""
        root = self._parse(part)
        if root is None:
            return []
        related = read_relationships(self._archive, part)
        texts = [text for text in self._read_shapes(root, related) if text]
        self._budget.take(len(texts))
        return texts

    def _parse(self, part: str) -> Element | None:
        body = None if part in self._read else self._archive.read(part)
        self._read.add(part)
        return None if body is None else parse(body)

    def _read_shapes(self, node: Element, related: dict[str, Relationship]) -> Iterator[str]:
        for child in node:
            name = get_local_name(child.tag)
            if name == "txBody":
                yield _read_text(child)
            elif name == "chart":
                identity = next((value for key, value in child.attrib.items() if get_local_name(key) == "id"), "")
                chart = related.get(identity)
                yield self._read_chart(chart.target) if chart is not None and not chart.is_external else ""
            elif name != _FALLBACK:
                yield from self._read_shapes(child, related)  # recursion is safe, because the nesting of XML is limited

    def _read_chart(self, part: str) -> str:
        root = self._parse(part)
        chart = None if root is None else next((node for node in root if get_local_name(node.tag) == "chart"), None)
        title = None if chart is None else next((node for node in chart if get_local_name(node.tag) == "title"), None)
        return "" if title is None else name_chart(_read_text(title))


def _read_text(node: Element) -> str:
    """Return the paragraphs of a shape or title as one line. A title that is taken from a cell has no paragraphs."""
    paragraphs = [part for part in node.iter() if get_local_name(part.tag) == "p"] or [node]
    lines = (
        "".join(run.text or "" for run in one.iter() if get_local_name(run.tag) in ("t", "v")) for one in paragraphs
    )
    return " ".join(line.strip() for line in lines if line.strip())
