"""Parses a page's own style sheets, the content of its `<style>` elements.

Parses only the parts of CSS that determine which elements a sheet hides: comments, strings, nested rules, and at-rules
that select screens. Accepts any text and takes linear time.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import NamedTuple


class Scope(IntEnum):
    """The screens to which a rule applies."""

    NEVER = 0
    SOMETIMES = 1
    ALWAYS = 2


class Rule(NamedTuple):
    """A rule of a style sheet. selectors, declarations: as written, separated by commas and semicolons."""

    selectors: str
    declarations: str
    scope: Scope


class _Block(NamedTuple):
    """A block without its closing brace so far. selectors: the selectors of its rule; "" outside of all rules."""

    selectors: str
    scope: Scope
    depth: int = 0


NARROWEST = 320
"""Width in pixels of the narrowest screen that pages are designed for."""
WIDEST = 2560
"""Width in pixels of the widest screen that pages are designed for."""
MAX_NESTED = 4
"""Maximum nesting of rules that are read. Each level repeats the selectors of the outer levels."""
MAX_SELECTORS = 2000
"""Maximum number of characters of nested selectors that are read, because levels repeat them."""
LONGEST_KEPT = 200
"""Maximum length, in characters, of an at-rule whose meaning is cached."""
_PASSAGE = re.compile(
    r"""/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]++|\\.)*+["\n]?|'(?:[^'\\\n]++|\\.)*+['\n]?""",
    re.DOTALL,
)
"""Matches a comment or a string."""
_WITHIN_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_\\")
"""Characters that continue a name."""
_BEFORE_NAME = _WITHIN_NAME | frozenset(".#:")
_AT_RULE = re.compile(r"@([a-z-]+)(.*)", re.DOTALL)
_WIDTH = re.compile(r"\(\s*(min|max)-(?:device-)?width\s*:\s*([0-9.]{1,9})(px|em|rem)\s*\)")
_MEDIA_TYPES = frozenset({"all", "screen", "only screen", "only all"})
_OTHER_MEDIA = ("print", "speech", "aural", "tty", "tv", "projection", "handheld", "braille", "embossed")


class StyleSheet:
    """A style sheet, split at each `}` into parts. A part ends with one rule, and may begin outer rules.


    Rules are parsed only for the requested parts; most parts are never requested.
    """

    def __init__(self, text: str, media: str = "") -> None:
        """Split the sheet. media: the `media` attribute of the `<style>` element."""
        self._source = text
        self._media = media
        self._rules: dict[int, Sequence[Rule]] = {}

    def __len__(self) -> int:
        """Return the length of the original sheet, in characters."""
        return len(self._source)

    @cached_property
    def text(self) -> str:
        """The sheet without comments."""
        return _drop_comments(self._source)

    @cached_property
    def parts(self) -> Sequence[str]:
        return self.text.split("}")

    def read_rules(self, place: int) -> Sequence[Rule]:
        """Return the rules of a part that may apply on a screen, in order."""
        if place not in self._rules:
            self._rules[place] = [*self._read_rules(place)]
        return self._rules[place]

    def find_parts(self, name: str) -> set[int]:
        """Return the indexes of parts that contain a complete name.

        name: the name as written in the sheet: `.menu`, `#top` or `div`.
        """
        found: set[int] = set()
        text = self.text
        is_tag = name[0] not in ".#"
        place = start = 0
        at = text.find(name)
        while at >= 0:
            end = at + len(name)
            if text[end : end + 1] in _WITHIN_NAME or (is_tag and text[at - 1 : at] in _BEFORE_NAME):
                at = text.find(name, end)
                continue
            place += text.count("}", start, at)
            found.add(place)
            start = text.find("}", at)
            at = text.find(name, start) if start >= 0 else -1
        return found

    def find_nested(self, name: str) -> Iterator[int]:
        """Yield the indexes of parts inside rules whose selectors contain a name."""
        for start, end, selectors in self.nesting:
            if name in selectors:
                yield from range(start, end)

    def _read_rules(self, place: int) -> Iterator[Rule]:
        starts, blocks = self._blocks
        block = blocks[bisect_right(starts, place) - 1]
        part = self.parts[place]
        before, *opened = part.split("{")
        for following in opened:
            declared = before.rfind(";") + 1
            if declared and block.selectors and block.scope:
                yield Rule(block.selectors, _drop_strings(before[:declared]), block.scope)
            block = _open_block(block, before[declared:].strip())
            before = following
        if block.scope and block.selectors and ":" in before:
            yield Rule(block.selectors, _drop_strings(before), block.scope)

    @cached_property
    def nesting(self) -> list[tuple[int, int, str]]:
        """Sequences of parts inside rules: the first part, the end, and the selectors of the enclosing rules."""
        starts, blocks = self._blocks
        ends = [*starts[1:], len(self.parts)]
        return [
            (start, end, block.selectors)
            for start, end, block in zip(starts, ends, blocks, strict=True)
            if block.selectors
        ]

    @cached_property
    def _blocks(self) -> tuple[list[int], list[_Block]]:
        """The indexes of parts at which the open blocks change, with the blocks that are open from there on."""
        block = _Block("", judge_media(self._media.lower()))
        starts, blocks = [0], [block]
        around: list[_Block] = []
        counts = [part.count("{") for part in self.parts]
        for place, count in enumerate(counts):
            if count == 1:
                continue
            if not count:
                block = around.pop() if around else block
            else:
                for prelude in self.parts[place].split("{")[: count - 1]:
                    around.append(block)
                    block = _open_block(block, prelude[prelude.rfind(";") + 1 :].strip())
            starts.append(place + 1)
            blocks.append(block)
        return starts, blocks


