"""Content other than text: pictures, formulas, charts, diagrams, embedded HTML pages and objects of other programs.

Each function reads one element for the body that contains the element.
"""

from typing import Final

from webquarry_convert.file.text import formula
from webquarry_convert.file.text.docx import chunks
from webquarry_convert.file.text.docx.body import Body
from webquarry_convert.file.text.ooxml import charts, graphics
from webquarry_convert.file.text.ooxml.package import WP, A, R, V
from webquarry_convert.file.text.walk import Leave, do_nothing
from webquarry_convert.file.xml import Element
from webquarry_convert.tree import Node

_ID: Final = f"{R}id"
_ON: Final = frozenset({"1", "true", "on"})


def read_drawing(body: Body, node: Element) -> Leave | None:
    described = next(node.iter(f"{WP}docPr"), None)
    picture = next(node.iter(f"{A}blip"), None)
    if described is not None and picture is not None:
        if described.get("hidden") in _ON:
            return None
        _add_picture(body, described.get("descr"), picture.get(f"{R}embed") or picture.get(f"{R}link"))
    return do_nothing


def read_vector_shape(body: Body, node: Element) -> Leave:
    picture = node.find(f"{V}imagedata")
    if picture is not None:
        _add_picture(body, node.get("alt"), picture.get(_ID))
    return do_nothing


def _add_picture(body: Body, text: str | None, identity: str | None) -> None:
    """Add a picture's description. Pictures without a description are dropped."""
    text = graphics.clean_description(text)
    if text:
        relation = body.relations.get(identity or "")
        name = relation.target.rpartition("/")[2] if relation is not None else ""
        body.add_node(Node("img", {"alt": text, "src": name or "picture"}, -1))


def read_formula(body: Body, node: Element) -> None:
    tex = formula.convert_omml(node)
    if tex:
        body.add_node(Node("math", {"alttext": tex}, -1))


def read_chart(body: Body, node: Element) -> None:
    root = _parse_graphic(body, node.get(_ID), "charts")
    if root is not None:
        body.add_behind(charts.read_chart(root, body.counts.budget))


def read_diagram(body: Body, node: Element) -> None:
    root = _parse_graphic(body, node.get(f"{R}dm"), "diagrams")
    if root is not None:
        body.add_behind(graphics.read_diagram(root))


def _parse_graphic(body: Body, identity: str | None, title: str) -> Element | None:
    relation = body.relations.get(identity or "")
    if relation is None or relation.is_outside or body.is_hidden:
        return None
    return body.package.parse_optional(relation.target, title)


def read_chunk(body: Body, node: Element) -> None:
    """Add an embedded page."""
    relation = body.relations.get(node.get(_ID, ""))
    part = None if relation is None or relation.is_outside else body.package.read_marked_up(relation.target)
    page = None if part is None else chunks.read_chunk(part)
    if page is None:
        body.counts.left_out.add()
        return
    body.settle()
    body.blocks.add(page.take_content())
    body.counts.hidden += page.hidden


def leave_out_control(body: Body, node: Element) -> None:
    body.counts.left_out.add("Forms.")


def leave_out_object(body: Body, node: Element) -> None:
    body.counts.left_out.add(node.get("ProgID", ""))
