"""Conversion of OpenDocument spreadsheets (`.ods`): OpenDocument 1.3 part 3, chapter 9.

Cells contain their text as displayed.
"""

from typing import Final

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file import properties
from webquarry_convert.file.archive import Archive
from webquarry_convert.file.document import Document, make_corrupt_error, make_encrypted_error
from webquarry_convert.file.properties import Properties
from webquarry_convert.file.sheets.drawn import name_chart
from webquarry_convert.file.sheets.ods.content import Content
from webquarry_convert.file.sheets.ods.names import CHART, OFFICE
from webquarry_convert.file.sheets.table import Budget
from webquarry_convert.file.sheets.workbook import build_document
from webquarry_convert.file.xml import parse, walk

_CHART_TITLE: Final = f"{OFFICE}body/{OFFICE}chart/{CHART}chart/{CHART}title"
MAX_CHARTS: Final = 1_000


def read(body: bytes) -> Document:
    archive = Archive(body)
    manifest = archive.read("META-INF/manifest.xml")
    if manifest is not None and b"encryption-data" in manifest:
        raise make_encrypted_error()
    if "content.xml" not in archive:
        raise make_corrupt_error("it has no content")
    content = Content(Budget())
    walk(archive.stream("content.xml"), content)
    content.warnings += _name_charts(archive, content.charts)
    return build_document(content.tabs, _read_properties(archive)).add_warnings(*content.warnings)


def _name_charts(archive: Archive, charts: list[tuple[list[str], str]]) -> list[str]:
    """Add the charts' titles to the drawings of their sheets, and return warnings. Each part is read only once."""
    parts = {
        f"{place.removeprefix('./').strip('/')}/content.xml": drawn for drawn, place in reversed(charts[:MAX_CHARTS])
    }
    damaged = 0
    for part, drawn in reversed(parts.items()):
        body = archive.read(part)
        try:
            title = None if body is None else parse(body).find(_CHART_TITLE)
        except ConversionFailed as failed:
            if failed.reason != "corrupt":
                raise
            damaged += 1
            continue
        if title is not None and (named := name_chart("".join(title.itertext()))):
            drawn.append(named)
    return [f"Damaged charts are omitted: {damaged}."] if damaged else []


def _read_properties(archive: Archive) -> Properties:
    body = archive.read("meta.xml")
    return properties.read(parse(body) if body else None)
