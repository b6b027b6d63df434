"""Tables built of `div`s. Only ARIA roles mark them as tables, rows and cells.

The elements get the tags of their roles before any block is weighed, so all later steps find tables.
"""

from collections.abc import Iterable, Mapping

from webquarry_convert.tree import Node, Tree

_TABLES = frozenset({"table", "grid", "treegrid"})
_CELLS: Mapping[str | None, str] = {"cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}
_PLAIN = frozenset({"div", "span", "section"})
"""Elements that have no meaning besides their role."""


def name_tables(tree: Tree) -> None:
    """Turn elements with table roles into table elements."""
    for node in [node for node in tree if "role" in node.attributes]:
        if node.attributes["role"] in _TABLES and node.tag in _PLAIN:
            _turn_into_table(node)


def _turn_into_table(node: Node) -> None:
    """Turn an element into a table if it contains only rows."""
    found = _list_rows(node)
    if found is None:
        return
    groups, rows = found
    cells = [cell for row in rows for cell in _list_inner(row)]
    if not cells or any(_get_role(cell) not in _CELLS for cell in cells):
        return
    node.tag = "table"
    _rename(groups, "tbody")
    _rename(rows, "tr")
    for cell in cells:
        _rename([cell], _CELLS[_get_role(cell)])


def _rename(nodes: Iterable[Node | str], tag: str) -> None:
    for node in nodes:
        if isinstance(node, Node):
            node.tag = tag


def _list_rows(node: Node) -> tuple[list[Node], list[Node]] | None:
    """Return the row groups and the rows, or None if there is other content between them."""
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
    """Return an element's children except white space."""
    return [child for child in node.children if isinstance(child, Node) or not child.isspace()]


def _get_role(child: Node | str) -> str | None:
    return child.attributes.get("role") if isinstance(child, Node) else None
