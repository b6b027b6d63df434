"""Web search: results, and the extras of the source (answer, facts, videos, questions, related searches).

Upstreams: sources whose key is set first, then the operator's own SearXNG instance, then public pages. Response format:
docs/upstreams/search.md. If the source itself reports that nothing was found, the list is empty. A page without results
and without such a report is a failure of the source.
"""

from urllib.parse import urlsplit

from webquarry.endpoints.declare import PAGE_DEADLINE_S, Extractor, hours
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import AnswerBox, KnowledgeGraph, Organic, RelatedQuestion, Search, Video
from webquarry.extractors.search.sources import bing, brave_html, duckduckgo, mojeek, serper, startpage
from webquarry.extractors.search.sources.untested import brave_api, google_cse, searxng
from webquarry.extractors.search.with_excerpts import FURTHER, MOST_PAGES, list_parts, write_excerpts
from webquarry.extractors.search.with_excerpts import run as run_with_excerpts
from webquarry.render import Bold, Line, Link, Md, Piece

SOURCES = (
    serper.SOURCE,
    brave_api.SOURCE,
    google_cse.SOURCE,
    searxng.SOURCE,
    duckduckgo.SOURCE,
    brave_html.SOURCE,
    startpage.SOURCE,
    mojeek.SOURCE,
    bing.SOURCE,
)
"""All sources, best first."""
NAMES = {paged.provider.name: paged.name for paged in SOURCES}


def render(r: Search) -> str:
    md = Md(f"Search: {r.query}" if r.page == 1 else f"Search: {r.query} (page {r.page})")
    if r.answer_box:
        md.quote(*_answer(r.answer_box))
    if r.knowledge_graph:
        md.heading(r.knowledge_graph.title).facts(_write_facts(r.knowledge_graph))
    start = r.organic_results[0].position if r.organic_results else 1
    md.numbered("Results", map(_write_row, r.organic_results), start=start)
    if not r.organic_results:
        md.paragraph("The provider found no results." if r.page == 1 else "The provider has no results on this page.")
    md.numbered("Videos", map(_write_video, r.videos))
    if r.related_questions:
        md.heading("People also ask")
        for question in r.related_questions:
            _write_question(md, question)
    md.bullets("Related searches", [near.query for near in r.related_searches])
    if r.has_more:
        md.paragraph(f"More results: page {r.page + 1}.")
    excerpts = write_excerpts(r.organic_results)
    return md.markdown(excerpts).bullets("Notes", r.warnings).source(NAMES[r.provider]).text()


def _answer(box: AnswerBox) -> list[Line]:
    return [
        Bold(box.title) if box.title else None,
        box.answer,
        box.snippet if box.snippet != box.answer else None,
        Link(urlsplit(box.link).hostname or box.link, box.link) if box.link else None,
    ]


def _write_facts(graph: KnowledgeGraph) -> list[tuple[str, Line]]:
    origin = graph.source
    return [
        ("Kind", graph.type),
        ("Description", graph.description),
        ("Site", graph.website),
        *graph.attributes.items(),
        ("From", Link(origin.name, origin.link) if origin else None),
    ]


def _write_row(row: Organic) -> list[Line]:
    sitelinks: list[Piece] = []
    for near in row.sitelinks:
        sitelinks += ["·", Link(near.title, near.link)] if sitelinks else [Link(near.title, near.link)]
    return [(Link(row.title, row.link), row.date), row.snippet, tuple(sitelinks)]


def _write_video(video: Video) -> list[Line]:
    beside = " · ".join(filter(None, (video.channel or video.source, video.duration, video.date)))
    return [(Link(video.title, video.link), beside)]


def _write_question(md: Md, question: RelatedQuestion) -> None:
    source = Link(question.title or question.link or "", question.link) if question.link else None
    md.paragraph(Bold(question.question)).paragraph(question.snippet).paragraph(source)


_VERSION = 3
_WITH_EXCERPTS = Extractor(
    name="search",
    path="/search",
    version=_VERSION,
    group="search",
    title="Web search with excerpts",
    description=(
        f"also reads the pages of the first {MOST_PAGES} results and adds the excerpts that answer the query. Each "
        "page that is read and not cached costs 1 more credit. A page that fails or is slow costs nothing, and "
        "`warnings` names it."
    ),
    params=SearchParams,
    result=Search,
    credits=1 + MOST_PAGES,
    fresh=None,
    deadline_s=PAGE_DEADLINE_S,
    run=run_with_excerpts,
    parts=list_parts,
    further=FURTHER,
    render=render,
    example={"q": "coffee"},
)
extractor = Extractor(
    name="search",
    path="/search",
    version=_VERSION,
    group="search",
    title="Web search",
    description=(
        "Returns web search results with title, URL, snippet and position and, if available, an answer box, a "
        "knowledge graph, videos, related questions and related searches. Which of these are available depends on "
        "the provider. `warnings` lists parameters that the provider doesn't support."
    ),
    params=SearchParams,
    result=Search,
    credits=1,
    fresh=hours(1),
    sources=tuple(paged.source() for paged in SOURCES),
    render=render,
    variants={"excerpts": _WITH_EXCERPTS},
    example={"q": "coffee"},
)
