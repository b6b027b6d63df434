"""Mojeek's page of web results."""

import re

from webquarry.extractors.search.engines import browser, mojeek, pieces
from webquarry.extractors.search.engines.leads import leads_to_page
from webquarry.extractors.search.serp.result import Organic, Page
from webquarry.read import Wire
from webquarry.read.html import html_of

_TOTAL = re.compile(r"\bfrom ([0-9]{1,3}(?:,[0-9]{3}){0,4})\b")


def read(wire: Wire) -> Page:
    page = html_of(wire)
    listed: list[Organic] = []
    for row in page.rows("ul.results-standard > li"):
        title, link = row.text("h2 > a"), row.link("a.ob")
        if title is None or not leads_to_page(link):
            continue
        listed.append(
            Organic(
                position=len(listed) + 1,
                title=title,
                link=link,
                displayed_link=row.text(".url"),
                snippet=row.text("p.s"),
            )
        )
    if not listed:
        raise browser.without_rows(wire, page, mojeek.TITLE)
    total = _TOTAL.search(page.text(".top-info") or "")
    return Page(
        organic=listed,
        total_results=int(total[1].replace(",", "")) if total else None,
        has_more=pieces.has_later_page(page, ".pagination", "s", wire),
    )
