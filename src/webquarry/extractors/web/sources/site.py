"""The files in which a site lists its addresses: sitemaps and feeds. See docs/upstreams/site.md."""

from typing import Final

from webquarry.core.types import Wire
from webquarry.net import ANY_STATUS, Net

KNOWN_NAMES: Final = ("/sitemap.xml", "/sitemap_index.xml", "/sitemap.xml.gz", "/wp-sitemap.xml", "/sitemap.txt")
"""Names that sites use for a sitemap that robots.txt does not name, most common first."""
MAX_BYTES: Final = 52_428_800
"""Maximum size of a file, according to sitemaps.org. A larger file is truncated."""
_ACCEPT: Final = "application/xml,text/xml,application/rss+xml,application/atom+xml,text/plain;q=0.9,*/*;q=0.5"
_ABSENT: Final = (404, 410)
_ANSWERED: Final = frozenset(ANY_STATUS) - frozenset(_ABSENT)


async def fetch_file(url: str, net: Net, *, is_named: bool) -> Wire:
    """Fetch a sitemap or a feed with any status, cut to `MAX_BYTES`. Raises Absent for 404 and 410.

    is_named: robots.txt names the file, so the rules of robots.txt are not checked.
    """
    return await net.get(
        url,
        accept=_ACCEPT,
        ok_on=_ANSWERED,
        absent_on=_ABSENT,
        max_wire_bytes=MAX_BYTES,
        max_bytes=MAX_BYTES,
        truncate=True,
        robots=not is_named,
    )
