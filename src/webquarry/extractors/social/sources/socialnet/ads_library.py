"""Check whether a page runs ads now, based on the ads library's count for the page's id.

The library also returns zero for unknown ids, so a zero counts only if the library knows the page. Most client
addresses get a browser check instead. See docs/upstreams/socialnet-page.md.
"""

from typing import Any, Final

from webquarry.extractors.social.sources.preloaded import find_scripts, objects_at, values_at
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.socialnet import library_url
from webquarry.read import Wire, at, take
from webquarry.read.fields import to_count
from webquarry.read.html import html_of

MAX_BYTES: Final = 6 * 1024 * 1024
_WORDS: Final = ("search_results_connection", "ad_library_page_info", "xfb_ad_library_is_captcha_required")


async def fetch(page_id: str, net: Net) -> Wire:
    """Fetch the library's page with any status. Its refusals do not affect other pages of the host."""
    return await net.get(library_url(page_id), ok_on=ANY_STATUS, absent_on=(), max_bytes=MAX_BYTES, follow=False)


def read(wire: Wire) -> bool | None:
    """Return whether the page runs ads: True for a count above zero, False for a count of zero.

    Returns None if there is no count, or if the library does not know the page.
    """
    if wire.status != 200:
        return None
    values = list(find_scripts(html_of(wire), *_WORDS))
    if any(value is True for _, value in values_at(values, "xfb_ad_library_is_captcha_required")):
        return None
    counts = [take(found, "count", to_count) for found in objects_at(values, "search_results_connection")]
    count = next((count for count in counts if count is not None), None)
    if count is None:
        return None
    if count > 0:
        return True
    return False if _is_known(values) else None


def _is_known(values: list[Any]) -> bool:
    """Return whether the library knows the page, because pages that it does not know also have a count of zero."""
    records = [at(found, "page_info", dict) for found in objects_at(values, "ad_library_page_info")]
    return any(found and found.get("page_is_deleted") is False for found in records)
