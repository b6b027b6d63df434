"""A search's answer as markdown."""

from urllib.parse import urlsplit

from webquarry.extractors.search.serp.result import AnswerBox, KnowledgeGraph, Organic, RelatedQuestion, Search, Video
from webquarry.extractors.search.serp.sources import SOURCES
from webquarry.render import Bold, Line, Link, Md, Piece

NAMES = {paged.provider.name: paged.name for paged in SOURCES}


def render(r: Search) -> str:
    md = Md(f"Search: {r.query}" if r.page == 1 else f"Search: {r.query} (page {r.page})")
    if r.answer_box:
        md.quote(*_answer(r.answer_box))
    if r.knowledge_graph:
        md.heading(r.knowledge_graph.title).facts(_facts(r.knowledge_graph))
    start = r.organic_results[0].position if r.organic_results else 1
    md.numbered("Results", map(_row, r.organic_results), start=start)
    if not r.organic_results:
        md.paragraph("The source found no results." if r.page == 1 else "The source has no results on this page.")
    md.numbered("Videos", map(_video, r.videos))
    if r.related_questions:
        md.heading("People also ask")
        for asked in r.related_questions:
            _question(md, asked)
    md.bullets("Related searches", [near.query for near in r.related_searches])
    if r.has_more:
        md.paragraph(f"More results: page {r.page + 1}.")
    return md.bullets("Notes", r.warnings).source(NAMES[r.provider]).text()


def _answer(box: AnswerBox) -> list[Line]:
    return [
        Bold(box.title) if box.title else None,
        box.answer,
        box.snippet if box.snippet != box.answer else None,
        Link(urlsplit(box.link).hostname or box.link, box.link) if box.link else None,
    ]


def _facts(graph: KnowledgeGraph) -> list[tuple[str, Line]]:
    origin = graph.source
    return [
        ("Kind", graph.type),
        ("Description", graph.description),
        ("Site", graph.website),
        *graph.attributes.items(),
        ("From", Link(origin.name, origin.link) if origin else None),
    ]


def _row(row: Organic) -> list[Line]:
    sitelinks: list[Piece] = []
    for near in row.sitelinks:
        sitelinks += ["·", Link(near.title, near.link)] if sitelinks else [Link(near.title, near.link)]
    return [(Link(row.title, row.link), row.date), row.snippet, tuple(sitelinks)]


def _video(video: Video) -> list[Line]:
    beside = " · ".join(filter(None, (video.channel or video.source, video.duration, video.date)))
    return [(Link(video.title, video.link), beside)]


def _question(md: Md, asked: RelatedQuestion) -> None:
    source = Link(asked.title or asked.link or "", asked.link) if asked.link else None
    md.paragraph(Bold(asked.question)).paragraph(asked.snippet).paragraph(source)
