"""Rows in the platform's newer layout. Videos, playlists and shorts are "lockups" of a picture and lines of text."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from webquarry.extractors.videoplatform.model.ids import SITE, is_video_id, watch_url
from webquarry.extractors.videoplatform.model.result import ChannelBrief
from webquarry.extractors.videoplatform.model.row import Row, make_row, read_brief, read_moment
from webquarry.extractors.videoplatform.sources.innertube.lines import (
    count_videos,
    read_line,
    read_lines,
    says_upcoming,
)
from webquarry.extractors.videoplatform.sources.innertube.texts import find_seconds, line, read_picture, read_title
from webquarry.read import take
from webquarry.read.fields import to_line
from webquarry.read.values import reach


def read_lockup(node: dict[str, Any], now: datetime) -> Row | None:
    kind, found = take(node, "contentType", to_line) or "", take(node, "contentId", to_line)
    meta = reach(node, "metadata.lockupMetadataViewModel")
    title = read_title(meta, "title")
    if found is None or title is None:
        return None
    badges = list(_read_badges(node))
    if kind.endswith("VIDEO") or (not kind and is_video_id(found)):
        return _read_lockup_video(node, found, title, meta, badges, now) if is_video_id(found) else None
    if kind.endswith(("PLAYLIST", "ALBUM", "PODCAST")):
        image = "contentImage.collectionThumbnailViewModel.primaryThumbnail.thumbnailViewModel.image.sources"
        linked = (_read_linked(text, part) for row in _read_metadata(meta) for text, part in row)
        return make_row(
            type="playlist",
            id=found,
            url=f"{SITE}/playlist?list={found}",
            title=title,
            channel=next((brief for brief in linked if brief is not None), ChannelBrief()),
            video_count=next((count for text, _ in badges if (count := count_videos(text)) is not None), None),
            thumbnail_url=read_picture(node, image),
        )
    return None


def _read_lockup_video(
    node: dict[str, Any], video_id: str, title: str, meta: Any, badges: list[tuple[str, str]], now: datetime
) -> Row:
    texts, styles = [text for text, _ in badges], [style for _, style in badges]
    rows = _read_metadata(meta)
    owner = _read_owner(meta, rows)
    facts = read_lines(text for row in rows for text, _ in row if owner is None or text != owner.name)
    is_live = any("LIVE" in style for style in styles) or "viewers" in facts.kinds
    is_upcoming = not is_live and (
        bool(facts.kinds & {"waiting", "starts"})
        or any("UPCOMING" in style for style in styles)
        or any(map(says_upcoming, texts))
    )
    return make_row(
        type="video",
        id=video_id,
        url=watch_url(video_id),
        title=title,
        channel=owner or ChannelBrief(),
        duration_seconds=next((length for text in texts if (length := find_seconds(text)) is not None), None),
        view_count=facts.views,
        view_count_text=facts.counted,
        concurrent_viewers=facts.viewers,
        waiting_count=facts.waiting,
        published_at=None if is_live or is_upcoming else read_moment(facts.age, now),
        published_text=facts.age or facts.starts,
        live=is_live,
        upcoming=is_upcoming,
        members_only=any("MEMBERS" in style for style in _read_line_badges(meta)),
        thumbnail_url=read_picture(node, "contentImage.thumbnailViewModel.image.sources"),
        other_texts=facts.others,
    )


def _read_metadata(meta: Any) -> list[list[tuple[str, Any]]]:
    """Return the rows below the title, each with its text parts."""
    rows = reach(meta, "metadata.contentMetadataViewModel.metadataRows")
    return [
        [(text, part) for part in _read_listed(row, "metadataParts") if (text := line(part, "text")) is not None]
        for row in (rows[:10] if isinstance(rows, list) else [])
    ]


def _read_listed(row: Any, name: str) -> list[Any]:
    found = reach(row, name)
    return found[:10] if isinstance(found, list) else []


def _read_line_badges(meta: Any) -> Iterator[str]:
    """Yield the constants of the badges below the title."""
    rows = reach(meta, "metadata.contentMetadataViewModel.metadataRows")
    for row in rows[:10] if isinstance(rows, list) else []:
        for badge in _read_listed(row, "badges"):
            style = reach(badge, "badgeViewModel.badgeStyle")
            if isinstance(style, str):
                yield style


def _read_owner(meta: Any, rows: list[list[tuple[str, Any]]]) -> ChannelBrief | None:
    """Return the channel of a row in a list with several channels.

    The channel is linked, or it is the only part of the first row and has a picture or rows of counts below it. A line
    that contains views or a time is not a name.
    """
    linked = (_read_linked(text, part) for row in rows for text, part in row)
    if (found := next((brief for brief in linked if brief is not None), None)) is not None:
        return found
    if not rows or len(rows[0]) != 1 or read_line(name := rows[0][0][0]).kind is not None:
        return None
    avatar = reach(meta, "image")
    says_figures = any(read_line(text).kind is not None for row in rows[1:] for text, _ in row)
    if not isinstance(avatar, dict) and not says_figures:
        return None
    onward = "decoratedAvatarViewModel.rendererContext.commandContext.onTap.innertubeCommand.browseEndpoint"
    return read_brief(name, reach(avatar, onward))


def _read_linked(text: str, part: Any) -> ChannelBrief | None:
    """Return the channel to which a part of the metadata links."""
    endpoint = reach(part, "text.commandRuns[0].onTap.innertubeCommand.browseEndpoint")
    found = read_brief(text, endpoint)
    return found if found.id is not None else None


def _read_badges(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the words and constants on the picture."""
    image = reach(node, "contentImage")
    overlays = reach(image, "thumbnailViewModel.overlays")
    if not isinstance(overlays, list):
        overlays = reach(image, "collectionThumbnailViewModel.primaryThumbnail.thumbnailViewModel.overlays")
    for overlay in overlays[:20] if isinstance(overlays, list) else []:
        for name, member in (
            ("thumbnailBottomOverlayViewModel", "badges"),
            ("thumbnailOverlayBadgeViewModel", "thumbnailBadges"),
        ):
            for badge in _read_listed(overlay, f"{name}.{member}"):
                shown = reach(badge, "thumbnailBadgeViewModel")
                style, icon = reach(shown, "badgeStyle"), reach(shown, "icon.sources[0].clientResource.imageName")
                yield line(shown, "text") or "", " ".join(mark for mark in (style, icon) if isinstance(mark, str))


def read_short(node: dict[str, Any], now: datetime) -> Row | None:
    """Parse a short. Its second line contains the views."""
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
    shown = line(node, "overlayMetadata.secondaryText")
    facts = read_lines([shown] if shown is not None else [])
    return make_row(
        type="video",
        id=video_id,
        url=f"{SITE}/shorts/{video_id}",
        title=title,
        channel=ChannelBrief(),
        view_count=facts.views,
        view_count_text=facts.counted,
        published_at=read_moment(facts.age, now),
        published_text=facts.age,
        is_short=True,
        other_texts=facts.others,
        thumbnail_url=read_picture(node, "thumbnailViewModel.thumbnailViewModel.image.sources")
        or read_picture(node, "thumbnail.sources")
        or read_picture(node, "onTap.innertubeCommand.reelWatchEndpoint.thumbnail.thumbnails"),
    )


def read_reel(node: dict[str, Any], now: datetime) -> Row | None:
    """Parse a short in the older layout."""
    return read_short(
        {
            "entityId": node.get("videoId"),
            "overlayMetadata": {"primaryText": node.get("headline"), "secondaryText": node.get("viewCountText")},
            "thumbnail": {"sources": reach(node, "thumbnail.thumbnails")},
        },
        now,
    )
