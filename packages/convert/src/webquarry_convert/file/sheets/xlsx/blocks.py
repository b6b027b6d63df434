"""Splits a workbook's large XML parts into blocks of text that need no XML parser.

A large workbook repeats a few patterns a million times. A regular expression reads them several times faster than a
parser, which calls a function for each element. This is safe only if `<row` always means a row: the part is UTF-8, its
names have no prefixes, and it has no comment, CDATA section or custom entity. From the first position that breaks one
of these conditions, the rest of the part is passed to the parser.

Example, with `<sheetData>` as opening and `</row>` as closing:

    <worksheet><sheetData>   <row r="1">…</row><row r="2">…</row>   </sheetData></worksheet>
    bytes: for the parser    text: one block or more                bytes: for the parser
"""

import re
from collections.abc import Iterable, Iterator

MAX_PENDING = 1 << 20
"""Maximum number of pending bytes in which no element begins or ends."""
_UNSAFE = (b"<!", b"<?")
_DECLARATION = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml\s([^<>?]*)\?>")
_ENCODING = re.compile(rb"""encoding\s*=\s*["'](?!utf-8["'])""", re.IGNORECASE)


def split_blocks(pieces: Iterable[bytes], opening: re.Pattern[bytes], closing: bytes) -> Iterator[str | bytes]:
    """Yield the part in order, in two kinds of pieces: a `str` is a block, and `bytes` are for the parser.

    The first block begins after `opening`, and each further block after the previous block. Each block ends with
    `closing` and may contain many elements. The bytes before the first and after the last block are for the parser, as
    are all bytes of an unsafe part.
    """
    source = iter(pieces)
    head = b""
    found = None
    for piece in source:
        head += piece
        found = opening.search(head)
        if found or len(head) > MAX_PENDING:
            break
    if found is None or not _is_safe(head[: found.end()]):
        yield head
    else:
        yield head[: found.end()]
        yield from _split_rest(head[found.end() :], source, closing)
    yield from source


def _split_rest(pending: bytes, source: Iterator[bytes], closing: bytes) -> Iterator[str | bytes]:
    """Yield the pieces after `opening`, up to the position that breaks a condition.

    pending: the bytes that were already read. source: the bytes that follow them.
    """
    while True:
        end = pending.rfind(closing) + len(closing)
        if end >= len(closing):
            block, pending = pending[:end], pending[end:]
            text = _decode_block(block)
            if text is None:
                yield block
                break
            yield text
        elif len(pending) > MAX_PENDING:
            break
        piece = next(source, None)
        if piece is None:
            break
        pending += piece
    yield pending


def _is_safe(head: bytes) -> bool:
    """Return whether the bytes before the first block show that the following blocks need no parser."""
    declaration = _DECLARATION.match(head)
    if declaration and _ENCODING.search(declaration[1]):
        return False
    rest = head[declaration.end() :] if declaration else head
    return not any(mark in rest for mark in _UNSAFE)


def _decode_block(block: bytes) -> str | None:
    """Decode a block, or return None if it may contain anything other than elements and strings."""
    if any(mark in block for mark in _UNSAFE):
        return None
    try:
        return block.decode()
    except UnicodeDecodeError:
        return None
