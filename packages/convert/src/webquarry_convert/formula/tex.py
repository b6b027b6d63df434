r"""Composition of TeX: each function takes and returns complete TeX."""

import re
from collections.abc import Iterable
from typing import Final

from webquarry_convert.formula import signs

_COMMAND_END: Final = re.compile(r"\\[A-Za-z]+\Z")
_ONE: Final = re.compile(r"(?:[^\\{}\s^_&]|\\[A-Za-z]+|\\[^A-Za-z])\Z")
_NUMBER: Final = re.compile(r"[0-9]+(?:[.,][0-9]+)?\Z")
_TALL: Final = re.compile(r"\\(?:d?frac|sum|prod|i*int|oint|begin|binom|genfrac|big|sqrt|under|over)")
_BRACKETS: Final = {"{": "\\{", "}": "\\}", "⟨": "\\langle ", "⟩": "\\rangle ", "〈": "\\langle ", "〉": "\\rangle ",
    "⌊": "\\lfloor ", "⌋": "\\rfloor ", "⌈": "\\lceil ", "⌉": "\\rceil ", "‖": "\\Vert ", "∥": "\\Vert ",
    "|": "|", "∣": "|", "(": "(", ")": ")", "[": "[", "]": "]", "/": "/", "⟦": "[\\![", "⟧": "]\\!]", "": ".",
}  # fmt: skip
_MATRICES: Final = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", ("‖", "‖"): "Vmatrix",
    ("{", "}"): "Bmatrix", ("{", ""): "cases"}  # fmt: skip
_MATRIX: Final = re.compile(r"\\begin\{(matrix|aligned)\}(.*)\\end\{\1\}\Z", re.DOTALL)
_STACKED: Final = "\\genfrac{}{}{0pt}{}"
_FRACTION: Final = "\\frac"
_NEXT: Final = " \\\\ "
_WORD: Final = re.compile(r"[^\W\d_]{2,}\Z")


def join_pieces(pieces: Iterable[str]) -> str:
    """Join pieces of TeX. Adds a space where a command would otherwise absorb the letters that follow."""
    result: list[str] = []
    before = ""
    for piece in pieces:
        if not piece:
            continue
        if piece[0].isalnum() and before and _COMMAND_END.search(before[-32:]):
            result.append(" ")
        result.append(piece)
        before = piece
    return "".join(result)


def write_signs(words: str) -> str:
    """Write words as mathematical signs. The name of a known function becomes its command."""
    stripped = words.strip()
    return f"\\{stripped}" if stripped in signs.FUNCTIONS else join_pieces(signs.translate_signs(words))


def write_text(words: str) -> str:
    """Write words as text inside a formula."""
    return f"\\text{{{join_pieces(signs.translate_signs(words))}}}" if words.strip() else words


def write_styled(command: str, body: str) -> str:
    return f"\\{command}{{{body}}}" if body.strip() else body


def write_fraction(above: str, below: str, kind: str = "bar") -> str:
    """Write a fraction. kind: the type as named in OMML, such as `lin` or `noBar`."""
    if kind in ("lin", "skw"):
        return f"{_wrap_group(above)}/{_wrap_group(below)}"
    return f"{_STACKED if kind == 'noBar' else _FRACTION}{{{above}}}{{{below}}}"


def write_root(body: str, degree: str = "") -> str:
    return f"\\sqrt[{degree}]{{{body}}}" if degree.strip() else f"\\sqrt{{{body}}}"


def write_scripts(base: str, below: str = "", above: str = "") -> str:
    result = _wrap_group(base)
    if below.strip():
        result += f"_{{{below.strip()}}}"
    if above.strip():
        result += f"^{{{above.strip()}}}"
    return result


def write_prescripts(body: str, below: str, above: str) -> str:
    """Write a subscript and a superscript before `body`."""
    return f"{write_scripts('{}', below, above)}{body}"


def write_large_operator(sign: str, below: str, above: str, body: str, *, sets_limits: bool = False) -> str:
    """Write a large operator, such as a sum or an integral, applied to `body`."""
    operator = signs.LARGE.get(sign) or join_pieces(signs.translate_signs(sign))
    if sets_limits and operator.endswith("int"):
        operator += "\\limits"
    marks = write_scripts(operator, below, above)
    return join_pieces([marks, " " if body and marks == operator else "", body])


def write_fenced(opening: str, body: str, closing: str) -> str:
    """Enclose `body` in brackets that fit its height. A matrix becomes a TeX matrix with brackets."""
    matrix = _MATRIX.match(body.strip())
    kind = _MATRICES.get((opening, closing))
    if (
        matrix is not None
        and kind is not None
        and "\\begin" not in matrix[2]
        and (kind != "cases") == (matrix[1] == "matrix")
    ):
        return f"\\begin{{{kind}}}{matrix[2]}\\end{{{kind}}}"
    if (opening, closing) == ("(", ")") and body.startswith(_STACKED) and "\\genfrac" not in body[8:]:
        return f"\\binom{body[len(_STACKED) :]}"
    left, right = _write_bracket(opening), _write_bracket(closing)
    if _TALL.search(body) or "." in (left, right):
        return f"\\left{left}{body}\\right{right}"
    return f"{left}{body}{right}"


def write_separator(sign: str, *, is_tall: bool) -> str:
    return f"\\middle{_write_bracket(sign)}" if is_tall and sign in "|∣‖/" else join_pieces(signs.translate_signs(sign))


def is_tall(body: str) -> bool:
    return _TALL.search(body) is not None


def write_matrix(rows: Iterable[Iterable[str]]) -> str:
    return f"\\begin{{matrix}}{_NEXT.join(' & '.join(row) for row in rows)}\\end{{matrix}}"


def write_aligned(rows: Iterable[str]) -> str:
    """Write formulas on aligned lines."""
    return f"\\begin{{aligned}}{_NEXT.join(rows)}\\end{{aligned}}"


def write_accent(sign: str, body: str) -> str | None:
    """Place a sign over or under `body`. Returns None if the sign is not an accent."""
    command = signs.find_accent(sign.strip())
    return None if command is None else f"\\{command}{{{body}}}"


def write_under(body: str, below: str) -> str:
    if body.lstrip("\\") in signs.WITH_LIMITS or body in signs.LARGE.values():
        return write_scripts(body, below)
    return f"\\underset{{{below}}}{{{body}}}"


def write_over(body: str, above: str) -> str:
    if body in signs.LARGE.values():
        return write_scripts(body, "", above)
    return f"\\overset{{{above}}}{{{body}}}"


def write_function(name: str, body: str) -> str:
    stripped = name.strip()
    if _WORD.match(stripped) and stripped not in signs.FUNCTIONS:
        name = f"\\operatorname{{{stripped}}}"
    return join_pieces([name, "" if body[:1] in ("(", "\\", "{", "[") else " ", body])


def _write_bracket(sign: str) -> str:
    return _BRACKETS.get(sign) or join_pieces(signs.translate_signs(sign)) or "."


def _wrap_group(body: str) -> str:
    body = body.strip()
    if not body or _ONE.match(body) or _NUMBER.match(body) or body == "{}":
        return body or "{}"
    return f"{{{body}}}"
