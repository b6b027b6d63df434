"""A channel: its details, and its newest videos, shorts or streams.

Providers: YouTube's Data API if its key is set, otherwise the requests of YouTube's own page, and the channel's feed.
See docs/upstreams/video-platform.md. Raises Absent, with the provider's message, if the channel does not exist or was
closed.
"""

from collections.abc import Iterator
from typing import Final

from webquarry.core.errors import ExtractionError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.videoplatform.model.channel_params import ChannelParams, channel_identity
from webquarry.extractors.videoplatform.model.channel_result import About, Channel, ChannelVideo
from webquarry.extractors.videoplatform.model.figures import (
    list_known,
    write_day,
    write_length,
    write_number,
    write_states,
)
from webquarry.extractors.videoplatform.sources import api_channel, feed
from webquarry.extractors.videoplatform.sources.data_api import DATA_API
from webquarry.extractors.videoplatform.sources.innertube import about_panel, browse
from webquarry.extractors.videoplatform.sources.innertube.calls import INNERTUBE, call
from webquarry.extractors.videoplatform.sources.innertube.texts import rounded
from webquarry.net import Net
from webquarry.render import Link, Md

MAX_DESCRIPTION_SHOWN: Final = 2_000
FROM_FEED: Final = "The videos come from the channel's feed, which has the newest videos, streams and shorts together."
NO_ABOUT: Final = "The creation date, views, country and links are missing because the provider did not return them."


async def ask(params: ChannelParams, net: Net) -> tuple[Channel, Wire]:
    """Resolve the channel's id if the caller gave another name, then fetch the list with its header, and the about
    panel.
    """
    token = params.token_of(INNERTUBE.name)
    if token is not None:
        wire = await call(net, "browse", {"continuation": token})
        return (await net.read(browse.read_browsed, wire, params)).channel, wire
    channel_id = params.channel_id
    if channel_id is None:
        resolved = await call(net, "navigation/resolve_url", {"url": params.address})
        channel_id = (await net.read(browse.read_resolved, resolved)).channel_id
    browsed, wire = await _browse(params, net, channel_id)
    if browsed.channel.kind == "age_gate" and params.tab == "videos":
        return await _add_feed(browsed.channel, params, net), wire
    if browsed.about is None:
        return browsed.channel, wire
    try:
        panel = await call(net, "browse", {"continuation": browsed.about})
        about = await net.read(about_panel.read_about, panel)
    except ExtractionError:
        return browsed.channel.model_copy(update={"warnings": [*browsed.channel.warnings, NO_ABOUT]}), wire
    return _with_about(browsed.channel, about), wire


async def _browse(params: ChannelParams, net: Net, channel_id: str) -> tuple[browse.Browsed, Wire]:
    """Fetch the page of a channel. If the platform has moved the channel, fetch the new channel's page, once."""
    tab = browse.TABS[params.tab]
    wire = await call(net, "browse", {"browseId": channel_id, "params": tab})
    answered = await net.read(browse.read_answered, wire, params, channel_id)
    if answered.browsed is not None:
        return answered.browsed, wire
    wire = await call(net, "browse", {"browseId": answered.moved_to, "params": tab})
    browsed = await net.read(browse.read_browsed, wire, params, answered.moved_to)
    moved = f"YouTube has moved this channel here from {channel_id}."
    channel = browsed.channel.model_copy(update={"warnings": [*browsed.channel.warnings, moved]})
    return browsed.model_copy(update={"channel": channel}), wire


async def _add_feed(channel: Channel, params: ChannelParams, net: Net) -> Channel:
    """Add the videos of the channel's feed, which has no age check.

    Return the channel unchanged if the feed cannot be read.
    """
    try:
        listed = await net.read(feed.read, await feed.fetch_feed(channel.id, net), params)
    except ExtractionError:
        return channel
    warnings = [*channel.warnings, FROM_FEED, *(one for one in listed.warnings if one != feed.NEWEST_ONLY)]
    update = {"videos": listed.videos, "count": listed.count, "joined_at": listed.joined_at, "warnings": warnings}
    return channel.model_copy(update=update)


def _with_about(channel: Channel, about: About) -> Channel:
    subscribers = channel.subscriber_count_text or about.subscriber_count_text
    return channel.model_copy(
        update={
            "joined_at": about.joined_at,
            "view_count": about.view_count,
            "country": about.country,
            "links": about.links or channel.links,
            "subscriber_count_text": subscribers,
            "subscriber_count": channel.subscriber_count
            if channel.subscriber_count is not None
            else rounded(about.subscriber_count_text),
            "video_count": channel.video_count if channel.video_count is not None else about.video_count,
        }
    )


def read(wire: Wire, params: ChannelParams) -> Channel:
    return browse.read_browsed(wire, params).channel


def why_not(params: ChannelParams) -> str | None:
    return None if params.is_of(INNERTUBE.name) else "This cursor belongs to another provider."


def render(r: Channel) -> str:
    page = Md(r.name or r.handle or r.id)
    page.table("", ("Figure", "Value"), list_known(_list_figures(r)))
    if r.description:
        page.paragraph(r.description[:MAX_DESCRIPTION_SHOWN])
    page.bullets("Links", [Link(link.title or link.url, link.url) for link in r.links])
    headers = ("Video", "Length", "Views", "Published", "State")
    page.table({"videos": "Videos", "shorts": "Shorts", "live": "Streams"}[r.tab], headers, [_row(v) for v in r.videos])
    if r.next_cursor is not None:
        page.paragraph("There are more results. Use next_cursor for the next page.")
    for sentence in r.warnings:
        page.paragraph(sentence)
    return page.source(f"YouTube, {r.url}").text()


def _list_figures(r: Channel) -> Iterator[tuple[str, str | None]]:
    yield "Handle", r.handle
    yield "Subscribers", r.subscriber_count_text or write_number(r.subscriber_count)
    yield "Videos", write_number(r.video_count)
    yield "Views", write_number(r.view_count)
    yield "Opened", write_day(r.joined_at)
    yield "Country", r.country
    yield "Kind", {"channel": None, "topic": "topic", "age_gate": "age-restricted"}[r.kind]
    yield "Verified", {None: None, True: "yes", False: "no"}[r.verified]


def _row(video: ChannelVideo) -> tuple[Link | str | None, ...]:
    published = video.published_text or write_day(video.published_at)
    views = video.view_count_text or write_number(video.view_count)  # the text shows whether the number is rounded
    states = ((video.live, "live"), (video.upcoming, "upcoming"), (video.members_only, "members only"))
    return Link(video.title, video.url), write_length(video.duration_seconds), views, published, write_states(states)


extractor = Extractor(
    name="videoplatform_channel",
    path="/videoplatform/channel",
    version=2,
    group="videoplatform",
    title="Channel",
    description=(
        "Returns a YouTube channel by ID, handle or URL: name, description, subscribers, video and view counts, "
        "creation date, country, links, and about 30 of its newest videos, shorts or streams. For the next page, "
        "pass `next_cursor` as `cursor` with the same parameters. Further pages have videos only. Each page costs "
        "one credit."
    ),
    params=ChannelParams,
    result=Channel,
    credits=1,
    fresh=hours(6),
    sources=(
        Source(DATA_API, None, api_channel.read, ask=api_channel.ask, skips=api_channel.why_not),
        Source(INNERTUBE, None, read, ask=ask, skips=why_not),
        Source(feed.FEED, feed.fetch, feed.read, skips=feed.why_not),
    ),
    render=render,
    identity=channel_identity,
    ends={
        "not_found": "The channel does not exist or was closed by the platform.",
    },
    example={"handle": "@exampleharbours"},
)
