"""Excel workbooks since 2007 (`.xlsx`, `.xlsm`, templates; the strict variant as well): ECMA-376 part 1, chapter 18."""

from webquarry.convert.file import properties
from webquarry.convert.file.archive import Archive
from webquarry.convert.file.document import Document, corrupt
from webquarry.convert.file.properties import Properties
from webquarry.convert.file.sheets.markup import local
from webquarry.convert.file.sheets.table import Budget
from webquarry.convert.file.sheets.workbook import Tab, document
from webquarry.convert.file.sheets.xlsx.parts import Relation, first, relations
from webquarry.convert.file.sheets.xlsx.sheet import Sheet, Texts, read_sheet
from webquarry.convert.file.sheets.xlsx.strings import shared_strings
from webquarry.convert.file.sheets.xlsx.styles import Styles
from webquarry.convert.file.xml import Element, parse

_SHEETS = frozenset({"worksheet", "xlMacrosheet", "xlIntlMacrosheet"})


def read(body: bytes) -> Document:
    archive = Archive(body)
    book = first(relations(archive, ""), "officeDocument") or "xl/workbook.xml"
    root = archive.read(book)
    if root is None:
        raise corrupt("it has no workbook")
    workbook = parse(root)
    related = relations(archive, book)
    from_1904 = _is_from_1904(workbook)
    strings = first(related, "sharedStrings")
    style_part = first(related, "styles")
    texts = Texts(shared_strings(archive.stream(strings)) if strings and strings in archive else [])
    styles = Styles(archive.read(style_part) if style_part else None, from_1904=from_1904)
    budget = Budget()
    tabs: list[Tab] = []
    missing: list[str] = []
    for name, is_hidden, part in _listed(workbook, related):
        if part not in archive:
            missing.append(f"The sheet {name!r} is listed but not in the file.")
            continue
        sheet = Sheet(texts, styles, budget, from_1904=from_1904)
        tabs.append(Tab(name, [("", read_sheet(archive.stream(part), sheet))], is_hidden))
    return document(tabs, _properties(archive)).warned(*missing)


def _is_from_1904(workbook: Element) -> bool:
    return any(element.get("date1904") in {"1", "true"} for element in workbook if local(element.tag) == "workbookPr")


def _listed(workbook: Element, related: dict[str, Relation]) -> list[tuple[str, bool, str]]:
    """Name, whether hidden, and part of each sheet with cells, in the order of the tabs."""
    found: list[tuple[str, bool, str]] = []
    for group in workbook:
        if local(group.tag) != "sheets":
            continue
        for sheet in group:
            identifier = next(
                (value for name, value in sheet.attrib.items() if local(name) == "id" and name != "id"), ""
            )
            relation = related.get(identifier)
            if relation is not None and relation.kind in _SHEETS:
                hidden = sheet.get("state", "visible") != "visible"
                found.append((sheet.get("name", ""), hidden, relation.target))
    return found


def _properties(archive: Archive) -> Properties:
    part = first(relations(archive, ""), "core-properties")
    body = archive.read(part) if part else None
    return properties.read(parse(body) if body else None)
