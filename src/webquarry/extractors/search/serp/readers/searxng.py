"""SearXNG's JSON."""

from typing import Any

from webquarry.errors import ProviderError
from webquarry.extractors.search.engines import pieces, searxng
from webquarry.extractors.search.engines.pieces import link, text
from webquarry.extractors.search.serp.result import AnswerBox, KnowledgeGraph, Origin, Page
from webquarry.read import Wire, at, json_of, must
from webquarry.read.html import MAX_ROWS, plain_text

_ROW = {"title": "title", "link": "url", "snippet": "content", "date": "publishedDate", "thumbnail": "thumbnail"}
_VIDEO = {"title": "title", "link": "url", "channel": "author", "duration": "length", "date": "publishedDate",
          "thumbnail": "thumbnail"}  # fmt: skip
_VIDEOS = "videos.html"


def read(wire: Wire) -> Page:
    """Nothing found is believed when every engine has answered."""
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    results: list[Any] = must(answer, "results", list)
    rows = pieces.rows(results, "[]")
    shown = [row for row in rows if row.get("template") == _VIDEOS]
    organic = pieces.organic([row for row in rows if row.get("template") != _VIDEOS], _ROW)
    videos = pieces.videos(shown, _VIDEO)
    if not organic and not videos:
        if results:
            raise pieces.without_rows(searxng.TITLE, "results")
        if at(answer, "unresponsive_engines", list) != []:
            raise ProviderError(
                f"{searxng.TITLE}'s engines gave no results, and some of them failed.", reason="blocked"
            )
    total = at(answer, "number_of_results", int)
    return Page(
        organic=organic,
        answer_box=_answer_box(answer),
        knowledge_graph=_knowledge_graph(answer),
        videos=videos,
        related_searches=pieces.searches(answer, "suggestions[]"),
        total_results=total if total and total > 0 else None,
        says_empty=not results,
    )


def _answer_box(answer: dict[str, Any]) -> AnswerBox | None:
    """The first answer: an object, or a text as older instances have it."""
    for given in (at(answer, "answers", list) or [])[:MAX_ROWS]:
        said = plain_text(given) if isinstance(given, str) else text(given, "answer")
        if said:
            return AnswerBox(answer=said, link=link(given, "url") if isinstance(given, dict) else None)
    return None


def _knowledge_graph(answer: dict[str, Any]) -> KnowledgeGraph | None:
    for box in pieces.rows(answer, "infoboxes[]"):
        title = text(box, "infobox")
        if title is None:
            continue
        links = [(text(entry, "title") or "", link(entry, "url")) for entry in pieces.rows(box, "urls[]")]
        origin = text(box, "engine")
        return KnowledgeGraph(
            title=title,
            description=text(box, "content"),
            website=next((url for name, url in links if "official" in name.lower()), None),
            image=link(box, "img_src"),
            source=Origin(name=origin, link=link(box, "id")) if origin else None,
            attributes={
                name: value
                for entry in pieces.rows(box, "attributes[]")
                if (name := text(entry, "label")) and (value := text(entry, "value"))
            },
        )
    return None
