"""Conversion of presentation MathML, as found in OpenDocument files and pages."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from webquarry_convert.formula import signs, tex

Element: TypeAlias = Any
"""An element of `lxml` or of `xml.etree`."""

MATHML: Final = "{http://www.w3.org/1998/Math/MathML}"
Done = dict[Element, str]
_MOST_SCRIPTS: Final = 50
"""Maximum number of scripts around one sign. The TeX of each script encloses the TeX of all previous scripts."""


def convert_mathml(root: Element) -> str:
    """Convert a `math` element with any namespace prefix to TeX. Returns "" if it shows nothing."""
    nodes = [node for node in root.iter() if isinstance(node.tag, str)]
    done: Done = {}
    for node in reversed(nodes):  # children come before their parent
        handler = _HANDLERS.get(node.tag.rpartition("}")[2], _write_all)
        done[node] = handler(node, done)
        for child in node:
            done.pop(child, None)
    return done[root].strip()


def _get_parts(node: Element, done: Done) -> list[str]:
    return [done.get(child, "") for child in node]


def _write_all(node: Element, done: Done) -> str:
    return tex.join_pieces(_get_parts(node, done))


def _write_nothing(node: Element, done: Done) -> str:
    return ""


def _get_words(node: Element) -> str:
    return " ".join((node.text or "").split())


def _write_identifier(node: Element, done: Done) -> str:
    words = _get_words(node)
    if len(words) > 1 and words not in signs.FUNCTIONS and words.isalpha() and words.isascii():
        return tex.write_styled("mathrm", words)
    body = tex.write_signs(words)
    return tex.write_styled("mathbf", body) if node.get("mathvariant", "").startswith("bold") else body


def _write_number(node: Element, done: Done) -> str:
    return tex.write_signs(_get_words(node))


def _write_operator(node: Element, done: Done) -> str:
    return tex.write_signs(_get_words(node))


def _write_text(node: Element, done: Done) -> str:
    return tex.write_text(_get_words(node))


def _write_space(node: Element, done: Done) -> str:
    return " "


def _write_first(node: Element, done: Done) -> str:
    return done.get(node[0], "") if len(node) else ""


def _write_fraction(node: Element, done: Done) -> str:
    above, below, *_ = [*_get_parts(node, done), "", ""]
    thin = node.get("linethickness", "").strip().startswith("0")
    return tex.write_fraction(above, below, "noBar" if thin else "lin" if node.get("bevelled") == "true" else "bar")


def _write_square_root(node: Element, done: Done) -> str:
    return tex.write_root(_write_all(node, done))


def _write_root(node: Element, done: Done) -> str:
    body, degree, *_ = [*_get_parts(node, done), "", ""]
    return tex.write_root(body, degree)


def _write_superscript(node: Element, done: Done) -> str:
    base, above, *_ = [*_get_parts(node, done), "", ""]
    return tex.write_scripts(base, "", above)


def _write_subscript(node: Element, done: Done) -> str:
    base, below, *_ = [*_get_parts(node, done), "", ""]
    return tex.write_scripts(base, below)


def _write_subsup(node: Element, done: Done) -> str:
    base, below, above, *_ = [*_get_parts(node, done), "", "", ""]
    return tex.write_scripts(base, below, above)


def _get_sign(node: Element, at: int) -> str:
    """Return the single sign that an element shows, or "" if it shows anything else."""
    return _get_words(node[at]) if len(node) > at and not len(node[at]) else ""


def _write_under(node: Element, done: Done) -> str:
    base, below, *_ = [*_get_parts(node, done), "", ""]
    return tex.write_accent(_get_sign(node, 1), base) or tex.write_under(base.strip(), below)


def _write_over(node: Element, done: Done) -> str:
    base, above, *_ = [*_get_parts(node, done), "", ""]
    return tex.write_accent(_get_sign(node, 1), base) or tex.write_over(base.strip(), above)


def _write_under_over(node: Element, done: Done) -> str:
    base, below, above, *_ = [*_get_parts(node, done), "", "", ""]
    if base.strip() in signs.LARGE.values() or base.strip().lstrip("\\") in signs.WITH_LIMITS:
        return tex.write_scripts(base, below, above)
    return tex.write_over(tex.write_under(base.strip(), below), above)


def _write_fenced(node: Element, done: Done) -> str:
    between = node.get("separators", ",").strip()[:1]
    return tex.write_fenced(node.get("open", "("), between.join(_get_parts(node, done)), node.get("close", ")"))


def _write_row(node: Element, done: Done) -> str:
    """Write a row of elements. A matrix between brackets becomes a TeX matrix with brackets."""
    parts = _get_parts(node, done)
    if len(parts) == 3 and parts[1].startswith("\\begin{matrix}"):
        return tex.write_fenced(_get_sign(node, 0), parts[1], _get_sign(node, 2))
    return tex.join_pieces(parts)


def _write_table(node: Element, done: Done) -> str:
    return tex.write_matrix(done.get(row, "").split("\0") for row in node)


def _write_table_row(node: Element, done: Done) -> str:
    return "\0".join(_get_parts(node, done))


def _write_multiscripts(node: Element, done: Done) -> str:
    """Write a base with pairs of scripts after it and, following `mprescripts`, pairs of scripts before it."""
    parts = _get_parts(node, done)[:_MOST_SCRIPTS]
    names = [child.tag.rpartition("}")[2] for child in node][:_MOST_SCRIPTS]
    at = names.index("mprescripts") if "mprescripts" in names else len(parts)
    result = parts[0] if parts else ""
    for place in range(1, at, 2):
        result = tex.write_scripts(result, parts[place], parts[place + 1] if place + 1 < at else "")
    for place in range(at + 1, len(parts), 2):
        result = tex.write_prescripts(result, parts[place], parts[place + 1] if place + 1 < len(parts) else "")
    return result


_HANDLERS: Final[dict[str, Callable[[Element, Done], str]]] = {
    "mi": _write_identifier, "mn": _write_number, "mo": _write_operator, "mtext": _write_text, "ms": _write_text,
    "mspace": _write_space,
    "mrow": _write_row, "semantics": _write_first, "annotation": _write_nothing, "annotation-xml": _write_nothing,
    "mfrac": _write_fraction,
    "msqrt": _write_square_root, "mroot": _write_root, "msup": _write_superscript, "msub": _write_subscript,
    "msubsup": _write_subsup, "munder": _write_under,
    "mover": _write_over, "munderover": _write_under_over, "mfenced": _write_fenced, "mtable": _write_table,
    "mtr": _write_table_row,
    "mphantom": _write_nothing, "none": _write_nothing, "mprescripts": _write_nothing,
    "mmultiscripts": _write_multiscripts,
}  # fmt: skip
