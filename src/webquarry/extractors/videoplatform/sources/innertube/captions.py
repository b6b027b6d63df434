"""Captions: the list of tracks, and parsers for the lines in every format that the platform sends."""

from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from selectolax.lexbor import LexborNode

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
from webquarry.extractors.videoplatform.sources.innertube.playability import PlayerStatus, judge
from webquarry.extractors.videoplatform.sources.innertube.texts import line, read_raw
from webquarry.read import at, each, each_given, json_of, take
from webquarry.read.block_pages import find_block_page_in, is_page
from webquarry.read.fields import to_count, to_decimal, to_flag, to_line
from webquarry.read.html import Element, html_of, plain_text
from webquarry.read.losses import read_rows
from webquarry.read.values import reach

_WHY_NONE: Final[dict[PlayerStatus, str]] = {
    "age_restricted": "The platform shows this video and its transcript to signed-in adults only",
    "region_restricted": "The platform does not show this video and its transcript in the region of the request",
    "paid": "The platform shows this video and its transcript to members or buyers only",
    "offline": "This stream is not running and has no transcript",
}
_HELD: Final = ("exp=xpe", "exp=xpv")
"""Parts of addresses that return an empty body to clients without proof of being a browser."""
_TRANSLATIONS: Final = "captions.playerCaptionsTracklistRenderer.translationLanguages[]"
_CHAPTER: Final = "transcriptSectionHeaderRenderer"
"""The heading of a chapter, among the lines of the panel."""
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

    Raises Absent if the video does not exist, and EmptyResult, with the reason, if it has no captions that users can
    see. Raises ProviderError "blocked" if the player suspects a robot, and "refused" if it gives another reason.
    """
    response = player.find_response(answer_of(wire))
    status, words = judge(response)
    if status == "blocked":
        raise make_blocked_error(words)
    if status in _WHY_NONE:
        raise EmptyResult(_WHY_NONE[status] + (f": {words}" if words else "."))
    if status == "refused":
        raise ProviderError(f"{TITLE} does not play this video: {words}", reason="refused")
    if status is None:
        raise ProviderError(f"{TITLE} sent something other than a player response.", reason="changed")
    rows = player.find_tracks(response)
    found = read_rows(rows, _track, player.TRACKS)
    if not found:
        if rows:
            raise ProviderError(f"{TITLE} lists captions without readable entries.", reason="changed")
        raise EmptyResult("This video has no transcript: it has neither manual nor auto-generated captions.")
    languages = read_rows(each_given(response, _TRANSLATIONS), _read_language, "translationLanguages[]")
    return Tracks(
        title=player.read_title(response),
        channel=player.read_channel(response).name,
        tracks=found,
        translations=dict(languages),
    )


def _read_language(row: dict[str, Any]) -> tuple[str, str] | None:
    code = take(row, "languageCode", to_line)
    return None if code is None else (code, line(row, "languageName") or code)


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

    Tracks written by people come before automatic ones, and tracks for the same region before other tracks. Without a
    match, return the captions in the spoken language.
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

    Accepts JSON (json3), the old and the new XML form, and the segments of the transcript panel. Raises ProviderError
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
        is_json3 = isinstance(answer, dict) and isinstance(answer.get("events"), list)
        found = _read_events(answer) if is_json3 else _read_panel(answer_of(wire))
    if not found:
        raise ProviderError(f"{TITLE} sent captions without any text.", reason="changed")
    return Lines(lines=found)


def _read_events(answer: dict[str, Any]) -> list[Line]:
    """Return the lines of json3, without entries for positions and for line breaks between automatic captions."""
    events = [event for event in each(answer, "events[]") if event.get("segs") is not None or not event]
    written = [(event, _read_written(event)) for event in events]
    return read_rows([(event, text) for event, text in written if not text.isspace()], _read_event, "events[]")


def _read_written(event: dict[str, Any]) -> str:
    return "".join(at(piece, "utf8", str) or "" for piece in each(event, "segs[]"))


def _read_event(event: tuple[dict[str, Any], str]) -> Line | None:
    times, text = event[0], to_line(event[1])
    start, lasts = take(times, "tStartMs", to_count), take(times, "dDurationMs", to_count)
    if start is None or text is None:
        return None
    return Line(start=start / 1000, duration=None if lasts is None else lasts / 1000, text=text)


class _Form(NamedTuple):
    """A form of captions in XML: its elements, the names of their attributes, and the parts of a second."""

    tag: str
    start: str
    duration: str
    scale: float

    @property
    def selector(self) -> str:
        return f"{self.tag}[{self.start}]"


_OLDER: Final = _Form("text", "start", "dur", 1.0)
_NEWER: Final = _Form("p", "t", "d", 1000.0)


def _read_markup(wire: Wire) -> list[Line]:
    page = html_of(wire)
    form = _OLDER if page.has(_OLDER.selector) else _NEWER
    written = ((node, _read_markup_text(node)) for node in page.node.css(form.selector))
    spoken = [(node, text) for node, text in written if text is not None]  # entries without text are pauses
    found = read_rows(spoken, lambda row: _read_node(*row, form), form.tag)
    if not found:
        _refuse_page(wire, page)
    return found


def _read_node(node: LexborNode, text: str, form: _Form) -> Line | None:
    start, lasts = (to_decimal(node.attributes.get(name)) for name in (form.start, form.duration))
    if start is None or start < 0:
        return None
    return Line(start=start / form.scale, duration=None if lasts is None else lasts / form.scale, text=text)


def _refuse_page(wire: Wire, page: Element) -> None:
    """Raise ProviderError if a page without lines is a block page or contains no captions."""
    if (block_page := find_block_page_in(wire, TITLE, page)) is not None:
        raise block_page
    if not page.has(f"{_OLDER.selector}, transcript, timedtext"):
        raise ProviderError(f"{TITLE} sent a page instead of captions.", reason="changed")


def _read_markup_text(node: LexborNode) -> str | None:
    return to_line(plain_text(node.text(deep=True)[:10_000]))  # the text is escaped twice


def _read_panel(answer: dict[str, Any]) -> list[Line]:
    if not isinstance(reach(answer, _INITIAL), list):
        if player.is_player(answer):
            raise ProviderError(f"{TITLE} sent a list of captions instead of one.", reason="changed")
        raise ProviderError(f"{TITLE} sent a response without captions.", reason="changed")
    rows = [row for row in each(answer, f"{_INITIAL}[]") if _CHAPTER not in row]
    return read_rows(rows, _read_segment, "initialSegments[]")


def _read_segment(row: dict[str, Any]) -> Line | None:
    node = row.get("transcriptSegmentRenderer")
    start, end = take(node, "startMs", to_count), take(node, "endMs", to_count)
    text = to_line(read_raw(node, "snippet"))
    if start is None or text is None:
        return None
    lasts = None if end is None or end < start else (end - start) / 1000
    return Line(start=start / 1000, duration=lasts, text=text)
