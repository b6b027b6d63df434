"""A generated document: its markup and its expected reading."""

import html
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from corpora.truth import Truth

FONTS = ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Condensed", "DejaVu Serif Condensed")
RULINGS = ("grid", "rows", "head", "sums", "stripes", "none")
"""Rulings of a table: all lines, horizontal lines, one below the header, lines above totals, colored rows, no lines.
"""
_RULES = {
    "grid": "td,th{border:0.7pt solid #333}",
    "rows": "tr{border-bottom:0.6pt solid #666}",
    "head": "thead tr:last-child{border-bottom:1pt solid #000}",
    "sums": "tr.total td.n{border-top:0.7pt solid #000}",
    "stripes": "tbody tr:nth-child(odd){background:#e4e8ef} thead tr{background:#cdd5e3}",
    "none": "",
}
Cell = tuple[str, int] | tuple[str, int, int]
"""The text of a cell, the number of columns that it spans, and the number of rows.

A line feed in the text is a line break.
"""


@dataclass(slots=True)
class Paper(Truth):
    """A document.

    head, foot: text on every page, in which "#" is replaced by the page number. has_fields: whether it contains links
    that `acroform` converts to form fields.
    """

    title: str = ""
    size: float = 10.0
    css: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    head: str = ""
    foot: str = ""
    is_tagged: bool = False
    has_fields: bool = False
    is_landscape: bool = False
    width: str = ""
    language: str = "en"
    programs: tuple[str, ...] = ("chromium",)

    def dress(self) -> None:
        """Choose fonts, sizes and margins."""
        draw = self.draw
        self.size = draw.choice((8.5, 9, 9.5, 10, 10.5, 11, 12))
        self.is_tagged = draw.random() < 0.3
        align = draw.choice(("left", "left", "justify"))
        self.css.append(
            f"body{{font-family:'{draw.choice(FONTS)}';font-size:{self.size}pt;"
            f"line-height:{draw.choice((1.15, 1.25, 1.4, 1.55))};text-align:{align};margin:0;hyphens:none}}"
            f"p{{margin:0 0 {draw.choice((4, 7, 10))}pt}} .r div{{margin:0}}"
            "table{border-collapse:collapse} td,th{vertical-align:top} .n{text-align:right} tr{break-inside:avoid}"
            "pre{white-space:pre-wrap;margin:6pt 0} ul,ol{margin:4pt 0 8pt} h1,h2,h3,h4{break-after:avoid}"
        )
        largest = draw.choice((1.5, 1.8, 2.2))
        weight = draw.choice(("bold", "bold", "bold", "normal"))
        for level in (1, 2, 3, 4):
            ratio = max(largest - (level - 1) * draw.choice((0.2, 0.3)), 1.15 if weight == "normal" else 1.0)
            self.css.append(
                f"h{level}{{font-size:{ratio * self.size:.1f}pt;font-weight:{weight};"
                f"margin:{draw.choice((8, 12))}pt 0 {draw.choice((3, 6))}pt;text-align:left}}"
            )

    def add(self, markup: str) -> None:
        self.body.append(markup)

    def heading(self, level: int, text: str) -> None:
        self.add(f"<h{level}>{html.escape(text)}</h{level}>")
        self.state_heading(level, text)

    def paragraph(self, text: str, *, style: str = "") -> None:
        self.add(f'<p style="{style}">{html.escape(text)}</p>')
        self.text.append(text)

    def lines(self, texts: Sequence[str], *, style: str = "") -> None:
        """Add records, each on a separate line."""
        inner = "".join(f"<div>{html.escape(text)}</div>" for text in texts)
        self.add(f'<div class="r" style="{style}">{inner}</div>')
        self.record(texts)

    def items(self, texts: Sequence[str], *, numbered: bool = False, inner: Sequence[str] = ()) -> None:
        """Add a list. inner: items below the first one."""
        tag = "ol" if numbered else "ul"
        nested = f"<ul>{''.join(f'<li>{html.escape(text)}</li>' for text in inner)}</ul>" if inner else ""
        parts = [f"<li>{html.escape(text)}{nested if not place else ''}</li>" for place, text in enumerate(texts)]
        self.add(f"<{tag}>{''.join(parts)}</{tag}>")
        self.text += [texts[0], *inner, *texts[1:]]
        self.state_items(texts, mark=r"\d+[.)]" if numbered else "[-*+]")
        self.state_items(inner)

    def code(self, texts: Sequence[str]) -> None:
        look = self.draw.choice(("background:#eee;padding:5pt", "border:0.5pt solid #999;padding:4pt", ""))
        joined = html.escape("\n".join(texts))
        self.add(f"<pre style=\"font-family:'DejaVu Sans Mono';font-size:0.88em;{look}\">{joined}</pre>")
        self.record([text for text in texts if text])

    def table(
        self,
        head: Sequence[Sequence[Cell]],
        rows: Sequence[Sequence[Cell]],
        *,
        ruling: str,
        labels: int = 1,
        totals: frozenset[int] = frozenset(),
        style: str = "",
        first: str = "",
        gutter: float | None = None,
    ) -> None:
        """Add a table.

        head, rows: cells with their width in columns. labels: number of text columns at the left; the others are
        figures. totals: rows in bold. first: CSS of the first column. gutter: points between two cells.
        """
        draw = self.draw
        number = f"t{len(self.tables)}"
        pad, side = draw.choice((1.5, 2.5, 4)), draw.choice((4, 7, 10)) if gutter is None else gutter / 2
        self.css += [_scope(number, rule) for rule in _split_rules(_RULES[ruling])]
        self.css.append(f"#{number} td,#{number} th{{padding:{pad}pt {side}pt}} #{number} td:first-child{{{first}}}")
        parts = [f'<table id="{number}" style="{style}"><thead>']
        places, cells = _lay_out([*head, *rows])
        count = len(head)
        parts += [_write_row(row, at, "th", labels, is_total=False) for row, at in zip(head, places, strict=False)]
        parts.append("</thead><tbody>")
        parts += [
            _write_row(row, at, "td", labels, is_total=place in totals)
            for place, (row, at) in enumerate(zip(rows, places[count:], strict=True))
        ]
        self.add("".join(parts) + "</tbody></table>")
        self.state_table(cells, count)

    def write_furniture(self) -> None:
        """Put the header and footer into the text, for programs that do not print them."""
        self.body.insert(0, f"<p>{html.escape(self.head)}</p>")
        self.body.append(f"<p>{html.escape(self.foot.replace('Page # of @', '').strip('·#@ '))}</p>")

    def markup(self) -> str:
        shape = f"direction:{'rtl' if self.language in ('ar', 'he') else 'ltr'}"
        head = f'<meta charset="utf-8"><title>{html.escape(self.title)}</title>'
        return (
            f'<!doctype html><html lang="{self.language}">{head}'
            f"<style>{''.join(self.css)} body{{{shape}}}</style><body>{''.join(self.body)}</body></html>"
        )


