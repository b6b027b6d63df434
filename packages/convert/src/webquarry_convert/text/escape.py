"""Escapes plain text for markdown, so that it renders as written.

Adds a backslash only where CommonMark or its table, strikethrough and task-list extensions would read markup. Emphasis
needs a closing mark, so marks that can only open stay unescaped: `5 * 3`, `_private` and `snake_case`. This applies to
text with no markup around it. Next to generated markup (`part`, `label`), every mark that could pair with a generated
mark is escaped.
"""

import re

_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)])
_ALWAYS = r"""
      (?:\\(?=[!-/:-@\[-`{-~]|\s*\Z))++  # would escape what follows, a backslash of ours included
    | `++                              # code
    | <(?=[A-Za-z/!?])                 # tag, comment, autolink
    | &(?=\#?[0-9A-Za-z]+;)            # entity
"""
_INLINE = re.compile(
    rf"""{_ALWAYS}
    | (?<=[^\s*])\*++                  # can close emphasis
    | (?<=[^\s~])~++                   # can close strikethrough
    | (?<=[^\s_])_++(?![^\W_])         # can close emphasis: not between letters
    | \](?=[(:])                       # link, link definition
    | \[(?=\^)                         # footnote
    """,
    re.VERBOSE,
)
_BESIDE_MARKUP = r"""
    | [*~]++
    | _(?!(?<=[^\W_]_)[^\W_])
    | [<&]$                            # would join with what follows
    | \](?=[(:])
    | \[(?=\^)
"""
_PART = re.compile(_ALWAYS + _BESIDE_MARKUP, re.VERBOSE)
_LINK = re.compile(r"\](?=[(:])|\[(?=\^)")
_LABEL = re.compile(rf"{_ALWAYS}{_BESIDE_MARKUP}| [\[\]]", re.VERBOSE)
_BLOCK = re.compile(
    r"""
      (?:\#{1,6}|[-+*])(?=\ |$)        # heading, list item
    | ([-*_])(?:\ ?\1)*+$              # thematic break; with the mark of a list item two are enough
    | >                                # quote
    | ~~~                              # fenced code
    | \[(?=[ xX]\](?:\ |$))            # task
    """,
    re.VERBOSE,
)
_NUMBERED = re.compile(r"([0-9]{1,9})([.)])(?= |$)")
_UNDERLINE = re.compile(r"=+ ?$|[|:-][|: -]*$")
_CLOSING_HASHES = re.compile(r"(^|(?<= ))(#+)$")
_NOT_IN_TARGETS = re.compile(r"[\x00-\x20\x7f<>\\|]")
_ENTITY = re.compile(r"&(?=#?[0-9A-Za-z]+;)")
_BLOCK_SIGNS = frozenset("#-+*_>~[0123456789")


def _add_backslashes(match: re.Match[str]) -> str:
    return "\\" + "\\".join(match[0])


def clean_line(text: str) -> str:
    """Return the text as one line, without control characters. Runs of white space and line breaks become one space."""
    return " ".join(" ".join(text.split()).translate(_CONTROLS).split())


def inline(text: str) -> str:
    """Escape text that follows other content on its line, such as the text of a heading or fact."""
    return whole(clean_line(text))


def whole(text: str) -> str:
    """Escape a line that contains only this text, with no markup around it.

    The text must not contain control characters.
    """
    return _INLINE.sub(_add_backslashes, text) if _has_marks(text) else text


def part(text: str) -> str:
    """Escape one line of text that is next to emphasis, links, code or images."""
    return _PART.sub(_add_backslashes, text) if _has_marks(text) else text


def label(text: str) -> str:
    """Escape one line of text for a link label or an image description. If its brackets don't pair, all are escaped."""
    if ("[" in text or "]" in text) and (_LINK.search(text) or not _is_balanced(text)):
        return _LABEL.sub(_add_backslashes, text)
    return part(text)


def line(text: str) -> str:
    """Escape text that occupies a whole line, such as a paragraph or a list item."""
    return start(inline(text))


def start(escaped: str) -> str:
    """Escape characters that would start another kind of block in the first line of a block. Takes inline markdown."""
    if escaped[:1] not in _BLOCK_SIGNS:
        return escaped
    if _BLOCK.match(escaped):
        return f"\\{escaped}"
    return _NUMBERED.sub(r"\1\\\2", escaped, count=1) if _NUMBERED.match(escaped) else escaped


def further(escaped: str) -> str:
    """Escape characters that would open or end a block in a later line of a paragraph. Takes inline markdown."""
    return f"\\{escaped}" if _UNDERLINE.match(escaped) else start(escaped)


def heading(text: str) -> str:
    """Escape the text of a heading. A closing run of # is kept as text."""
    return hashes(inline(text))


def hashes(escaped: str) -> str:
    """Escape a closing run of # in inline markdown that is used as a heading."""
    return _CLOSING_HASHES.sub(r"\\\2", escaped) if escaped[-1:] == "#" else escaped


def cell(text: str) -> str:
    """Escape the text of a table cell."""
    return inline(text).replace("|", r"\|")


def target(url: str) -> str:
    """Escape a URL for use as a link target, in parentheses."""
    bare = _NOT_IN_TARGETS.sub(lambda match: f"%{ord(match[0]):02X}", url)
    bare = _ENTITY.sub(r"\\&", bare)
    return f"<{bare}>" if "(" in bare or ")" in bare else bare


def _has_marks(text: str) -> bool:
    """Return whether the text may contain anything to escape.

    This check is faster than a single regular expression.
    """
    return (
        "*" in text
        or "_" in text
        or "`" in text
        or "\\" in text
        or "<" in text
        or "&" in text
        or "]" in text
        or "[" in text
        or "~" in text
    )


def _is_balanced(text: str) -> bool:
    depth = 0
    for sign in re.findall(r"[\[\]]", text):
        depth += 1 if sign == "[" else -1
        if depth < 0:
            return False
    return depth == 0
