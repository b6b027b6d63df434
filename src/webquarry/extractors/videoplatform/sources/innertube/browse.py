"""A channel's page in the form that the platform's own site requests: the channel's details and a list of its
videos.
"""

import base64
import binascii
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final
from urllib.parse import unquote

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Result
from webquarry.extractors.videoplatform.model.channel_params import ChannelParams, Tab
from webquarry.extractors.videoplatform.model.channel_result import Channel, make_channel, read_videos
from webquarry.extractors.videoplatform.model.ids import is_channel_id
from webquarry.extractors.videoplatform.model.row import Row
from webquarry.extractors.videoplatform.model.topics import read_special
from webquarry.extractors.videoplatform.sources.innertube import header, nodes
from webquarry.extractors.videoplatform.sources.innertube.calls import INNERTUBE, TITLE, answer_of
from webquarry.extractors.videoplatform.sources.innertube.texts import line
from webquarry.read import take
from webquarry.read.fields import to_line
from webquarry.read.values import must, reach, reach_list

TABS: Final[dict[Tab, str]] = {
    "videos": "EgZ2aWRlb3PyBgQKAjoA",
    "shorts": "EgZzaG9ydHPyBgUKA5oBAA%3D%3D",
    "live": "EgdzdHJlYW1z8gYECgJ6AA%3D%3D",
}
_NAMES: Final[dict[bytes, Tab]] = {b"\x12\x06videos": "videos", b"\x12\x06shorts": "shorts", b"\x12\x07streams": "live"}


class Resolved(Result):
    """The channel at an address."""

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
    """Return the id of the channel to which an endpoint leads, or None if its target is not a channel.

    Raises ProviderError "changed" if the id is not a string.
    """
    if reach(endpoint, "browseEndpoint.browseId") is None:
        return None
    found = must(endpoint, "browseEndpoint.browseId", str).strip()
    return found if is_channel_id(found) else None


def read_answered(wire: Wire, params: ChannelParams, asked: str) -> Answered:
    """Parse the platform's response for the channel `asked`. Raises the errors of `read_browsed`."""
    moved_to = _find_move(answer_of(wire))
    if moved_to is not None and moved_to != asked:
        return Answered(browsed=None, moved_to=moved_to)
    return Answered(browsed=read_browsed(wire, params, asked), moved_to=None)


def read_browsed(wire: Wire, params: ChannelParams, asked: str | None = None) -> Browsed:
    """Parse a page of a channel, the first or a later one.

    asked: the requested id, if known.

    Raises Absent for a channel that does not exist, was closed (with the provider's sentence) or was moved, and
    ProviderError "changed" for a page without readable content.
    """
    answer = answer_of(wire)
    if (moved_to := _find_move(answer)) is not None:
        raise Absent(f"{TITLE} has moved this channel to {moved_to}. Request that channel instead.")
    metadata = reach(answer, "metadata.channelMetadataRenderer")
    if metadata is None:
        _raise_alert(answer)
    channel_id = _read_id(metadata, params, asked)
    items = nodes.read_appended(answer)
    if items is None and metadata is None:
        return Browsed(channel=_read_special(answer, params, channel_id), about=None)
    if channel_id is None:
        raise ProviderError(f"{TITLE} did not identify the channel.", reason="changed")
    warnings: list[str] = []
    if items is None:
        items = _read_listed(answer, params.tab, warnings)
    videos = read_videos(_read_rows(items, wire.fetched_at, warnings))
    channel = _read_channel(answer, metadata, channel_id, params)
    token = nodes.read_continuation(items)
    cursor = params.next_cursor(INNERTUBE.name, token, channel_id, channel.name)
    if token is not None and cursor is None:
        warnings.append("There are more videos, but the cursor for the next page is too long.")
    update = {"count": len(videos), "videos": videos, "next_cursor": cursor, "warnings": warnings}
    return Browsed(channel=channel.model_copy(update=update), about=header.read_about_token(answer))


def _read_id(metadata: Any, params: ChannelParams, asked: str | None) -> str | None:
    """Return the channel's id from the page, otherwise from the cursor or the request."""
    found = take(metadata, "externalId", to_line)
    if is_channel_id(found):
        return found
    return params.place[2] if params.place is not None else asked or params.channel_id


def _read_channel(answer: dict[str, Any], metadata: Any, channel_id: str, params: ChannelParams) -> Channel:
    """Return the channel without videos. Later pages have no details, and the cursor contains the channel's name."""
    if metadata is not None:
        return header.read_channel(answer, metadata, channel_id, params.tab)
    name = params.place[3] or None if params.place is not None else None
    return make_channel(channel_id, params.tab, "innertube", name=name)


def _read_rows(items: list[Any], now: datetime, warnings: list[str]) -> list[Row]:
    """Return the rows of a list, and add a warning about unreadable rows.

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


def _raise_alert(answer: dict[str, Any]) -> None:
    for row in reach_list(answer, "alerts", 20):
        alert = reach(row, "alertRenderer")
        if reach(alert, "type") == "ERROR":
            raise Absent(f"{TITLE} reports for this channel: {line(alert, 'text') or 'it is not available'}")


def _find_move(answer: dict[str, Any]) -> str | None:
    """Return the id of the channel to which a page redirects, or None if it does not redirect.

    Raises Absent if the target is not a channel.
    """
    endpoints = (reach(action, "navigateAction.endpoint") for action in nodes.list_received(answer))
    endpoint = next((endpoint for endpoint in endpoints if isinstance(endpoint, dict)), None)
    if endpoint is None:
        return None
    found = _read_target(endpoint)
    if found is None:
        raise Absent(f"{TITLE} redirects from this channel to something other than a channel.")
    return found


def _read_listed(answer: dict[str, Any], tab: Tab, warnings: list[str]) -> list[Any]:
    """Return the items of the displayed list if it is the requested list.

    If a channel has no such list, the platform displays another list.
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
    asked = reach(tab, "endpoint.browseEndpoint.params")
    if not isinstance(asked, str):
        return None
    head = unquote(asked[:40]).replace("-", "+").replace("_", "/")
    try:
        message = base64.b64decode(head[: len(head) // 4 * 4])
    except (binascii.Error, ValueError):
        return None
    return next((kind for name, kind in _NAMES.items() if message.startswith(name)), None)


def _read_items(content: Any) -> Iterator[Any]:
    """Yield the items of a list: from a grid, or from sections with a grid."""
    grid = reach(content, "richGridRenderer.contents")
    if isinstance(grid, list):
        yield from grid[: nodes.MAX_ROWS]
        return
    for section in reach_list(content, "sectionListRenderer.contents", 100):
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
