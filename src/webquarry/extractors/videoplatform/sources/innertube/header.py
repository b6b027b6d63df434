"""The header of a channel's page: the channel's details, and the token for the request of the about panel."""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from webquarry.extractors.videoplatform.model.channel_params import Tab
from webquarry.extractors.videoplatform.model.channel_result import Channel, ChannelLink, make_channel
from webquarry.extractors.videoplatform.model.ids import handle_in
from webquarry.extractors.videoplatform.model.topics import read_topic_details
from webquarry.extractors.videoplatform.sources.innertube.texts import (
    count_in,
    is_verified,
    line,
    read_picture,
    read_raw,
    rounded,
)
from webquarry.read import take
from webquarry.read.fields import to_address, to_flag, to_line, to_text
from webquarry.read.values import reach, reach_list

_KEYWORD: Final = re.compile(r'"([^"]{1,200})"|([^\s"]{1,200})')
_VERIFIED: Final = re.compile(r",\s(?:verified|official artist channel)$", re.IGNORECASE)
_SUBSCRIBERS: Final = re.compile(r"\bsubscribers?\b", re.IGNORECASE)
_VIDEOS: Final = re.compile(r"\bvideos?\b", re.IGNORECASE)
_PANEL: Final = (
    "showEngagementPanelEndpoint.engagementPanel.engagementPanelSectionListRenderer.content.sectionListRenderer."
    "contents[0].itemSectionRenderer.contents[0].continuationItemRenderer.continuationEndpoint.continuationCommand.token"
)


def read_channel(answer: dict[str, Any], metadata: Any, channel_id: str, tab: Tab) -> Channel:
    """Return the channel of a first page, without videos."""
    header = reach(answer, "header")
    view = reach(header, "pageHeaderRenderer.content.pageHeaderViewModel")
    older = reach(header, "c4TabbedHeaderRenderer")
    below = _read_below(view)
    subscribers = (
        below.subscribers or line(older, "subscriberCountText") or line(read_topic_details(answer), "subtitle")
    )
    link = read_link(reach(view, "attribution.attributionViewModel.text"))
    return make_channel(
        channel_id,
        tab,
        "innertube",
        name=take(metadata, "title", to_line),
        handle=handle_in(take(metadata, "vanityChannelUrl", to_line))
        or handle_in(below.handle)
        or _read_owner_handle(metadata),
        description=take(metadata, "description", to_text),
        subscriber_count=rounded(below.spoken_subscribers, subscribers),
        subscriber_count_text=subscribers,
        video_count=count_in(below.videos or line(older, "videosCountText")),
        verified=_is_verified(view, older),
        is_family_safe=take(metadata, "isFamilySafe", to_flag),
        avatar_url=read_picture(metadata, "avatar.thumbnails"),
        banner_url=read_picture(view, "banner.imageBannerViewModel.image.sources")
        or read_picture(older, "banner.thumbnails"),
        links=[link] if link else [],
        keywords=_read_keywords(metadata),
    )


class _Below(NamedTuple):
    """The lines below the name, identified by their words."""

    subscribers: str | None
    spoken_subscribers: str | None
    videos: str | None
    handle: str | None


def _read_below(view: Any) -> _Below:
    pieces = list(_read_pieces(view))
    return _Below(
        subscribers=next((text for text, _ in pieces if _SUBSCRIBERS.search(text)), None),
        spoken_subscribers=next((label for _, label in pieces if label and _SUBSCRIBERS.search(label)), None),
        videos=next((text for text, _ in pieces if _VIDEOS.search(text)), None),
        handle=next((text for text, _ in pieces if text.startswith("@")), None),
    )


def _read_pieces(view: Any) -> Iterator[tuple[str, str | None]]:
    """Yield each part of the lines below the name: its visible text and its accessibility label."""
    for row in reach_list(view, "metadata.contentMetadataViewModel.metadataRows", 10):
        for part in reach_list(row, "metadataParts", 10):
            if (text := line(part, "text")) is not None:
                yield text, take(part, "accessibilityLabel", to_line)


def _read_owner_handle(metadata: Any) -> str | None:
    found = (handle_in(row) for row in reach_list(metadata, "ownerUrls", 10) if isinstance(row, str))
    return next((handle for handle in found if handle is not None), None)


def _is_verified(view: Any, older: Any) -> bool | None:
    if isinstance(view, dict):
        label = take(view, "title.dynamicTextViewModel.rendererContext.accessibilityContext.label", to_line)
        return _VERIFIED.search(label or "") is not None
    return is_verified(reach(older, "badges")) if isinstance(older, dict) else None


def _read_keywords(metadata: Any) -> list[str]:
    written = read_raw(metadata, "keywords") or ""
    found = (to_line(match[1] or match[2]) for match in _KEYWORD.finditer(written[:5_000]))
    return [word for word in found if word is not None]


def read_about_token(answer: dict[str, Any]) -> str | None:
    view = reach(answer, "header.pageHeaderRenderer.content.pageHeaderViewModel")
    for path in (
        "description.descriptionPreviewViewModel.rendererContext.commandContext.onTap.innertubeCommand",
        "attribution.attributionViewModel.suffix.commandRuns[0].onTap.innertubeCommand",
    ):
        token = reach(view, f"{path}.{_PANEL}")
        if isinstance(token, str) and token:
            return token
    return None


def read_link(node: Any) -> ChannelLink | None:
    """Return the link of a text: the target of the platform's redirect, otherwise the address in the text."""
    shown = line(node)
    url = take(node, "commandRuns[0].onTap.innertubeCommand.urlEndpoint.url", to_address)
    if url is not None:
        parts = urlsplit(url)
        if parts.path == "/redirect":
            url = to_address(parse_qs(parts.query, max_num_fields=50).get("q", [""])[0])
    if url is None and shown is not None and "." in shown and " " not in shown:
        url = to_address(shown if "://" in shown else f"https://{shown}")
    return None if url is None else ChannelLink(title=None, url=url)
