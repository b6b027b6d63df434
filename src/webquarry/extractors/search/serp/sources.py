"""The sources of search results: how each is asked, how it pages, and what it cannot do. Best first."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

from webquarry.extractors.search.engines import (
    bing,
    brave_api,
    brave_html,
    duckduckgo,
    google_cse,
    mojeek,
    searxng,
    serper,
    startpage,
)
from webquarry.extractors.search.serp import readers
from webquarry.extractors.search.serp.params import SearchParams
from webquarry.extractors.search.serp.window import PagedSource, Steps
from webquarry.locale import Country, Language
from webquarry.types import Wire

if TYPE_CHECKING:
    from webquarry.net import Net

Paged = Callable[["Net", str, Country, Language, int], Awaitable[Wire]]
SEARXNG_PAGES = 4
SEARXNG_ROWS = 25
"""About as many as a page of several engines holds; decides only how deep an instance is asked."""
LONGEST_IN_ADDRESS = 3800
"""Characters of a query as written in an address, of which all of it may have 4,096."""


def _pages(results: Paged) -> Callable[["Net", SearchParams, int], Awaitable[Wire]]:
    return lambda net, p, page: results(net, p.q, p.gl, p.hl, page)


def _in_address(name: str) -> Callable[[SearchParams], str | None]:
    """What a source refuses that is asked by an address."""
    return lambda p: (
        f"{name} takes queries that have {LONGEST_IN_ADDRESS} characters in an address at most."
        if len(quote_plus(p.q)) > LONGEST_IN_ADDRESS
        else None
    )


def _brave_api_refuses(p: SearchParams) -> str | None:
    if len(p.q) > brave_api.LONGEST_QUERY or len(p.q.split()) > brave_api.MOST_WORDS:
        return (
            f"{brave_api.TITLE} takes queries of {brave_api.LONGEST_QUERY} characters "
            f"and {brave_api.MOST_WORDS} words at most."
        )
    return None


def _brave_api_notes(p: SearchParams) -> list[str]:
    notes = []
    if p.gl not in brave_api.COUNTRIES:
        notes.append(f"{brave_api.TITLE} cannot search from {p.gl.upper()}: these are results for all countries.")
    if brave_api.language_name(p.hl) is None:
        notes.append(f"{brave_api.TITLE} cannot search in {p.hl}: these are results in any language.")
    return notes


def _cse_steps(p: SearchParams) -> Steps:
    """It begins at any row; of up to `MOST_ROWS` at once a page is asked as it is."""
    return Steps(rows=min(p.num, google_cse.MOST_ROWS), origin=p.skipped)


def _cse_fetch(net: "Net", p: SearchParams, page: int) -> Awaitable[Wire]:
    steps = _cse_steps(p)
    return google_cse.results(net, p.q, p.gl, p.hl, steps.start(page), steps.rows)


def _cse_refuses(p: SearchParams) -> str | None:
    if p.skipped + p.num > google_cse.LAST_ROW:
        return f"{google_cse.TITLE} gives the first {google_cse.LAST_ROW} results of a query only."
    return _in_address(google_cse.TITLE)(p)


def _duckduckgo_refuses(p: SearchParams) -> str | None:
    if len(p.q) > duckduckgo.LONGEST_QUERY:
        return f"{duckduckgo.TITLE} takes queries of {duckduckgo.LONGEST_QUERY} characters at most."
    return None


def _duckduckgo_notes(p: SearchParams) -> list[str]:
    region = duckduckgo.region_of(p.gl, p.hl)
    if region == duckduckgo.ALL_REGIONS:
        return [f"{duckduckgo.TITLE} has no region for {p.gl.upper()}: these are results for all regions."]
    if not duckduckgo.speaks(region, p.hl):
        return [f"{duckduckgo.TITLE} knows {p.gl.upper()} in other languages than {p.hl} only."]
    return []


def _mojeek_refuses(p: SearchParams) -> str | None:
    if len(p.q) > mojeek.LONGEST_QUERY:
        return f"{mojeek.TITLE} takes queries of {mojeek.LONGEST_QUERY} characters at most."
    return None


def _startpage_notes(p: SearchParams) -> list[str]:
    notes = []
    if startpage.region_of(p.gl, p.hl) == startpage.ALL_REGIONS:
        notes.append(f"{startpage.TITLE} has no region for {p.gl.upper()}: these are results for all regions.")
    if startpage.language_name(p.hl) is None:
        notes.append(f"{startpage.TITLE} cannot search in {p.hl}: English was asked for.")
    return notes


SOURCES = (
    PagedSource(
        serper.SERPER,
        serper.TITLE,
        _pages(serper.results),
        readers.serper.read,
        lambda _: Steps(rows=serper.ROWS),
        keyed=True,
    ),
    PagedSource(
        brave_api.BRAVE_API,
        brave_api.TITLE,
        lambda net, p, page: brave_api.results(net, p.q, p.gl, p.hl, p.num, page),
        readers.brave_api.read,
        lambda p: Steps(rows=p.num, pages=brave_api.PAGES),
        refuses=_brave_api_refuses,
        notes=_brave_api_notes,
        keyed=True,
    ),
    PagedSource(
        google_cse.GOOGLE_CSE,
        google_cse.TITLE,
        _cse_fetch,
        readers.google_cse.read,
        _cse_steps,
        refuses=_cse_refuses,
        keyed=True,
    ),
    PagedSource(
        searxng.SEARXNG,
        searxng.TITLE,
        _pages(searxng.results),
        readers.searxng.read,
        lambda _: Steps(rows=SEARXNG_ROWS, pages=SEARXNG_PAGES, walked=True),
        refuses=_in_address(searxng.TITLE),
    ),
    PagedSource(
        duckduckgo.DUCKDUCKGO,
        duckduckgo.TITLE,
        _pages(duckduckgo.results),
        readers.duckduckgo_html.read,
        lambda _: Steps(rows=duckduckgo.ROWS, first_rows=duckduckgo.FIRST_ROWS),
        refuses=_duckduckgo_refuses,
        notes=_duckduckgo_notes,
    ),
    PagedSource(
        brave_html.BRAVE_HTML,
        brave_html.TITLE,
        _pages(brave_html.results),
        readers.brave_html.read,
        lambda _: Steps(rows=brave_html.ROWS, pages=brave_html.PAGES),
        refuses=_in_address(brave_html.TITLE),
    ),
    PagedSource(
        startpage.STARTPAGE,
        startpage.TITLE,
        _pages(startpage.results),
        readers.startpage.read,
        lambda _: Steps(rows=startpage.ROWS),
        notes=_startpage_notes,
    ),
    PagedSource(
        mojeek.MOJEEK,
        mojeek.TITLE,
        _pages(mojeek.results),
        readers.mojeek.read,
        lambda _: Steps(rows=mojeek.ROWS),
        refuses=_mojeek_refuses,
    ),
    PagedSource(
        bing.BING,
        bing.TITLE,
        lambda net, p, _: bing.results(net, p.q, p.gl, p.hl),
        readers.bing_html.read,
        lambda _: Steps(rows=bing.ROWS, pages=1),
        refuses=_in_address(bing.TITLE),
    ),
)
