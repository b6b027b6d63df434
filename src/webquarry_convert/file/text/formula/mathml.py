"""Formulas in presentation MathML, as OpenDocument embeds them."""

from collections.abc import Callable
from typing import Final

from webquarry_convert.file.text.formula import signs, tex
from webquarry_convert.file.xml import Element

MATHML: Final = "{http://www.w3.org/1998/Math/MathML}"
Done = dict[Element, str]
_MOST_SCRIPTS: Final = 50
"""Around one sign; each is written around all of those before it."""


def of_mathml(root: Element) -> str:
    """TeX of a `math` element, whatever prefix it has; "" when it shows nothing."""
    nodes = [node for node in root.iter() if isinstance(node.tag, str)]
    done: Done = {}
    for node in reversed(nodes):  # what is within an element comes before it
        handler = _HANDLERS.get(node.tag.rpartition("}")[2], _all)
        done[node] = handler(node, done)
        for child in node:
            done.pop(child, None)
    return done[root].strip()


def _parts(node: Element, done: Done) -> list[str]:
    return [done.get(child, "") for child in node]


def _all(node: Element, done: Done) -> str:
    return tex.joined(_parts(node, done))


def _nothing(node: Element, done: Done) -> str:
    return ""


def _words(node: Element) -> str:
    return " ".join((node.text or "").split())


def _identifier(node: Element, done: Done) -> str:
    words = _words(node)
    if len(words) > 1 and words not in signs.FUNCTIONS and words.isalpha() and words.isascii():
        return tex.styled("mathrm", words)
    body = tex.text(words)
    return tex.styled("mathbf", body) if node.get("mathvariant", "").startswith("bold") else body


def _number(node: Element, done: Done) -> str:
    return tex.text(_words(node))


def _operator(node: Element, done: Done) -> str:
    return tex.text(_words(node))


def _plain(node: Element, done: Done) -> str:
    return tex.plain(_words(node))


def _space(node: Element, done: Done) -> str:
    return " "


def _first(node: Element, done: Done) -> str:
    return done.get(node[0], "") if len(node) else ""


def _fraction(node: Element, done: Done) -> str:
    above, below, *_ = [*_parts(node, done), "", ""]
    thin = node.get("linethickness", "").strip().startswith("0")
    return tex.fraction(above, below, "noBar" if thin else "lin" if node.get("bevelled") == "true" else "bar")


def _square_root(node: Element, done: Done) -> str:
    return tex.root(_all(node, done))


def _root(node: Element, done: Done) -> str:
    body, degree, *_ = [*_parts(node, done), "", ""]
    return tex.root(body, degree)


def _above(node: Element, done: Done) -> str:
    base, above, *_ = [*_parts(node, done), "", ""]
    return tex.scripts(base, "", above)


def _below(node: Element, done: Done) -> str:
    base, below, *_ = [*_parts(node, done), "", ""]
    return tex.scripts(base, below)


def _both(node: Element, done: Done) -> str:
    base, below, above, *_ = [*_parts(node, done), "", "", ""]
    return tex.scripts(base, below, above)


def _sign_of(node: Element, at: int) -> str:
    """The sign that an element shows when it is nothing else."""
    return _words(node[at]) if len(node) > at and not len(node[at]) else ""


def _under(node: Element, done: Done) -> str:
    base, below, *_ = [*_parts(node, done), "", ""]
    return tex.accented(_sign_of(node, 1), base) or tex.under(base.strip(), below)


def _over(node: Element, done: Done) -> str:
    base, above, *_ = [*_parts(node, done), "", ""]
    return tex.accented(_sign_of(node, 1), base) or tex.over(base.strip(), above)


def _under_over(node: Element, done: Done) -> str:
    base, below, above, *_ = [*_parts(node, done), "", "", ""]
    if base.strip() in signs.LARGE.values() or base.strip().lstrip("\\") in signs.WITH_LIMITS:
        return tex.scripts(base, below, above)
    return tex.over(tex.under(base.strip(), below), above)


def _fenced(node: Element, done: Done) -> str:
    between = node.get("separators", ",").strip()[:1]
    return tex.fenced(node.get("open", "("), between.join(_parts(node, done)), node.get("close", ")"))


def _row(node: Element, done: Done) -> str:
    """A row of elements; one between brackets is a matrix with brackets."""
    parts = _parts(node, done)
    if len(parts) == 3 and parts[1].startswith("\\begin{matrix}"):
        return tex.fenced(_sign_of(node, 0), parts[1], _sign_of(node, 2))
    return tex.joined(parts)


def _table(node: Element, done: Done) -> str:
    return tex.matrix(done.get(row, "").split("\0") for row in node)


def _table_row(node: Element, done: Done) -> str:
    return "\0".join(_parts(node, done))


def _scripts_around(node: Element, done: Done) -> str:
    """A base, pairs of scripts behind it, and behind `mprescripts` pairs of scripts before it."""
    parts = _parts(node, done)[:_MOST_SCRIPTS]
    names = [child.tag.rpartition("}")[2] for child in node][:_MOST_SCRIPTS]
    at = names.index("mprescripts") if "mprescripts" in names else len(parts)
    result = parts[0] if parts else ""
    for place in range(1, at, 2):
        result = tex.scripts(result, parts[place], parts[place + 1] if place + 1 < at else "")
    for place in range(at + 1, len(parts), 2):
        result = tex.before(result, parts[place], parts[place + 1] if place + 1 < len(parts) else "")
    return result


_HANDLERS: Final[dict[str, Callable[[Element, Done], str]]] = {
    "mi": _identifier, "mn": _number, "mo": _operator, "mtext": _plain, "ms": _plain, "mspace": _space,
    "mrow": _row, "semantics": _first, "annotation": _nothing, "annotation-xml": _nothing, "mfrac": _fraction,
    "msqrt": _square_root, "mroot": _root, "msup": _above, "msub": _below, "msubsup": _both, "munder": _under,
    "mover": _over, "munderover": _under_over, "mfenced": _fenced, "mtable": _table, "mtr": _table_row,
    "mphantom": _nothing, "none": _nothing, "mprescripts": _nothing, "mmultiscripts": _scripts_around,
}  # fmt: skip
