"""Rows in the platform's newer layout: videos, playlists and shorts as "lockups" of a picture and lines of text."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from webquarry.extractors.videoplatform.ids import SITE, is_video_id, watch_url
from webquarry.extractors.videoplatform.result import ChannelBrief
from webquarry.extractors.videoplatform.row import Row, blank_row, moment, read_brief
from webquarry.extractors.videoplatform.texts import count_in, line, picture, seconds_of
from webquarry.read import take
from webquarry.read.fields import to_line
from webquarry.read.values import reach


def read_lockup(node: dict[str, Any], now: datetime) -> Row | None:
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
    found = read_brief(text, endpoint)
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


def read_short(node: dict[str, Any], now: datetime) -> Row | None:
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
        **{
            **blank_row(),
            "type": "video",
            "id": video_id,
            "url": f"{SITE}/shorts/{video_id}",
            "title": title,
            "channel": ChannelBrief(),
            "view_count": count_in(views),
            "view_count_text": views,
            "is_short": True,
            "thumbnail_url": picture(node, "thumbnailViewModel.thumbnailViewModel.image.sources")
            or picture(node, "thumbnail.sources")
            or picture(node, "onTap.innertubeCommand.reelWatchEndpoint.thumbnail.thumbnails"),
        }
    )


def read_reel(node: dict[str, Any], now: datetime) -> Row | None:
    """A short's older node."""
    return read_short(
        {
            "entityId": node.get("videoId"),
            "overlayMetadata": {"primaryText": node.get("headline"), "secondaryText": node.get("viewCountText")},
            "thumbnail": {"sources": reach(node, "thumbnail.thumbnails")},
        },
        now,
    )
