"""Tables that a page builds of `div`s, and calls tables, rows and cells by their roles only.

They get the tags that their roles stand for before anything is weighed, so that they are tables for all that follows.
"""

from collections.abc import Mapping

from webquarry_convert.tree import Node, Tree

_TABLES = frozenset({"table", "grid", "treegrid"})
_CELLS: Mapping[str | None, str] = {"cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}
_PLAIN = frozenset({"div", "span", "section"})
"""Elements whose tag says nothing."""


def name_tables(tree: Tree) -> None:
    """Turn elements with the roles of tables into such."""
    for node in [node for node in tree if "role" in node.attributes]:
        if node.attributes["role"] in _TABLES and node.tag in _PLAIN:
            _turn_into_table(node)


def _turn_into_table(node: Node) -> None:
    """A table of the rows within, where nothing else is within."""
    found = _list_rows(node)
    if found is None:
        return
    groups, rows = found
    cells = [cell for row in rows for cell in _list_inner(row)]
    named = [cell for cell in cells if _get_role(cell) in _CELLS]
    if not named or len(named) < len(cells):
        return
    node.tag = "table"
    for group in groups:
        group.tag = "tbody"
    for row in rows:
        row.tag = "tr"
    for cell in named:
        if isinstance(cell, Node):
            cell.tag = _CELLS[_get_role(cell)]


def _list_rows(node: Node) -> tuple[list[Node], list[Node]] | None:
    """Groups of rows, and rows; None where something else stands among them."""
    groups: list[Node] = []
    rows: list[Node] = []
    for child in _list_inner(node):
        if isinstance(child, str):
            return None
        if _get_role(child) == "row":
            rows.append(child)
            continue
        inner = _list_inner(child)
        below = [part for part in inner if isinstance(part, Node) and _get_role(part) == "row"]
        if len(below) < len(inner):
            return None
        groups.append(child)
        rows += below
    return groups, rows


def _list_inner(node: Node) -> list[Node | str]:
    """Return what an element holds, without white space."""
    return [child for child in node.children if isinstance(child, Node) or not child.isspace()]


def _get_role(child: Node | str) -> str | None:
    return child.attributes.get("role") if isinstance(child, Node) else None
