"""A video from the player's response: details, microformat and captions."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from webquarry.core.errors import Absent
from webquarry.extractors.videoplatform.model.ids import handle_in, is_channel_id, is_video_id, make_channel_url
from webquarry.extractors.videoplatform.model.result import CaptionLanguage, ChannelBrief, Chapter, VideoFacts
from webquarry.extractors.videoplatform.sources.innertube.calls import TITLE
from webquarry.extractors.videoplatform.sources.innertube.playability import PlayerStatus, judge
from webquarry.extractors.videoplatform.sources.innertube.texts import (
    find_seconds,
    line,
    read_picture,
    read_raw,
    read_text,
)
from webquarry.read import each_given, take
from webquarry.read.fields import to_count, to_flag, to_instant, to_line, to_text
from webquarry.read.losses import read_rows
from webquarry.read.values import reach

TRACKS: Final = "captionTracks[]"
_MICROFORMAT: Final = "microformat.playerMicroformatRenderer"
_AGE_LIMITS: Final[Mapping[PlayerStatus | None, bool]] = {"age_restricted": True, "ok": False}
"""Whether a video has an age limit, for the player statuses that determine this."""
MAX_TAGS: Final = 500
LEAST_CHAPTERS: Final = 3
_STAMP: Final = re.compile(r"[(\[]?((?:\d{1,3}:)?\d{1,2}:\d{2})[)\]]?")
_JOINTS: Final = " \t-–—:|•·)(]["


def find_response(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the player's response, which may be nested in a reel's response.

    Raises Absent for an empty response, which is how the platform reports reels that do not exist.
    """
    if not answer:
        raise Absent(f"{TITLE} has no video with this ID.")
    inner = answer.get("playerResponse")
    return inner if isinstance(inner, dict) else answer


def is_player(answer: dict[str, Any]) -> bool:
    return any(name in answer for name in ("playabilityStatus", "videoDetails", "playerResponse", "microformat"))


def read_facts(answer: dict[str, Any]) -> VideoFacts:
    """Parse the video's data. Raises the errors of `judge`."""
    response = find_response(answer)
    status, words = judge(response)
    found = reach(response, "videoDetails")
    details: dict[str, Any] = found if isinstance(found, dict) else {}
    micro = reach(response, _MICROFORMAT)
    live = reach(micro, "liveBroadcastDetails")
    description = take(details, "shortDescription", to_text) or read_text(micro, "description")
    return VideoFacts(
        id=_read_video_id(details, "videoId") or _read_video_id(micro, "externalVideoId"),
        title=read_title(response),
        description=description,
        channel=read_channel(response),
        duration_seconds=_read_count(details, micro, "lengthSeconds") or None,  # 0 while a stream is running
        view_count=_read_count(details, micro, "viewCount"),
        like_count=take(micro, "likeCount", to_count),
        published_at=_read_moment(micro, "publishDate") or _read_moment(micro, "uploadDate"),
        category=take(micro, "category", to_line),
        tags=_read_tags(details),
        is_live=_read_live(details, micro),
        is_upcoming=_or_not(take(details, "isUpcoming", to_flag), is_stated="isLiveContent" in details),
        is_live_content=take(details, "isLiveContent", to_flag),
        is_short=take(micro, "isShortsEligible", to_flag),
        is_unlisted=take(micro, "isUnlisted", to_flag),
        is_family_safe=take(micro, "isFamilySafe", to_flag),
        age_restricted=_AGE_LIMITS.get(status),
        live_started_at=_read_moment(live, "startTimestamp"),
        live_ended_at=_read_moment(live, "endTimestamp"),
        thumbnail_url=read_picture(micro, "thumbnail.thumbnails") or read_picture(details, "thumbnail.thumbnails"),
        caption_languages=_read_captions(response, is_stated=status == "ok" and "videoDetails" in response),
        available_countries_count=_read_countries(micro),
        player_status=status,
        player_reason=words,
    )


def read_title(response: dict[str, Any]) -> str | None:
    return take(response, "videoDetails.title", to_line) or line(response, f"{_MICROFORMAT}.title")


