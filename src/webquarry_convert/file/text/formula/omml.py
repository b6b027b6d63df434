"""Formulas as Word stores them (Office Math, ISO 29500 part 1, 22.1)."""

from collections.abc import Callable
from typing import Final

from webquarry_convert.file.text.formula import tex
from webquarry_convert.file.xml import Element

M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_VAL: Final = f"{M}val"
_OFF: Final = frozenset({"0", "off", "false"})
_SCRIPTS: Final = {"double-struck": "mathbb", "fraktur": "mathfrak", "script": "mathcal", "sans-serif": "mathsf"}

Done = dict[Element, str]


def of_office(root: Element) -> str:
    """TeX of an `m:oMath`; "" when it shows nothing."""
    nodes = [node for node in root.iter() if isinstance(node.tag, str)]
    done: Done = {}
    for node in reversed(nodes):  # what is within an element comes before it
        handler = _HANDLERS.get(node.tag, _all)
        done[node] = handler(node, done)
        for child in node:
            done.pop(child, None)
    return done[root].strip()


def _all(node: Element, done: Done) -> str:
    return tex.joined(done.get(child, "") for child in node)


def _nothing(node: Element, done: Done) -> str:
    return ""


def _part(node: Element, name: str, done: Done) -> str:
    child = node.find(f"{M}{name}")
    return "" if child is None else done.get(child, "")


def _value(node: Element, properties: str, name: str, otherwise: str) -> str:
    """The value of a property; "" when it is there without one."""
    child = node.find(f"{M}{properties}/{M}{name}")
    return otherwise if child is None else child.get(_VAL, "")


def _is_on(node: Element, properties: str, name: str) -> bool:
    child = node.find(f"{M}{properties}/{M}{name}")
    return child is not None and child.get(_VAL, "1") not in _OFF


def _run(node: Element, done: Done) -> str:
    words = "".join(child.text or "" for child in node.iterchildren(f"{M}t", f"{_W}t"))
    if not words:
        return ""
    if _is_on(node, "rPr", "nor"):
        return tex.plain(words)
    body = tex.text(words)
    script = _SCRIPTS.get(_value(node, "rPr", "scr", ""))
    if script is not None:
        return tex.styled(script, body)
    return tex.styled("mathbf", body) if _value(node, "rPr", "sty", "") == "b" else body


def _fraction(node: Element, done: Done) -> str:
    return tex.fraction(_part(node, "num", done), _part(node, "den", done), _value(node, "fPr", "type", "bar"))


def _scripts(node: Element, done: Done) -> str:
    return tex.scripts(_part(node, "e", done), _part(node, "sub", done), _part(node, "sup", done))


def _scripts_before(node: Element, done: Done) -> str:
    return tex.before(_part(node, "e", done), _part(node, "sub", done), _part(node, "sup", done))


def _root(node: Element, done: Done) -> str:
    degree = "" if _is_on(node, "radPr", "degHide") else _part(node, "deg", done)
    return tex.root(_part(node, "e", done), degree)


def _large(node: Element, done: Done) -> str:
    return tex.large(
        _value(node, "naryPr", "chr", "∫"),
        "" if _is_on(node, "naryPr", "subHide") else _part(node, "sub", done),
        "" if _is_on(node, "naryPr", "supHide") else _part(node, "sup", done),
        _part(node, "e", done),
        sets_limits=_value(node, "naryPr", "limLoc", "") == "undOvr",
    )


def _delimiters(node: Element, done: Done) -> str:
    parts = [done.get(child, "") for child in node.iterchildren(f"{M}e")]
    between = tex.separator(_value(node, "dPr", "sepChr", "|"), is_tall=any(map(tex.is_tall, parts)))
    body = between.join(parts)
    return tex.fenced(_value(node, "dPr", "begChr", "("), body, _value(node, "dPr", "endChr", ")"))


def _matrix(node: Element, done: Done) -> str:
    return tex.matrix(done.get(row, "").split("\0") for row in node.iterchildren(f"{M}mr"))


def _row(node: Element, done: Done) -> str:
    return "\0".join(done.get(cell, "") for cell in node.iterchildren(f"{M}e"))


def _lines(node: Element, done: Done) -> str:
    # the marks at which lines are set below each other stand in their text
    return tex.lines(done.get(line, "").replace("\\&", "") for line in node.iterchildren(f"{M}e"))


def _function(node: Element, done: Done) -> str:
    return tex.function(_part(node, "fName", done), _part(node, "e", done))


def _below(node: Element, done: Done) -> str:
    return tex.under(_part(node, "e", done).strip(), _part(node, "lim", done))


def _above(node: Element, done: Done) -> str:
    return tex.over(_part(node, "e", done).strip(), _part(node, "lim", done))


def _accent(node: Element, done: Done) -> str:
    sign, body = _value(node, "accPr", "chr", "\u0302"), _part(node, "e", done)
    return tex.accented(sign, body) or tex.over(body, tex.text(sign))


def _bar(node: Element, done: Done) -> str:
    return tex.styled(
        "overline" if _value(node, "barPr", "pos", "bot") == "top" else "underline", _part(node, "e", done)
    )


def _group(node: Element, done: Done) -> str:
    sign, body = _value(node, "groupChrPr", "chr", "\u23df"), _part(node, "e", done)
    is_above = _value(node, "groupChrPr", "pos", "bot") == "top"
    if sign in "\u23de\u23df":
        return tex.styled("overbrace" if is_above else "underbrace", body)
    return tex.over(body, tex.text(sign)) if is_above else tex.under(body, tex.text(sign))


def _boxed(node: Element, done: Done) -> str:
    return tex.styled("boxed", _part(node, "e", done))


def _phantom(node: Element, done: Done) -> str:
    shows = node.find(f"{M}phantPr/{M}show")
    return _part(node, "e", done) if shows is None or shows.get(_VAL, "1") not in _OFF else ""


_BY_NAME: Final[dict[str, Callable[[Element, Done], str]]] = {
    "r": _run, "t": _nothing, "f": _fraction, "sSup": _scripts, "sSub": _scripts, "sSubSup": _scripts,
    "sPre": _scripts_before, "rad": _root, "nary": _large, "d": _delimiters, "m": _matrix, "mr": _row,
    "eqArr": _lines, "func": _function, "limLow": _below, "limUpp": _above, "acc": _accent, "bar": _bar,
    "groupChr": _group, "borderBox": _boxed, "phant": _phantom,
}  # fmt: skip
_HANDLERS: Final = {
    **{f"{M}{name}": handler for name, handler in _BY_NAME.items()},
    f"{_W}del": _nothing,
    f"{_W}moveFrom": _nothing,
}
