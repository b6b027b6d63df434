"""The order in which a crawl visits pages: near ones first, then those that sitemaps prefer, then plain addresses."""

from typing import Final
from urllib.parse import urlsplit

MAX_DEPTH: Final = 99
_SHAPES: Final = 100


def find_place(address: str, depth: int, priority: float = 0.5) -> int:
    """Return the place of a page, lowest first.

    depth: links from a start. priority: of a sitemap, from 0 to 1.

    The place has three parts: two digits of depth, three of priority, and two of shape, in which each segment counts
    1, digits 3 and a query 10.
    """
    parts = urlsplit(address)
    segments = [segment for segment in parts.path.split("/") if segment]
    digits = sum(any(sign.isdigit() for sign in segment) for segment in segments)
    shape = min(_SHAPES - 1, len(segments) + 3 * digits + 10 * bool(parts.query))
    wanted = round(999 * (1 - min(1.0, max(0.0, priority))))
    return (min(depth, MAX_DEPTH) * 1000 + wanted) * _SHAPES + shape
