"""Large parts taken apart, so that most of them can be read without a parser.

A large workbook is a million times the same few shapes, which an expression reads several times faster than a parser
calls for each element. That is safe where `<row` can mean nothing but a row: no comment, no CDATA section, no entities
of its own, UTF-8, and names without prefixes. As soon as a part has any of these, all of the rest is for the parser.
"""

import re
from collections.abc import Iterable, Iterator

MAX_PENDING = 1 << 20
"""Bytes without the beginning or the end of anything in them, from which on no more are waited for."""
_UNSAFE = (b"<!", b"<?")
_DECLARATION = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml\s([^<>?]*)\?>")
_ENCODING = re.compile(rb"""encoding\s*=\s*["'](?!utf-8["'])""", re.IGNORECASE)


def blocks(pieces: Iterable[bytes], opening: re.Pattern[bytes], closing: bytes) -> Iterator[str | bytes]:
    """Texts, each of which begins behind `opening` or behind another one and ends with `closing`; and, as bytes, what
    is to be parsed: what is in front of them, what is behind them, all of a part that is not safe."""
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
        yield from _behind(head[found.end() :], source, closing)
    yield from source


def _behind(pending: bytes, source: Iterator[bytes], closing: bytes) -> Iterator[str | bytes]:
    """As `blocks`, from the first one on, up to where the rest is to be parsed. pending: what has been read of it."""
    while True:
        end = pending.rfind(closing) + len(closing)
        if end >= len(closing):
            block, pending = pending[:end], pending[end:]
            text = _text(block)
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
    """Whether what is in front of the first block lets all that follows mean what it says."""
    declaration = _DECLARATION.match(head)
    if declaration and _ENCODING.search(declaration[1]):
        return False
    rest = head[declaration.end() :] if declaration else head
    return not any(mark in rest for mark in _UNSAFE)


def _text(block: bytes) -> str | None:
    """None when it may hold more than elements and texts."""
    if any(mark in block for mark in _UNSAFE):
        return None
    try:
        return block.decode()
    except UnicodeDecodeError:
        return None
