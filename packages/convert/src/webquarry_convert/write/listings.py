"""Blocks of code."""

from textwrap import dedent

from webquarry_convert.tree import Node
from webquarry_convert.write import code
from webquarry_convert.write.pieces import Written
from webquarry_convert.write.state import WriterState


def write_preformatted(state: WriterState, node: Node) -> None:
    """Write a code block. Within a cell or a heading, write it as one line."""
    text, language = code.read(node)
    if not text.strip():
        return
    if node.tag == "code":
        text = dedent(text)  # the indentation is part of the page's source
    if state.is_flat:
        state.pieces.append(Written(code.write_span(" ".join(text.split()))))
        return
    state.flush()
    state.output.block(code.write_fenced(text, language or state.language))
