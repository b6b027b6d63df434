"""Terms with definitions, labels with values, and numbers with what they count, written as list items."""

from itertools import islice
from typing import TypeAlias

from webquarry_convert.tree import Node, read_texts, walk
from webquarry_convert.write.flow import write_apart, write_children, write_marked
from webquarry_convert.write.lists import BLOCKS, BULLETS, write_item, write_stray
from webquarry_convert.write.pieces import STRONG
from webquarry_convert.write.signatures import is_signature, read_signature, write_signature
from webquarry_convert.write.state import WriterState

_WRAPPERS = frozenset({"p", "div", "section", "article"})
_SILENT = frozenset({"script"})
_Group: TypeAlias = tuple[list[Node], list[Node]]
"""Terms, and the definitions that follow them."""
MAX_WRAPPERS = 12
"""Maximum number of elements around a row's label and value, and of strings in a label."""


def write_definitions(state: WriterState, node: Node) -> None:
    """Write a `dl`.

    A term with short definitions becomes one item. Longer definitions follow their term as blocks, and a term without a
    definition becomes a line.
    """
    if state.is_flat:
        write_children(state, node.children)
        return
    state.flush()
    groups = _group_terms(node)
    if _are_items(groups):
        _write_items(state, groups)
    else:
        write_children(state, node.children)
        state.flush()


def _are_items(groups: list[_Group]) -> bool:
    """Return whether the terms and definitions fit into list items."""
    if not groups or any(_has_blocks(part) for _, parts in groups for part in parts):
        return False
    terms, parts = groups[0]
    return len(groups) > 1 or bool(parts) or len(terms) > 1


def _write_items(state: WriterState, groups: list[_Group]) -> None:
    output = state.output
    mark = output.list_mark(BULLETS)
    is_first = True
    for terms, parts in groups:
        if not is_first:
            output.is_tight = True
        if write_item(state, _build_item(terms, parts), f"{mark} "):
            is_first = False
    output.is_tight = False
    if not is_first:
        output.end_list(mark)


def _build_item(terms: list[Node], parts: list[Node]) -> list[Node | str]:
    """Return the content of one item: bold terms separated by commas, and then definitions separated by semicolons."""
    content: list[Node | str] = []
    for at, term_node in enumerate(terms):
        term = Node("strong", {}, -1)
        term.children = term_node.children
        if is_signature(term_node) and (text := read_signature(term_node)):
            term.tag, term.children = "code", [text]
        content += [", ", term] if at else [term]
    colon = _find_colon(terms[-1]) if terms else ""
    for at, part in enumerate(parts):
        content += [colon if not at else "; ", *part.children]
    return content


def write_fact(state: WriterState, node: Node) -> None:
    """Write a label with its value, or a number with its noun, as a list item. Each is a separate element."""
    parts = [*map(_unwrap, _find_parts(node))]
    if state.is_flat or len(parts) < 2 or any(map(_holds_blocks, parts)):
        write_apart(state, node)
        return
    label = Node("strong", {}, -1)
    label.children = parts[0].children
    item = Node("li", {}, -1)
    between = _find_colon(label) if _get_text(label).lstrip()[:1].isalpha() else " "
    item.children = [label, between, *(child for part in parts[1:] for child in [*part.children, " "])]
    write_stray(state, item)


def _find_colon(label: Node) -> str:
    """Return the separator between a label and its value: a colon and a space, or only a space if the label ends with a
    colon.
    """
    return " " if _get_text(label).rstrip().endswith((":", "：")) else ": "


def _find_parts(node: Node) -> list[Node]:
    """Return the elements with text that share the same parent, which is the innermost element around all text."""
    for _ in range(MAX_WRAPPERS):
        parts = [
            child for child in node.children if isinstance(child, Node) and not child.is_dropped and _get_text(child)
        ]
        if len(parts) != 1:
            return parts
        node = parts[0]
    return []


def _unwrap(part: Node) -> Node:
    """Return the innermost of singly nested blocks, without trailing white space."""
    for _ in range(MAX_WRAPPERS):
        inner = [child for child in part.children if _says_or_shows(child)]
        if len(inner) != 1 or isinstance(inner[0], str) or inner[0].tag not in _WRAPPERS:
            break
        part = inner[0]
    if part.children and isinstance(last := part.children[-1], str):
        part.children[-1] = last.rstrip()
    return part


def _says_or_shows(child: Node | str) -> bool:
    return not child.isspace() if isinstance(child, str) else bool(child.children) or child.tag == "img"


def _holds_blocks(node: Node) -> bool:
    return any(isinstance(child, Node) and child.tag in BLOCKS for child in node.children)


def _get_text(node: Node) -> str:
    """Return a small element's text, or "" if it is empty."""
    texts = (text for text in read_texts([node], without=_SILENT) if not text.isspace())
    return "".join(islice(texts, MAX_WRAPPERS))


def write_term(state: WriterState, node: Node) -> None:
    """Write a term in bold on a separate line."""
    if is_signature(node) and write_signature(state, node):
        return
    state.flush()
    if state.is_flat or _holds_blocks(node):
        write_children(state, node.children)
    else:
        before, state.in_heading = state.in_heading, True
        write_marked(state, STRONG, node.children)
        state.in_heading = before
    state.flush()


def _group_terms(node: Node) -> list[_Group]:
    """Return terms with their definitions, including pairs in wrapper elements, or [] if there is other content."""
    groups: list[_Group] = []
    for child in node.children:
        if isinstance(child, str):
            if not child.isspace():
                return []
            continue
        if child.is_dropped:
            continue
        within = child.children if child.tag == "div" else [child]
        if not all(_add_part(groups, part) for part in within if isinstance(part, Node)):
            return []
    return groups


def _add_part(groups: list[_Group], part: Node) -> bool:
    """Add a term or a definition to the last group or to a new group. Returns False for any other element."""
    if part.is_dropped:
        return True
    if part.tag not in ("dt", "dd"):
        return False
    is_term = part.tag == "dt"
    if not groups or (is_term and groups[-1][1]):
        groups.append(([], []))
    terms, parts = groups[-1]
    (terms if is_term else parts).append(part)
    return True


def _has_blocks(node: Node) -> bool:
    return any(isinstance(part, Node) and part.tag in BLOCKS for part in walk(node.children))
