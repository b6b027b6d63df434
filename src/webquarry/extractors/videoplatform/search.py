"""Search for videos, channels and playlists on the video platform.

Providers: YouTube's Data API if its key is set, otherwise the request of YouTube's own results page. See
docs/upstreams/video-platform.md. The list is empty only if the provider reports that nothing was found. Any other page
without rows raises ProviderError.
"""

import base64
from collections.abc import Sequence
from typing import Any, Final, Literal

from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Result, Source, field, hours
from webquarry.extractors.videoplatform.model.figures import write_day, write_length, write_states
from webquarry.extractors.videoplatform.model.ids import is_channel_id, is_video_id, make_channel_url, watch_url
from webquarry.extractors.videoplatform.model.result import SourceName, VideoFacts
from webquarry.extractors.videoplatform.model.row import Row, make_row
from webquarry.extractors.videoplatform.model.search_params import FOREIGN, Kind, SearchParams, Sort
from webquarry.extractors.videoplatform.sources import data_api
from webquarry.extractors.videoplatform.sources.innertube import nodes
from webquarry.extractors.videoplatform.sources.innertube.calls import INNERTUBE, SITE, TITLE, answer_of, call
from webquarry.extractors.videoplatform.sources.innertube.texts import line
from webquarry.net import Net
from webquarry.read import each, each_given, json_of, take
from webquarry.read.fields import to_count, to_instant, to_line
from webquarry.read.html import plain_text
from webquarry.read.losses import read_rows
from webquarry.read.values import reach, reach_list
from webquarry.render import Link, Md

SORTS: Final[dict[Sort, int]] = {"relevance": 0, "rating": 1, "date": 2, "views": 3}
KINDS: Final[dict[Kind, int]] = {"all": 0, "video": 1, "channel": 2, "playlist": 3}
API_SORTS: Final[dict[Sort, str]] = {"relevance": "relevance", "rating": "rating", "date": "date", "views": "viewCount"}
AS_WRITTEN: Final = bytes((0xF0, 0x01, 0x01))
"""Field 30 of the filter: search for the query exactly as written, without a silent correction."""
API_ROWS: Final = 20
_ITEMS: Final = "itemSectionRenderer.contents[]"
_SHELVES: Final = ("gridShelfViewModel.contents", "reelShelfRenderer.items")
_MARKS: Final = ("messageRenderer", "backgroundPromoRenderer")
_CORRECTIONS: Final[dict[str, Literal["suggested", "applied"]]] = {
    "didYouMeanRenderer": "suggested",
    "showingResultsForRenderer": "applied",
}


class Found(Row):
    position: int = field("Position in the results, starting at 1 and counted over all pages.")


class Search(Result):
    query: str = field("Search query.")
    type: Kind = field("Search query.")
    sort: Sort = field("Requested order.")
    count: int = field("Number of results on this page.")
    estimated_results: int | None = field("Estimated number of results.", wire="estimatedResults")
    corrected_query: str | None = field("Corrected query suggested by the platform.", wire="correctedQuery")
    correction: Literal["suggested", "applied"] | None = field(
        "Whether the corrected query is a suggestion or was used instead of the query."
    )
    results: list[Found] = field("Results in the platform's order. Shorts appear at the position of their shelf.")
    next_cursor: str | None = field(
        "Cursor for the next page; null on the last page.", wire="continuationCommand.token"
    )
    source: SourceName = field("Name of the provider.")
    warnings: list[str] = field("Warnings about this response.")


def filter_of(kind: Kind, sort: Sort) -> str:
    """Encode the filter as a protobuf message. Field 1 is the order; field 2 is a message whose field 2 is the kind."""
    order = bytes((0x08, SORTS[sort])) if SORTS[sort] else b""
    kinds = bytes((0x12, 0x02, 0x10, KINDS[kind])) if KINDS[kind] else b""
    return base64.urlsafe_b64encode(order + kinds + AS_WRITTEN).decode().replace("=", "%3D")


async def fetch(params: SearchParams, net: Net) -> Wire:
    token = params.token_of(INNERTUBE.name)
    question = (
        {"query": params.q, "params": filter_of(params.type, params.sort)} if token is None else {"continuation": token}
    )
    return await call(net, "search", question, language=str(params.hl), country=params.gl.upper())


