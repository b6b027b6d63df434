"""Foreign text as markdown that means that text and nothing else.

A backslash is put only where CommonMark or its table, strikethrough and task-list extensions would read more than
text. Emphasis needs a mark that can close it, so the marks that can only open stay as they are: `5 * 3`, `_private`
and `snake_case` read as written.
"""

import re

_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)])
_INLINE = re.compile(
    r"""
      \\(?=[!-/:-@\[-`{-~]|$)          # would escape what follows, a backslash of ours included
    | `                                # code
    | (?<=[^\s*])\*++                  # can close emphasis
    | (?<=[^\s~])~++                   # can close strikethrough
    | (?<=[^\s_])_++(?![^\W_])         # can close emphasis: not between letters
    | \](?=[(:])                       # link, link definition
    | <(?=[A-Za-z/!?])                 # tag, comment, autolink
    | &(?=\#?[0-9A-Za-z]+;)            # entity
    """,
    re.VERBOSE,
)
_BLOCK = re.compile(
    r"""
      (?:\#{1,6}|[-+*])(?=\ |$)        # heading, list item
    | ([-*_])(?:\ ?\1)*$               # thematic break; with the mark of a list item two are enough
    | >                                # quote
    | ~~~                              # fenced code
    | \[(?=[ xX]\](?:\ |$))            # task
    """,
    re.VERBOSE,
)
_NUMBERED = re.compile(r"([0-9]{1,9})([.)])(?= |$)")


def plain(text: str) -> str:
    """One line: runs of white space and line breaks are one space, control characters are gone."""
    return " ".join(" ".join(text.split()).translate(_CONTROLS).split())


def inline(text: str) -> str:
    """`text` as a part of a line that something else begins (heading, fact)."""
    return _INLINE.sub(lambda match: "".join(f"\\{mark}" for mark in match[0]), plain(text))


def line(text: str) -> str:
    """`text` as a whole line: a paragraph, a list item."""
    escaped = inline(text)
    if _BLOCK.match(escaped):
        return f"\\{escaped}"
    return _NUMBERED.sub(r"\1\\\2", escaped, count=1) if _NUMBERED.match(escaped) else escaped


def heading(text: str) -> str:
    """`text` as a heading's: a closing run of # is kept as text."""
    return re.sub(r"(^|(?<= ))(#+)$", r"\\\2", inline(text))


def cell(text: str) -> str:
    """`text` as a table cell's."""
    return inline(text).replace("|", r"\|")
