"""Google's Programmable Search, with the operator's own engine and key.

For engines that search the whole web, the service ends on 2027-01-01. Response format:
docs/upstreams/search.md#programmable-search.
"""

from urllib.parse import urlencode

from webquarry.core.types import Provider, Wire
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import Page
from webquarry.extractors.search.model.window import PagedSource, Steps
from webquarry.extractors.search.sources import row_parts
from webquarry.extractors.search.sources.addresses import refuses_long
from webquarry.extractors.search.sources.row_parts import FoundRow
from webquarry.net import ANY_STATUS, Net
from webquarry.providers import answers, languages
from webquarry.read import JsonObject, at, json_of, must

TITLE = "Google Programmable Search"
GOOGLE_CSE = Provider(name="google_cse", title=TITLE, needs=("google_cse_key", "google_cse_id"), unproven=True)
URL = "https://www.googleapis.com/customsearch/v1"
MOST_ROWS = 10
"""Maximum number of rows in one response."""
LAST_ROW = 100
"""Position of the last row that the API returns for a query."""
_ROW = {
    "title": "title",
    "link": "link",
    "displayed_link": "displayLink",
    "snippet": "snippet",
    "thumbnail": "pagemap.cse_thumbnail[0].src",
}


async def fetch(params: SearchParams, net: Net, page: int) -> Wire:
    """Request a page of at most `MOST_ROWS` results, counted from 0."""
    sizes = steps(params)
    fields = {
        "cx": net.setting("google_cse_id"),
        "q": params.q,
        "num": str(sizes.rows),
        "start": str(sizes.start(page) + 1),
        "gl": params.gl,
        "hl": languages.google_language(params.hl),
        "safe": "off",
    }
    wire = await net.get(
        f"{URL}?{urlencode(fields)}",
        accept="application/json",
        secrets={"key": net.setting("google_cse_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=answers.MAX_ANSWER_BYTES,
    )
    return await answers.answer_by_key(wire, GOOGLE_CSE, net)


def read(wire: Wire) -> Page:
    answer: JsonObject = must(json_of(wire), "", dict)
    found = (FoundRow.read(row, _ROW) for row in row_parts.list_objects(answer, "items[]"))
    rows = row_parts.list_results(found, "items[]")
    total = at(answer, "searchInformation.totalResults", str) or ""
    count = int(total) if total.isascii() and total.isdecimal() and len(total) <= 15 else None
    if not rows and "items" not in answer and _ends(answer, count):
        return Page(organic=[], total_results=count, has_more=False, says_empty=True)
    if not rows:
        raise row_parts.without_rows(TITLE, "items")
    return Page(organic=rows, total_results=count, has_more=bool(at(answer, "queries.nextPage", list)))


def _ends(answer: JsonObject, total: int | None) -> bool:
    """Return whether the total number shows that the requested rows are after the last result, and no page follows."""
    first = at(answer, "queries.request[0].startIndex", int) or 1
    return total is not None and total < first and "nextPage" not in (at(answer, "queries", dict) or {})


def steps(p: SearchParams) -> Steps:
    """Return the page sizes. The API starts at any row, so a page of up to `MOST_ROWS` rows needs one request."""
    return Steps(rows=min(p.num, MOST_ROWS), origin=p.skipped)


def refuses(p: SearchParams) -> str | None:
    if p.skipped + p.num > LAST_ROW:
        return f"{TITLE} returns only the first {LAST_ROW} results of a query."
    return refuses_long(TITLE)(p)


SOURCE = PagedSource(GOOGLE_CSE, TITLE, fetch, read, steps, refuses=refuses, keyed=True)
