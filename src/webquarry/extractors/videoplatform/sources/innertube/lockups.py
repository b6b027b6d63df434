"""Rows in the platform's newer layout: videos, playlists and shorts as "lockups" of a picture and lines of text."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, Literal

from webquarry.extractors.videoplatform.model.ids import SITE, is_video_id, watch_url
from webquarry.extractors.videoplatform.model.result import ChannelBrief
from webquarry.extractors.videoplatform.model.row import Row, make_row, read_brief, read_moment
from webquarry.extractors.videoplatform.sources.innertube.lines import (
    Told,
    count_videos,
    read_line,
    read_lines,
    read_shown,
    says_upcoming,
)
from webquarry.extractors.videoplatform.sources.innertube.texts import find_seconds, line, read_picture, read_title
from webquarry.read import take
from webquarry.read.fields import to_line
from webquarry.read.values import reach, reach_list

_ROWS: Final = "metadata.contentMetadataViewModel.metadataRows"
"""Path of the rows below the title."""


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
        return _read_lockup_playlist(node, found, title, meta, badges)
    return None


def _read_lockup_playlist(
    node: dict[str, Any], playlist_id: str, title: str, meta: Any, badges: list[tuple[str, str]]
) -> Row:
    image = "contentImage.collectionThumbnailViewModel.primaryThumbnail.thumbnailViewModel.image.sources"
    return make_row(
        type="playlist",
        id=playlist_id,
        url=f"{SITE}/playlist?list={playlist_id}",
        title=title,
        channel=_find_linked(_read_metadata(meta)) or ChannelBrief(),
        video_count=next((count for text, _ in badges if (count := count_videos(text)) is not None), None),
        thumbnail_url=read_picture(node, image),
    )


def _read_lockup_video(
    node: dict[str, Any], video_id: str, title: str, meta: Any, badges: list[tuple[str, str]], now: datetime
) -> Row:
    rows = _read_metadata(meta)
    owner = _read_owner(meta, rows)
    told = read_lines(_list_texts(rows, owner))
    state = _read_state(badges, told)
    return make_row(
        type="video",
        id=video_id,
        url=watch_url(video_id),
        title=title,
        channel=owner or ChannelBrief(),
        duration_seconds=next((length for text, _ in badges if (length := find_seconds(text)) is not None), None),
        view_count=told.views,
        view_count_text=told.counted,
        concurrent_viewers=told.viewers,
        waiting_count=told.waiting,
        published_at=read_moment(told.age, now) if state == "recorded" else None,
        published_text=told.age or told.starts,
        live=state == "live",
        upcoming=state == "upcoming",
        members_only=any("MEMBERS" in style for style in _read_line_badges(meta)),
        thumbnail_url=read_picture(node, "contentImage.thumbnailViewModel.image.sources"),
        other_texts=told.others,
    )


def _list_texts(rows: list[list[tuple[str, Any]]], owner: ChannelBrief | None) -> Iterator[str]:
    """Yield the lines below the title, without the owner's name."""
    return (text for row in rows for text, _ in row if owner is None or text != owner.name)


def _read_state(badges: list[tuple[str, str]], told: Told) -> Literal["live", "upcoming", "recorded"]:
    """Return the state of a video, from the constants and words on its picture and from its lines."""
    if "viewers" in told.kinds or any("LIVE" in style for _, style in badges):
        return "live"
    if told.kinds & {"waiting", "starts"} or any("UPCOMING" in style or says_upcoming(text) for text, style in badges):
        return "upcoming"
    return "recorded"


def _read_metadata(meta: Any) -> list[list[tuple[str, Any]]]:
    """Return the rows below the title, each with its text parts."""
    return [
        [(text, part) for part in reach_list(row, "metadataParts", 10) if (text := line(part, "text")) is not None]
        for row in reach_list(meta, _ROWS, 10)
    ]


def _read_line_badges(meta: Any) -> Iterator[str]:
    """Yield the constants of the badges below the title."""
    for row in reach_list(meta, _ROWS, 10):
        for badge in reach_list(row, "badges", 10):
            style = reach(badge, "badgeViewModel.badgeStyle")
            if isinstance(style, str):
                yield style


