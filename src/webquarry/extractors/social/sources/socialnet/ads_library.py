"""Whether ads of a page run now: the number that the library of ads gives for its id, and nothing else of it.

A zero counts only where the library knows the page: it gives zeros for unknown ids, too. Best effort: most addresses
get a check of the browser in its place. Wire notes: docs/upstreams/socialnet-page.md.
"""

from typing import Final

from webquarry.extractors.social.sources.preloaded import find_scripts, objects_at, values_at
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.socialnet import library_url
from webquarry.read import Wire, at, take
from webquarry.read.fields import to_count
from webquarry.read.html import html_of

MAX_BYTES: Final = 6 * 1024 * 1024
_WORDS: Final = ("search_results_connection", "ad_library_page_info", "xfb_ad_library_is_captcha_required")


async def fetch(page_id: str, net: Net) -> Wire:
    """The library's page, whatever its status: its refusals say nothing of the pages that this host serves."""
    return await net.get(library_url(page_id), ok_on=ANY_STATUS, absent_on=(), max_bytes=MAX_BYTES, follow=False)


def read(wire: Wire) -> bool | None:
    """True for a number above zero, false for a zero of a page that is known, None for all else."""
    if wire.status != 200:
        return None
    values = list(find_scripts(html_of(wire), *_WORDS))
    if any(value is True for _, value in values_at(values, "xfb_ad_library_is_captcha_required")):
        return None
    counts = [take(found, "count", to_count) for found in objects_at(values, "search_results_connection")]
    count = next((count for count in counts if count is not None), None)
    if count is None or count > 0:
        return None if count is None else True
    records = [at(found, "page_info", dict) for found in objects_at(values, "ad_library_page_info")]
    return False if any(found and found.get("page_is_deleted") is False for found in records) else None
