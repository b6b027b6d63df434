"""Tables of parameters, fields, errors, settings and providers as rows: name, type and badges, then the meaning.

Rows fit any width. The fields of an object or a list are folded into the row of that object or list.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from markdown_it.token import Token
from markupsafe import Markup, escape

from webquarry.web.texts import break_names

OPEN_ROWS = 30
"""Maximum number of rows of a table whose nested rows are initially unfolded."""
_PARENT_ENDS = (".<name>[]", ".<name>", "[]")
"""Text in a path between the name of a parent and the dot before a member."""
_MEANINGS = frozenset({"Description", "Meaning", "When", "Notes"})
_SHORT = frozenset({"Type", "Unit", "Default", "Status", "Location"})
_RETRY = "Retry helps"
_NAME = re.compile(r"`([^`]+)`")
_REQUIRED = ", required"
_BADGES = {
    "yes": '<span class="badge good">retry helps</span>',
    "no": '<span class="badge">retry doesn\'t help</span>',
}
_NOTHING = "-"


@dataclass
class Row:
    """A row of a table of parameters or fields, which may contain rows.

    `label` is its first cell as HTML, `cells` are the other cells by column header, and `inner` are the rows inside it.
    `name` is the name at the start of the first cell, or the whole text of that cell, which then has no anchor.
    """

    name: str
    label: str
    anchor: str
    cells: dict[str, str]
    inner: list["Row"] = field(default_factory=list)


def read_rows(
    tokens: Sequence[Token], render: Callable[[Token], str], claim: Callable[[str], str]
) -> tuple[list[Row], list[str]]:
    """Return the rows of a table's tokens and the heads of its columns.

    `render` returns the HTML of inline content. `claim` returns the anchor of a row's name.
    """
    heads: list[str] = []
    rows: list[Row] = []
    cells: list[Token] = []
    for token, after in pairwise(tokens):
        if token.type == "th_open":
            heads.append(after.content)
        elif token.type == "td_open":
            cells.append(after)
        elif token.type == "tr_close" and cells:
            found = _NAME.match(cells[0].content)
            name = found[1] if found else cells[0].content
            shown = {head: render(cell) for head, cell in zip(heads[1:], cells[1:], strict=True)}
            rows.append(Row(name, render(cells[0]), claim(name) if found else "", shown))
            cells = []
    return rows, heads


def nest(rows: Sequence[Row]) -> list[Row]:
    """Return the rows as a tree, with each row inside its parent.

    A row without a parent in the table stays on the outer level.
    """
    outer: list[Row] = []
    known: dict[str, Row] = {}
    for row in rows:
        parent = known.get(_find_parent(row.name))
        (outer if parent is None else parent.inner).append(row)
        known[row.name] = row
    return outer


def write_rows(rows: Sequence[Row], label: str) -> Markup:
    """Return the rows as a list. `label` names the list for screen readers."""
    shown = " open" if len(rows) <= OPEN_ROWS else ""
    return Markup("".join(_write_list(nest(rows), "", shown, label)))  # noqa: S704  # every part is escaped or rendered


def _write_list(rows: Sequence[Row], parent: str, shown: str, label: str) -> Iterator[str]:
    yield f'<ul class="rows" aria-label="{escape(label)}">' if label else '<ul class="rows">'
    for row in rows:
        anchor = f' id="{escape(row.anchor)}"' if row.anchor else ""
        yield f"<li{anchor}>{_write_head(row, parent)}{_write_rest(row)}"
        if row.inner:
            count = f"{len(row.inner)} field{'' if len(row.inner) == 1 else 's'}"
            name = break_names(_shorten(row.name, parent))
            yield f"<details{shown}><summary>{count} of <code>{name}</code></summary>"
            yield from _write_list(row.inner, row.name, shown, "")
            yield "</details>"
        yield "</li>"
    yield "</ul>\n"


def _write_head(row: Row, parent: str) -> str:
    shown, title = row.label, ""
    if parent:
        shown, title = f"<code>{break_names(_shorten(row.name, parent))}</code>", f' title="{escape(row.name)}"'
    link = f'<a class="row-link" href="#{escape(row.anchor)}"{title}>{shown}</a>' if row.anchor else shown
    return f'<div class="row-head">{" ".join([link, *_write_marks(row)])}</div>'


def _write_marks(row: Row) -> Iterator[str]:
    """Yield the type, the unit and the badges of a row."""
    for head, html in row.cells.items():
        if html == _NOTHING or not html:
            continue
        if head == _RETRY:
            yield _BADGES[html]
        elif head == "Type" and html.endswith(_REQUIRED):
            yield f'<span class="kind">{html.removesuffix(_REQUIRED)}</span>'
            yield '<span class="badge accent">required</span>'
        elif head == "Status":
            yield f'<span class="badge">{html}</span>'
        elif head in _SHORT:
            yield f'<span class="kind">{"default " if head == "Default" else ""}{html}</span>'


def _write_rest(row: Row) -> str:
    parts = []
    for head, html in row.cells.items():
        if head in _SHORT or head == _RETRY or html == _NOTHING or not html:
            continue
        label = "" if head in _MEANINGS else f'<span class="muted">{escape(head)}:</span> '
        parts.append(f"<p>{label}{html}</p>")
    return "".join(parts)


def _find_parent(path: str) -> str:
    """Return the path of the parent: `rows` for `rows[].title`, "" for a path without a dot."""
    parent = path.rpartition(".")[0]
    for end in _PARENT_ENDS:
        parent = parent.removesuffix(end)
    return parent


def _shorten(path: str, parent: str) -> str:
    return path.rpartition(".")[2] if parent else path