def read_channel(response: dict[str, Any]) -> ChannelBrief:
    details, micro = reach(response, "videoDetails"), reach(response, _MICROFORMAT)
    channel_id = _read_channel_id(details, "channelId") or _read_channel_id(micro, "externalChannelId")
    return ChannelBrief(
        id=channel_id,
        handle=handle_in(take(micro, "ownerProfileUrl", to_line)),
        name=take(details, "author", to_line) or take(micro, "ownerChannelName", to_line),
        url=make_channel_url(channel_id) if channel_id else None,
    )


def find_tracks(response: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the provider's caption tracks, possibly an empty list."""
    return each_given(response, f"captions.playerCaptionsTracklistRenderer.{TRACKS}")


def is_automatic(track: dict[str, Any]) -> bool:
    return track.get("kind") == "asr" or str(track.get("vssId", "")).startswith("a.")


def find_chapters(description: str | None) -> list[Chapter]:
    """Return the chapters in a description, by the platform's rule.

    At least three lines must begin (or end) with a time. The first time must be 0:00, and each time must be later than
    the previous one.
    """
    found = list(_list_stamped(description or ""))
    starts = [chapter.start_seconds for chapter in found]
    is_rising = starts[:1] == [0] and all(earlier < later for earlier, later in pairwise(starts))
    return found if is_rising and len(found) >= LEAST_CHAPTERS else []


def _list_stamped(description: str) -> Iterator[Chapter]:
    """Yield the lines that begin with a time and have a title."""
    for written in description.split("\n")[:2_000]:
        row = written.strip()[:400]
        stamp = _STAMP.match(row)
        if stamp is None:
            continue
        start, title = find_seconds(stamp[1]), to_line(row[stamp.end() :].strip(_JOINTS))
        if start is not None and title is not None:
            yield Chapter(title=title, start_seconds=start)


def _read_count(details: dict[str, Any], micro: Any, name: str) -> int | None:
    """Return a number from the details, otherwise from the microformat."""
    found = take(details, name, to_count)
    return take(micro, name, to_count) if found is None else found


def _read_live(details: dict[str, Any], micro: Any) -> bool | None:
    """Return whether the video is live now, according to the microformat, otherwise according to the details."""
    is_live = take(reach(micro, "liveBroadcastDetails"), "isLiveNow", to_flag)
    if is_live is not None:
        return is_live
    is_stated = isinstance(micro, dict) or "isLiveContent" in details
    return _or_not(take(details, "isLive", to_flag), is_stated=is_stated)


def _read_captions(response: dict[str, Any], *, is_stated: bool) -> list[CaptionLanguage] | None:
    rows = find_tracks(response)
    if not rows and not is_stated:
        return None
    return read_rows(rows, _read_caption, TRACKS)


def _read_caption(row: dict[str, Any]) -> CaptionLanguage | None:
    code = take(row, "languageCode", to_line)
    return None if code is None else CaptionLanguage(code=code, name=line(row, "name") or code, auto=is_automatic(row))


def _read_tags(details: Any) -> list[str] | None:
    rows = reach(details, "keywords")
    if not isinstance(rows, list):
        return None
    return read_rows(rows[:MAX_TAGS], lambda row: to_line(read_raw(row)), "keywords[]")


def _read_countries(micro: Any) -> int | None:
    rows = reach(micro, "availableCountries")
    return len(rows) if isinstance(rows, list) else None


def _or_not(flag: bool | None, *, is_stated: bool) -> bool | None:
    """Return the flag. If it is missing from an object in which the provider would state it, return False."""
    return False if flag is None and is_stated else flag


def _read_moment(node: Any, path: str) -> datetime | None:
    return take(node, path, to_instant)


def _read_video_id(node: Any, path: str) -> str | None:
    found = take(node, path, to_line)
    return found if is_video_id(found) else None


def _read_channel_id(node: Any, path: str) -> str | None:
    found = take(node, path, to_line)
    return found if is_channel_id(found) else None
