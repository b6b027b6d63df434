"""SearXNG: the operator's own instance, which queries many engines and returns JSON.

Response format: docs/upstreams/search.md#searxng. Its settings must list `json` under `search.formats`.
"""

from typing import Any
from urllib.parse import urlencode

from webquarry.core.errors import ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import AnswerBox, KnowledgeGraph, Origin, Page
from webquarry.extractors.search.model.window import PagedSource, Steps
from webquarry.extractors.search.sources import row_parts
from webquarry.extractors.search.sources.addresses import refuses_long
from webquarry.extractors.search.sources.row_parts import FoundRow, link, read_text
from webquarry.net import Net
from webquarry.providers import answers, languages
from webquarry.read import JsonObject, at, json_of, must
from webquarry.read.html import MAX_ROWS, plain_text

TITLE = "The SearXNG instance"
SEARXNG = Provider(
    name="searxng",
    title="your SearXNG instance",
    politeness=Politeness(spacing_s=0.5, concurrency=2),
    needs=("searxng_url",),
    unproven=True,
)
PAGES = 4
ROWS = 25
"""Approximate number of rows on a page of several engines. It only decides which page is requested."""
_ROW = {"title": "title", "link": "url", "snippet": "content", "date": "publishedDate", "thumbnail": "thumbnail"}
_VIDEO = {"title": "title", "link": "url", "channel": "author", "duration": "length", "date": "publishedDate",
          "thumbnail": "thumbnail"}  # fmt: skip
_VIDEOS = "videos.html"


async def fetch(params: SearchParams, net: Net, page: int) -> Wire:
    """Request a page of results, counted from 0. Its number of rows depends on the engines that SearXNG queries."""
    fields = {
        "q": params.q,
        "format": "json",
        "pageno": str(page + 1),
        "language": languages.regional(params.hl, params.gl),
        "safesearch": "0",
        "categories": "general",
    }
    url = f"{net.setting('searxng_url')}/search?{urlencode(fields)}"
    wire = await net.get(
        url, accept="application/json", ok_on=(200, 403), absent_on=(), max_bytes=answers.MAX_ANSWER_BYTES
    )
    if wire.status == 403:
        raise ProviderError(
            "The SearXNG instance does not return JSON. Add json to search.formats in its settings.",
            reason="refused",
        )
    return wire


def read(wire: Wire) -> Page:
    """Parse a page. An empty page is accepted as "nothing found" only if every engine responded."""
    answer: JsonObject = must(json_of(wire), "", dict)
    results: list[Any] = must(answer, "results", list)
    rows = row_parts.list_objects(results, "[]")
    pages = (FoundRow.read(row, _ROW) for row in rows if row.get("template") != _VIDEOS)
    organic = row_parts.list_results(pages, "results[]")
    videos = row_parts.read_videos((row for row in rows if row.get("template") == _VIDEOS), _VIDEO, "results[]")
    if not organic and not videos:
        if results:
            raise row_parts.without_rows(TITLE, "results")
        if at(answer, "unresponsive_engines", list) != []:
            raise ProviderError(f"{TITLE}'s engines returned no results, and some of them failed.", reason="blocked")
    total = at(answer, "number_of_results", int)
    return Page(
        organic=organic,
        answer_box=_answer_box(answer),
        knowledge_graph=_read_knowledge_graph(answer),
        videos=videos,
        related_searches=row_parts.read_searches(answer, "suggestions[]"),
        total_results=total if total and total > 0 else None,
        says_empty=not results,
    )


def _answer_box(answer: JsonObject) -> AnswerBox | None:
    """Return the first answer, which is an object, or a string in older versions."""
    for given in (at(answer, "answers", list) or [])[:MAX_ROWS]:
        answer_text = plain_text(given) if isinstance(given, str) else read_text(given, "answer")
        if answer_text:
            return AnswerBox(answer=answer_text, link=link(given, "url") if isinstance(given, dict) else None)
    return None


def _read_knowledge_graph(answer: JsonObject) -> KnowledgeGraph | None:
    for box in row_parts.list_objects(answer, "infoboxes[]"):
        title = read_text(box, "infobox")
        if title is None:
            continue
        urls = row_parts.list_objects(box, "urls[]")
        links = [(read_text(entry, "title") or "", link(entry, "url")) for entry in urls]
        facts = row_parts.list_objects(box, "attributes[]")
        origin = read_text(box, "engine")
        return KnowledgeGraph(
            title=title,
            description=read_text(box, "content"),
            website=next((url for name, url in links if "official" in name.lower()), None),
            image=link(box, "img_src"),
            source=Origin(name=origin, link=link(box, "id")) if origin else None,
            attributes=row_parts.list_attributes(
                ((read_text(fact, "label"), read_text(fact, "value")) for fact in facts), "attributes[]"
            ),
        )
    return None


SOURCE = PagedSource(
    SEARXNG,
    TITLE,
    fetch,
    read,
    lambda _: Steps(rows=ROWS, pages=PAGES, walked=True),
    refuses=refuses_long(TITLE),
)
