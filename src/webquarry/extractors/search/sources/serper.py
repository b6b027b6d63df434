"""Serper's web search: Google's results as JSON, with the operator's key.

Response format: docs/upstreams/search.md#serper.
"""

from dataclasses import replace
from itertools import islice

from webquarry.core.types import Provider, Wire
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import AnswerBox, KnowledgeGraph, Origin, Page, RelatedQuestion
from webquarry.extractors.search.model.window import PagedSource, Steps
from webquarry.extractors.search.sources import row_parts
from webquarry.extractors.search.sources.row_parts import FoundRow, link, read_text
from webquarry.net import Net
from webquarry.providers import serper_api
from webquarry.providers.languages import google_language
from webquarry.read import JsonObject, at, json_of, must
from webquarry.read.html import MAX_ROWS
from webquarry.read.losses import read_rows

TITLE = "Serper"
SERPER = Provider(name="serper", title=TITLE, needs=(serper_api.SERPER_KEY,))
ROWS = 10
"""Number of rows requested per page; Google itself no longer returns more."""
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
    """Parse a page. If nothing was found, the response is an empty list with Serper's interpretation of the query."""
    answer: JsonObject = must(json_of(wire), "", dict)
    rows = row_parts.list_results(map(_read_row, row_parts.list_objects(answer, "organic[]")), "organic[]")
    if answer.get("organic") == [] and at(answer, "searchParameters.q", str):
        return Page(organic=[], has_more=False, says_empty=True)
    if not rows:
        raise row_parts.without_rows(TITLE, "organic")
    return Page(
        organic=rows,
        answer_box=_answer_box(answer),
        knowledge_graph=_read_knowledge_graph(answer),
        videos=row_parts.read_videos(row_parts.list_objects(answer, "videos[]"), _VIDEO, "videos[]"),
        related_questions=read_rows(
            row_parts.list_objects(answer, "peopleAlsoAsk[]"), _read_question, "peopleAlsoAsk[]"
        ),
        related_searches=row_parts.list_searches(
            (read_text(near, "query") for near in row_parts.list_objects(answer, "relatedSearches[]")),
            "relatedSearches[]",
        ),
    )


def _read_row(row: JsonObject) -> FoundRow:
    return replace(FoundRow.read(row, _ROW), sitelinks=row_parts.read_sitelinks(row, "sitelinks", "link"))


def _read_question(row: JsonObject) -> RelatedQuestion | None:
    question = read_text(row, "question")
    if question is None:
        return None
    return RelatedQuestion(
        question=question,
        snippet=read_text(row, "snippet"),
        title=read_text(row, "title"),
        link=link(row, "link"),
    )


def _answer_box(answer: JsonObject) -> AnswerBox | None:
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


def _read_knowledge_graph(answer: JsonObject) -> KnowledgeGraph | None:
    graph = at(answer, "knowledgeGraph", dict)
    title = read_text(graph, "title")
    if graph is None or title is None:
        return None
    origin = read_text(graph, "descriptionSource")
    attributes = islice((at(graph, "attributes", dict) or {}).items(), MAX_ROWS)
    facts = ((name, read_text(value, "")) for name, value in attributes)
    return KnowledgeGraph(
        title=title,
        type=read_text(graph, "type"),
        description=read_text(graph, "description"),
        website=link(graph, "website"),
        image=link(graph, "imageUrl"),
        source=Origin(name=origin, link=link(graph, "descriptionLink")) if origin else None,
        attributes=row_parts.list_attributes(facts, "knowledgeGraph.attributes"),
    )


SOURCE = PagedSource(
    SERPER,
    TITLE,
    fetch,
    read,
    lambda _: Steps(rows=ROWS),
    keyed=True,
)
