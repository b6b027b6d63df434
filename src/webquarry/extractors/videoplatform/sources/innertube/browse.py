"""A channel's page as the platform's own site requests it: the channel's facts and a list of its videos."""

import base64
import binascii
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Result
from webquarry.extractors.videoplatform.model.channel_params import ChannelParams, Tab
from webquarry.extractors.videoplatform.model.channel_result import (
    About,
    Channel,
    ChannelLink,
    make_channel,
    read_videos,
)
from webquarry.extractors.videoplatform.model.ids import handle_in, is_channel_id
from webquarry.extractors.videoplatform.model.row import Row
from webquarry.extractors.videoplatform.model.topics import read_special, read_topic_details
from webquarry.extractors.videoplatform.sources.innertube import nodes
from webquarry.extractors.videoplatform.sources.innertube.calls import INNERTUBE, TITLE, answer_of
from webquarry.extractors.videoplatform.sources.innertube.texts import (
    count_in,
    find_day,
    is_verified,
    line,
    read_picture,
    read_raw,
    rounded,
)
from webquarry.read import each_given, take
from webquarry.read.fields import to_address, to_flag, to_line, to_text
from webquarry.read.losses import read_rows
from webquarry.read.values import must, reach

TABS: Final[dict[Tab, str]] = {
    "videos": "EgZ2aWRlb3PyBgQKAjoA",
    "shorts": "EgZzaG9ydHPyBgUKA5oBAA%3D%3D",
    "live": "EgdzdHJlYW1z8gYECgJ6AA%3D%3D",
}
_NAMES: Final[dict[bytes, Tab]] = {b"\x12\x06videos": "videos", b"\x12\x06shorts": "shorts", b"\x12\x07streams": "live"}
_KEYWORD: Final = re.compile(r'"([^"]{1,200})"|([^\s"]{1,200})')
_VERIFIED: Final = re.compile(r",\s(?:verified|official artist channel)$", re.IGNORECASE)
_SUBSCRIBERS: Final = re.compile(r"\bsubscribers?\b", re.IGNORECASE)
_VIDEOS: Final = re.compile(r"\bvideos?\b", re.IGNORECASE)
_PANEL: Final = (
    "showEngagementPanelEndpoint.engagementPanel.engagementPanelSectionListRenderer.content.sectionListRenderer."
    "contents[0].itemSectionRenderer.contents[0].continuationItemRenderer.continuationEndpoint.continuationCommand.token"
)
_ABOUT: Final = "aboutChannelRenderer.metadata.aboutChannelViewModel"
_APPENDED: Final = ("appendContinuationItemsAction", "reloadContinuationItemsCommand")
_RECEIVED: Final = ("onResponseReceivedActions", "onResponseReceivedCommands", "onResponseReceivedEndpoints")


class Resolved(Result):
    """The channel that an address points to."""

    channel_id: str


class Browsed(Result):
    """The channel's page. about: the token for the request of the about panel."""

    channel: Channel
    about: str | None


class Answered(Result):
    """A channel's page, or the new id of a channel that the platform has moved."""

    browsed: Browsed | None
    moved_to: str | None


def read_resolved(wire: Wire) -> Resolved:
    """Parse the channel at an address. Raises Absent if there is no channel at the address."""
    endpoint = answer_of(wire).get("endpoint")
    if not isinstance(endpoint, dict):
        raise ProviderError(f"{TITLE} did not resolve this URL.", reason="changed")
    found = _read_target(endpoint)
    if found is None:
        raise Absent(f"{TITLE} has no channel at this URL.")
    return Resolved(channel_id=found)


def _read_target(endpoint: dict[str, Any]) -> str | None:
    """Return the id of the channel that an endpoint points to, or None if it points to something else.

    Raises ProviderError "changed" if the id is not a string.
    """
    if reach(endpoint, "browseEndpoint.browseId") is None:
        return None
    found = must(endpoint, "browseEndpoint.browseId", str).strip()
    return found if is_channel_id(found) else None


