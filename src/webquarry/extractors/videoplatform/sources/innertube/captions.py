"""Captions: the list of tracks, and their lines in all forms that the platform sends."""

from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.locale import Language
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Result
from webquarry.extractors.videoplatform.sources.innertube import player
from webquarry.extractors.videoplatform.sources.innertube.calls import (
    TITLE,
    answer_of,
    is_own_address,
    make_blocked_error,
)
from webquarry.extractors.videoplatform.sources.innertube.playability import PlayerStatus
from webquarry.extractors.videoplatform.sources.innertube.texts import line, said
from webquarry.read import each, json_of, take
from webquarry.read.block_pages import find_block_page_in, is_page
from webquarry.read.fields import to_count, to_decimal, to_flag, to_line
from webquarry.read.html import html_of, plain_text
from webquarry.read.values import reach

_WHY_NONE: Final[dict[PlayerStatus, str]] = {
    "age_restricted": "The platform shows this video and its transcript to signed-in adults only",
    "region_restricted": "The platform does not show this video where this service stands, nor its transcript",
    "paid": "The platform shows this video and its transcript to members or buyers only",
    "offline": "This stream does not run, and has no transcript",
}
_HELD: Final = ("exp=xpe", "exp=xpv")
"""Parts of addresses that return an empty body to clients without proof of being a browser."""
_INITIAL: Final = (
    "actions[0].updateEngagementPanelAction.content.transcriptRenderer.content.transcriptSearchPanelRenderer.body."
    "transcriptSegmentListRenderer.initialSegments"
)


class Track(Result):
    code: str
    name: str
    auto: bool
    translatable: bool
    url: str


class Tracks(Result):
    """The caption tracks of a video.

    title, channel: of the video. translations: languages into which a track can be translated, by code.
    """

    title: str | None
    channel: str | None
    tracks: list[Track]
    translations: dict[str, str]


class Line(Result):
    start: float
    duration: float | None
    text: str


class Lines(Result):
    lines: list[Line]


def read_tracks(wire: Wire) -> Tracks:
    """Return the captions that a player lists, at least one.

    Raises Absent if the video does not exist, and EmptyResult, with the reason, if it has no captions that visitors can
    see. Raises ProviderError "blocked" if the player takes the service for a robot, and "refused" for its other
    refusals.
    """
    answer = answer_of(wire)
    response = player.find_response(answer)
    facts = player.read_facts(answer)
    status = facts.player_status
    if status == "blocked":
        raise make_blocked_error(facts.player_reason)
    if status in _WHY_NONE:
        words = f": {facts.player_reason}" if facts.player_reason else "."
        raise EmptyResult(_WHY_NONE[status] + words)
    if status == "refused":
        raise ProviderError(f"{TITLE} does not play this video: {facts.player_reason}", reason="refused")
    if status is None:
        raise ProviderError(f"{TITLE} sent a response that is not a player's.", reason="changed")
    found = [track for row in player.find_tracks(response) if (track := _track(row)) is not None]
    if not found:
        if player.find_tracks(response):
            raise ProviderError(f"{TITLE} lists captions without readable entries.", reason="changed")
        raise EmptyResult("This video has no transcript: it has neither manual nor auto-generated captions.")
    path = "captions.playerCaptionsTracklistRenderer.translationLanguages"
    rows = each(response, path + "[]") if isinstance(reach(response, path), list) else []
    languages = {
        code: line(row, "languageName") or code for row in rows if (code := take(row, "languageCode", to_line))
    }
    return Tracks(title=facts.title, channel=facts.channel.name, tracks=found, translations=languages)


def _track(row: dict[str, Any]) -> Track | None:
    code, url = take(row, "languageCode", to_line), row.get("baseUrl")
    if isinstance(url, str) and url.startswith("/"):
        url = "https://www.youtube.com" + url
    if code is None or not isinstance(url, str) or len(url) > 8_000 or not is_own_address(url):
        return None
    return Track(
        code=code,
        name=line(row, "name") or code,
        auto=player.is_automatic(row),
        translatable=bool(take(row, "isTranslatable", to_flag)),
        url=url,
    )


