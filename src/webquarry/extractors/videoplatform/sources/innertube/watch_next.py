"""A video from the watch page's second response: counts, description, chapters and the channel.

The platform sends this response even if the player refuses the video.
"""

from typing import Any, Final

from webquarry.extractors.videoplatform.model.ids import handle_in, is_channel_id, is_video_id, make_channel_url
from webquarry.extractors.videoplatform.model.result import ChannelBrief, Chapter, VideoFacts
from webquarry.extractors.videoplatform.sources.innertube.texts import (
    count_in,
    find_day,
    find_seconds,
    is_verified,
    line,
    read_picture,
    read_spoken,
    read_text,
    rounded,
)
from webquarry.read import each_given, take
from webquarry.read.fields import to_count, to_flag, to_line, to_only_count
from webquarry.read.losses import read_rows
from webquarry.read.values import reach, reach_list

_CONTENTS: Final = "contents.twoColumnWatchNextResults.results.results.contents"
_LIKES: Final = (
    "segmentedLikeDislikeButtonViewModel.likeButtonViewModel.likeButtonViewModel.toggleButtonViewModel."
    "toggleButtonViewModel.defaultButtonViewModel.buttonViewModel"
)
_COMMENTS: Final = "engagement-panel-comments-section"
_CHAPTERS: Final = "engagement-panel-macro-markers-description-chapters"
_TRANSCRIPT: Final = "engagement-panel-searchable-transcript"
_NOTICE: Final = "macroMarkersInfoItemRenderer"
"""A notice among the chapters, which states that the platform generated the chapters."""
MAX_ROWS: Final = 1_000


def is_next(answer: dict[str, Any]) -> bool:
    return isinstance(reach(answer, "contents.twoColumnWatchNextResults"), dict)


def read_facts(answer: dict[str, Any]) -> VideoFacts:
    """Parse the video's data. Only the id is set if the response contains no video."""
    first = _read_content(answer, "videoPrimaryInfoRenderer")
    second = _read_content(answer, "videoSecondaryInfoRenderer")
    counter = reach(first, "viewCount.videoViewCountRenderer")
    likes = _read_like_button(first)
    is_live = bool(take(counter, "isLive", to_flag)) if isinstance(counter, dict) else None
    shown = line(counter, "viewCount")
    liked = take(likes, "title", to_line)
    comments = line(_read_panel(answer, _COMMENTS), "header.engagementPanelTitleHeaderRenderer.contextualInfo")
    dated = line(first, "dateText")
    video_id = take(answer, "currentVideoEndpoint.watchEndpoint.videoId", to_line)
    description = read_text(second, "attributedDescription") or read_text(second, "description")
    return VideoFacts(
        id=video_id if is_video_id(video_id) else None,
        title=line(first, "title"),
        description=description,
        channel=_read_channel(reach(second, "owner.videoOwnerRenderer")),
        view_count=None if is_live else count_in(shown),
        view_count_text=shown,
        concurrent_viewers=count_in(shown) if is_live else None,
        like_count=_read_likes(likes, liked),
        like_count_text=liked if count_in(liked) is not None else None,
        comment_count=count_in(comments),
        comment_count_text=comments,
        published_at=find_day(dated),
        published_text=dated,
        is_live=is_live,
        chapters=_read_chapters(answer) if first is not None else None,
    )


def read_transcript_params(answer: dict[str, Any]) -> str | None:
    """Return the parameters of the request for the transcript panel."""
    panel = _read_panel(answer, _TRANSCRIPT)
    path = "content.continuationItemRenderer.continuationEndpoint.getTranscriptEndpoint.params"
    return take(panel, path, to_line)


def _read_content(answer: dict[str, Any], name: str) -> Any:
    rows = reach(answer, _CONTENTS)
    found = (row[name] for row in rows if isinstance(row, dict) and name in row) if isinstance(rows, list) else ()
    return next(iter(found), None)


def _read_panel(answer: dict[str, Any], identifier: str) -> Any:
    for row in reach_list(answer, "engagementPanels", 100):
        panel = reach(row, "engagementPanelSectionListRenderer")
        if reach(panel, "panelIdentifier") == identifier or reach(panel, "targetId") == identifier:
            return panel
    return None


def _read_like_button(first: Any) -> Any:
    found = (reach(row, _LIKES) for row in reach_list(first, "videoActions.menuRenderer.topLevelButtons", 50))
    return next((button for button in found if button is not None), None)


def _read_likes(button: Any, liked: str | None) -> int | None:
    """Return the likes.

    The number in the accessibility label is exact and the button's number is rounded. Hidden likes have no number.
    """
    if count_in(liked) is None:
        return None
    exact = take(button, "accessibilityText", to_only_count)
    return exact if exact is not None else count_in(liked)


def _read_channel(owner: Any) -> ChannelBrief:
    """Parse the channel. If a video has several publishers, there is no id, and one text contains all names."""
    endpoint = reach(owner, "navigationEndpoint.browseEndpoint")
    channel_id = take(endpoint, "browseId", to_line)
    channel_id = channel_id if is_channel_id(channel_id) else None
    subscribers = line(owner, "subscriberCountText")
    return ChannelBrief(
        id=channel_id,
        handle=handle_in(take(endpoint, "canonicalBaseUrl", to_line)),
        name=line(owner, "title") or line(owner, "attributedTitle"),
        url=make_channel_url(channel_id) if channel_id else None,
        subscriber_count=rounded(read_spoken(owner, "subscriberCountText"), subscribers),
        subscriber_count_text=subscribers,
        verified=is_verified(reach(owner, "badges")) if channel_id else None,
        avatar_url=read_picture(owner, "thumbnail.thumbnails"),
    )


def _read_chapters(answer: dict[str, Any]) -> list[Chapter]:
    path = "content.macroMarkersListRenderer.contents[]"
    rows = each_given(_read_panel(answer, _CHAPTERS), path)[:MAX_ROWS]
    return read_rows([row for row in rows if _NOTICE not in row], _read_chapter, path)


def _read_chapter(row: Any) -> Chapter | None:
    node = reach(row, "macroMarkersListItemRenderer")
    title, start = line(node, "title"), find_seconds(line(node, "timeDescription"))
    if start is None:
        start = take(node, "onTap.watchEndpoint.startTimeSeconds", to_count)
    return None if title is None or start is None else Chapter(title=title, start_seconds=start)