def read_answered(wire: Wire, params: ChannelParams, requested: str) -> Answered:
    """Parse the platform's response for the channel `requested`. Raises the errors of `read_browsed`."""
    moved_to = _find_move(answer_of(wire))
    if moved_to is not None and moved_to != requested:
        return Answered(browsed=None, moved_to=moved_to)
    return Answered(browsed=read_browsed(wire, params, requested), moved_to=None)


def read_browsed(wire: Wire, params: ChannelParams, requested: str | None = None) -> Browsed:
    """Parse a page of a channel, the first or a later one.

    requested: the requested id, if known. Raises Absent for a channel that does not exist, was closed (with the
    provider's message) or was moved, and ProviderError "changed" for a page without readable content.
    """
    answer = answer_of(wire)
    if (moved_to := _find_move(answer)) is not None:
        raise Absent(f"{TITLE} has moved this channel to {moved_to}. Request that channel instead.")
    metadata = reach(answer, "metadata.channelMetadataRenderer")
    if metadata is None:
        _raise_alert(answer)
    channel_id = take(metadata, "externalId", to_line)
    later = params.place
    if not is_channel_id(channel_id):
        channel_id = later[2] if later is not None else requested or params.channel_id
    items = _read_appended(answer)
    if items is None and metadata is None:
        return Browsed(channel=_read_special(answer, params, channel_id), about=None)
    if channel_id is None:
        raise ProviderError(f"{TITLE} did not identify the channel.", reason="changed")
    warnings: list[str] = []
    if items is None:
        items = _read_listed(answer, params.tab, warnings)
    videos = read_videos(_read_rows(items, wire.fetched_at, warnings))
    if metadata is not None:
        channel = _read_about_page(answer, metadata, channel_id, params.tab)
    else:
        channel = make_channel(channel_id, params.tab, "innertube", name=later[3] or None if later else None)
    token = nodes.read_continuation(items)
    cursor = params.next_cursor(INNERTUBE.name, token, channel_id, channel.name)
    if token is not None and cursor is None:
        warnings.append("There are more videos, but the cursor for the next page is too long.")
    update = {"count": len(videos), "videos": videos, "next_cursor": cursor, "warnings": warnings}
    return Browsed(channel=channel.model_copy(update=update), about=_read_about_token(answer))


def _read_rows(items: list[Any], now: datetime, warnings: list[str]) -> list[Row]:
    """Return the rows of a list, and add a warning about unreadable ones.

    Raises ProviderError "changed" if every row is unreadable.
    """
    rows, lost = nodes.read_listed(items, now, "richItemRenderer")
    if not rows and not warnings and (lost or not _says_none(items)):
        raise ProviderError(f"{TITLE} sent a list of videos without readable entries.", reason="changed")
    if lost:
        warnings.append(f"{lost} videos could not be parsed.")
    return rows


def _read_special(answer: dict[str, Any], params: ChannelParams, channel_id: str | None) -> Channel:
    """Parse the channel from a page with a special header and without a list."""
    found = read_special(answer)
    if found is None:
        raise ProviderError(f"{TITLE} sent a response that is not a channel page.", reason="changed")
    known = found.id or channel_id
    if known is None:
        raise ProviderError(f"{TITLE} did not identify the channel.", reason="changed")
    return make_channel(
        known,
        params.tab,
        "innertube",
        kind=found.kind,
        name=found.name,
        description=found.description,
        subscriber_count=found.subscriber_count,
        subscriber_count_text=found.subscriber_count_text,
        is_family_safe=found.is_family_safe,
        avatar_url=found.avatar_url,
        banner_url=found.banner_url,
        warnings=[found.warning],
    )


def read_about(wire: Wire) -> About:
    """Parse the about panel. Raises ProviderError "changed" if the response lacks it."""
    answer = answer_of(wire)
    node = next((found for item in _read_appended(answer) or [] if (found := reach(item, _ABOUT)) is not None), None)
    if not isinstance(node, dict):
        raise ProviderError(f"{TITLE} returned no data about the channel.", reason="changed")
    joined = find_day(line(node, "joinedDateText"))
    return About(
        joined_at=joined,
        view_count=count_in(line(node, "viewCountText")),
        country=line(node, "country"),
        subscriber_count_text=line(node, "subscriberCountText"),
        video_count=count_in(line(node, "videoCountText")),
        links=read_rows(each_given(node, "links[]")[:100], _link, "links[]"),
    )


