"""Worksheets: cells with values and formats, and their displayed values."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from corpora.office.flat import define_style, escape, paragraph, write_document
from corpora.truth import Truth

FORMATS = ("xlsx", "xls", "ods")
_ONE_DIGIT = 'number:min-integer-digits="1"'
_TWO = f'<number:number number:decimal-places="2" number:min-decimal-places="2" {_ONE_DIGIT} number:grouping="true"/>'
_MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY, _MONTH, _YEAR, _HOURS, _MINUTES = (
    f'<number:{part} number:style="long"/>' for part in ("day", "month", "year", "hours", "minutes")
)


def _text(sign: str) -> str:
    return f"<number:text>{escape(sign)}</number:text>"


def _number(*parts: str, kind: str = "number", more: str = "") -> str:
    return f'<number:{kind}-style style:name="{{name}}" {more}>{"".join(parts)}</number:{kind}-style>'


_STYLES: Mapping[str, str] = {
    "thousands": _number(f'<number:number number:decimal-places="0" {_ONE_DIGIT} number:grouping="true"/>'),
    "two": _number(_TWO),
    "euro": _number(
        '<number:currency-symbol number:language="de" number:country="DE">€</number:currency-symbol>',
        _text(" "),
        _TWO,
        kind="currency",
    ),
    "percent": _number(
        f'<number:number number:decimal-places="1" number:min-decimal-places="1" {_ONE_DIGIT}/>',
        _text("%"),
        kind="percentage",
    ),
    "iso": _number(_YEAR, _text("-"), _MONTH, _text("-"), _DAY, kind="date"),
    "german": _number(_DAY, _text("."), _MONTH, _text("."), _YEAR, kind="date"),
    "named": _number(_DAY, _text(" "), '<number:month number:textual="true"/>', _text(" "), _YEAR, kind="date"),
    "minute": _number(
        _YEAR, _text("-"), _MONTH, _text("-"), _DAY, _text(" "), _HOURS, _text(":"), _MINUTES, kind="date"
    ),
    "clock": _number(_HOURS, _text(":"), _MINUTES, kind="time"),
    "duration": _number(
        "<number:hours/>", _text(":"), _MINUTES, kind="time", more='number:truncate-on-overflow="false"'
    ),
    "fraction": _number(
        '<number:fraction number:min-integer-digits="0" number:min-numerator-digits="1" '
        'number:min-denominator-digits="1"/>'
    ),
    "scientific": _number(
        '<number:scientific-number number:decimal-places="2" number:min-decimal-places="2" '
        f'{_ONE_DIGIT} number:min-exponent-digits="2"/>'
    ),
    "padded": _number('<number:number number:decimal-places="0" number:min-integer-digits="6"/>'),
}
_NEGATIVE = (
    f'<number:number-style style:name="accounts0" style:volatile="true">{_TWO}</number:number-style>'
    f'<number:number-style style:name="accounts">{_text("(")}{_TWO}{_text(")")}'
    '<style:map style:condition="value()&gt;=0" style:apply-style-name="accounts0"/></number:number-style>'
)
"""Format of negative values in brackets."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell.

    shown: the displayed text. markup: the value as attributes of OpenDocument. style: one of `_STYLES`. across, down:
    number of merged columns and rows. link, comment: added to its text.
    """

    shown: str = ""
    markup: str = 'office:value-type="string"'
    style: str = ""
    across: int = 1
    down: int = 1
    link: str = ""
    comment: str = ""


def say(text: str, *, across: int = 1, down: int = 1, link: str = "", comment: str = "") -> Cell:
    return Cell(text, across=across, down=down, link=link, comment=comment)


def count(value: float, style: str = "", *, formula: str = "") -> Cell:
    """Return a number as displayed by Calc and Excel. formula: a formula in OpenFormula syntax."""
    shown = {
        "": f"{value:g}" if abs(value) < 1e10 else f"{value:.0f}",
        "thousands": f"{value:,.0f}",
        "two": f"{value:,.2f}",
        "euro": f"{'-' if value < 0 else ''}€ {abs(value):,.2f}",
        "accounts": f"({abs(value):,.2f})" if value < 0 else f"{value:,.2f}",
        "percent": f"{value * 100:.1f}%",
        "padded": f"{value:06.0f}",
        "scientific": f"{value:.2E}",
    }[style]
    kind = {"euro": "currency", "percent": "percentage"}.get(style, "float")
    return Cell(shown, f'office:value-type="{kind}" office:value="{value}"{_write_formula(formula)}', style)


def fraction(top: int, below: int) -> Cell:
    return Cell(f"{top}/{below}", f'office:value-type="float" office:value="{top / below}"', "fraction")


def day(value: dt.datetime, style: str) -> Cell:
    shown = {
        "iso": f"{value:%Y-%m-%d}",
        "german": f"{value:%d.%m.%Y}",
        "named": f"{value:%d} {_MONTH_NAMES[value.month - 1]} {value:%Y}",
        "minute": f"{value:%Y-%m-%d %H:%M}",
    }[style]
    return Cell(shown, f'office:value-type="date" office:date-value="{value:%Y-%m-%dT%H:%M:%S}"', style)


def span(minutes: int, style: str) -> Cell:
    """Return a time of day ("clock") or a duration."""
    hours, rest = divmod(minutes, 60)
    shown = f"{hours:02}:{rest:02}" if style == "clock" else f"{hours}:{rest:02}"
    return Cell(shown, f'office:value-type="time" office:time-value="PT{hours:02}H{rest:02}M00S"', style)


def truth_value(*, value: bool) -> Cell:
    return Cell(str(value).upper(), f'office:value-type="boolean" office:boolean-value="{str(value).lower()}"')


def error(shown: str) -> Cell:
    formula = {"#DIV/0!": "of:=1/0", "#N/A": "of:=NA()", "#VALUE!": 'of:="a"+1'}[shown]
    return Cell(shown, f'office:value-type="string" office:string-value=""{_write_formula(formula)}')


def _write_formula(formula: str) -> str:
    return f' table:formula="{escape(formula)}"' if formula else ""


@dataclass(slots=True)
class Sheet:
    """A sheet. hidden_rows, hidden_columns: indexes. shapes: markup of drawings on it. groups: collapsible rows."""

    name: str
    rows: list[list[Cell]] = field(default_factory=list)
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    is_hidden: bool = False
    shapes: str = ""
    groups: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class Workbook(Truth):
    sheets: list[Sheet] = field(default_factory=list)
    filters: str = ""

    def add(self, sheet: Sheet, *, heads: int = 1, has_relations: bool = True) -> None:
        """Add a sheet. heads: number of rows before the values; the last of them contains the headers."""
        self.sheets.append(sheet)
        self.match(rf"(?m)^#+ .*{sheet.name}")
        cells = show(sheet.rows)
        if not cells:
            return
        self.tables.append(cells)
        self.text += [" ".join(filter(None, row)) for row in cells]
        if has_relations:
            self.state_relations(cells, heads)

    def source(self) -> str:
        automatic = (
            "".join(style.format(name=f"n{name}") for name, style in _STYLES.items())
            + _NEGATIVE
            + "".join(
                f'<style:style style:name="c{name}" style:family="table-cell" style:data-style-name="{data}"/>'
                for name, data in [*((name, f"n{name}") for name in _STYLES), ("accounts", "accounts")]
            )
            + define_style("off", "table", 'table:display="false"', kind="table")
            + define_style("on", "table", 'table:display="true"', kind="table")
        )
        return write_document(
            "spreadsheet", "".join(map(_write_sheet, self.sheets)) + self.filters, automatic=automatic
        )


def show(rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """Return the displayed texts, without empty rows and columns at the edges."""
    width = max((sum(cell.across for cell in row) for row in rows), default=0)
    cells = []
    for row in rows:
        texts = [text for cell in row for text in (" ".join(cell.shown.split()), *[""] * (cell.across - 1))]
        cells.append(texts + [""] * (width - len(texts)))
    return [row for row in cells if any(row)]


def _write_sheet(sheet: Sheet) -> str:
    width = max((sum(cell.across for cell in row) for row in sheet.rows), default=1)
    collapsed = ' table:visibility="collapse"'
    columns = "".join(f"<table:table-column{collapsed if at in sheet.hidden_columns else ''}/>" for at in range(width))
    starts, ends = {first for first, _ in sheet.groups}, {last for _, last in sheet.groups}
    rows = []
    for at, row in enumerate(sheet.rows):
        hidden = collapsed if at in sheet.hidden_rows else ""
        rows.append("<table:table-row-group>" if at in starts else "")
        rows.append(f"<table:table-row{hidden}>{''.join(map(_write_cell, row))}</table:table-row>")
        rows.append("</table:table-row-group>" if at in ends else "")
    shapes = f"<table:shapes>{sheet.shapes}</table:shapes>" if sheet.shapes else ""
    style = "off" if sheet.is_hidden else "on"
    named = f'table:name="{escape(sheet.name)}" table:style-name="{style}"'
    return f"<table:table {named}>{shapes}{columns}{''.join(rows)}</table:table>"


def _write_cell(cell: Cell) -> str:
    if not cell.shown:
        return "<table:table-cell/>"
    style = f' table:style-name="c{cell.style}"' if cell.style else ""
    merged = (
        f' table:number-columns-spanned="{cell.across}" table:number-rows-spanned="{cell.down}"'
        if cell.across * cell.down > 1
        else ""
    )
    lines = [escape(line) for line in cell.shown.split("\n")]
    if cell.link:
        lines = [f'<text:a xlink:type="simple" xlink:href="{escape(cell.link)}">{line}</text:a>' for line in lines]
    comment = f"<office:annotation>{paragraph(escape(cell.comment))}</office:annotation>" if cell.comment else ""
    covered = "<table:covered-table-cell/>" * (cell.across - 1)
    return (
        f"<table:table-cell {cell.markup}{style}{merged}>{comment}{''.join(map(paragraph, lines))}</table:table-cell>"
        f"{covered}"
    )
