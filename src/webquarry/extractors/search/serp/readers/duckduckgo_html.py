"""DuckDuckGo's page for browsers without scripts."""

import re
from urllib.parse import parse_qs, urlsplit

from webquarry.extractors.search.serp.readers import pieces
from webquarry.extractors.search.serp.result import AnswerBox, Organic, Page
from webquarry.providers.search import duckduckgo, serp
from webquarry.read import Wire
from webquarry.read.html import Element, absolute

_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?")
_AD = "//duckduckgo.com/y.js"
_ABOUT_THE_ASKER = ("Your IP address is", "Your user agent:", "URL Decoded:")


def read(wire: Wire) -> Page:
    page = duckduckgo.page_of(wire)
    rows = [
        row for row in page.rows("#links div.web-result") if "result--ad" not in (row.node.attributes["class"] or "")
    ]
    listed: list[Organic] = []
    for row in rows:
        title, link = row.text("a.result__a"), _link(row)
        if title is None or link is None:
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
    if not listed:
        raise serp.without_rows(page, duckduckgo.TITLE)
    # the form that leads on carries the token; without it there is no way to a further page
    return Page(organic=listed, answer_box=_answer_box(page), has_more=None if page.has("input[name=vqd]") else False)


def _link(row: Element) -> str | None:
    """The address that a row leads to, out of its redirect; None for an ad."""
    href = row.attribute("h2.result__title a.result__a", "href")
    link = absolute(href, duckduckgo.URL) if href else None
    if link is None or _AD in link:
        return None
    parts = urlsplit(link)
    if (parts.hostname or "").endswith("duckduckgo.com") and parts.path == "/l/":
        return absolute(parse_qs(parts.query).get("uddg", [""])[0], "")
    return link


def _date(row: Element) -> str | None:
    match = _DATE.search(row.text(".result__extras__url") or "")
    return pieces.day(match[0]) if match else None


def _answer_box(page: Element) -> AnswerBox | None:
    said = page.text("#zero_click_abstract", without="a")
    if said is None or said.startswith(_ABOUT_THE_ASKER):
        return None
    return AnswerBox(snippet=said, link=page.link("#zero_click_abstract a"))
