"""Bing's page of web results. Response format: docs/upstreams/search.md#bing-html.

It is off by default, because clients other than browsers often get rows unrelated to the query.
"""

import base64
from urllib.parse import parse_qs, urlencode, urlsplit

from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import Page
from webquarry.extractors.search.model.window import PagedSource, Steps
from webquarry.extractors.search.sources import browser, row_parts
from webquarry.extractors.search.sources.addresses import refuses_long
from webquarry.net import Net
from webquarry.providers import answers, languages
from webquarry.providers.browser import plain_headers
from webquarry.read.html import Element, absolute, html_of
from webquarry.read.published import without_edges

TITLE = "Bing"
BING = Provider(
    name="bing_html",
    walled=True,
    title=f"{TITLE} (HTML)",
    politeness=Politeness(spacing_s=2.0, concurrency=1),
    needs=("bing",),
    browser_headers=plain_headers(),
    keeps_cookies=True,
)
URL = "https://www.bing.com/search"
ROWS = 10
_ROWS = "#b_results > li.b_algo"
_DATE = ".news_dt"
_WRAPPED = "/ck/a"
_MARK = "a1"
_NOTHING_FOUND = "#b_results > li.b_no"
"""Selector for "no results". It is known from the code of several other projects. No recorded page has it."""


async def fetch(params: SearchParams, net: Net, _page: int) -> Wire:
    """Request the first page of results. Further pages need scripts."""
    fields = {"q": params.q, "mkt": languages.regional(params.hl, params.gl), "adlt": "off"}
    return await net.get(
        f"{URL}?{urlencode(fields)}",
        headers={"Accept-Language": languages.accept_language(params.hl, params.gl)},
        absent_on=(),
        max_bytes=answers.MAX_ANSWER_BYTES,
    )


def read(wire: Wire) -> Page:
    page = html_of(wire)
    listed = row_parts.list_results(map(_read_row, page.rows(_ROWS)), _ROWS)
    if not listed and page.has(_NOTHING_FOUND):
        return Page(organic=[], says_empty=True)
    if not listed:
        raise browser.without_rows(wire, page, TITLE)
    return Page(organic=listed, has_more=page.has("a.sb_pagN"))


def _read_row(row: Element) -> row_parts.FoundRow:
    return row_parts.FoundRow(
        title=row.text("h2 a"),
        link=unwrap_link(row.link("h2 a")),
        displayed_link=row.text("cite"),
        snippet=without_edges(row.text(".b_caption p", without=_DATE) or row.text("p", without=_DATE)),
        date=row.text(_DATE),
        source=row.text(".tptt"),
    )


def unwrap_link(link: str | None) -> str | None:
    """Return the target of Bing's redirect, which contains it as unpadded base64. Return any other link unchanged."""
    parts = urlsplit(link or "")
    if link is None or parts.path != _WRAPPED or not (parts.hostname or "").endswith("bing.com"):
        return link
    packed = parse_qs(parts.query).get("u", [""])[0]
    if not packed.startswith(_MARK):
        return None
    body = packed[len(_MARK) :]
    try:
        return absolute(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)).decode(), "")
    except ValueError:
        return None


SOURCE = PagedSource(
    BING,
    TITLE,
    fetch,
    read,
    lambda _: Steps(rows=ROWS, pages=1),
    refuses=refuses_long(TITLE),
)
