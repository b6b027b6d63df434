"""Parsing of format codes such as `[Red]#,##0.00;(#,##0.00);"-"` into sections of tokens (ECMA-376 part 1, 18.8.31)."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

MAX_CODE = 1_000
"""Maximum length of a code, in characters. Spreadsheets write at most 255. Longer codes are read as `General`."""

Kind = Literal[
    "literal",
    "digit",
    "point",
    "comma",
    "percent",
    "exponent",
    "slash",
    "text",
    "general",
    "moment",
    "elapsed",
    "half",
    "part",
]
_TOKEN = re.compile(
    r"""
      "(?P<quoted>[^"]*)"?
    | \\(?P<escaped>.)
    | _(?P<gap>.)
    | \*(?P<fill>.)
    | \[(?P<bracket>[^\]]*)\]?
    | (?P<general>General|Standard|Allgemein)
    | (?P<half>AM/PM|A/P|上午/下午|午前/午後|오전/오후)
    | (?P<exponent>E[+-])
    | (?P<moment>y+|m+|d+|h+|s+|e+|b+|g+|a{3,})
    | (?P<digit>[0\#?])
    | (?P<point>\.)
    | (?P<comma>,)
    | (?P<percent>%)
    | /(?P<slash>[1-9][0-9]*|)
    | (?P<text>@)
    | (?P<section>;)
    | (?P<literal>.)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(
    r"\s*+(<=|>=|<>|<|>|=)\s*+(-?(?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:E[+-]?[0-9]{1,3})?)\s*+", re.IGNORECASE
)
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
_CURRENCY = re.compile(r"\$([^-]*)(?:-([0-9a-f]{1,8}))?", re.IGNORECASE)
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a format code.

    text: the displayed text of a literal, the fixed denominator after a slash, or the lower-case source text of another
    token.
    """

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A section's condition, such as `[>=100]`."""

    sign: str
    limit: float

    def holds(self, value: float) -> bool:
        return _COMPARE[self.sign](value, self.limit)

    @property
    def is_negative(self) -> bool:
        """Whether the condition applies only to negative numbers."""
        return (self.sign == "<" and self.limit <= 0) or (self.sign in {"<=", "="} and self.limit < 0)

    @property
    def takes_positive(self) -> bool:
        """Whether the condition covers all positive numbers, so that the remaining numbers are negative or zero."""
        return self.sign in {">", ">="} and self.limit == 0


@dataclass(slots=True)
class Section:
    """A section of a number format. locale: a Windows language identifier (`[$-407]` is 0x407), or 0 if unspecified."""

    tokens: list[Token] = field(default_factory=list)
    condition: Condition | None = None
    locale: int = 0

    def has(self, *kinds: Kind) -> bool:
        return any(token.kind in kinds for token in self.tokens)


def parse_sections(code: str) -> list[Section]:
    """Return the sections of a code, of which there is at least one.

    Never fails: unknown characters are displayed literally.
    """
    if len(code) > MAX_CODE:
        code = "General"
    found = [Section()]
    for match in _TOKEN.finditer(code):
        kind = match.lastgroup
        text = match[kind] if kind else ""
        if kind == "section":
            found.append(Section())
        elif kind == "bracket":
            _read_bracket(text, found[-1])
        else:
            token = _make_token(kind or "", text)
            if token is not None:
                found[-1].tokens.append(token)
    return found


def _make_token(kind: str, text: str) -> Token | None:
    match kind:
        case "quoted" | "escaped" | "literal":
            return Token("literal", text)
        case "gap":
            return Token("literal", " ")
        case "general":
            return Token("general", "")
        case "half":
            return Token("half", text)
        case "exponent":
            return Token("exponent", text[1])
        case "digit" | "point" | "comma" | "percent" | "slash" | "text":
            return Token(kind, text)
        case "moment":
            return Token("moment", text.lower())
        case _:  # a fill would repeat its character across a column's width
            return None


def _read_bracket(text: str, section: Section) -> None:
    """Read the part in brackets, which is a condition, an elapsed time, or a currency with a language.

    Colors are ignored.
    """
    if _ELAPSED.fullmatch(text):
        section.tokens.append(Token("elapsed", text.lower()))
    elif condition := _CONDITION.fullmatch(text):
        section.condition = Condition(condition[1], float(condition[2]))
    elif currency := _CURRENCY.fullmatch(text):
        if currency[1]:
            section.tokens.append(Token("literal", currency[1]))
        if currency[2]:
            section.locale = int(currency[2], 16) & 0xFFFF
