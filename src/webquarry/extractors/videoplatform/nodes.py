"""Rows of lists: videos, channels and playlists, in each of the layouts in which the platform sends them."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, Final, Literal

from webquarry.declare import Result, field
from webquarry.extractors.videoplatform.ids import (
    SITE,
    channel_url,
    handle_in,
    is_channel_id,
    is_video_id,
    watch_url,
)
from webquarry.extractors.videoplatform.result import ChannelBrief
from webquarry.extractors.videoplatform.texts import (
    count_in,
    is_verified,
    line,
    picture,
    rounded,
    seconds_of,
    spoken,
)
from webquarry.read import take
from webquarry.read.fields import to_instant, to_line
from webquarry.read.published import published
from webquarry.read.values import reach

RowType = Literal["video", "channel", "playlist"]
MAX_ROWS: Final = 1_000
_BEFORE: Final = frozenset({"Streamed", "Premiered", "Updated"})
_LIVE_STYLES: Final = ("LIVE", "LIVE_NOW")


class Row(Result):
    type: RowType = field("What it is: `video`, `channel` or `playlist`.")
    id: str = field("Id of it.")
    url: str = field("Address of it.")
    title: str = field("Title, or name of the channel.")
    channel: ChannelBrief = field("Who published it; of a channel, itself.")
    description_snippet: str | None = field("A piece of its description.")
    duration_seconds: int | None = field("Length; null for lists, and where a stream runs.", unit="s")
    view_count: int | None = field("Views, as exactly as the text says.")
    view_count_text: str | None = field("Views, or who watches now, in the source's words.")
    concurrent_viewers: int | None = field("Who watches a live stream now.")
    video_count: int | None = field("Videos of a list or channel.")
    subscriber_count: int | None = field("Subscribers of a channel, as exactly as the text says.")
    published_at: datetime | date | None = field(
        "When it was published: an instant or a day, where the words are clear enough."
    )
    published_text: str | None = field("The same in the source's words.")
    live: bool = field("Whether it is live now.")
    upcoming: bool = field("Whether it is still to begin.")
    is_short: bool = field("Whether it is a short.")
    thumbnail_url: str | None = field("Address of its largest picture.")


def row_of(item: Any, now: datetime) -> Row | None:
    """The row that an item is; None for what is none, or holds no id and title. now: of the wire."""
    if not isinstance(item, dict):
        return None
    for name, read in _READERS.items():
        if isinstance(item.get(name), dict):
            return read(item[name], now)
    return None


def moment(shown: str | None, now: datetime) -> datetime | date | None:
    """When something was published that "Streamed 3 hours ago"."""
    words = (shown or "").partition(" ")
    return published(words[2] if words[0] in _BEFORE else shown, now)


def is_row(item: Any) -> bool:
    """Whether an item says that it is a row, readable or not."""
    return isinstance(item, dict) and any(name in item for name in _READERS)


def continuation(items: Any) -> str | None:
    """With what the page behind these items is asked for."""
    for item in reversed(items[-10:]) if isinstance(items, list) else ():
        token = reach(item, "continuationItemRenderer.continuationEndpoint.continuationCommand.token")
        if isinstance(token, str) and token:
            return token
    return None


def _video(node: dict[str, Any], now: datetime) -> Row | None:
    video_id, title = take(node, "videoId", to_line), line(node, "title") or line(node, "headline")
    if not is_video_id(video_id) or video_id is None or title is None:
        return None
    styles = set(_styles(node))
    is_live, is_upcoming = bool(styles & set(_LIVE_STYLES)), "upcomingEventData" in node or "UPCOMING" in styles
    views = line(node, "viewCountText")
    counted = count_in(views)
    is_short = "SHORTS" in styles
    published = line(node, "publishedTimeText")
    starts = take(node, "upcomingEventData.startTime", to_instant)
    return Row(
        type="video",
        id=video_id,
        url=f"{SITE}/shorts/{video_id}" if is_short else watch_url(video_id),
        title=title,
        channel=_owner(node),
        description_snippet=_snippet(node),
        duration_seconds=seconds_of(line(node, "lengthText") or _shown_length(node)),
        view_count=None if is_live or is_upcoming else counted,
        view_count_text=views,
        concurrent_viewers=counted if is_live else None,
        video_count=None,
        subscriber_count=None,
        published_at=starts if is_upcoming else moment(published, now),
        published_text=published,
        live=is_live,
        upcoming=is_upcoming,
        is_short=is_short,
        thumbnail_url=picture(node, "thumbnail.thumbnails"),
    )


def _overlays(node: dict[str, Any]) -> Iterator[Any]:
    rows = node.get("thumbnailOverlays")
    for row in rows[:20] if isinstance(rows, list) else []:
        yield reach(row, "thumbnailOverlayTimeStatusRenderer")


def _styles(node: dict[str, Any]) -> Iterator[str]:
    """What the marks on a video's picture and beside its title say of it, in the source's constants."""
    for overlay in _overlays(node):
        style = reach(overlay, "style")
        if isinstance(style, str):
            yield style
    rows = node.get("badges")
    for row in rows[:20] if isinstance(rows, list) else []:
        style = reach(row, "metadataBadgeRenderer.style")
        if isinstance(style, str):
            yield style.removeprefix("BADGE_STYLE_TYPE_")


def _shown_length(node: dict[str, Any]) -> str | None:
    found = (line(overlay, "text") for overlay in _overlays(node))
    return next((text for text in found if text is not None), None)


def _owner(node: dict[str, Any]) -> ChannelBrief:
    for name in ("ownerText", "longBylineText", "shortBylineText"):
        endpoint = reach(node, f"{name}.runs[0].navigationEndpoint.browseEndpoint")
        channel = _brief(line(node, name), endpoint)
        if channel.name is not None:
            badges = node.get("ownerBadges")
            return channel.model_copy(update={"verified": is_verified(badges)})
    return ChannelBrief()


def _brief(name: str | None, endpoint: Any) -> ChannelBrief:
    found = take(endpoint, "browseId", to_line)
    channel_id = found if is_channel_id(found) else None
    return ChannelBrief(
        id=channel_id,
        name=name,
        handle=handle_in(take(endpoint, "canonicalBaseUrl", to_line)),
        url=channel_url(channel_id) if channel_id else None,
    )


def _snippet(node: dict[str, Any]) -> str | None:
    return line(node, "detailedMetadataSnippets[0].snippetText") or line(node, "descriptionSnippet")


def _short(node: dict[str, Any], now: datetime) -> Row | None:
    """A short's node: its second line has views, and nothing says when it was published."""
    video_id = take(node, "onTap.innertubeCommand.reelWatchEndpoint.videoId", to_line)
    if not is_video_id(video_id):
        entity = reach(node, "entityId")
        video_id = entity[-11:] if isinstance(entity, str) else None
    title = line(node, "overlayMetadata.primaryText")
    if title is None:
        spoken_title = take(node, "accessibilityText", to_line)
        title = spoken_title.rpartition(", ")[0] or None if spoken_title else None
    if video_id is None or not is_video_id(video_id) or title is None:
        return None
    views = line(node, "overlayMetadata.secondaryText")
    return Row(
        type="video",
        id=video_id,
        url=f"{SITE}/shorts/{video_id}",
        title=title,
        channel=ChannelBrief(),
        description_snippet=None,
        duration_seconds=None,
        view_count=count_in(views),
        view_count_text=views,
        concurrent_viewers=None,
        video_count=None,
        subscriber_count=None,
        published_at=None,
        published_text=None,
        live=False,
        upcoming=False,
        is_short=True,
        thumbnail_url=picture(node, "thumbnailViewModel.thumbnailViewModel.image.sources")
        or picture(node, "thumbnail.sources")
        or picture(node, "onTap.innertubeCommand.reelWatchEndpoint.thumbnail.thumbnails"),
    )