def _split_rules(css: str) -> list[str]:
    return [rule for part in css.split("}") if (rule := part.strip())]


def _scope(number: str, rule: str) -> str:
    """Limit a CSS rule to one table: "td,th{…" becomes "#t0 td,#t0 th{…}"."""
    selectors, declarations = rule.split("{")
    return f"{','.join(f'#{number} {one}' for one in selectors.split(','))}{{{declarations}}}"


def _write_row(row: Sequence[Cell], places: Sequence[int], tag: str, labels: int, *, is_total: bool) -> str:
    """Return a row. places: the column of each cell."""
    parts = []
    for cell, column in zip(row, places, strict=True):
        across, down = cell[1], cell[2] if len(cell) > 2 else 1
        kind = ' class="n"' if column >= labels else ""
        span = (f' colspan="{across}"' if across > 1 else "") + (f' rowspan="{down}"' if down > 1 else "")
        align = ' style="text-align:left"' if tag == "th" and column < labels else ""
        inner = html.escape(cell[0]).replace("\n", "<br>")
        parts.append(f"<{tag} valign=top{kind}{span}{align}>{f'<b>{inner}</b>' if is_total else inner}</{tag}>")
    return f"<tr{' class=total' if is_total else ''}>{''.join(parts)}</tr>"


def _lay_out(rows: Sequence[Sequence[Cell]]) -> tuple[list[list[int]], list[list[str]]]:
    """Return the column of each cell, and the rows with empty strings at positions that spans cover."""
    places: list[list[int]] = []
    laid: list[list[str]] = []
    covered: Counter[int] = Counter()
    for row in rows:
        at: list[int] = []
        texts: list[str] = []
        cells = iter(row)
        while True:
            if covered[len(texts)]:
                covered[len(texts)] -= 1
                texts.append("")
                continue
            if (cell := next(cells, None)) is None:
                break
            at.append(len(texts))
            for column in range(len(texts), len(texts) + cell[1]):
                covered[column] = cell[2] - 1 if len(cell) > 2 else 0
            texts += [" ".join(cell[0].split()), *[""] * (cell[1] - 1)]
        places.append(at)
        laid.append(texts)
    return places, laid
