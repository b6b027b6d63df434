"""A place's page on Google Maps in a browser, with the owner's description, which other clients do not get.

This source is opt-in: the page takes seconds, and many IP addresses get a block page. A script of the page contains the
response to the page's own RPC as a string, which the RPC's reader parses. Response format: docs/upstreams/maps.md.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode, urlsplit

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.maps.model.params import MapsPlaceParams
from webquarry.extractors.maps.model.result import MapsPlace
from webquarry.extractors.maps.sources.rpc import reader
from webquarry.net import Net
from webquarry.providers import google
from webquarry.providers.languages import google_language
from webquarry.read.block_pages import WALL_WAIT_S, unreadable
from webquarry.read.embedded import assigned
from webquarry.read.html import html_of

MAPS_PAGE = Provider(
    name="maps_page",
    walled=True,
    title="Google Maps in a browser",
    politeness=Politeness(spacing_s=2.0, concurrency=1),
    needs=("maps_browser",),
    unproven=True,
)
STATE = "APP_INITIALIZATION_STATE"
GUARD = ")]}'"
MAX_NODES = 20_000
"""Maximum number of nodes of the page's state that are searched for responses."""


async def fetch(params: MapsPlaceParams, net: Net) -> Wire:
    """Render the place's page.

    Raises ProviderError: "blocked" for a captcha or a consent page, "refused" for an error status.
    """
    query = urlencode({"cid": params.place_cid, "hl": google_language(params.hl), "gl": params.gl})
    wire = await net.render(f"https://www.google.com/maps?{query}")
    address = urlsplit(wire.url)
    if (address.hostname or "").startswith("consent.") or address.path.startswith("/sorry") or wire.status == 429:
        raise ProviderError("Google Maps returned a captcha.", reason="blocked", retry_after_s=WALL_WAIT_S)
    if wire.status >= 400:
        raise ProviderError(f"Google Maps responded with status {wire.status}.", reason="refused")
    return wire


def read(wire: Wire, params: MapsPlaceParams) -> MapsPlace:
    """Parse the place of the page.

    Raises ProviderError: "blocked" for a block page, "changed" for a page without the requested place.
    """
    google.refuse_block_pages(wire, MAPS_PAGE.title)
    page = html_of(wire)
    for answer in _answers(assigned(page, STATE)):
        try:
            found = reader.read_place(replace(wire, body=answer.encode("utf-8", "replace")), params)
        except (Absent, ProviderError):  # the page contains responses to other RPCs too
            continue
        return found.model_copy(update={"provider": MAPS_PAGE.name})
    raise unreadable(wire, MAPS_PAGE.title, "Google Maps sent a page without the requested place.", page)


def _answers(state: Any) -> Iterator[str]:
    """Yield the strings in the page's state that are responses. They start with the guard."""
    rest = [state]
    for _ in range(MAX_NODES):
        if not rest:
            return
        node = rest.pop()
        if isinstance(node, str):
            if node.startswith(GUARD):
                yield node
        elif isinstance(node, list):
            rest.extend(reversed(node))
        elif isinstance(node, dict):
            rest.extend(reversed(list(node.values())))
