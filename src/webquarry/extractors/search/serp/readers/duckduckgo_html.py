"""DuckDuckGo's page for browsers without scripts."""

import re
from urllib.parse import parse_qs, urlsplit

from webquarry.extractors.search.engines import browser, duckduckgo, pieces
from webquarry.extractors.search.engines.leads import MAX_FIELDS, leads_to_page
from webquarry.extractors.search.serp.result import AnswerBox, Organic, Page
from webquarry.read import Wire
from webquarry.read.html import Element, absolute

_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?")
_AD = '[class*="badge--ad"]'
_REDIRECTS = 3
"""One within the other; advertisements have two."""
_ABOUT_THE_ASKER = ("Your IP address is", "Your user agent:", "URL Decoded:")


def read(wire: Wire) -> Page:
    page = duckduckgo.page_of(wire)
    listed: list[Organic] = []
    for row in page.rows("#links div.web-result"):
        if "result--ad" in (row.node.attributes["class"] or "") or row.has(_AD):
            continue
        title, link = row.text("a.result__a"), _link(row)
        if title is None or not leads_to_page(link):
            continue
        listed.append(
            Organic(
                position=len(listed) + 1,
                title=title,
                link=link,
                displayed_link=row.text("a.result__url"),
                snippet=row.text(".result__snippet"),
                date=_date(row),
            )
        )
    if page.has(duckduckgo.ENDS):
        return Page(organic=listed, has_more=False, says_empty=not listed)
    if not listed:
        raise browser.without_rows(wire, page, duckduckgo.TITLE)
    # the form that leads on carries the token; without it there is no way to a further page
    return Page(organic=listed, answer_box=_answer_box(page), has_more=None if page.has("input[name=vqd]") else False)


def _link(row: Element) -> str | None:
    """The address that a row leads to, out of its redirects; None where that is no address."""
    href = row.attribute("h2.result__title a.result__a", "href")
    link = absolute(href, duckduckgo.URL) if href else None
    for _ in range(_REDIRECTS):
        parts = urlsplit(link or "")
        if link is None or parts.path != "/l/" or not (parts.hostname or "").endswith("duckduckgo.com"):
            return link
        try:
            link = absolute(parse_qs(parts.query, max_num_fields=MAX_FIELDS).get("uddg", [""])[0], "")
        except ValueError:
            return None
    return None


def _date(row: Element) -> str | None:
    match = _DATE.search(row.text(".result__extras__url") or "")
    return pieces.day(match[0]) if match else None


def _answer_box(page: Element) -> AnswerBox | None:
    said = page.text("#zero_click_abstract", without="a")
    if said is None or said.startswith(_ABOUT_THE_ASKER):
        return None
    return AnswerBox(snippet=said, link=page.link("#zero_click_abstract a"))
