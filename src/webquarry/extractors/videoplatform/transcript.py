"""The transcript of a video, line by line with times.

Providers: YouTube's players, which list the captions, and the caption files. See docs/upstreams/video-platform.md.

Raises Absent if the video does not exist. Raises EmptyResult, with the reason, if it is private, has no captions, or
has captions that users cannot see. A response with an empty body is "blocked", never an empty transcript.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, Literal

from webquarry.core.errors import Absent, EmptyResult, ProviderError
from webquarry.core.locale import Language
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Result, Source, field, hours, param
from webquarry.extractors.videoplatform.model.ids import watch_url
from webquarry.extractors.videoplatform.model.params import VideoParams
from webquarry.extractors.videoplatform.sources.innertube import captions, player, watch_next
from webquarry.extractors.videoplatform.sources.innertube.calls import (
    ANDROID,
    CONSENT,
    INNERTUBE,
    MAX_ANSWER_BYTES,
    VISIONOS,
    WATCHED,
    answer_of,
    call,
    is_absent_again,
)
from webquarry.extractors.videoplatform.sources.innertube.captions import Lines, Track, Tracks
from webquarry.extractors.videoplatform.sources.innertube.texts import clock
from webquarry.net import Net
from webquarry.read import json_of
from webquarry.read.fields import to_token
from webquarry.render import Md

PARAGRAPH_S: Final = 60.0


class TranscriptParams(VideoParams):
    lang: Language = param(
        "Language of the captions, as a BCP 47 tag. If it is not available, captions in the spoken language are "
        "returned.",
        default=Language("en"),
        example="en",
    )
    translate_to: Language | None = param(
        "Language into which the platform translates the captions.", default=None, example="fr"
    )


class AvailableLanguage(Result):
    code: str = field("BCP 47 tag, as written by the platform.", wire="captionTracks[].languageCode")
    name: str = field("Name, in English.", wire="captionTracks[].name")
    auto: bool = field("Whether the captions are auto-generated.", wire="captionTracks[].kind")
    translatable: bool = field(
        "Whether the platform can translate the captions.", wire="captionTracks[].isTranslatable"
    )


class Segment(Result):
    start: float = field("Start time.", unit="s", wire="events[].tStartMs")
    duration: float | None = field("Duration of the segment.", unit="s", wire="events[].dDurationMs")
    text: str = field("Text of the segment.", wire="events[].segs[].utf8")


class Transcript(Result):
    id: str = field("Video ID.")
    url: str = field("URL of the video.")
    title: str | None = field("Title of the video.", wire="videoDetails.title")
    channel: str | None = field("Name of the video's channel.", wire="videoDetails.author")
    language: str = field("Language of the text, as a BCP 47 tag.")
    language_name: str | None = field("Name of the language, in English.")
    language_requested: str = field("Requested language.")
    auto_generated: bool | None = field("Whether the captions are auto-generated; null if unknown.")
    translated_from: str | None = field("Original language of the translation; null if not translated.")
    available_languages: list[AvailableLanguage] | None = field("Available captions; null if unknown.")
    translation_languages: list[str] = field("Languages into which the platform can translate, if available.")
    segments: list[Segment] = field("Lines in order.", wire="events")
    text: str = field("All lines, joined with spaces.")
    source: Literal["innertube"] = field("Name of the provider.")
    warnings: list[str] = field("Warnings about this response.")


def identity(params: TranscriptParams) -> Mapping[str, str]:
    return {"id": params.video_id, "lang": str(params.lang), "translate_to": str(params.translate_to or "")}


async def ask(params: TranscriptParams, net: Net) -> tuple[Transcript, Wire]:
    """Try two players, because one player may see videos that the other does not see. Then try the transcript panel."""
    errors: list[Absent | ProviderError] = []
    known: tuple[Tracks, Track] | None = None
    for client in (VISIONOS, ANDROID):
        try:
            listed = await call(net, "player", {"videoId": params.video_id, **WATCHED}, client)
            tracks = await net.read(captions.read_tracks, listed)
            track = captions.choose(tracks.tracks, params.lang)
            known = (tracks, track)
            wire = await fetch(track, params, net)
            lines = await net.read(captions.read_lines, wire)
        except (Absent, ProviderError) as error:
            if is_absent_again(error, errors):
                raise
            errors.append(error)
        else:
            return transcript(params, lines, tracks, track), wire
    if params.translate_to is None:
        with suppress(Absent, ProviderError):  # the reason that the players give is more specific
            wire = await by_panel(params, net)
            return transcript(params, await net.read(captions.read_lines, wire), *(known or (None, None))), wire
    raise next((error for error in errors if error.reason == "blocked"), errors[0])


async def fetch(track: Track, params: TranscriptParams, net: Net) -> Wire:
    """Fetch the captions. Raises EmptyResult if a translation of captions that cannot be translated is requested."""
    if captions.is_held(track):
        raise ProviderError(
            "YouTube provides these captions only to verified browsers.",
            reason="blocked",
        )
    target = translation(track, params)
    if target is not None and not track.translatable:
        raise EmptyResult(f"The platform does not translate the {track.name} captions of this video.")
    return await net.get(captions.address(track, target), cookies=CONSENT, max_bytes=MAX_ANSWER_BYTES)


def translation(track: Track, params: TranscriptParams) -> str | None:
    """Return the language to translate to, or None if the captions are already in that language."""
    target = params.translate_to
    return None if target is None or target.casefold() == track.code.casefold() else str(target)


async def by_panel(params: TranscriptParams, net: Net) -> Wire:
    beside = await call(net, "next", {"videoId": params.video_id, **WATCHED})
    return await call(net, "get_transcript", {"params": await net.read(read_panel, beside)})


def read_panel(wire: Wire) -> str:
    """Return the token for the request of the transcript panel. Raises ProviderError "changed" if it is missing."""
    token = to_token(watch_next.read_transcript_params(answer_of(wire)))
    if token is None:
        raise ProviderError("YouTube shows no transcript for this video.", reason="changed")
    return token


def read(wire: Wire, params: TranscriptParams) -> Transcript:
    """Parse captions, whose title and origin are unknown. For a player's response, raise the error that it reports."""
    if wire.body.lstrip()[:1] == b"{":
        answer = json_of(wire)
        if isinstance(answer, dict) and (not answer or player.is_player(answer)):
            captions.read_tracks(wire)
    return transcript(params, captions.read_lines(wire))


