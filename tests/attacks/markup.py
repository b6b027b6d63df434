"""Templates of pages for hostile markup."""

LARGEST = 9_900_000
"""Size in bytes of a page below the limit of 10 MB."""
WORDS = "This page has words of its own, so that it is read as an article whatever else it holds. " * 8


def html(body: str = "", head: str = "") -> bytes:
    """Return a page with some text before the hostile content."""
    start = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>{head}</head>'
    return f"{start}<body><main><h1>A page</h1><p>{WORDS}</p>{body}</main></body></html>".encode()


def fill_page(piece: str, most: int = LARGEST - 4096, before: str = "", after: str = "") -> bytes:
    """Return a page that repeats a piece of markup."""
    return html(before + piece * ((most - len(before) - len(after)) // len(piece.encode())) + after)


def number_pieces(piece: str, times: int) -> str:
    """Return a piece of markup `times` times, with `§` replaced by a number."""
    return "".join(piece.replace("§", str(at)) for at in range(times))