def _reel(node: dict[str, Any], now: datetime) -> Row | None:
    """A short's older node."""
    return _short(
        {
            "entityId": node.get("videoId"),
            "overlayMetadata": {"primaryText": node.get("headline"), "secondaryText": node.get("viewCountText")},
            "thumbnail": {"sources": reach(node, "thumbnail.thumbnails")},
        },
        now,
    )


def _lockup(node: dict[str, Any], now: datetime) -> Row | None:
    kind, found = take(node, "contentType", to_line) or "", take(node, "contentId", to_line)
    meta = reach(node, "metadata.lockupMetadataViewModel")
    title = line(meta, "title")
    if found is None or title is None:
        return None
    lines = [text for text, _ in _metadata(meta)]
    owner = next((brief for text, part in _metadata(meta) if (brief := _linked(text, part)) is not None), None)
    badges = list(_badges(node))
    texts, styles = [text for text, _ in badges], [style for _, style in badges]
    if kind.endswith("VIDEO") or (not kind and is_video_id(found)):
        if not is_video_id(found):
            return None
        return _lockup_video(node, found, title, owner, lines, texts, styles, now)
    if kind.endswith(("PLAYLIST", "ALBUM", "PODCAST")):
        image = "contentImage.collectionThumbnailViewModel.primaryThumbnail.thumbnailViewModel.image.sources"
        return Row(
            **{
                **blank_row(),
                "type": "playlist",
                "id": found,
                "url": f"{SITE}/playlist?list={found}",
                "title": title,
                "channel": owner or ChannelBrief(),
                "video_count": next((number for text in texts if (number := count_in(text)) is not None), None),
                "thumbnail_url": picture(node, image),
            }
        )
    return None


