"""Formulas in their places: within a line, or on lines of their own."""

from webquarry_convert.tree import Node
from webquarry_convert.write import math
from webquarry_convert.write.pieces import Formula
from webquarry_convert.write.state import WriterState


def write_formula(state: WriterState, tex: str, stands_alone: bool) -> None:
    """Write TeX within the line, or on lines of its own when it stands alone."""
    state.last_formula = tex
    if stands_alone and not state.is_flat and not state.in_link:
        state.write_block(math.write_block(tex))
    else:
        state.pieces.append(Formula(math.write_inline(tex)))


def write_formulas_in_text(state: WriterState, text: str) -> None:
    """Write a text with the formulas that scripts of the page would find in it."""
    for piece, delimiter in math.split_formulas(text):
        state.pieces.append(Formula(piece, in_dollars=delimiter[0] == "$") if delimiter else piece)


def write_script(state: WriterState, node: Node) -> None:
    """Write the formula that a `script` holds; any other script says nothing."""
    formula = math.read_script(node)
    if formula is not None:
        write_formula(state, *formula)


def write_math(state: WriterState, node: Node) -> None:
    """Write a `math` element."""
    text, stands_alone, is_tex = math.read_math(node)
    if is_tex:
        write_formula(state, text, stands_alone)
    elif text:
        state.pieces.append(text)


def write_attribute(state: WriterState, node: Node, names: str) -> bool:
    """Write the formula that an element holds in an attribute; False when it holds none."""
    formula = math.read_attribute(node)
    if formula is not None:
        write_formula(state, *formula)
    return formula is not None