def read(wire: Wire, params: SearchParams) -> Search:
    """Parse a page of results, the first or a later one.

    Raises ProviderError "changed" for a page without rows that does not report an empty list.
    """
    answer = answer_of(wire)
    sections = _list_sections(answer)
    items = [item for section in sections for item in _list_items(section)]
    rows, lost = nodes.read_listed(items, wire.fetched_at, _ITEMS)
    if not rows and (lost or not any(mark in item for item in items for mark in _MARKS)):
        raise ProviderError(f"{TITLE} sent a results page without readable entries.", reason="changed")
    corrected, correction = _read_correction(items)
    return _search(
        params,
        "innertube",
        rows,
        nodes.read_continuation(sections),
        estimated_results=take(answer, "estimatedResults", to_count),
        corrected_query=corrected,
        correction=correction,
        warnings=_list_warnings(lost, sum("shelfRenderer" in item for item in items)),
    )


def _list_warnings(lost: int, shelves: int = 0) -> list[str]:
    warnings = [f"{lost} results could not be parsed."] if lost else []
    if shelves:
        warnings.append(f"Shelves with other viewers' videos were omitted: {shelves}.")
    return warnings


def _list_sections(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the provider's sections of a results page, which may be the first or a later page."""
    path = "contents.twoColumnSearchResultsRenderer.primaryContents.sectionListRenderer.contents"
    if isinstance(reach(answer, path), list):
        return each(answer, f"{path}[]")
    for command in reach_list(answer, "onResponseReceivedCommands", 20):
        for name in ("appendContinuationItemsAction", "reloadContinuationItemsCommand"):
            if isinstance(reach(command, f"{name}.continuationItems"), list):
                return each(command, f"{name}.continuationItems[]")
    raise ProviderError(f"{TITLE} sent a response that is not a results page.", reason="changed")


def _list_items(section: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the provider's items of a section. A shelf of shorts is replaced with its items."""
    found: list[dict[str, Any]] = []
    for item in each_given(section, _ITEMS)[: nodes.MAX_ROWS]:
        shelf = next((path for path in _SHELVES if isinstance(reach(item, path), list)), None)
        found += [item] if shelf is None else each(item, f"{shelf}[]")
    return found


def _read_correction(items: Sequence[dict[str, Any]]) -> tuple[str | None, Literal["suggested", "applied"] | None]:
    for item in items:
        for name, correction in _CORRECTIONS.items():
            if (corrected := line(item, f"{name}.correctedQuery")) is not None:
                return corrected, correction
    return None, None


def _search(params: SearchParams, source: SourceName, rows: Sequence[Row], token: str | None, **others: Any) -> Search:
    unique = {(row.type, row.id): row for row in reversed(rows)}
    listed = [row for row in rows if unique.pop((row.type, row.id), None) is not None]
    cursor = params.next_cursor(source, token, len(listed))
    return Search(
        query=params.q,
        type=params.type,
        sort=params.sort,
        count=len(listed),
        results=[
            Found(**{**{name: getattr(row, name) for name in Row.model_fields}, "position": place})
            for place, row in enumerate(listed, params.before + 1)
        ],
        next_cursor=cursor,
        source=source,
        **others,
    )


async def ask_api(params: SearchParams, net: Net) -> tuple[Search, Wire]:
    """Fetch a page of results. A second request fetches the counts of its videos, which search results lack."""
    wire = await data_api.ask(
        net,
        "search",
        part="snippet",
        q=params.q,
        type="video,channel,playlist" if params.type == "all" else params.type,
        order=API_SORTS[params.sort],
        regionCode=params.gl.upper(),
        relevanceLanguage=params.hl.base,
        maxResults=str(API_ROWS),
        pageToken=params.token_of(data_api.DATA_API.name) or "",
    )
    found = await net.read(read_api, wire, params)
    videos = [row.id for row in found.results if row.type == "video"]
    if not videos:
        return found, wire
    try:
        counted = await data_api.ask(net, "videos", part="contentDetails,statistics", id=",".join(videos))
        numbers = await net.read(data_api.read_numbers, counted)
    except ProviderError as error:
        lacking = [*found.warnings, f"Lengths and views are missing. {error.message}"]
        return found.model_copy(update={"warnings": lacking}), wire
    by_id = {facts.id: facts for facts in numbers.videos}
    rows = [_with_numbers(row, by_id.get(row.id)) for row in found.results]
    return found.model_copy(update={"results": rows}), wire


def _with_numbers(row: Found, facts: VideoFacts | None) -> Found:
    if facts is None:
        return row
    return row.model_copy(update={"duration_seconds": facts.duration_seconds, "view_count": facts.view_count})


def read_api(wire: Wire, params: SearchParams) -> Search:
    items = data_api.list_items(wire)
    rows = read_rows(items, _read_api_row, "items[]")
    if items and not rows:
        raise ProviderError("YouTube's Data API sent results without readable entries.", reason="changed")
    lost = len(items) - len(rows)
    answer = json_of(wire)
    return _search(
        params,
        "youtube_data_api",
        rows,
        take(answer, "nextPageToken", to_line),
        estimated_results=take(answer, "pageInfo.totalResults", to_count),
        corrected_query=None,
        correction=None,
        warnings=_list_warnings(lost),
    )


def _read_api_row(item: dict[str, Any]) -> Row | None:
    snippet, named = reach(item, "snippet"), reach(item, "id")
    title = to_line(plain_text(take(snippet, "title", to_line) or ""))  # the API returns the title as HTML
    video, channel, playlist = (take(named, f"{kind}Id", to_line) for kind in ("video", "channel", "playlist"))
    facts: dict[str, Any]
    if video is not None and is_video_id(video):
        facts = {"type": "video", "id": video, "url": watch_url(video)}
    elif playlist is not None:
        facts = {"type": "playlist", "id": playlist, "url": f"{SITE}/playlist?list={playlist}"}
    elif channel is not None and is_channel_id(channel):
        facts = {"type": "channel", "id": channel, "url": make_channel_url(channel)}
    else:
        return None
    if title is None:
        return None
    state = take(snippet, "liveBroadcastContent", to_line)
    return make_row(
        **{
            **facts,
            "title": title,
            "channel": data_api.read_channel(snippet),
            "description_snippet": to_line(plain_text(take(snippet, "description", to_line) or "")),
            "published_at": take(snippet, "publishedAt", to_instant),
            "live": state == "live",
            "upcoming": state == "upcoming",
            "thumbnail_url": data_api.read_thumbnail(snippet),
        }
    )


def render(r: Search) -> str:
    page = Md(f"{r.query}: videos" if r.type in ("video", "all") else f"{r.query}: {r.type}s")
    if r.corrected_query is not None:
        lead = "Searched instead for" if r.correction == "applied" else "Suggested query"
        page.paragraph(f"{lead}: {r.corrected_query}")
    if not r.results:
        page.paragraph("The platform found no results.")
    start = r.results[0].position if r.results else 1
    page.numbered("Results", [_entry(row) for row in r.results], start)
    if r.next_cursor is not None:
        page.paragraph("There are more results. Use next_cursor for the next page.")
    for sentence in r.warnings:
        page.paragraph(sentence)
    return page.source("YouTube").text()


def _entry(row: Found) -> tuple[Any, ...]:
    facts = (
        _name_kind(row),
        row.channel.name if row.type != "channel" else row.channel.handle,
        write_length(row.duration_seconds),
        row.view_count_text or _count("views", row.view_count),
        row.channel.subscriber_count_text,
        _count("videos", row.video_count),
        row.published_text or write_day(row.published_at),
        write_states(((row.live, "live"), (row.upcoming and not row.live, "upcoming"))),
        write_states([(row.members_only, "members only")]),
    )
    return Link(row.title, row.url), ", ".join(filter(None, facts)), row.description_snippet


def _name_kind(row: Found) -> str | None:
    if row.is_short:
        return "short"
    return None if row.type == "video" else row.type


def _count(things: str, number: int | None) -> str | None:
    return None if number is None else f"{number:,} {things}"


def _not_api(params: SearchParams) -> str | None:
    return None if params.is_of(data_api.DATA_API.name) else FOREIGN


def _not_innertube(params: SearchParams) -> str | None:
    return None if params.is_of(INNERTUBE.name) else FOREIGN


extractor = Extractor(
    name="videoplatform_search",
    path="/videoplatform/search",
    version=2,
    group="videoplatform",
    title="Video search",
    description=(
        "Lists YouTube videos, channels or playlists for a query, by relevance, date, views or rating. Each page "
        "has about 20 results. If the platform suggests another spelling, the response includes it. For the next "
        "page, pass `next_cursor` as `cursor` with the same parameters. Each page costs one credit. An empty list "
        "means that nothing was found."
    ),
    params=SearchParams,
    result=Search,
    credits=1,
    fresh=hours(1),
    sources=(
        Source(data_api.DATA_API, None, read_api, ask=ask_api, skips=_not_api),
        Source(INNERTUBE, fetch, read, skips=_not_innertube),
    ),
    render=render,
    example={"q": "harbour in winter"},
)