def _lockup_video(
    node: dict[str, Any],
    video_id: str,
    title: str,
    owner: ChannelBrief | None,
    lines: list[str],
    texts: list[str],
    styles: list[str],
    now: datetime,
) -> Row:
    """lines: of its metadata: the channel's name where it is told, the views, when it was published."""
    is_live = any("LIVE" in style for style in styles)
    is_upcoming = any("UPCOMING" in style for style in styles)
    facts = [text for text in lines if owner is None or text != owner.name]
    if owner is None and len(facts) > 2:
        owner, facts = ChannelBrief(name=facts[0]), facts[1:]
    views = facts[0] if facts else None
    published = facts[1] if len(facts) > 1 else None
    counted = count_in(views)
    if counted is None and published is None and moment(views, now) is not None:
        views, published = None, views
    return Row(
        **{
            **blank_row(),
            "type": "video",
            "id": video_id,
            "url": watch_url(video_id),
            "title": title,
            "channel": owner or ChannelBrief(),
            "duration_seconds": next((length for text in texts if (length := seconds_of(text)) is not None), None),
            "view_count": None if is_live or is_upcoming else counted,
            "view_count_text": views,
            "concurrent_viewers": counted if is_live else None,
            "published_at": None if is_live or is_upcoming else moment(published, now),
            "published_text": published,
            "live": is_live,
            "upcoming": is_upcoming,
            "thumbnail_url": picture(node, "contentImage.thumbnailViewModel.image.sources"),
        }
    )


def _metadata(meta: Any) -> Iterator[tuple[str, Any]]:
    rows = reach(meta, "metadata.contentMetadataViewModel.metadataRows")
    for row in rows[:10] if isinstance(rows, list) else []:
        parts = reach(row, "metadataParts")
        for part in parts[:10] if isinstance(parts, list) else []:
            if (text := line(part, "text")) is not None:
                yield text, part


