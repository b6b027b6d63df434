"""Serper's web search: Google's results as JSON, with the operator's key.

Wire notes: docs/upstreams/search.md#serper.
"""

from itertools import islice
from typing import Any

from webquarry.core.types import Provider, Wire
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import (
    AnswerBox,
    KnowledgeGraph,
    Organic,
    Origin,
    Page,
    RelatedQuestion,
    RelatedSearch,
)
from webquarry.extractors.search.model.window import PagedSource, Steps
from webquarry.extractors.search.sources import row_parts
from webquarry.extractors.search.sources.row_parts import link, read_text
from webquarry.net import Net
from webquarry.providers import serper_api
from webquarry.providers.languages import google_language
from webquarry.read import at, json_of, must
from webquarry.read.html import MAX_ROWS

TITLE = "Serper"
SERPER = Provider(name="serper", title=TITLE, needs=(serper_api.SERPER_KEY,))
ROWS = 10
"""Number of rows requested per page; Google itself has not returned more for a long time."""
_ROW = {"title": "title", "link": "link", "snippet": "snippet", "date": "date", "thumbnail": "imageUrl"}
_VIDEO = {
    "title": "title",
    "link": "link",
    "source": "source",
    "channel": "channel",
    "duration": "duration",
    "date": "date",
    "thumbnail": "imageUrl",
}


async def fetch(params: SearchParams, net: Net, page: int) -> Wire:
    """Request a page of results, counted from 0."""
    question: dict[str, str | int] = {
        "q": params.q,
        "gl": str(params.gl),
        "hl": google_language(params.hl).lower(),
        "num": ROWS,
        "page": page + 1,
    }
    return await serper_api.ask("search", question, SERPER, net)


def read(wire: Wire) -> Page:
    """Parse a page; "nothing found" is an empty list with the query as Serper understood it."""
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    rows = _read_rows(answer)
    if answer.get("organic") == [] and at(answer, "searchParameters.q", str):
        return Page(organic=[], has_more=False, says_empty=True)
    if not rows:
        raise row_parts.without_rows(TITLE, "organic")
    return Page(
        organic=rows,
        answer_box=_answer_box(answer),
        knowledge_graph=_read_knowledge_graph(answer),
        videos=row_parts.read_videos(row_parts.read_rows(answer, "videos[]"), _VIDEO),
        related_questions=[
            RelatedQuestion(
                question=question,
                snippet=read_text(asked, "snippet"),
                title=read_text(asked, "title"),
                link=link(asked, "link"),
            )
            for asked in row_parts.read_rows(answer, "peopleAlsoAsk[]")
            if (question := read_text(asked, "question"))
        ],
        related_searches=[
            RelatedSearch(query=query)
            for near in row_parts.read_rows(answer, "relatedSearches[]")
            if (query := read_text(near, "query"))
        ],
    )


def _read_rows(answer: dict[str, Any]) -> list[Organic]:
    listed: list[Organic] = []
    for row in row_parts.read_rows(answer, "organic[]"):
        for found in row_parts.read_organic([row], _ROW):
            further = {"position": len(listed) + 1, "sitelinks": row_parts.read_sitelinks(row, "sitelinks", "link")}
            listed.append(found.model_copy(update=further))
    return listed


def _answer_box(answer: dict[str, Any]) -> AnswerBox | None:
    box = at(answer, "answerBox", dict)
    if box is None:
        return None
    found = AnswerBox(
        title=read_text(box, "title"),
        answer=read_text(box, "answer"),
        snippet=read_text(box, "snippet"),
        link=link(box, "link"),
    )
    return found if found.answer or found.snippet else None


def _read_knowledge_graph(answer: dict[str, Any]) -> KnowledgeGraph | None:
    graph = at(answer, "knowledgeGraph", dict)
    title = read_text(graph, "title")
    if graph is None or title is None:
        return None
    origin = read_text(graph, "descriptionSource")
    attributes = islice((at(graph, "attributes", dict) or {}).items(), MAX_ROWS)
    return KnowledgeGraph(
        title=title,
        type=read_text(graph, "type"),
        description=read_text(graph, "description"),
        website=link(graph, "website"),
        image=link(graph, "imageUrl"),
        source=Origin(name=origin, link=link(graph, "descriptionLink")) if origin else None,
        attributes={name: shown for name, value in attributes if (shown := read_text(value, ""))},
    )


SOURCE = PagedSource(
    SERPER,
    TITLE,
    fetch,
    read,
    lambda _: Steps(rows=ROWS),
    keyed=True,
)
