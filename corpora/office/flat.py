"""Flat OpenDocument: a single XML file that LibreOffice opens as a text, workbook or presentation."""

import html
from collections.abc import Sequence

_NAMES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
    "xlink": "http://www.w3.org/1999/xlink",
    "dc": "http://purl.org/dc/elements/1.1/",
    "meta": "urn:oasis:names:tc:opendocument:xmlns:meta:1.0",
    "number": "urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
    "chart": "urn:oasis:names:tc:opendocument:xmlns:chart:1.0",
    "presentation": "urn:oasis:names:tc:opendocument:xmlns:presentation:1.0",
    "of": "urn:oasis:names:tc:opendocument:xmlns:of:1.2",
    "math": "http://www.w3.org/1998/Math/MathML",
}
_LAYOUT = (
    '<style:page-layout style:name="pm1"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" '
    'fo:margin="2cm"/><style:header-style><style:header-footer-properties fo:min-height="1cm"/></style:header-style>'
    '<style:footer-style><style:header-footer-properties fo:min-height="1cm"/></style:footer-style></style:page-layout>'
)
_HEADINGS = "".join(
    f'<style:style style:name="Heading_20_{level}" style:display-name="Heading {level}" style:family="paragraph" '
    f'style:default-outline-level="{level}"><style:text-properties fo:font-size="{20 - 2 * level}pt" '
    'fo:font-weight="bold"/></style:style>'
    for level in range(1, 5)
)


def escape(text: str) -> str:
    return html.escape(text)


def write_document(
    kind: str, body: str, *, styles: str = "", automatic: str = "", head: str = "", foot: str = "", title: str = ""
) -> str:
    """Return a document.

    kind: "text", "spreadsheet" or "presentation". head, foot: paragraphs on every page of a text.
    """
    names = " ".join(f'xmlns:{name}="{address}"' for name, address in _NAMES.items())
    header = f"<style:header>{head}</style:header>" if head else ""
    footer = f"<style:footer>{foot}</style:footer>" if foot else ""
    name = "dp1" if kind == "presentation" else "Standard"
    master = f'<style:master-page style:name="{name}" style:page-layout-name="pm1">{header}{footer}</style:master-page>'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {names} office:version="1.2" '
        f'office:mimetype="application/vnd.oasis.opendocument.{kind}">'
        f"<office:meta>{f'<dc:title>{escape(title)}</dc:title>' if title else ''}</office:meta>"
        f"<office:styles>{_HEADINGS}{styles}</office:styles>"
        f"<office:automatic-styles>{_LAYOUT}{automatic}</office:automatic-styles>"
        f"<office:master-styles>{master}</office:master-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document>"
    )


def paragraph(inner: str, style: str = "") -> str:
    """Return a paragraph. inner: markup."""
    return f"<text:p{f' text:style-name={chr(34)}{style}{chr(34)}' if style else ''}>{inner}</text:p>"


def heading(level: int, inner: str) -> str:
    return f'<text:h text:style-name="Heading_20_{level}" text:outline-level="{level}">{inner}</text:h>'


def write_list(style: str, items: Sequence[str], *, goes_on: bool = False) -> str:
    """Return a list. items: markup of the items, including their elements."""
    parts = [f"<text:list-item>{item}</text:list-item>" for item in items]
    more = ' text:continue-numbering="true"' if goes_on else ""
    return f'<text:list text:style-name="{style}"{more}>{"".join(parts)}</text:list>'


def define_style(name: str, family: str, properties: str, *, kind: str = "text", parent: str = "") -> str:
    """Return a style. properties: attributes of the kind's element ("text", "paragraph", "section", "graphic",
    "table-row").
    """
    inherited = f' style:parent-style-name="{parent}"' if parent else ""
    return (
        f'<style:style style:name="{name}" style:family="{family}"{inherited}>'
        f"<style:{kind}-properties {properties}/></style:style>"
    )


def define_numbering(name: str, levels: Sequence[tuple[str, str, str, int]], *, start: int = 1) -> str:
    """Return a list style.

    levels: format ("1", "a", "i", "A", "I", or a bullet), prefix, suffix, and number of displayed levels. start: the
    first number of the first level.
    """
    parts = []
    for place, (form, before, after, shown) in enumerate(levels, start=1):
        indent = (
            '<style:list-level-properties text:list-level-position-and-space-mode="label-alignment">'
            '<style:list-level-label-alignment text:label-followed-by="listtab" '
            f'text:list-tab-stop-position="{place * 0.8}cm" fo:text-indent="-0.8cm" fo:margin-left="{place * 0.8}cm"/>'
            "</style:list-level-properties>"
        )
        if form in ("1", "a", "i", "A", "I"):
            first = f' text:start-value="{start}"' if place == 1 else ""
            several = f' text:display-levels="{shown}"' if shown > 1 else ""
            parts.append(
                f'<text:list-level-style-number text:level="{place}" style:num-format="{form}" '
                f'style:num-prefix="{before}" style:num-suffix="{after}"{several}{first}>{indent}'
                "</text:list-level-style-number>"
            )
        else:
            parts.append(
                f'<text:list-level-style-bullet text:level="{place}" text:bullet-char="{form}">{indent}'
                "</text:list-level-style-bullet>"
            )
    return f'<text:list-style style:name="{name}">{"".join(parts)}</text:list-style>'