def _linked(text: str, part: Any) -> ChannelBrief | None:
    """The channel that a piece of metadata leads to."""
    endpoint = reach(part, "text.commandRuns[0].onTap.innertubeCommand.browseEndpoint")
    found = _brief(text, endpoint)
    return found if found.id is not None else None


def _badges(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Words and constants on the picture."""
    image = reach(node, "contentImage")
    overlays = reach(image, "thumbnailViewModel.overlays")
    if not isinstance(overlays, list):
        overlays = reach(image, "collectionThumbnailViewModel.primaryThumbnail.thumbnailViewModel.overlays")
    for overlay in overlays[:20] if isinstance(overlays, list) else []:
        for name, member in (
            ("thumbnailBottomOverlayViewModel", "badges"),
            ("thumbnailOverlayBadgeViewModel", "thumbnailBadges"),
        ):
            badges = reach(overlay, f"{name}.{member}")
            for badge in badges[:10] if isinstance(badges, list) else []:
                shown = reach(badge, "thumbnailBadgeViewModel")
                style = reach(shown, "badgeStyle")
                yield line(shown, "text") or "", style if isinstance(style, str) else ""


def _channel(node: dict[str, Any], now: datetime) -> Row | None:
    """The text of subscribers often holds the handle, and that of videos the subscribers."""
    found, title = take(node, "channelId", to_line), line(node, "title")
    if found is None or not is_channel_id(found) or title is None:
        return None
    first, second = line(node, "subscriberCountText"), line(node, "videoCountText")
    base = take(node, "navigationEndpoint.browseEndpoint.canonicalBaseUrl", to_line)
    is_moved = first is not None and first.startswith("@")
    subscribers = second if is_moved else first
    heard = spoken(node, "videoCountText" if is_moved else "subscriberCountText")
    channel = ChannelBrief(
        id=found,
        handle=handle_in(base) or (handle_in(first) if is_moved else None),
        name=title,
        url=channel_url(found),
        subscriber_count=rounded(heard, subscribers),
        subscriber_count_text=subscribers,
        verified=is_verified(node.get("ownerBadges")),
        avatar_url=picture(node, "thumbnail.thumbnails"),
    )
    return Row(
        **{
            **blank_row(),
            "type": "channel",
            "id": found,
            "url": channel_url(found),
            "title": title,
            "channel": channel,
            "description_snippet": _snippet(node),
            "video_count": None if is_moved else count_in(second),
            "subscriber_count": channel.subscriber_count,
            "thumbnail_url": channel.avatar_url,
        }
    )


def _playlist(node: dict[str, Any], now: datetime) -> Row | None:
    found, title = take(node, "playlistId", to_line), line(node, "title")
    if found is None or title is None:
        return None
    return Row(
        **{
            **blank_row(),
            "type": "playlist",
            "id": found,
            "url": f"{SITE}/playlist?list={found}",
            "title": title,
            "channel": _owner(node),
            "video_count": count_in(line(node, "videoCount")) or count_in(line(node, "videoCountText")),
            "thumbnail_url": picture(node, "thumbnails[0].thumbnails"),
        }
    )


def blank_row() -> dict[str, Any]:
    """What most kinds of rows do not tell."""
    return {
        "description_snippet": None,
        "duration_seconds": None,
        "view_count": None,
        "view_count_text": None,
        "concurrent_viewers": None,
        "video_count": None,
        "subscriber_count": None,
        "published_at": None,
        "published_text": None,
        "live": False,
        "upcoming": False,
        "is_short": False,
        "thumbnail_url": None,
    }


_READERS: Final = {
    "videoRenderer": _video,
    "gridVideoRenderer": _video,
    "compactVideoRenderer": _video,
    "lockupViewModel": _lockup,
    "shortsLockupViewModel": _short,
    "reelItemRenderer": _reel,
    "channelRenderer": _channel,
    "gridChannelRenderer": _channel,
    "playlistRenderer": _playlist,
    "gridPlaylistRenderer": _playlist,
}