def _raise_alert(answer: dict[str, Any]) -> None:
    rows = answer.get("alerts")
    for row in rows[:20] if isinstance(rows, list) else []:
        alert = reach(row, "alertRenderer")
        if reach(alert, "type") == "ERROR":
            raise Absent(f"{TITLE} reports for this channel: {line(alert, 'text') or 'it is not available'}")


def _find_move(answer: dict[str, Any]) -> str | None:
    """Return the id of the channel to which a page redirects, or None if it does not redirect.

    Raises Absent if the target is not a channel.
    """
    for received in _RECEIVED:
        actions = answer.get(received)
        for action in actions[:20] if isinstance(actions, list) else []:
            endpoint = reach(action, "navigateAction.endpoint")
            if not isinstance(endpoint, dict):
                continue
            found = _read_target(endpoint)
            if found is not None:
                return found
            raise Absent(f"{TITLE} redirects from this channel to something other than a channel.")
    return None


def _read_appended(answer: dict[str, Any]) -> list[Any] | None:
    """Return the items of a later page or of a panel."""
    for received in _RECEIVED:
        actions = answer.get(received)
        for action in actions[:20] if isinstance(actions, list) else []:
            for name in _APPENDED:
                items = reach(action, f"{name}.continuationItems")
                if isinstance(items, list):
                    return items
    return None


def _read_listed(answer: dict[str, Any], tab: Tab, warnings: list[str]) -> list[Any]:
    """Return the items of the shown list if it is the requested list.

    If a channel does not have the requested list, the platform shows another list.
    """
    tabs = reach(answer, "contents.twoColumnBrowseResultsRenderer.tabs")
    if not isinstance(tabs, list):
        raise ProviderError(f"{TITLE} sent a channel page without its lists.", reason="changed")
    shown = [reach(one, "tabRenderer") for one in tabs[:50]]
    selected = next((one for one in shown if isinstance(one, dict) and one.get("selected") is True), None)
    kind = _read_kind(selected)
    if kind != tab:
        if selected is None and any(_read_kind(one) == tab for one in shown):
            raise ProviderError(f"{TITLE} sent a channel page with no list selected.", reason="changed")
        warnings.append(f"This channel has no list of this kind ({tab}).")
        return []
    return list(_read_items(reach(selected, "content")))


