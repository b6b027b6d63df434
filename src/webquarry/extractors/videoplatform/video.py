"""One video: its facts, counts and channel.

Providers: YouTube's Data API if its key is set, otherwise the requests of YouTube's own player and page, its page, and
oEmbed. See docs/upstreams/video-platform.md.

Raises Absent if the video does not exist, and EmptyResult if it is private. A player's refusal is not an error if the
page's second response describes the video.
"""

from typing import Final

from webquarry.core.errors import Absent, EmptyResult, ExtractionError, ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.videoplatform.model.params import VideoParams, video_identity
from webquarry.extractors.videoplatform.model.result import Video, VideoFacts
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
    players report it, because one of them does not know videos for children.
    """
    question = {"videoId": params.video_id, **WATCHED}
    requests = (("player", VISIONOS, ""), ("player", WEB, WEB_FIELDS), ("next", WEB, ""))
    parts: list[VideoFacts] = []
    errors: list[ExtractionError] = []
    wires: list[Wire] = []
    for name, client, fields in requests:
        try:
            wire = await call(net, name, question, client, fields=fields)
            parts.append(await net.read(read_facts, wire))
            wires.append(wire)
        except EmptyResult:
            raise
        except Absent as error:
            if any(isinstance(one, Absent) for one in errors):
                raise
            errors.append(error)
        except ProviderError as error:
            errors.append(error)
    if all(part.title is None for part in parts) and errors:
        raise next((error for error in errors if isinstance(error, Absent)), errors[0])
    missing = [error for error in errors if isinstance(error, ProviderError)]
    warnings = [f"Part of the data is missing. {error.message}" for error in missing]
    return video_of(parts, params.video_id, "innertube", warnings), wires[-1]


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
    channel = r.channel
    subscribers = channel.subscriber_count_text or _write_number(channel.subscriber_count)
    rows = [
        ("Channel", channel.name and " ".join(filter(None, (channel.name, channel.handle)))),
        ("Subscribers", subscribers),
        ("Published", r.published_at or r.published_text),
        ("Length", None if r.duration_seconds is None else clock(r.duration_seconds)),
        ("Views", _write_number(r.view_count) or r.view_count_text),
        ("Watching now", _write_number(r.concurrent_viewers)),
        ("Likes", _write_number(r.like_count) or r.like_count_text),
        ("Comments", r.comment_count_text or _write_number(r.comment_count)),
        ("Category", r.category),
        ("State", ", ".join(_states(r))),
        ("Captions", _write_captions(r)),
    ]
    page.table("", ("Figure", "Value"), [(name, value) for name, value in rows if value])
    shown = r.chapters[:MAX_CHAPTERS_SHOWN]
    page.bullets("Chapters", [f"{clock(chapter.start_seconds)} {chapter.title}" for chapter in shown])
    if len(shown) < len(r.chapters):
        page.paragraph(f"{len(r.chapters) - len(shown)} more chapters are in the JSON.")
    if r.description:
        page.heading("Description")
        for block in r.description[:MAX_DESCRIPTION_SHOWN].split("\n"):
            page.paragraph(block)
        if len(r.description) > MAX_DESCRIPTION_SHOWN:
            page.paragraph("The full description is in the JSON.")
    if r.tags:
        page.facts([("Tags", r.tags)])
    if r.player_reason:
        page.facts([("Player message", r.player_reason)])
    for sentence in r.warnings:
        page.paragraph(sentence)
    return page.source(f"YouTube, {r.url}").text()


def _write_number(number: int | None) -> str | None:
    return None if number is None else f"{number:,}"


def _states(r: Video) -> list[str]:
    states = (
        (r.is_live, "live now"),
        (r.is_upcoming, "not started yet"),
        (r.is_short, "short"),
        (r.is_unlisted, "unlisted"),
        (r.age_restricted, "age-restricted"),
        (r.player_status == "region_restricted", "not everywhere"),
        (r.player_status == "paid", "members or buyers only"),
    )
    return [words for is_so, words in states if is_so]


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
