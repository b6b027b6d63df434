"""The order in which a crawl visits pages: by depth, then by priority in the sitemap, then by the URL's simplicity."""

from typing import Final
from urllib.parse import urlsplit

MAX_DEPTH: Final = 99
_SHAPES: Final = 100


def find_place(address: str, depth: int, priority: float = 0.5) -> int:
    """Return the rank of a page. Pages with lower ranks are visited first.

    depth: number of links from a start. priority: priority in the sitemap, from 0 to 1.

    The decimal digits of the rank are the depth, three digits for the priority, and two digits for the shape of the
    URL: 1 per path segment, 3 more per segment with digits, and 10 for a query.
    """
    parts = urlsplit(address)
    segments = [segment for segment in parts.path.split("/") if segment]
    digits = sum(any(sign.isdigit() for sign in segment) for segment in segments)
    shape = min(_SHAPES - 1, len(segments) + 3 * digits + 10 * bool(parts.query))
    wanted = round(999 * (1 - min(1.0, max(0.0, priority))))
    return (min(depth, MAX_DEPTH) * 1000 + wanted) * _SHAPES + shape
