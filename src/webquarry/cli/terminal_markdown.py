"""Rendering of markdown for a terminal."""

import io
from typing import ClassVar

from rich import box
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderResult
from rich.markdown import Heading, Markdown, TableElement
from rich.table import Table
from rich.text import Text

MIN_COLUMN_WIDTH = 8
"""Minimum width of a table's column in characters. A table whose columns would be narrower is shown as a list of
records.
"""


class _LeftHeading(Heading):
    LEVEL_ALIGN: ClassVar[dict[str, JustifyMethod]] = {}  # a centered title is easy to miss above left-aligned text


class _WholeTable(TableElement):
    """A table that shows all its content. The base class truncates long words and drops columns that do not fit."""

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        header, rows = self._read_cells()
        if len(header) * MIN_COLUMN_WIDTH > options.max_width:
            for row in rows or [[Text() for _ in header]]:
                yield from (Text.assemble(name, ": ", value) for name, value in zip(header, row, strict=False))
                yield Text()
            return
        table = Table(box=box.SIMPLE, pad_edge=False, collapse_padding=True, style="markdown.table.border")
        for name in header:
            table.add_column(name, overflow="fold")
        for row in rows:
            table.add_row(*row)
        yield table

    def _read_cells(self) -> tuple[list[Text], list[list[Text]]]:
        """Return the column names in bold, and the cells of each row."""
        header = self.header.row.cells if self.header is not None and self.header.row is not None else []
        names = [cell.content.copy() for cell in header]
        for name in names:
            name.stylize("bold")
        rows = [] if self.body is None else self.body.rows
        return names, [[cell.content for cell in row.cells] for row in rows]


class _Document(Markdown):
    elements: ClassVar = {**Markdown.elements, "heading_open": _LeftHeading, "table_open": _WholeTable}


def render_markdown(markdown: str, *, width: int, is_dumb: bool, has_colours: bool) -> str:
    """Return the markdown as lines of at most `width` columns with the terminal's control sequences.

    Without colors, text is still bold and underlined, unless the terminal is dumb.
    """
    output = io.StringIO()
    console = Console(
        file=output,
        width=width,
        force_terminal=not is_dumb,
        no_color=not has_colours,
        color_system=None if is_dumb else "standard",
        legacy_windows=False,
    )
    console.print(_Document(markdown, code_theme="ansi_dark", hyperlinks=not is_dumb))
    return "".join(f"{line.rstrip()}\n" for line in output.getvalue().strip("\n").split("\n"))
