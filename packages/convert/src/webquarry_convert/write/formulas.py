"""Formulas, written within a line or as a block."""

from webquarry_convert.tree import Node
from webquarry_convert.write import math
from webquarry_convert.write.pieces import Formula
from webquarry_convert.write.state import WriterState


def write_formula(state: WriterState, tex: str, stands_alone: bool) -> None:
    """Write TeX within the line, or as a block if it is a display formula."""
    state.last_formula = tex
    if stands_alone and not state.is_flat and not state.in_link:
        state.write_block(math.write_block(tex))
    else:
        state.pieces.append(Formula(math.write_inline(tex)))


def write_formulas_in_text(state: WriterState, text: str) -> None:
    """Write a text, including the formulas that the page's scripts would find in it."""
    for piece, delimiter in math.split_formulas(text):
        state.pieces.append(Formula(piece, in_dollars=delimiter[0] == "$") if delimiter else piece)


def write_script(state: WriterState, node: Node) -> None:
    """Write the formula that a `script` contains. Other scripts are skipped."""
    formula = math.read_script(node)
    if formula is not None:
        write_formula(state, *formula)


def write_math(state: WriterState, node: Node) -> None:
    text, stands_alone, is_tex = math.read_math(node)
    if is_tex:
        write_formula(state, text, stands_alone)
    elif text:
        state.pieces.append(text)


def write_attribute(state: WriterState, node: Node, names: str) -> bool:
    """Write the formula that an element's attributes contain. Returns False if they contain no formula."""
    formula = math.read_attribute(node)
    if formula is not None:
        write_formula(state, *formula)
    return formula is not None