def _read_owner(meta: Any, rows: list[list[tuple[str, Any]]]) -> ChannelBrief | None:
    """Return the channel of a row in a list with several channels.

    The channel is linked, or it is the only part of the first row and has a picture or rows of counts below it. A line
    that contains views or a time is not a name.
    """
    if (linked := _find_linked(rows)) is not None:
        return linked
    if not rows or len(rows[0]) != 1:
        return None
    (name, _), *_ = rows[0]
    has_figures = any(read_line(text).kind is not None for row in rows[1:] for text, _ in row)
    if read_line(name).kind is not None or not (has_figures or isinstance(reach(meta, "image"), dict)):
        return None
    onward = "decoratedAvatarViewModel.rendererContext.commandContext.onTap.innertubeCommand.browseEndpoint"
    return read_brief(name, reach(meta, f"image.{onward}"))


def _find_linked(rows: list[list[tuple[str, Any]]]) -> ChannelBrief | None:
    """Return the first channel to which a part of the metadata links."""
    linked = (_read_linked(text, part) for row in rows for text, part in row)
    return next((brief for brief in linked if brief is not None), None)


def _read_linked(text: str, part: Any) -> ChannelBrief | None:
    """Return the channel to which a part of the metadata links."""
    endpoint = reach(part, "text.commandRuns[0].onTap.innertubeCommand.browseEndpoint")
    found = read_brief(text, endpoint)
    return found if found.id is not None else None


def _read_badges(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the words and constants on the picture."""
    image = reach(node, "contentImage")
    overlays = "thumbnailViewModel.overlays"
    if not isinstance(reach(image, overlays), list):
        overlays = f"collectionThumbnailViewModel.primaryThumbnail.{overlays}"
    for overlay in reach_list(image, overlays, 20):
        for name, member in (
            ("thumbnailBottomOverlayViewModel", "badges"),
            ("thumbnailOverlayBadgeViewModel", "thumbnailBadges"),
        ):
            for badge in reach_list(overlay, f"{name}.{member}", 10):
                shown = reach(badge, "thumbnailBadgeViewModel")
                style, icon = reach(shown, "badgeStyle"), reach(shown, "icon.sources[0].clientResource.imageName")
                yield line(shown, "text") or "", " ".join(mark for mark in (style, icon) if isinstance(mark, str))


def read_short(node: dict[str, Any], now: datetime) -> Row | None:
    """Parse a short. Its second line contains the views."""
    video_id, title = _read_short_id(node), _read_short_title(node)
    if video_id is None or title is None:
        return None
    told = read_shown(line(node, "overlayMetadata.secondaryText"))
    return make_row(
        type="video",
        id=video_id,
        url=f"{SITE}/shorts/{video_id}",
        title=title,
        channel=ChannelBrief(),
        view_count=told.views,
        view_count_text=told.counted,
        published_at=read_moment(told.age, now),
        published_text=told.age,
        is_short=True,
        other_texts=told.others,
        thumbnail_url=read_picture(node, "thumbnailViewModel.thumbnailViewModel.image.sources")
        or read_picture(node, "thumbnail.sources")
        or read_picture(node, "onTap.innertubeCommand.reelWatchEndpoint.thumbnail.thumbnails"),
    )


def _read_short_id(node: dict[str, Any]) -> str | None:
    """Return the id from the link, otherwise from the end of the entity's id."""
    linked, entity = take(node, "onTap.innertubeCommand.reelWatchEndpoint.videoId", to_line), reach(node, "entityId")
    candidates = (linked, entity[-11:] if isinstance(entity, str) else None)
    return next(filter(is_video_id, candidates), None)


def _read_short_title(node: dict[str, Any]) -> str | None:
    """Return the visible title, otherwise the accessibility label without the views."""
    title = line(node, "overlayMetadata.primaryText")
    return title or (take(node, "accessibilityText", to_line) or "").rpartition(", ")[0] or None


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
