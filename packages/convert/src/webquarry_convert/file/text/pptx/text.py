"""Converts the text of a shape or cell to paragraphs with bullets and numbers."""

from collections.abc import Iterator, Mapping
from typing import Final

from webquarry_convert.file.text import formula, symbols
from webquarry_convert.file.text.blocks import Blocks, Item
from webquarry_convert.file.text.labels import MAX_NUMBER, format_label
from webquarry_convert.file.text.line import BOLD, ITALIC, LOWERED, RAISED, STRIKE, Content, Line
from webquarry_convert.file.text.ooxml.package import MC, A, M, R, Relation
from webquarry_convert.file.text.pptx.placeholders import LEVELS, Inherited
from webquarry_convert.file.text.targets import build_target
from webquarry_convert.file.xml import Element
from webquarry_convert.tree import Node

_BULLETS: Final = frozenset({f"{A}buNone", f"{A}buChar", f"{A}buAutoNum", f"{A}buBlip"})
_FORMS: Final = (("alphaLc", "a"), ("alphaUc", "A"), ("romanLc", "i"), ("romanUc", "I"))
_ON: Final = frozenset({"1", "true"})


class TextReader:
    """Reads the text of shapes and cells on one slide. relations: the slide's relationships, which resolve links."""

    def __init__(self, relations: Mapping[str, Relation]) -> None:
        self._relations = relations

    def read(
        self, body: Element, inherited: Inherited | None, *, is_cell: bool = False, is_title: bool = False
    ) -> Content:
        """Return the content of a `txBody`.

        inherited: the shape's properties; None in a cell, whose paragraphs inherit no bullets. is_title: whether the
        paragraphs are parts of one heading.
        """
        blocks = Blocks(is_cell=is_cell or is_title)
        counts = _Counts()
        for paragraph in body.iterchildren(f"{A}p"):
            line = self._read_line(paragraph)
            text = line.plain()
            if not text.strip() and not line.has_nodes:
                continue
            properties = paragraph.find(f"{A}pPr")
            level = _parse_number(None if properties is None else properties.get("lvl"), LEVELS - 1)
            bullet = None if is_title else _find_bullet(properties, inherited, level)
            item = counts.count(bullet, level)
            if item is None:
                blocks.flow(line, text)
            else:
                blocks.item(item, line)
        return blocks.nodes

    def _read_line(self, paragraph: Element) -> Line:
        line = Line()
        for node in _iterate_runs(paragraph):
            if node.tag == f"{A}br":
                line.add_line_break()
            elif node.tag == f"{M}oMath":
                if tex := formula.convert_omml(node):
                    line.node(Node("math", {"alttext": tex}, -1))
            elif not (node.tag == f"{A}fld" and node.get("type", "").startswith("slidenum")):
                self._add_run(line, node)
        return line

    def _add_run(self, line: Line, run: Element) -> None:
        text = (run.findtext(f"{A}t") or "").replace("_x000D_", "").replace("\v", "\n")
        if not text:
            return
        properties = run.find(f"{A}rPr")
        marks, link, font = 0, None, None
        if properties is not None:
            marks = _read_marks(properties)
            linked = properties.find(f"{A}hlinkClick")
            relation = None if linked is None else self._relations.get(linked.get(f"{R}id", ""))
            link = build_target(relation.target) if relation is not None and relation.is_outside else None
            symbol = properties.find(f"{A}sym")
            font = None if symbol is None else symbol.get("typeface")
        line.text(symbols.translate_text(text, font), marks, link)


def _write_label(kind: str, number: int) -> str | None:
    """Return a numbered item's label, or None if its number suffices. kind: the name of the label's format, such as
    `romanUcParenBoth`.
    """
    form = next((form for prefix, form in _FORMS if kind.startswith(prefix)), "")
    if not form:
        return None
    label = format_label(number, form)
    if kind.endswith("ParenBoth"):
        return f"({label})"
    return f"{label})" if kind.endswith("ParenR") else f"{label}."


class _Counts:
    """Counters of the numbered items in a text.

    Each level is counted separately, and an item on a higher level resets deeper levels.
    """

    def __init__(self) -> None:
        self._last: dict[int, tuple[str, int]] = {}  # by level: the number format with its start, and the last number

    def count(self, bullet: Element | None, level: int) -> Item | None:
        """Return a paragraph's list item, or None if the paragraph is not an item."""
        for deeper in range(level + 1, LEVELS):
            self._last.pop(deeper, None)
        if bullet is None or bullet.tag == f"{A}buNone":
            self._last.pop(level, None)
            return None
        if bullet.tag != f"{A}buAutoNum":
            self._last.pop(level, None)
            return Item(level)
        kind, start = bullet.get("type", ""), _parse_number(bullet.get("startAt"), MAX_NUMBER) or 1
        name = f"{kind} {start}"
        before = self._last.get(level)
        number = min(before[1] + 1, MAX_NUMBER) if before is not None and before[0] == name else start
        self._last[level] = name, number
        label = _write_label(kind, number)
        return Item(level, number) if label is None else Item(level, None, label)


def _iterate_runs(paragraph: Element) -> Iterator[Element]:
    """Yield runs, fields, breaks and formulas. Of several alternatives for different programs, the first is used."""
    for node in paragraph:
        if node.tag in (f"{A}r", f"{A}br", f"{A}fld"):
            yield node
        elif node.tag == f"{MC}AlternateContent":
            chosen = node.find(f"{MC}Choice")
            if chosen is not None:
                yield from chosen.iter(f"{M}oMath")
        else:
            yield from node.iter(f"{M}oMath")


def _find_bullet(properties: Element | None, inherited: Inherited | None, level: int) -> Element | None:
    if properties is not None:
        own = _find_own_bullet(properties)
        if own is not None:
            return own
    if inherited is None:
        return None
    return next(filter(lambda found: found is not None, map(_find_own_bullet, inherited.find_levels(level))), None)


def _find_own_bullet(properties: Element) -> Element | None:
    return next((node for node in properties if node.tag in _BULLETS), None)


def _read_marks(properties: Element) -> int:
    marks = 0
    if properties.get("b") in _ON:
        marks |= BOLD
    if properties.get("i") in _ON:
        marks |= ITALIC
    if properties.get("strike", "noStrike") != "noStrike":
        marks |= STRIKE
    baseline = properties.get("baseline", "0")
    if baseline.strip("-0%"):
        marks |= LOWERED if baseline.startswith("-") else RAISED
    return marks


def _parse_number(text: str | None, most: int) -> int:
    return min(int(text), most) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else 0
