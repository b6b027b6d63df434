"""Markdown writer, which converts a processed tree to text.

The output is CommonMark with the tables, strikethrough, task lists, alerts and footnotes of GitHub, and formulas
between dollar signs. Any tree can be written, and the time is linear in its size.
"""

from webquarry_convert.tree import Node
from webquarry_convert.write.flow import write_children
from webquarry_convert.write.footnotes import write_inline_notes
from webquarry_convert.write.handlers import DISPATCH
from webquarry_convert.write.output import Output
from webquarry_convert.write.state import WriterState

__all__ = ["write", "write_pages"]


def write(root: Node, base: str | None, *, note_prefix: str = "") -> str:
    """Return the markdown of `root` without dropped elements.

    The result is "" or ends with one line break. base: absolute URL for resolving relative targets; if None, they stay
    unchanged. note_prefix: prefix of footnote labels, for joining several results.
    """
    return _write_root(root, base, note_prefix).text()


def write_pages(root: Node) -> tuple[str, list[int]]:
    """Return the markdown of `root`, and the offset of each page (one for each `PAGE_START`), in characters."""
    output = _write_root(root, None, "")
    return output.text(), output.find_page_starts()


def _write_root(root: Node, base: str | None, note_prefix: str) -> Output:
    output = _write_tree(root, base, note_prefix, keeps_controls=False)
    return output if output.pieces else _write_tree(root, base, note_prefix, keeps_controls=True)


def _write_tree(root: Node, base: str | None, note_prefix: str, *, keeps_controls: bool) -> Output:
    state = WriterState(root, base, DISPATCH, keeps_controls=keeps_controls, note_prefix=note_prefix)
    write_children(state, [root])
    state.flush()
    write_inline_notes(state)
    return state.output
