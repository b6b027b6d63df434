"""Startpage's page of web results: the object that its scripts are given, or else the page itself."""

import json
from typing import Any

from webquarry.extractors.search.engines import browser, pieces, startpage
from webquarry.extractors.search.engines.leads import leads_to_page
from webquarry.extractors.search.serp.result import Organic, Page
from webquarry.read import Wire, at
from webquarry.read.html import Element, html_of

_CALL = "React.createElement(UIStartpage.AppSerpWeb,"
_ROW = {
    "title": "title",
    "link": "clickUrl",
    "displayed_link": "displayUrl",
    "snippet": "description",
    "date": "date",
    "source": "siteTitleData",
}
_WEB = "web-google"


def read(wire: Wire) -> Page:
    page = html_of(wire)
    given = _given(page)
    found = (_of_object(given) if given is not None else None) or _of_page(page)
    if found is None:
        raise browser.without_rows(wire, page, startpage.TITLE)
    return found


def _given(page: Element) -> Any:
    """The object in the call that draws the page; None where there is none that is JSON."""
    for script in page.each("script:not([src])"):
        _, found, rest = script.raw.partition(_CALL)
        if found:
            try:
                return json.JSONDecoder().raw_decode(rest.lstrip())[0]
            except (ValueError, RecursionError):
                return None
    return None


def _of_object(given: Any) -> Page | None:
    regions = [
        region
        for region in pieces.rows(given, "render.presenter.regions.mainline[]")
        if at(region, "display_type", str) == _WEB
    ]
    rows = pieces.organic([row for region in regions for row in pieces.rows(region, "results[]")], _ROW)
    if not rows:
        return None
    pages = pieces.rows(given, "render.presenter.pagination.pages[]")
    numbers = [at(number, "number", int) or 0 for number in pages]
    shown = [at(number, "number", int) or 0 for number in pages if number.get("selected") is True]
    return Page(organic=rows, has_more=max(numbers) > shown[0] if shown else None)


def _of_page(page: Element) -> Page | None:
    listed: list[Organic] = []
    for row in page.rows("div.result"):
        title, link = row.text("a.result-title h2") or row.text("a.result-title"), row.link("a.result-title")
        if title is None or not leads_to_page(link):
            continue
        listed.append(
            Organic(
                position=len(listed) + 1,
                title=title,
                link=link,
                displayed_link=row.text(".wgl-display-url .default-link-text"),
                snippet=row.text("p.description"),
                source=row.text(".wgl-site-title"),
            )
        )
    if not listed:
        return None
    # the buttons are numbers, with one before and one behind that are not: "Prev", "Next"
    buttons = [button.plain for button in page.each(".pagination button")]
    return Page(organic=listed, has_more=not buttons[-1].isdecimal() if buttons else None)
