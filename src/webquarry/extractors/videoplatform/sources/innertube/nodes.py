"""Rows of lists, by the names of their nodes. This module parses the older layout, and `lockups` the newer one."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple

from webquarry.extractors.videoplatform.model.ids import (
    SITE,
    handle_in,
    is_channel_id,
    is_video_id,
    make_channel_url,
    watch_url,
)
from webquarry.extractors.videoplatform.model.result import ChannelBrief
from webquarry.extractors.videoplatform.model.row import Row, make_row, read_brief, read_moment
from webquarry.extractors.videoplatform.sources.innertube.lines import Told, count_videos, read_line, read_shown
from webquarry.extractors.videoplatform.sources.innertube.lockups import read_lockup, read_reel, read_short
from webquarry.extractors.videoplatform.sources.innertube.texts import (
    count_in,
    find_seconds,
    is_verified,
    line,
    read_picture,
    read_spoken,
    rounded,
)
from webquarry.read import take
from webquarry.read.fields import to_instant, to_line
from webquarry.read.losses import read_rows
from webquarry.read.values import reach, reach_list

MAX_ROWS: Final = 1_000
_APPENDED: Final = ("appendContinuationItemsAction", "reloadContinuationItemsCommand")
_RECEIVED: Final = ("onResponseReceivedActions", "onResponseReceivedCommands", "onResponseReceivedEndpoints")
_WRAPPER: Final = "richItemRenderer"
_LIVE_STYLES: Final = ("LIVE", "LIVE_NOW")


def read_row(item: Any, now: datetime) -> Row | None:
    """Parse an item as a row. Return None if the item is not a row, or has no id or title.

    now: the wire's time.
    """
    if not isinstance(item, dict):
        return None
    for name, read in _READERS.items():
        if isinstance(item.get(name), dict):
            return read(item[name], now)
    return None


def read_listed(items: Iterable[Any], now: datetime, path: str) -> tuple[list[Row], int]:
    """Return the rows among the items of a list, and the number of unreadable rows.

    Items of other kinds (advertisements, messages, shelves, the next page's token) are ignored. path: path of the list.
    """
    unwrapped = [reach(item, f"{_WRAPPER}.content") or item for item in items]
    listed = [item for item in unwrapped if is_row(item)]
    rows = read_rows(listed, lambda item: read_row(item, now), path)
    return rows, len(listed) - len(rows)


def is_row(item: Any) -> bool:
    """Return whether an item is marked as a row, whether it is readable or not. Only objects can be of another kind."""
    return not isinstance(item, dict) or not item or any(name in item for name in (_WRAPPER, *_READERS))


def list_received(answer: dict[str, Any]) -> Iterator[Any]:
    """Yield the actions that a response asks the page to perform."""
    for received in _RECEIVED:
        yield from reach_list(answer, received, 20)


def read_appended(answer: dict[str, Any]) -> list[Any] | None:
    """Return the items of a later page or of a panel. Return None if the response appends no items."""
    lists = (reach(action, f"{name}.continuationItems") for action in list_received(answer) for name in _APPENDED)
    return next((items for items in lists if isinstance(items, list)), None)


def read_continuation(items: Any) -> str | None:
    """Return the token for the page after these items."""
    for item in reversed(items[-10:]) if isinstance(items, list) else ():
        token = reach(item, "continuationItemRenderer.continuationEndpoint.continuationCommand.token")
        if isinstance(token, str) and token:
            return token
    return None


def _read_video(node: dict[str, Any], now: datetime) -> Row | None:
    video_id, title = take(node, "videoId", to_line), _read_video_title(node)
    if not is_video_id(video_id) or title is None:
        return None
    shown = line(node, "viewCountText") or line(node, "shortViewCountText")
    told = read_shown(shown)
    state = _read_state(node, told)
    counts = _count(told, shown, state)
    published = line(node, "publishedTimeText") or told.age
    starts = take(node, "upcomingEventData.startTime", to_instant)
    return Row(
        type="video",
        id=video_id,
        url=f"{SITE}/shorts/{video_id}" if state.is_short else watch_url(video_id),
        title=title,
        channel=_read_owner(node),
        description_snippet=_read_snippet(node),
        duration_seconds=find_seconds(line(node, "lengthText") or _read_shown_length(node)),
        view_count=counts.views,
        view_count_text=told.counted or (shown if not told.kinds else None),
        concurrent_viewers=counts.viewers,
        waiting_count=counts.waiting,
        video_count=None,
        subscriber_count=None,
        published_at=starts if state.is_upcoming else read_moment(published, now),
        published_text=published,
        live=state.is_live,
        upcoming=state.is_upcoming,
        members_only=state.is_for_members,
        is_short=state.is_short,
        thumbnail_url=read_picture(node, "thumbnail.thumbnails"),
        other_texts=[],
    )


def _read_video_title(node: dict[str, Any]) -> str | None:
    """Return the title, "" if its text is empty, or None if the node has no title."""
    title = line(node, "title") or line(node, "headline")
    return "" if title is None and isinstance(node.get("title"), dict) else title


class _State(NamedTuple):
    is_live: bool
    is_upcoming: bool
    is_short: bool
    is_for_members: bool


def _read_state(node: dict[str, Any], told: Told) -> _State:
    """Return the state of a video, from its constants and the words of its line."""
    styles = set(_read_styles(node))
    return _State(
        is_live=not styles.isdisjoint(_LIVE_STYLES) or "viewers" in told.kinds,
        is_upcoming="upcomingEventData" in node or "UPCOMING" in styles or "waiting" in told.kinds,
        is_short="SHORTS" in styles,
        is_for_members=any("MEMBERS" in style for style in styles),
    )


class _Counts(NamedTuple):
    views: int | None
    viewers: int | None
    waiting: int | None


def _count(told: Told, shown: str | None, state: _State) -> _Counts:
    """Return the counts of a video's line: by its words, or by the video's state if the language is unknown."""
    if told.kinds:
        return _Counts(told.views, told.viewers, told.waiting)
    number = count_in(shown)
    if state.is_live:
        return _Counts(told.views, number, told.waiting)
    if state.is_upcoming:
        return _Counts(told.views, told.viewers, number)
    return _Counts(number, told.viewers, told.waiting)


def _read_overlays(node: dict[str, Any]) -> Iterator[Any]:
    for row in reach_list(node, "thumbnailOverlays", 20):
        yield reach(row, "thumbnailOverlayTimeStatusRenderer")


def _read_styles(node: dict[str, Any]) -> Iterator[str]:
    """Yield the constants of the marks on a video's picture and next to its title."""
    for overlay in _read_overlays(node):
        style = reach(overlay, "style")
        if isinstance(style, str):
            yield style
    for row in reach_list(node, "badges", 20):
        style = reach(row, "metadataBadgeRenderer.style")
        if isinstance(style, str):
            yield style.removeprefix("BADGE_STYLE_TYPE_")


def _read_shown_length(node: dict[str, Any]) -> str | None:
    found = (line(overlay, "text") for overlay in _read_overlays(node))
    return next((text for text in found if text is not None), None)


def _read_owner(node: dict[str, Any]) -> ChannelBrief:
    for name in ("ownerText", "longBylineText", "shortBylineText"):
        endpoint = reach(node, f"{name}.runs[0].navigationEndpoint.browseEndpoint")
        channel = read_brief(line(node, name), endpoint)
        if channel.name is not None:
            badges = node.get("ownerBadges")
            return channel.model_copy(update={"verified": is_verified(badges)})
    return ChannelBrief()


def _read_snippet(node: dict[str, Any]) -> str | None:
    return line(node, "detailedMetadataSnippets[0].snippetText") or line(node, "descriptionSnippet")


def _read_channel(node: dict[str, Any], now: datetime) -> Row | None:
    """Parse a channel. Its subscribers field often contains the handle, and its videos field the subscribers."""
    found, title = take(node, "channelId", to_line), line(node, "title")
    if not is_channel_id(found) or title is None:
        return None
    base = take(node, "navigationEndpoint.browseEndpoint.canonicalBaseUrl", to_line)
    subscribers, videos, heard = _read_channel_counts(node)
    channel = ChannelBrief(
        id=found,
        handle=handle_in(base) or handle_in(line(node, "subscriberCountText")),
        name=title,
        url=make_channel_url(found),
        subscriber_count=rounded(heard, subscribers),
        subscriber_count_text=subscribers,
        verified=is_verified(node.get("ownerBadges")),
        avatar_url=read_picture(node, "thumbnail.thumbnails"),
    )
    return make_row(
        type="channel",
        id=found,
        url=make_channel_url(found),
        title=title,
        channel=channel,
        description_snippet=_read_snippet(node),
        video_count=count_videos(videos),
        subscriber_count=channel.subscriber_count,
        thumbnail_url=channel.avatar_url,
    )


def _read_channel_counts(node: dict[str, Any]) -> tuple[str | None, str | None, str | None]:
    """Return the text of the subscribers, the text of the videos, and the accessibility label of the subscribers."""
    first, second = line(node, "subscriberCountText"), line(node, "videoCountText")
    if first is None or not first.startswith("@"):
        return first, second, read_spoken(node, "subscriberCountText")
    if second is not None and read_line(second).kind == "videos":
        return None, second, read_spoken(node, "subscriberCountText")
    return second, None, read_spoken(node, "videoCountText")


def _read_playlist(node: dict[str, Any], now: datetime) -> Row | None:
    found, title = take(node, "playlistId", to_line), line(node, "title")
    if found is None or title is None:
        return None
    return make_row(
        type="playlist",
        id=found,
        url=f"{SITE}/playlist?list={found}",
        title=title,
        channel=_read_owner(node),
        video_count=next(
            (
                count
                for name in ("videoCount", "videoCountText")
                if (count := count_videos(line(node, name))) is not None
            ),
            None,
        ),
        thumbnail_url=read_picture(node, "thumbnails[0].thumbnails"),
    )


_READERS: Final = {
    "videoRenderer": _read_video,
    "gridVideoRenderer": _read_video,
    "compactVideoRenderer": _read_video,
    "lockupViewModel": read_lockup,
    "shortsLockupViewModel": read_short,
    "reelItemRenderer": read_reel,
    "channelRenderer": _read_channel,
    "gridChannelRenderer": _read_channel,
    "playlistRenderer": _read_playlist,
    "gridPlaylistRenderer": _read_playlist,
}