def choose(tracks: list[Track], language: Language) -> Track:
    """Choose the captions in a language.

    Tracks written by people come before automatic ones, and the same region before others. Without a match, return the
    captions in the spoken language.
    """
    wanted, base = language.casefold(), language.base.casefold()
    by_hand_first = sorted(tracks, key=lambda track: track.auto)
    codes = [track.code.casefold() for track in by_hand_first]
    for known in (codes, [code.partition("-")[0] for code in codes]):
        for name in (wanted, base):
            if name in known:
                return by_hand_first[known.index(name)]
    spoken = next((track.code for track in tracks if track.auto), None)
    return next((track for track in by_hand_first if track.code == spoken), by_hand_first[0])


def is_held(track: Track) -> bool:
    """Return whether the track's address would return an empty body."""
    return any(mark in track.url for mark in _HELD)


def address(track: Track, translate_to: str | None) -> str:
    """Return the address of the captions as JSON."""
    parts = urlsplit(track.url)
    kept = [(name, value) for name, value in parse_qsl(parts.query) if name not in ("fmt", "xosf", "tlang")]
    kept.append(("fmt", "json3"))
    if translate_to is not None:
        kept.append(("tlang", translate_to))
    return urlunsplit(("https", "www.youtube.com", parts.path, urlencode(kept), ""))


def read_lines(wire: Wire) -> Lines:
    """Parse the lines of captions, at least one.

    Accepts JSON (json3), the old and the newer XML form, and the segments of the transcript panel. Raises ProviderError
    "blocked" for an empty body and for a block page, and "changed" for any other form.
    """
    if not wire.body.strip():
        raise ProviderError(
            f"{TITLE} returned no captions because it provides them only to verified browsers.",
            reason="blocked",
        )
    if is_page(wire):
        found = _read_markup(wire)
    else:
        answer = json_of(wire)
        if isinstance(answer, dict) and isinstance(answer.get("events"), list):
            found = _read_events(answer["events"])
        else:
            found = _read_panel(answer_of(wire))
    if not found:
        raise ProviderError(f"{TITLE} sent captions without any text.", reason="changed")
    return Lines(lines=found)


def _read_events(events: list[Any]) -> list[Line]:
    found = []
    for event in events:
        pieces = event.get("segs") if isinstance(event, dict) else None
        if not isinstance(pieces, list):
            continue  # the position of captions on the picture
        written = "".join(
            piece["utf8"] for piece in pieces if isinstance(piece, dict) and isinstance(piece.get("utf8"), str)
        )
        start, text = take(event, "tStartMs", to_count), to_line(written)
        if start is None or text is None:
            continue  # a line break between automatic captions
        lasts = take(event, "dDurationMs", to_count)
        found.append(Line(start=start / 1000, duration=None if lasts is None else lasts / 1000, text=text))
    return found


def _read_markup(wire: Wire) -> list[Line]:
    page = html_of(wire)
    nodes = page.node.css("text[start]")
    scale, names = (1.0, ("start", "dur")) if nodes else (1000.0, ("t", "d"))
    found = []
    for node in nodes or page.node.css("p[t]"):
        start, lasts = (to_decimal(node.attributes.get(name)) for name in names)
        text = to_line(plain_text(node.text(deep=True)[:10_000]))  # the text is escaped twice
        if start is None or start < 0 or text is None:
            continue
        found.append(Line(start=start / scale, duration=None if lasts is None else lasts / scale, text=text))
    if not found and (block_page := find_block_page_in(wire, TITLE, page)) is not None:
        raise block_page
    if not found and not (nodes or page.has("transcript, timedtext")):
        raise ProviderError(f"{TITLE} sent a page instead of captions.", reason="changed")
    return found


def _read_panel(answer: dict[str, Any]) -> list[Line]:
    rows = reach(answer, _INITIAL)
    if not isinstance(rows, list):
        if player.is_player(answer):
            raise ProviderError(f"{TITLE} sent a list of captions in place of one.", reason="changed")
        raise ProviderError(f"{TITLE} sent a response without captions.", reason="changed")
    found = []
    for row in rows:
        node = reach(row, "transcriptSegmentRenderer")
        start, end = take(node, "startMs", to_count), take(node, "endMs", to_count)
        text = to_line(said(node, "snippet"))
        if start is None or text is None:
            continue  # the heading of a chapter
        lasts = None if end is None or end < start else (end - start) / 1000
        found.append(Line(start=start / 1000, duration=lasts, text=text))
    return found
