"""Pages of markup to be filled with what is special about them."""

LARGEST = 9_900_000
"""Bytes of a page that is read: 10 MB are the limit."""
WORDS = "This page has words of its own, so that it is read as an article whatever else it holds. " * 8


def html(body: str = "", head: str = "") -> bytes:
    """A page with some text before what is special about it."""
    start = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>{head}</head>'
    return f"{start}<body><main><h1>A page</h1><p>{WORDS}</p>{body}</main></body></html>".encode()


def fill_page(piece: str, most: int = LARGEST - 4096, before: str = "", after: str = "") -> bytes:
    """A page with a piece again and again."""
    return html(before + piece * ((most - len(before) - len(after)) // len(piece.encode())) + after)


def number_pieces(piece: str, times: int) -> str:
    """A piece with `§` as a number, so many times."""
    return "".join(piece.replace("§", str(at)) for at in range(times))
