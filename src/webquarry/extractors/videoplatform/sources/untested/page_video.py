"""A video from its page and from oEmbed, used if the other requests fail.

Untested: neither response is recorded. See docs/upstreams/video-platform.md.
"""

from typing import Final
from urllib.parse import urlencode

from webquarry.core.errors import Absent, EmptyResult, ProviderError
from webquarry.core.types import Provider, Wire
from webquarry.extractors.videoplatform.model.ids import handle_in, is_channel_id, watch_url
from webquarry.extractors.videoplatform.model.params import VideoParams
from webquarry.extractors.videoplatform.model.result import ChannelBrief, Video, VideoFacts
from webquarry.extractors.videoplatform.sources.facts import video_of
from webquarry.extractors.videoplatform.sources.innertube import player, watch_next
from webquarry.extractors.videoplatform.sources.innertube.calls import (
    CONSENT,
    MAX_ANSWER_BYTES,
    SITE,
    TITLE,
    make_blocked_error,
)
from webquarry.net import Net
from webquarry.providers.browser import plain_headers
from webquarry.read import json_of, must, take
from webquarry.read.block_pages import unreadable
from webquarry.read.embedded import assigned
from webquarry.read.fields import to_address, to_line
from webquarry.read.html import html_of

WATCH_PAGE: Final = Provider(
    name="watch_page",
    title=TITLE,
    browser_headers=plain_headers(language="en-US,en;q=0.9"),
    unproven=True,
)
OEMBED: Final = Provider(name="oembed", title=TITLE, unproven=True)
FEW: Final = "Only the title and channel are available because the other providers failed."


async def fetch_page(params: VideoParams, net: Net) -> Wire:
    query = {"v": params.video_id, "hl": "en", "bpctr": "9999999999", "has_verified": "1"}
    return await net.get(f"{SITE}/watch?{urlencode(query)}", cookies=CONSENT, max_bytes=MAX_ANSWER_BYTES)


def read_page(wire: Wire, params: VideoParams) -> Video:
    page = html_of(wire)
    response, beside = assigned(page, "ytInitialPlayerResponse"), assigned(page, "ytInitialData")
    parts = []
    if isinstance(response, dict):
        parts.append(player.read_facts(response))
    if isinstance(beside, dict):
        parts.append(watch_next.read_facts(beside))
    if not parts:
        raise unreadable(wire, TITLE, f"{TITLE} sent a page without its data.", page)
    return video_of(parts, params.video_id, "watch_page")


async def fetch_oembed(params: VideoParams, net: Net) -> Wire:
    query = {"url": watch_url(params.video_id), "format": "json"}
    wire = await net.get(
        f"{SITE}/oembed?{urlencode(query)}", accept="application/json", ok_on=(200, 401, 403), absent_on=(400, 404)
    )
    if wire.status == 401:
        raise EmptyResult("This video is private or can't be embedded, and no other provider returned it.")
    if wire.status == 403:
        raise make_blocked_error(None)
    return wire


def read_oembed(wire: Wire, params: VideoParams) -> Video:
    if wire.body.strip() in (b"Not Found", b"Bad Request"):
        raise Absent(f"{TITLE} has no video with this ID.")
    if wire.body.strip() in (b"Unauthorized", b"Forbidden"):
        raise ProviderError(f"{TITLE} does not show this video to this service.", reason="refused")
    answer = must(json_of(wire), "", dict)
    address = take(answer, "author_url", to_address)
    last = (address or "").rpartition("/")[2]
    found = VideoFacts(
        title=take(answer, "title", to_line, required=True),
        channel=ChannelBrief(
            id=last if is_channel_id(last) else None,
            name=take(answer, "author_name", to_line),
            handle=handle_in(address),
            url=address,
        ),
        thumbnail_url=take(answer, "thumbnail_url", to_address),
    )
    return video_of([found], params.video_id, "oembed", [FEW])
