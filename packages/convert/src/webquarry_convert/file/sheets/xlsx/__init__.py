"""Conversion of Excel workbooks since 2007.

Supports `.xlsx`, `.xlsm`, templates, and the strict variant (ECMA-376 part 1, chapter 18).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file import properties
from webquarry_convert.file.archive import Archive
from webquarry_convert.file.document import Document, make_corrupt_error
from webquarry_convert.file.properties import Properties
from webquarry_convert.file.sheets.notes import Note
from webquarry_convert.file.sheets.table import Budget
from webquarry_convert.file.sheets.workbook import Tab, build_document, warn_of_hidden_columns, warn_of_hidden_rows
from webquarry_convert.file.sheets.xlsx.comments import read_comments, read_people, read_threads
from webquarry_convert.file.sheets.xlsx.drawings import Drawings
from webquarry_convert.file.sheets.xlsx.relationships import Relationship, find_part, read_relationships
from webquarry_convert.file.sheets.xlsx.sheet import SharedStrings, Sheet, read_sheet
from webquarry_convert.file.sheets.xlsx.strings import read_shared_strings
from webquarry_convert.file.sheets.xlsx.styles import Styles
from webquarry_convert.file.xml import Element, get_local_name, parse
from webquarry_convert.write.targets import MAX_ADDRESS

_SHEETS = frozenset({"worksheet", "xlMacrosheet", "xlIntlMacrosheet"})


def read(body: bytes) -> Document:
    archive = Archive(body)
    book = find_part(read_relationships(archive, ""), "officeDocument") or "xl/workbook.xml"
    root = archive.read(book)
    if root is None:
        raise make_corrupt_error("it has no workbook")
    workbook = parse(root)
    related = read_relationships(archive, book)
    from_1904 = _is_from_1904(workbook)
    style_part = find_part(related, "styles")
    texts = _read_texts(archive, related)
    styles = Styles(archive.read(style_part) if style_part else None, from_1904=from_1904)
    budget = Budget()
    tabs: list[Tab] = []
    unknown = 0
    warnings: list[str] = []
    read_parts: set[str] = set()
    asides = _Annotations(archive, related, budget, warnings)
    for name, is_hidden, part in _list_sheets(workbook, related):
        if part not in archive:
            warnings.append(f"The sheet {name!r} is listed but missing from the file.")
            continue
        if part in read_parts:
            warnings.append(f"The sheet {name!r} is omitted because it is the same as an earlier one.")
            continue
        read_parts.add(part)
        about = asides.of(part, name)
        sheet = Sheet(texts, styles, budget, about.addresses, from_1904=from_1904)
        table = read_sheet(archive.stream(part), sheet)
        tabs.append(Tab(name, [("", table)], is_hidden, about.notes, about.drawn))
        unknown += sheet.unknown
        warnings += warn_of_hidden_rows(name, sheet.hidden_rows)
        warnings += warn_of_hidden_columns(name, table, sheet.hidden_columns)
    warnings += _warn_of_unknown(unknown)
    return build_document(tabs, _read_properties(archive)).add_warnings(*warnings)


def _read_texts(archive: Archive, related: dict[str, Relationship]) -> SharedStrings:
    strings = find_part(related, "sharedStrings")
    return SharedStrings(read_shared_strings(archive.stream(strings)) if strings and strings in archive else [])


def _warn_of_unknown(formulas: int) -> list[str]:
    if not formulas:
        return []
    have = "1 formula has" if formulas == 1 else f"{formulas:,} formulas have"
    return [f"{have} no stored value. To include the values, open the workbook in a spreadsheet program and save it."]


@dataclass(frozen=True, slots=True)
class _SheetAnnotations:
    """A sheet's annotations, which are stored in separate parts.

    addresses: link targets by identifier. notes: notes on cells. drawn: the text in drawings.
    """

    addresses: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[Note] = ()
    drawn: Sequence[str] = ()


class _Annotations:
    """Reads a workbook's optional parts. A damaged part only causes a warning."""

    def __init__(self, archive: Archive, book: dict[str, Relationship], budget: Budget, warnings: list[str]) -> None:
        self._archive = archive
        self._budget = budget
        self._drawings = Drawings(archive, budget)
        self._people_part = find_part(book, "person")
        self._people: dict[str, str] | None = None
        self._warnings = warnings

    def of(self, part: str, name: str) -> _SheetAnnotations:
        """Return a sheet's annotations.

        name: the sheet's name.
        """
        try:
            related = read_relationships(self._archive, part)
            addresses = {
                identifier: one.target
                for identifier, one in related.items()
                if one.is_external and one.kind == "hyperlink" and len(one.target) <= MAX_ADDRESS
            }
            drawing = find_part(related, "drawing")
            drawn = self._drawings.read(drawing) if drawing else []
            return _SheetAnnotations(addresses, self._read_notes(related), drawn)
        except ConversionFailed as failed:
            if failed.reason != "corrupt":
                raise
            self._warnings.append(f"Links, notes or drawings of the sheet {name!r} are damaged and omitted.")
            return _SheetAnnotations()

    def _read_notes(self, related: dict[str, Relationship]) -> list[Note]:
        found: list[Note] = []
        commented, threaded = find_part(related, "comments"), find_part(related, "threadedComment")
        if commented and commented in self._archive:
            found += read_comments(self._archive.stream(commented), self._budget)
        if threaded and threaded in self._archive:
            found += read_threads(self._archive.stream(threaded), self._read_people(), self._budget)
        return found

    def _read_people(self) -> dict[str, str]:
        if self._people is None:
            part = self._people_part
            self._people = read_people(self._archive.stream(part)) if part and part in self._archive else {}
        return self._people


def _is_from_1904(workbook: Element) -> bool:
    return any(
        element.get("date1904") in {"1", "true"} for element in workbook if get_local_name(element.tag) == "workbookPr"
    )


def _list_sheets(workbook: Element, related: dict[str, Relationship]) -> list[tuple[str, bool, str]]:
    """Return each sheet with cells in tab order: its name, whether it is hidden, and its part."""
    found: list[tuple[str, bool, str]] = []
    for group in workbook:
        if get_local_name(group.tag) != "sheets":
            continue
        for sheet in group:
            identifier = next(
                (value for name, value in sheet.attrib.items() if get_local_name(name) == "id" and name != "id"), ""
            )
            relation = related.get(identifier)
            if relation is not None and relation.kind in _SHEETS and not relation.is_external:
                hidden = sheet.get("state", "visible") != "visible"
                found.append((sheet.get("name", ""), hidden, relation.target))
    return found


def _read_properties(archive: Archive) -> Properties:
    part = find_part(read_relationships(archive, ""), "core-properties")
    body = archive.read(part) if part else None
    return properties.read(parse(body) if body else None)
