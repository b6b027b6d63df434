"""Mojeek's page of web results, from a small independent index. Response format: docs/upstreams/search.md#mojeek."""

import re
from urllib.parse import urlencode

from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import Page
from webquarry.extractors.search.model.window import PagedSource, Steps
from webquarry.extractors.search.sources import browser, row_parts
from webquarry.net import Net
from webquarry.providers import answers, languages
from webquarry.providers.browser import plain_headers
from webquarry.read.html import Element, html_of

TITLE = "Mojeek"
MOJEEK = Provider(
    name="mojeek",
    walled=True,
    title=TITLE,
    politeness=Politeness(spacing_s=2.0, concurrency=1),
    browser_headers=plain_headers(),
    keeps_cookies=True,
)
URL = "https://www.mojeek.com/search"
ROWS = 10
_ROWS = "ul.results-standard > li"
LONGEST_QUERY = 256
_TOTAL = re.compile(r"\bfrom ([0-9]{1,3}(?:,[0-9]{3}){0,4})\b")


async def fetch(params: SearchParams, net: Net, page: int) -> Wire:
    """Request a page of results, counted from 0."""
    fields = {"q": params.q, "safe": "0"}
    if page:  # on the first page, `s` would mark the client as a robot
        fields["s"] = str(page * ROWS + 1)
    wire = await net.get(
        f"{URL}?{urlencode(fields)}",
        headers={"Accept-Language": languages.accept_language(params.hl, params.gl)},
        cookies={"lb": params.hl.base, "arc": params.gl},
        ok_on=(200, 403),
        absent_on=(),
        max_bytes=answers.MAX_ANSWER_BYTES,
    )
    if wire.status == 403:
        raise browser.shut(TITLE, wire.status)
    return wire


def read(wire: Wire) -> Page:
    page = html_of(wire)
    listed = row_parts.list_results(map(_read_row, page.rows(_ROWS)), _ROWS)
    if not listed:
        raise browser.without_rows(wire, page, TITLE)
    total = _TOTAL.search(page.text(".top-info") or "")
    return Page(
        organic=listed,
        total_results=int(total[1].replace(",", "")) if total else None,
        has_more=row_parts.has_later_page(page, ".pagination", "s", wire),
    )


def _read_row(row: Element) -> row_parts.FoundRow:
    return row_parts.FoundRow(
        title=row.text("h2 > a"),
        link=row.link("a.ob"),
        displayed_link=row.text(".url"),
        snippet=row.text("p.s"),
    )


def refuses(p: SearchParams) -> str | None:
    if len(p.q) > LONGEST_QUERY:
        return f"{TITLE} accepts queries of at most {LONGEST_QUERY} characters."
    return None


SOURCE = PagedSource(
    MOJEEK,
    TITLE,
    fetch,
    read,
    lambda _: Steps(rows=ROWS),
    refuses=refuses,
)
