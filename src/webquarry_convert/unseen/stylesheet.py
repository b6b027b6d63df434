"""The rules of a page's own style sheets: the content of its `<style>` elements.

This reads as much of CSS as is needed to tell which elements a sheet hides: comments, strings, nested rules, and the
at-rules that decide on which screens a rule applies. Any text is accepted, and the time grows with its size.
"""

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple


class Scope(IntEnum):
    """The screens on which a rule applies."""

    NEVER = 0
    SOMETIMES = 1
    ALWAYS = 2


class Rule(NamedTuple):
    """selectors, declarations: as written, separated by commas and semicolons."""

    selectors: str
    declarations: str
    scope: Scope


class _Block(NamedTuple):
    """An open pair of braces. selectors: of the rule that it belongs to; "" outside of all rules."""

    selectors: str
    scope: Scope
    depth: int = 0


NARROWEST = 320
"""Width in pixels of the narrowest screen that pages are made for."""
WIDEST = 2560
"""Width in pixels of the widest one."""
MAX_NESTED = 4
"""Rules within each other that are read: each repeats the selectors of the rules around it."""
MAX_SELECTORS = 2000
"""Characters of nested selectors that are read, for the same reason."""
_PASSAGE = re.compile(
    r"""/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]++|\\.)*+["\n]?|'(?:[^'\\\n]++|\\.)*+['\n]?""",
    re.DOTALL,
)
"""A comment or a string."""
_AT_RULE = re.compile(r"@([a-z-]+)(.*)", re.DOTALL)
_WIDTH = re.compile(r"\(\s*(min|max)-(?:device-)?width\s*:\s*([0-9.]{1,9})(px|em|rem)\s*\)")
_MEDIA_TYPES = frozenset({"all", "screen", "only screen", "only all"})
_OTHER_MEDIA = ("print", "speech", "aural", "tty", "tv", "projection", "handheld", "braille", "embossed")


def read_rules(sheet: str, media: str = "") -> Iterator[Rule]:
    """Yield the rules of a sheet that may apply on a screen, in their order.

    media: the attribute of the `<style>` element.
    """
    text = _PASSAGE.sub(_simplify_passage, sheet) if _has_odd_passage(sheet) else sheet
    block = _Block("", judge_media(media.lower()))
    around: list[_Block] = []
    for piece in text.split("}"):
        before, brace, declarations = piece.partition("{")
        if brace and "{" not in declarations and not block.selectors and "@" not in before and ";" not in before:
            if block.scope:  # nearly all rules: nothing stands within them
                yield Rule(_clean_prelude(before), declarations, block.scope)
            continue
        while brace:
            declared = before.rfind(";") + 1
            if declared and block.selectors and block.scope:
                yield Rule(block.selectors, before[:declared], block.scope)
            around.append(block)
            block = _open_block(block, _clean_prelude(before[declared:]))
            before, brace, declarations = declarations.partition("{")
        if block.scope and block.selectors and ":" in before:
            yield Rule(block.selectors, before, block.scope)
        if around:
            block = around.pop()


def find_conditional(sheet: str) -> set[int]:
    """Return which of the parts that end at a `}` lie within an at-rule that does not hold on every screen.

    A quick look: nothing is found in a sheet whose comments or strings may hold braces.
    """
    found: set[int] = set()
    if _has_odd_passage(sheet):
        return found
    around: list[_Block] = []
    block = _Block("", Scope.ALWAYS)
    for place, part in enumerate(sheet.split("}")):
        opened = part.count("{")
        if not opened:
            block = around.pop() if around else block
            continue
        if opened > 1:
            for prelude in part.split("{")[: opened - 1]:
                around.append(block)
                block = _open_block(block, _clean_prelude(prelude[prelude.rfind(";") + 1 :]))
        if block.scope < Scope.ALWAYS:
            found.add(place)
    return found


def _has_odd_passage(sheet: str) -> bool:
    """Return whether there may be a comment or a string in which a brace or a semicolon stands."""
    comments = [part.partition("*/")[0] for part in sheet.split("/*")[1:]]
    strings = [inner for mark in "\"'" for inner in sheet.split(mark)[1::2]]
    return any("{" in inner or "}" in inner or ";" in inner for inner in [*comments, *strings])


def judge_media(query: str) -> Scope:
    """Return on which screens a list of media queries in lower case is true."""
    return max(map(_judge_query, query.split(",")))


def _judge_query(query: str) -> Scope:
    parts = [" ".join(part.split()) for part in query.split(" and ")]
    scope = Scope.ALWAYS
    for part in parts:
        if not part or part in _MEDIA_TYPES:
            continue
        if part.removeprefix("only ") in _OTHER_MEDIA:
            return Scope.NEVER
        width = _WIDTH.fullmatch(part)
        if width is None or not _is_always_met(width[1], width[2], width[3]):
            scope = Scope.SOMETIMES
    return scope


def _is_always_met(bound: str, number: str, unit: str) -> bool:
    try:
        pixels = float(number) * (1 if unit == "px" else 16)
    except ValueError:
        return False
    return pixels <= NARROWEST if bound == "min" else pixels >= WIDEST


def _clean_prelude(prelude: str) -> str:
    """Return what stands before a block, without comments."""
    return _PASSAGE.sub(_simplify_passage, prelude).strip() if "/*" in prelude else prelude.strip()


def _open_block(around: _Block, prelude: str) -> _Block:
    if not around.scope:
        return around
    if prelude.startswith("@"):
        return _open_at_rule(around, prelude)
    if not around.selectors:
        return _Block(prelude, around.scope)
    nested = _nest_selectors(around.selectors, prelude)
    if around.depth >= MAX_NESTED or len(nested) > MAX_SELECTORS:
        return _Block("", Scope.NEVER)
    return _Block(nested, around.scope, around.depth + 1)


def _open_at_rule(around: _Block, prelude: str) -> _Block:
    found = _AT_RULE.match(prelude.lower())
    name, condition = ("", "") if found is None else (found[1], found[2])
    if name == "media":
        scope = judge_media(condition)
    elif name == "layer" or (name == "supports" and condition.split()[:1] != ["not"]):
        scope = Scope.ALWAYS
    elif name in ("container", "starting-style", "scope"):
        scope = Scope.SOMETIMES
    else:  # font faces, key frames, printed pages
        scope = Scope.NEVER
    return around._replace(scope=min(scope, around.scope))


def _nest_selectors(around: str, within: str) -> str:
    outer = around if "," not in around else f":is({around})"
    return ",".join(
        [
            each.replace("&", outer) if "&" in each else f"{outer} {each}"
            for each in (within.split(",") if "(" not in within else [within])
        ]
    )


def _simplify_passage(found: re.Match[str]) -> str:
    """Return a space for a comment, and an empty string for one with characters that have a meaning outside."""
    passage = found[0]
    if passage[0] == "/":
        return " "
    return '""' if "{" in passage or "}" in passage or ";" in passage else passage
