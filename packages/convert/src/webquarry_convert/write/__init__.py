"""The markdown writer: a tree, as the stages before have left it, as text.

CommonMark with the tables, strikethrough, task lists, alerts and footnotes of GitHub, and formulas between dollar
signs. Total over all trees; the time grows with their size.
"""

from webquarry_convert.tree import Node
from webquarry_convert.write.flow import write_children
from webquarry_convert.write.footnotes import write_inline_notes
from webquarry_convert.write.handlers import DISPATCH
from webquarry_convert.write.state import WriterState

__all__ = ["write"]


def write(root: Node, base: str | None, *, note_prefix: str = "") -> str:
    """Markdown of `root` and everything in it that is not dropped; "" when there is nothing, else with one line break
    at the end.

    base: the absolute address that relative targets are joined with; None: they stay as they are. note_prefix: what
    labels of notes begin with, where several texts are put together.
    """
    text = _write_tree(root, base, note_prefix, keeps_controls=False)
    return text or _write_tree(root, base, note_prefix, keeps_controls=True)


def _write_tree(root: Node, base: str | None, note_prefix: str, *, keeps_controls: bool) -> str:
    state = WriterState(root, base, DISPATCH, keeps_controls=keeps_controls, note_prefix=note_prefix)
    write_children(state, [root])
    state.flush()
    write_inline_notes(state)
    return state.output.text()