def transcript(
    params: TranscriptParams, found: Lines, tracks: Tracks | None = None, track: Track | None = None
) -> Transcript:
    names = {} if tracks is None else tracks.translations
    target = None if track is None else translation(track, params)
    return Transcript(
        id=params.video_id,
        url=watch_url(params.video_id),
        **_describe_video(tracks),
        **_describe_language(params, names, track, target),
        language_requested=str(params.lang),
        translation_languages=sorted(names),
        segments=[Segment(start=one.start, duration=one.duration, text=one.text) for one in found.lines],
        text=" ".join(one.text for one in found.lines),
        source="innertube",
        warnings=_warnings(params, track, target),
    )


def _describe_video(tracks: Tracks | None) -> dict[str, Any]:
    """Return the fields of the result about the video, which only a player's response contains."""
    if tracks is None:
        return {"title": None, "channel": None, "available_languages": None}
    available = [_available(one) for one in tracks.tracks]
    return {"title": tracks.title, "channel": tracks.channel, "available_languages": available}


def _describe_language(
    params: TranscriptParams, names: Mapping[str, str], track: Track | None, target: str | None
) -> dict[str, Any]:
    """Return the fields of the result about the language. target: the language of a translation."""
    if track is None:
        code = str(params.lang)
        return {"language": code, "language_name": names.get(code), "auto_generated": None, "translated_from": None}
    return {
        "language": target or track.code,
        "language_name": names.get(target) if target else track.name,
        "auto_generated": track.auto,
        "translated_from": track.code if target else None,
    }


def _available(track: Track) -> AvailableLanguage:
    return AvailableLanguage(code=track.code, name=track.name, auto=track.auto, translatable=track.translatable)


def _warnings(params: TranscriptParams, track: Track | None, target: str | None) -> list[str]:
    if track is None:
        return ["The language and the author of these captions are unknown."]
    warnings = []
    if track.code.partition("-")[0].casefold() != params.lang.base.casefold():
        warnings.append(f"There are no captions in {params.lang}, so captions in {track.name} are returned.")
    if track.auto:
        warnings.append("These captions are auto-generated.")
    if target is not None:
        warnings.append(
            f"These captions are machine-translated from {track.name}. Machine translations can contain errors."
        )
    return warnings


def render(r: Transcript) -> str:
    page = Md(r.title or f"Transcript of the video {r.id}")
    origin = None if r.auto_generated is None else "a machine" if r.auto_generated else "people"
    others = None if r.available_languages is None else [one.code for one in r.available_languages]
    page.facts(
        [
            ("Channel", r.channel),
            ("Language", r.language_name or r.language),
            ("Written by", origin),
            ("Translated from", r.translated_from),
            ("Available captions", others),
        ]
    )
    for sentence in r.warnings:
        page.paragraph(sentence)
    page.heading("Transcript")
    for start, words in write_paragraphs(r.segments):
        page.paragraph(f"[{clock(int(start))}] {words}")
    return page.source(f"YouTube, {r.url}").text()


def write_paragraphs(segments: list[Segment]) -> list[tuple[float, str]]:
    """Group lines into paragraphs of about a minute. Return each with its start in seconds."""
    found: list[tuple[float, list[str]]] = []
    for segment in segments:
        if not found or segment.start >= found[-1][0] + PARAGRAPH_S:
            found.append((segment.start, []))
        found[-1][1].append(segment.text)
    return [(start, " ".join(texts)) for start, texts in found]


extractor = Extractor(
    name="videoplatform_transcript",
    path="/videoplatform/transcript",
    version=1,
    group="videoplatform",
    title="Video transcript",
    description=(
        "Returns the transcript of a YouTube video as timed lines and as one text. Manual captions are preferred "
        "over auto-generated ones, in the requested language if available, and translated by the platform on "
        "request. A video that has no captions, is private, or is restricted by age, membership or country returns "
        "`empty_result` with the reason. The platform rejects many data center addresses, which results in "
        "`provider_error`, reason `blocked`."
    ),
    params=TranscriptParams,
    result=Transcript,
    credits=1,
    fresh=hours(24),
    sources=(Source(INNERTUBE, None, read, ask=ask),),
    render=render,
    identity=identity,
    ends={
        "not_found": "The video does not exist.",
        "empty_result": "The video has no captions, is private, or is age-restricted.",
    },
    example={"id": "HarbourTal1"},
)