def write_table(name: str, rows: Sequence[Sequence[tuple[str, int, int]]], columns: int, *, heads: int = 1) -> str:
    """Return a table. rows: cells as (markup, columns spanned, rows spanned); positions covered by spans are
    omitted.
    """
    covered: dict[int, int] = {}
    written = []
    for row in rows:
        cells, column, waiting = [], 0, iter(row)
        while column < columns:
            if covered.get(column):
                covered[column] -= 1
                cells.append("<table:covered-table-cell/>")
                column += 1
                continue
            inner, across, down = next(waiting)
            span = f' table:number-columns-spanned="{across}" table:number-rows-spanned="{down}"'
            cells.append(f"<table:table-cell{span if across * down > 1 else ''}>{inner}</table:table-cell>")
            cells += ["<table:covered-table-cell/>"] * (across - 1)
            for place in range(column, column + across):
                covered[place] = down - 1
            column += across
        written.append(f"<table:table-row>{''.join(cells)}</table:table-row>")
    top = f"<table:table-header-rows>{''.join(written[:heads])}</table:table-header-rows>" if heads else ""
    return (
        f'<table:table table:name="{name}"><table:table-column table:number-columns-repeated="{columns}"/>'
        f"{top}{''.join(written[heads:])}</table:table>"
    )


def draw_frame(inner: str, place: str, *, kind: str = "") -> str:
    """Return a frame. place: "x y width height" in centimeters. kind: further attributes."""
    left, top, width, height = place.split()
    return (
        f'<draw:frame {kind} svg:x="{left}cm" svg:y="{top}cm" svg:width="{width}cm" svg:height="{height}cm">'
        f"{inner}</draw:frame>"
    )


def draw_chart(title: str, names: Sequence[str], series: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Return a column chart with its table of values. names: names of the categories."""
    head = "".join(_write_cell(label) for label, _ in series)
    rows = "".join(
        f"<table:table-row>{_write_cell(name)}"
        + "".join(
            f'<table:table-cell office:value-type="float" office:value="{values[at]}"><text:p>{values[at]}</text:p>'
            "</table:table-cell>"
            for _, values in series
        )
        + "</table:table-row>"
        for at, name in enumerate(names)
    )
    last = len(names) + 1
    drawn = "".join(
        f'<chart:series chart:values-cell-range-address="local-table.{chr(66 + at)}2:.{chr(66 + at)}{last}" '
        f'chart:label-cell-address="local-table.{chr(66 + at)}1" chart:class="chart:bar"/>'
        for at, _ in enumerate(series)
    )
    names_of_namespaces = " ".join(f'xmlns:{name}="{address}"' for name, address in _NAMES.items())
    return (
        f'<draw:object><office:document {names_of_namespaces} office:version="1.2" '
        'office:mimetype="application/vnd.oasis.opendocument.chart"><office:body><office:chart>'
        '<chart:chart chart:class="chart:bar" svg:width="10cm" svg:height="7cm">'
        f"<chart:title><text:p>{escape(title)}</text:p></chart:title><chart:legend/>"
        f'<chart:plot-area table:cell-range-address="local-table.A1:.{chr(65 + len(series))}{last}" '
        'chart:data-source-has-labels="both"><chart:axis chart:dimension="x" chart:name="primary-x">'
        f'<chart:categories table:cell-range-address="local-table.A2:.A{last}"/></chart:axis>'
        f'<chart:axis chart:dimension="y" chart:name="primary-y"/>{drawn}</chart:plot-area>'
        '<table:table table:name="local-table"><table:table-header-columns><table:table-column/>'
        "</table:table-header-columns><table:table-columns>"
        f'<table:table-column table:number-columns-repeated="{len(series)}"/></table:table-columns>'
        f"<table:table-header-rows><table:table-row>{_write_cell('')}{head}</table:table-row></table:table-header-rows>"
        f"<table:table-rows>{rows}</table:table-rows></table:table>"
        "</chart:chart></office:chart></office:body></office:document></draw:object>"
    )


def _write_cell(text: str) -> str:
    return f'<table:table-cell office:value-type="string"><text:p>{escape(text)}</text:p></table:table-cell>'
