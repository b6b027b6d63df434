"""A video assembled from the data of several responses."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from webquarry.core.errors import ProviderError
from webquarry.extractors.videoplatform.model.ids import watch_url
from webquarry.extractors.videoplatform.model.result import ChannelBrief, SourceName, Video, VideoFacts
from webquarry.extractors.videoplatform.sources.innertube.calls import TITLE, make_blocked_error
from webquarry.extractors.videoplatform.sources.innertube.playability import PlayerStatus
from webquarry.extractors.videoplatform.sources.innertube.player import find_chapters

BLOCKED = "The player rejected this service, so fields that only the player provides are null."


def video_of(parts: Sequence[VideoFacts], video_id: str, source: SourceName, warnings: Sequence[str] = ()) -> Video:
    """Merge the values of several responses into a video.

    parts: more exact parts first; the first known value of each field is used. Raises ProviderError "changed" if there
    is no title, or for a video other than the requested one. If the player gives the reason for a missing title, the
    error is "blocked" or "refused" instead.
    """
    facts = _merge(parts, VideoFacts)
    status, words = _read_status(parts)
    facts |= {"player_status": status, "player_reason": words}
    if any(part.id not in (None, video_id) for part in parts):
        raise ProviderError(f"{TITLE} returned a different video than {video_id}.", reason="changed")
    if facts["title"] is None:
        raise _without_title(status, words)
    chapters = facts.pop("chapters")
    tags = facts.pop("tags")
    return Video(
        **{
            **facts,
            "id": video_id,
            "url": watch_url(video_id),
            "channel": _read_channel([part.channel for part in parts]),
            "chapters": chapters or find_chapters(_read_description(parts)),
            "tags": tags or [],
            "age_restricted": _read_age([part.age_restricted for part in parts]),
            "source": source,
            "warnings": [*warnings, *([BLOCKED] if status == "blocked" else [])],
        }
    )


def _merge(parts: Sequence[BaseModel], shape: type[BaseModel]) -> dict[str, Any]:
    """Return each field's first known value."""
    return {name: _first([getattr(part, name) for part in parts]) for name in shape.model_fields}


def _first(values: Sequence[object]) -> object:
    return next((value for value in values if value is not None), None)


def _read_description(parts: Sequence[VideoFacts]) -> str | None:
    return next((part.description for part in parts if part.description), None)


def _read_age(flags: Sequence[bool | None]) -> bool | None:
    """Return whether the video has an age limit. It has an age limit if any player asks for the age."""
    return True if True in flags else False if False in flags else None


def _read_status(parts: Sequence[VideoFacts]) -> tuple[PlayerStatus, str | None]:
    """Return the player's status.

    If any player can play the video, it is playable; otherwise the first reason given is returned.
    """
    states = [(part.player_status, part.player_reason) for part in parts if part.player_status is not None]
    for status, words in sorted(states, key=lambda one: one[0] != "ok"):
        if status is not None:
            return status, words
    return "unknown", None


def _read_channel(channels: Sequence[ChannelBrief]) -> ChannelBrief:
    return ChannelBrief.model_validate(_merge(channels, ChannelBrief))


def _without_title(status: PlayerStatus, words: str | None) -> ProviderError:
    if status == "blocked":
        return make_blocked_error(words)
    if status in ("ok", "unknown"):
        return ProviderError(f"{TITLE} sent a response without the video's title.", reason="changed")
    return ProviderError(f"{TITLE} does not play this video: {words or 'no reason given'}", reason="refused")
