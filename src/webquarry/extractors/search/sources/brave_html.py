"""Brave Search's page of web results. Response format: docs/upstreams/search.md#brave-html.

Class names that change with each build are never matched.
"""

from urllib.parse import urlencode

from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import (
    KnowledgeGraph,
    Origin,
    Page,
    RelatedQuestion,
    RelatedSearch,
)
from webquarry.extractors.search.model.window import PagedSource, Steps
from webquarry.extractors.search.sources import browser, row_parts
from webquarry.extractors.search.sources.addresses import refuses_long
from webquarry.net import Net
from webquarry.providers import answers, languages
from webquarry.providers.browser import plain_headers
from webquarry.read.html import Element, html_of
from webquarry.read.losses import read_rows

TITLE = "Brave Search"
BRAVE_HTML = Provider(
    name="brave_html",
    walled=True,
    title=f"{TITLE} (HTML)",
    politeness=Politeness(spacing_s=2.0, concurrency=1),
    browser_headers=plain_headers(),
    keeps_cookies=True,
)
URL = "https://search.brave.com/search"
ROWS = 20
PAGES = 10
_ROWS = 'div.snippet[data-type="web"]'
_QUESTIONS, _SEARCHES, _SITELINKS = "#faq .faq-item", "a.related-query", ".result-cluster a.title"
_FACTS = ".infobox-attr"
_WEB = 'a[href^="http"]'
_NOTHING_FOUND = "Not many great matches came back for your search"
"""Text for "no results". It is known from other projects' code, in English only. No recorded page has it."""


async def fetch(params: SearchParams, net: Net, page: int) -> Wire:
    """Request a page of results, counted from 0. Country and language are sent as cookies."""
    fields = {"q": params.q, "source": "web", **({"offset": str(page)} if page else {})}
    wire = await net.get(
        f"{URL}?{urlencode(fields)}",
        headers={"Accept-Language": languages.accept_language(params.hl, params.gl)},
        cookies={
            "country": params.gl,
            "ui_lang": languages.regional(params.hl, params.gl).lower(),
            "useLocation": "0",
            "summarizer": "0",
            "safesearch": "off",
        },
        ok_on=(200, 429),
        absent_on=(),
        max_bytes=answers.MAX_ANSWER_BYTES,
    )
    if wire.status == 429:
        raise browser.shut(TITLE, wire.status)
    return wire


def read(wire: Wire) -> Page:
    page = html_of(wire)
    listed = row_parts.list_results(map(_read_row, page.rows(_ROWS)), _ROWS)
    if not listed and _NOTHING_FOUND in (page.text("#results") or ""):
        return Page(organic=[], says_empty=True)
    if not listed:
        raise browser.without_rows(wire, page, TITLE)
    return Page(
        organic=listed,
        knowledge_graph=_read_knowledge_graph(page),
        related_questions=read_rows(page.rows(_QUESTIONS), _read_question, _QUESTIONS),
        related_searches=read_rows(page.rows(_SEARCHES), _read_search, _SEARCHES),
        has_more=row_parts.has_later_page(page, "#pagination", "offset", wire),
    )


def _read_row(row: Element) -> row_parts.FoundRow:
    return row_parts.FoundRow(
        title=row.text('[class*="title"]'),
        link=row.link(_WEB),
        displayed_link=row.text("cite"),
        snippet=row.text(".content", without="span.t-secondary, .snippet-attributes"),
        date=_read_date(row),
        source=row.text(".site-name-content > div"),
        thumbnail=row.link(".thumbnail img", "src"),
        sitelinks=row_parts.list_sitelinks(((near.plain, near.link("a")) for near in row.rows(_SITELINKS)), _SITELINKS),
    )


def _read_question(block: Element) -> RelatedQuestion | None:
    question = block.text("summary .title")
    if question is None:
        return None
    return RelatedQuestion(
        question=question, snippet=block.text(".content"), title=block.text("a .title"), link=block.link(_WEB)
    )


def _read_search(near: Element) -> RelatedSearch | None:
    return RelatedSearch(query=near.plain, link=near.link("a")) if near.plain else None


def _read_date(row: Element) -> str | None:
    """Return the date before the snippet, without the dash after it, or the date below a video's snippet."""
    shown = row.text(".content span.t-secondary")
    return shown.rstrip(" -–—") or None if shown else row.text(".video-snippet .snippet-attributes .t-tertiary")


def _read_knowledge_graph(page: Element) -> KnowledgeGraph | None:
    box = page.first("#infobox")
    title = box.text(".infobox-header-title") if box else None
    if box is None or title is None:
        return None
    described = ".infobox-section > section"
    origin = box.text(f"{described} a")
    facts = ((fact.text(".infobox-attr-name"), fact.text(".attr-value")) for fact in box.rows(_FACTS))
    return KnowledgeGraph(
        title=title,
        type=box.text(".infobox-header div.t-tertiary"),
        description=box.text(described, without="a"),
        website=box.link(".infobox-website a"),
        image=box.link(".infobox-images img", "src"),
        source=Origin(name=origin, link=box.link(f"{described} a")) if origin else None,
        attributes=row_parts.list_attributes(facts, _FACTS),  # each occurs twice, once per screen width
    )


SOURCE = PagedSource(
    BRAVE_HTML,
    TITLE,
    fetch,
    read,
    lambda _: Steps(rows=ROWS, pages=PAGES),
    refuses=refuses_long(TITLE),
)