def _read_kind(tab: Any) -> Tab | None:
    """Return the kind of a tab from its request parameters: a message that begins with the list's name."""
    parameters = reach(tab, "endpoint.browseEndpoint.params")
    if not isinstance(parameters, str):
        return None
    head = unquote(parameters[:40]).replace("-", "+").replace("_", "/")
    try:
        message = base64.b64decode(head[: len(head) // 4 * 4])
    except (binascii.Error, ValueError):
        return None
    return next((kind for name, kind in _NAMES.items() if message.startswith(name)), None)


def _read_items(content: Any) -> Iterator[Any]:
    """Yield the items of a list, which are in a grid or in sections with a grid."""
    grid = reach(content, "richGridRenderer.contents")
    if isinstance(grid, list):
        yield from grid[: nodes.MAX_ROWS]
        return
    sections = reach(content, "sectionListRenderer.contents")
    for section in sections[:100] if isinstance(sections, list) else []:
        held = reach(section, "itemSectionRenderer.contents")
        for item in held[: nodes.MAX_ROWS] if isinstance(held, list) else [section]:
            inner = reach(item, "gridRenderer.items")
            if isinstance(inner, list):
                yield from inner[: nodes.MAX_ROWS]
            else:
                yield item


def _says_none(items: list[Any]) -> bool:
    return any(
        isinstance(reach(item, path), dict)
        for item in items
        for path in ("messageRenderer", "richItemRenderer.content.messageRenderer", "backgroundPromoRenderer")
    )


def _read_about_page(answer: dict[str, Any], metadata: Any, channel_id: str, tab: Tab) -> Channel:
    """Return the channel of a first page, without videos."""
    header = reach(answer, "header")
    view = reach(header, "pageHeaderRenderer.content.pageHeaderViewModel")
    older = reach(header, "c4TabbedHeaderRenderer")
    pieces = list(_read_pieces(view))
    subscribers = next((text for text, _ in pieces if _SUBSCRIBERS.search(text)), None)
    heard = next((label for _, label in pieces if label and _SUBSCRIBERS.search(label)), None)
    videos = next((text for text, _ in pieces if _VIDEOS.search(text)), None)
    subscribers = subscribers or line(older, "subscriberCountText") or line(read_topic_details(answer), "subtitle")
    handle = next((text for text, _ in pieces if text.startswith("@")), None)
    links = _link_of(reach(view, "attribution.attributionViewModel.text"))
    return make_channel(
        channel_id,
        tab,
        "innertube",
        name=take(metadata, "title", to_line),
        handle=handle_in(take(metadata, "vanityChannelUrl", to_line))
        or handle_in(handle)
        or _read_owner_handle(metadata),
        description=take(metadata, "description", to_text),
        subscriber_count=rounded(heard, subscribers),
        subscriber_count_text=subscribers,
        video_count=count_in(videos or line(older, "videosCountText")),
        verified=_is_verified(view, older),
        is_family_safe=take(metadata, "isFamilySafe", to_flag),
        avatar_url=read_picture(metadata, "avatar.thumbnails"),
        banner_url=read_picture(view, "banner.imageBannerViewModel.image.sources")
        or read_picture(older, "banner.thumbnails"),
        links=[links] if links else [],
        keywords=_read_keywords(metadata),
    )


def _read_pieces(view: Any) -> Iterator[tuple[str, str | None]]:
    """Yield each part of the lines below the name: its visible text and its accessibility label."""
    rows = reach(view, "metadata.contentMetadataViewModel.metadataRows")
    for row in rows[:10] if isinstance(rows, list) else []:
        parts = reach(row, "metadataParts")
        for part in parts[:10] if isinstance(parts, list) else []:
            if (text := line(part, "text")) is not None:
                yield text, take(part, "accessibilityLabel", to_line)


def _read_owner_handle(metadata: Any) -> str | None:
    rows = reach(metadata, "ownerUrls")
    found = (handle_in(row) for row in rows[:10] if isinstance(row, str)) if isinstance(rows, list) else ()
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


def _read_about_token(answer: dict[str, Any]) -> str | None:
    view = reach(answer, "header.pageHeaderRenderer.content.pageHeaderViewModel")
    for path in (
        "description.descriptionPreviewViewModel.rendererContext.commandContext.onTap.innertubeCommand",
        "attribution.attributionViewModel.suffix.commandRuns[0].onTap.innertubeCommand",
    ):
        token = reach(view, f"{path}.{_PANEL}")
        if isinstance(token, str) and token:
            return token
    return None


def _link_of(node: Any) -> ChannelLink | None:
    """Return the link in a text: the target of the platform's redirect, or else the address in the text."""
    shown = line(node)
    url = take(node, "commandRuns[0].onTap.innertubeCommand.urlEndpoint.url", to_address)
    if url is not None:
        parts = urlsplit(url)
        if parts.path == "/redirect":
            url = to_address(parse_qs(parts.query, max_num_fields=50).get("q", [""])[0])
    if url is None and shown is not None and "." in shown and " " not in shown:
        url = to_address(shown if "://" in shown else f"https://{shown}")
    return None if url is None else ChannelLink(title=None, url=url)


def _link(row: Any) -> ChannelLink | None:
    node = reach(row, "channelExternalLinkViewModel")
    found = _link_of(reach(node, "link"))
    return None if found is None else ChannelLink(title=line(node, "title"), url=found.url)
