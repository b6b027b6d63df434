"""One video: its details, counts and channel.

Providers: YouTube's Data API if its key is set, otherwise the requests of YouTube's own player and page, its page, and
oEmbed. See docs/upstreams/video-platform.md.

Raises Absent if the video does not exist, and EmptyResult if it is private. A player's refusal is not an error if the
page's second response describes the video.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.videoplatform.model.figures import list_known, write_length, write_number, write_states
from webquarry.extractors.videoplatform.model.params import VideoParams, video_identity
from webquarry.extractors.videoplatform.model.result import Chapter, Video, VideoFacts
from webquarry.extractors.videoplatform.sources import data_api
from webquarry.extractors.videoplatform.sources.facts import video_of
from webquarry.extractors.videoplatform.sources.innertube import player, watch_next
from webquarry.extractors.videoplatform.sources.innertube.calls import (
    INNERTUBE,
    TITLE,
    VISIONOS,
    WATCHED,
    WEB,
    answer_of,
    call,
    is_absent_again,
)
from webquarry.extractors.videoplatform.sources.innertube.texts import clock
from webquarry.extractors.videoplatform.sources.untested import page_video
from webquarry.net import Net
from webquarry.render import Md

WEB_FIELDS: Final = "playabilityStatus,microformat,videoDetails"
MAX_CHAPTERS_SHOWN: Final = 100
MAX_DESCRIPTION_SHOWN: Final = 3_000


async def ask(params: VideoParams, net: Net) -> tuple[Video, Wire]:
    """Request the video from two players, then the page's second response.

    One player returns likes and category; the other is refused less often. A video counts as absent only if both
    players report it, because one of the players does not know videos for children.
    """
    question = {"videoId": params.video_id, **WATCHED}
    requests = (("player", VISIONOS, ""), ("player", WEB, WEB_FIELDS), ("next", WEB, ""))
    parts: list[tuple[VideoFacts, Wire]] = []
    errors: list[Absent | ProviderError] = []
    for name, client, fields in requests:
        try:
            wire = await call(net, name, question, client, fields=fields)
            parts.append((await net.read(read_facts, wire), wire))
        except (Absent, ProviderError) as error:
            if is_absent_again(error, errors):
                raise
            errors.append(error)
    if errors and all(facts.title is None for facts, _ in parts):
        raise next((error for error in errors if isinstance(error, Absent)), errors[0])
    return video_of([facts for facts, _ in parts], params.video_id, "innertube", _warn(errors)), parts[-1][1]


def _warn(errors: Iterable[Absent | ProviderError]) -> list[str]:
    missing = [error for error in errors if isinstance(error, ProviderError)]
    return [f"Part of the data is missing. {error.message}" for error in missing]


def read_facts(wire: Wire) -> VideoFacts:
    """Parse a player's response or the page's second response.

    Raises ProviderError "changed" for any other response.
    """
    answer = answer_of(wire)
    if watch_next.is_next(answer):
        return watch_next.read_facts(answer)
    if not answer or player.is_player(answer):
        return player.read_facts(answer)
    raise ProviderError(f"{TITLE} sent a response that is not about a video.", reason="changed")


def read(wire: Wire, params: VideoParams) -> Video:
    return video_of([read_facts(wire)], params.video_id, "innertube")


def render(r: Video) -> str:
    page = Md(r.title)
    page.table("", ("Figure", "Value"), list_known(_list_figures(r)))
    _add_chapters(page, r.chapters)
    if r.description:
        page.heading("Description")
        _add_description(page, r.description)
    if r.tags:
        page.facts([("Tags", r.tags)])
    if r.player_reason:
        page.facts([("Player message", r.player_reason)])
    for sentence in r.warnings:
        page.paragraph(sentence)
    return page.source(f"YouTube, {r.url}").text()


def _list_figures(r: Video) -> Iterator[tuple[str, date | str | None]]:
    channel = r.channel
    yield "Channel", channel.name and " ".join(filter(None, (channel.name, channel.handle)))
    yield "Subscribers", channel.subscriber_count_text or write_number(channel.subscriber_count)
    yield "Published", r.published_at or r.published_text
    yield "Length", write_length(r.duration_seconds)
    yield "Views", write_number(r.view_count) or r.view_count_text
    yield "Watching now", write_number(r.concurrent_viewers)
    yield "Likes", write_number(r.like_count) or r.like_count_text
    yield "Comments", r.comment_count_text or write_number(r.comment_count)
    yield "Category", r.category
    yield "State", _write_state(r)
    yield "Captions", _write_captions(r)


def _add_chapters(page: Md, chapters: list[Chapter]) -> None:
    shown = chapters[:MAX_CHAPTERS_SHOWN]
    page.bullets("Chapters", [f"{clock(chapter.start_seconds)} {chapter.title}" for chapter in shown])
    if len(shown) < len(chapters):
        page.paragraph(f"{len(chapters) - len(shown)} more chapters are in the JSON.")


def _add_description(page: Md, description: str) -> None:
    for block in description[:MAX_DESCRIPTION_SHOWN].split("\n"):
        page.paragraph(block)
    if len(description) > MAX_DESCRIPTION_SHOWN:
        page.paragraph("The full description is in the JSON.")


def _write_state(r: Video) -> str | None:
    states = (
        (r.is_live, "live now"),
        (r.is_upcoming, "not started yet"),
        (r.is_short, "short"),
        (r.is_unlisted, "unlisted"),
        (r.age_restricted, "age-restricted"),
        (r.player_status == "region_restricted", "not everywhere"),
        (r.player_status == "paid", "members or buyers only"),
    )
    return write_states(states)


def _write_captions(r: Video) -> str | None:
    if r.caption_languages is None:
        return None
    captions = [f"{one.code} (automatic)" if one.auto else one.code for one in r.caption_languages[:20]]
    more = len(r.caption_languages) - len(captions)
    return ", ".join(captions) + (f" and {more} more" if more else "") or "none"


extractor = Extractor(
    name="videoplatform_video",
    path="/videoplatform/video",
    version=2,
    group="videoplatform",
    title="Video",
    description=(
        "Returns a YouTube video: title, description, channel, length, views, likes, comments, publication date, "
        "chapters, available captions, and whether it is live, a short, unlisted or age-restricted. Numbers are "
        "exact if available; otherwise the original text is included. If the player rejects the request, data from "
        "the page is returned and `player_status` has the reason."
    ),
    params=VideoParams,
    result=Video,
    credits=1,
    fresh=hours(6),
    sources=(
        Source(data_api.DATA_API, data_api.fetch_video, data_api.read_video),
        Source(INNERTUBE, None, read, ask=ask),
        Source(page_video.WATCH_PAGE, page_video.fetch_page, page_video.read_page),
        Source(page_video.OEMBED, page_video.fetch_oembed, page_video.read_oembed),
    ),
    render=render,
    identity=video_identity,
    ends={
        "not_found": "The video does not exist.",
        "empty_result": "The video is private or age-restricted.",
    },
    example={"id": "HarbourVid1"},
)
