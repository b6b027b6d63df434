"""Conversion of Word's formulas (Office Math, ISO 29500 part 1, 22.1)."""

from collections.abc import Callable
from typing import Final

from webquarry_convert.file.xml import Element
from webquarry_convert.formula import tex

M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_VAL: Final = f"{M}val"
_OFF: Final = frozenset({"0", "off", "false"})
_SCRIPTS: Final = {"double-struck": "mathbb", "fraktur": "mathfrak", "script": "mathcal", "sans-serif": "mathsf"}

Done = dict[Element, str]


def convert_omml(root: Element) -> str:
    """Convert an `m:oMath` element to TeX. Returns "" if the formula shows nothing."""
    nodes = [node for node in root.iter() if isinstance(node.tag, str)]
    done: Done = {}
    for node in reversed(nodes):  # children come before their parent
        handler = _HANDLERS.get(node.tag, _write_all)
        done[node] = handler(node, done)
        for child in node:
            done.pop(child, None)
    return done[root].strip()


def _write_all(node: Element, done: Done) -> str:
    return tex.join_pieces(done.get(child, "") for child in node)


def _write_nothing(node: Element, done: Done) -> str:
    return ""


def _get_part(node: Element, name: str, done: Done) -> str:
    child = node.find(f"{M}{name}")
    return "" if child is None else done.get(child, "")


def _get_value(node: Element, properties: str, name: str, otherwise: str) -> str:
    """Return a property's value, or "" if the property has no value."""
    child = node.find(f"{M}{properties}/{M}{name}")
    return otherwise if child is None else child.get(_VAL, "")


def _is_on(node: Element, properties: str, name: str) -> bool:
    child = node.find(f"{M}{properties}/{M}{name}")
    return child is not None and child.get(_VAL, "1") not in _OFF


def _write_run(node: Element, done: Done) -> str:
    words = "".join(child.text or "" for child in node.iterchildren(f"{M}t", f"{_W}t"))
    if not words:
        return ""
    if _is_on(node, "rPr", "nor"):
        return tex.write_text(words)
    body = tex.write_signs(words)
    script = _SCRIPTS.get(_get_value(node, "rPr", "scr", ""))
    if script is not None:
        return tex.write_styled(script, body)
    return tex.write_styled("mathbf", body) if _get_value(node, "rPr", "sty", "") == "b" else body


def _write_fraction(node: Element, done: Done) -> str:
    return tex.write_fraction(
        _get_part(node, "num", done), _get_part(node, "den", done), _get_value(node, "fPr", "type", "bar")
    )


def _write_scripts(node: Element, done: Done) -> str:
    return tex.write_scripts(_get_part(node, "e", done), _get_part(node, "sub", done), _get_part(node, "sup", done))


def _write_prescripts(node: Element, done: Done) -> str:
    return tex.write_prescripts(_get_part(node, "e", done), _get_part(node, "sub", done), _get_part(node, "sup", done))


def _write_radical(node: Element, done: Done) -> str:
    degree = "" if _is_on(node, "radPr", "degHide") else _get_part(node, "deg", done)
    return tex.write_root(_get_part(node, "e", done), degree)


def _write_nary(node: Element, done: Done) -> str:
    return tex.write_large_operator(
        _get_value(node, "naryPr", "chr", "∫"),
        "" if _is_on(node, "naryPr", "subHide") else _get_part(node, "sub", done),
        "" if _is_on(node, "naryPr", "supHide") else _get_part(node, "sup", done),
        _get_part(node, "e", done),
        sets_limits=_get_value(node, "naryPr", "limLoc", "") == "undOvr",
    )


def _write_delimiters(node: Element, done: Done) -> str:
    parts = [done.get(child, "") for child in node.iterchildren(f"{M}e")]
    between = tex.write_separator(_get_value(node, "dPr", "sepChr", "|"), is_tall=any(map(tex.is_tall, parts)))
    body = between.join(parts)
    return tex.write_fenced(_get_value(node, "dPr", "begChr", "("), body, _get_value(node, "dPr", "endChr", ")"))


def _write_matrix(node: Element, done: Done) -> str:
    return tex.write_matrix(done.get(row, "").split("\0") for row in node.iterchildren(f"{M}mr"))


def _write_row(node: Element, done: Done) -> str:
    return "\0".join(done.get(cell, "") for cell in node.iterchildren(f"{M}e"))


def _write_lines(node: Element, done: Done) -> str:
    # The lines' text includes their alignment marks.
    return tex.write_aligned(done.get(line, "").replace("\\&", "") for line in node.iterchildren(f"{M}e"))


def _write_function(node: Element, done: Done) -> str:
    return tex.write_function(_get_part(node, "fName", done), _get_part(node, "e", done))


def _write_lower_limit(node: Element, done: Done) -> str:
    return tex.write_under(_get_part(node, "e", done).strip(), _get_part(node, "lim", done))


def _write_upper_limit(node: Element, done: Done) -> str:
    return tex.write_over(_get_part(node, "e", done).strip(), _get_part(node, "lim", done))


def _write_accent(node: Element, done: Done) -> str:
    sign, body = _get_value(node, "accPr", "chr", "\u0302"), _get_part(node, "e", done)
    return tex.write_accent(sign, body) or tex.write_over(body, tex.write_signs(sign))


def _write_bar(node: Element, done: Done) -> str:
    return tex.write_styled(
        "overline" if _get_value(node, "barPr", "pos", "bot") == "top" else "underline", _get_part(node, "e", done)
    )


def _write_group(node: Element, done: Done) -> str:
    sign, body = _get_value(node, "groupChrPr", "chr", "\u23df"), _get_part(node, "e", done)
    is_above = _get_value(node, "groupChrPr", "pos", "bot") == "top"
    if sign in "\u23de\u23df":
        return tex.write_styled("overbrace" if is_above else "underbrace", body)
    return tex.write_over(body, tex.write_signs(sign)) if is_above else tex.write_under(body, tex.write_signs(sign))


def _write_box(node: Element, done: Done) -> str:
    return tex.write_styled("boxed", _get_part(node, "e", done))


def _write_phantom(node: Element, done: Done) -> str:
    shows = node.find(f"{M}phantPr/{M}show")
    return _get_part(node, "e", done) if shows is None or shows.get(_VAL, "1") not in _OFF else ""


_BY_NAME: Final[dict[str, Callable[[Element, Done], str]]] = {
    "r": _write_run, "t": _write_nothing, "f": _write_fraction, "sSup": _write_scripts, "sSub": _write_scripts,
    "sSubSup": _write_scripts,
    "sPre": _write_prescripts, "rad": _write_radical, "nary": _write_nary, "d": _write_delimiters, "m": _write_matrix,
    "mr": _write_row,
    "eqArr": _write_lines, "func": _write_function, "limLow": _write_lower_limit, "limUpp": _write_upper_limit,
    "acc": _write_accent, "bar": _write_bar,
    "groupChr": _write_group, "borderBox": _write_box, "phant": _write_phantom,
}  # fmt: skip
_HANDLERS: Final = {
    **{f"{M}{name}": handler for name, handler in _BY_NAME.items()},
    f"{_W}del": _write_nothing,
    f"{_W}moveFrom": _write_nothing,
}