_MARKS = ("{", "}", "/*", "*/")


def _drop_comments(sheet: str) -> str:
    """Return a sheet without comments and without strings that contain braces or comment marks."""
    if "--" in sheet:  # comment marks can also occur in names of variables
        sheet = sheet.replace("<!--", "").replace("-->", "")
    if '"' not in sheet and "'" not in sheet and "/*" not in sheet:
        return sheet
    within = "".join([*sheet.split('"')[1::2], *sheet.split("'")[1::2]])
    if any(mark in within for mark in _MARKS):  # a comment may contain a quote
        return _PASSAGE.sub(_simplify_passage, sheet)
    first, *others = sheet.split("/*")
    return " ".join([first, *[each.partition("*/")[2] for each in others]]) if others else sheet


def _drop_strings(declarations: str) -> str:
    """Return declarations without strings that contain a semicolon."""
    if ";" not in declarations or ('"' not in declarations and "'" not in declarations):
        return declarations
    return _PASSAGE.sub(_simplify_passage, declarations)


def judge_media(query: str) -> Scope:
    """Return the screens that match a list of media queries. query: media queries in lower case."""
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


def _open_block(around: _Block, prelude: str) -> _Block:
    if not around.scope:
        return around
    if prelude.startswith("@"):
        judge = _judge_at_rule if len(prelude) <= LONGEST_KEPT else _judge_at_rule.__wrapped__
        return around._replace(scope=min(judge(prelude), around.scope))
    if not around.selectors:
        return _Block(prelude, around.scope)
    size = len(prelude) + (len(around.selectors) + 6) * (1 + prelude.count(",") + prelude.count("&"))
    if around.depth >= MAX_NESTED or size > MAX_SELECTORS:
        return _Block("", Scope.NEVER)
    return _Block(_nest_selectors(around.selectors, prelude), around.scope, around.depth + 1)


@lru_cache(maxsize=512)
def _judge_at_rule(prelude: str) -> Scope:
    """Return the screens to which the rules inside an at-rule apply."""
    found = _AT_RULE.match(prelude.lower())
    name, condition = ("", "") if found is None else (found[1], found[2])
    if name == "media":
        scope = judge_media(condition)
    elif name == "layer" or (name == "supports" and condition.split()[:1] != ["not"]):
        scope = Scope.ALWAYS
    elif name in ("container", "starting-style", "scope"):
        scope = Scope.SOMETIMES
    else:  # font faces, keyframes and printed pages
        scope = Scope.NEVER
    return scope


def _nest_selectors(around: str, within: str) -> str:
    outer = around if "," not in around else f":is({around})"
    return ",".join(
        [
            each.replace("&", outer) if "&" in each else f"{outer} {each}"
            for each in (within.split(",") if "(" not in within else [within])
        ]
    )


def _simplify_passage(found: re.Match[str]) -> str:
    """Return a space for a comment, or "" for a string with special characters."""
    passage = found[0]
    if passage[0] == "/":
        return " "
    return '""' if "{" in passage or "}" in passage or ";" in passage else passage
