"""The JSON of Brave's Search API."""

from typing import Any

from webquarry.extractors.search.engines import brave_api, pieces
from webquarry.extractors.search.engines.pieces import link, text
from webquarry.extractors.search.serp.result import KnowledgeGraph, Organic, Origin, Page, RelatedQuestion
from webquarry.read import Wire, at, json_of, must
from webquarry.read.html import MAX_ROWS

_ROW = {
    "title": "title",
    "link": "url",
    "snippet": "description",
    "date": "page_age",
    "source": "profile.name",
    "thumbnail": "thumbnail.src",
}
_VIDEO = {
    "title": "title",
    "link": "url",
    "source": "video.publisher",
    "channel": "video.creator",
    "duration": "video.duration",
    "date": "age",
    "thumbnail": "thumbnail.src",
}


def read(wire: Wire) -> Page:
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    rows = _rows(answer)
    if not rows and _is_empty(answer):
        return Page(organic=[], has_more=False, says_empty=True)
    if not rows:
        raise pieces.without_rows(brave_api.TITLE, "web.results")
    return Page(
        organic=rows,
        knowledge_graph=_knowledge_graph(answer),
        videos=pieces.videos(pieces.rows(answer, "videos.results[]"), _VIDEO),
        related_questions=[
            RelatedQuestion(
                question=question,
                snippet=text(asked, "answer"),
                title=text(asked, "title"),
                link=link(asked, "url"),
            )
            for asked in pieces.rows(answer, "faq.results[]")
            if (question := text(asked, "question"))
        ],
        has_more=at(answer, "query.more_results_available", bool),
    )


def _is_empty(answer: dict[str, Any]) -> bool:
    """Whether a search, told by its kind and its question, found nothing: the part for web results is left out or
    empty, and no more are to be had."""
    return (
        at(answer, "type", str) == "search"
        and bool(at(answer, "query.original", str))
        and at(answer, "query.more_results_available", bool) is False
        and not (answer.get("web") and (at(answer, "web.results", list) != []))
    )


def _rows(answer: dict[str, Any]) -> list[Organic]:
    listed: list[Organic] = []
    for row in pieces.rows(answer, "web.results[]"):
        for found in pieces.organic([row], _ROW):
            further = {
                "position": len(listed) + 1,
                "date": found.date or text(row, "age"),
                "displayed_link": _displayed(row),
                "sitelinks": pieces.sitelinks(row, "deep_results.buttons", "url"),
            }
            listed.append(found.model_copy(update=further))
    return listed


def _displayed(row: dict[str, Any]) -> str | None:
    return " ".join(filter(None, (text(row, "meta_url.hostname"), text(row, "meta_url.path")))) or None


def _knowledge_graph(answer: dict[str, Any]) -> KnowledgeGraph | None:
    box = at(answer, "infobox.results[0]", dict)
    title = text(box, "title")
    if box is None or title is None:
        return None
    origin = text(box, "providers[0].name")
    attributes = [pair for pair in (at(box, "attributes", list) or [])[:MAX_ROWS] if isinstance(pair, list)]
    return KnowledgeGraph(
        title=title,
        type=text(box, "category"),
        description=text(box, "long_desc") or text(box, "description"),
        website=link(box, "website_url"),
        image=link(box, "thumbnail.src"),
        source=Origin(name=origin, link=link(box, "providers[0].url")) if origin else None,
        attributes={name: value for pair in attributes if (name := text(pair, "[0]")) and (value := text(pair, "[1]"))},
    )
