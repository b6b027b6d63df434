"""The JSON of Google's Programmable Search."""

from typing import Any

from webquarry.extractors.search.engines import google_cse, pieces
from webquarry.extractors.search.serp.result import Page
from webquarry.read import Wire, at, json_of, must

_ROW = {
    "title": "title",
    "link": "link",
    "displayed_link": "displayLink",
    "snippet": "snippet",
    "thumbnail": "pagemap.cse_thumbnail[0].src",
}


def read(wire: Wire) -> Page:
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    rows = pieces.organic(pieces.rows(answer, "items[]"), _ROW)
    total = at(answer, "searchInformation.totalResults", str) or ""
    count = int(total) if total.isascii() and total.isdecimal() and len(total) <= 15 else None
    if not rows and "items" not in answer and _ends(answer, count):
        return Page(organic=[], total_results=count, has_more=False, says_empty=True)
    if not rows:
        raise pieces.without_rows(google_cse.TITLE, "items")
    return Page(organic=rows, total_results=count, has_more=bool(at(answer, "queries.nextPage", list)))


def _ends(answer: dict[str, Any], total: int | None) -> bool:
    """Whether the answer says that there are no results from the row on that was asked for: by their number."""
    first = at(answer, "queries.request[0].startIndex", int) or 1
    return total is not None and total < first and "nextPage" not in (at(answer, "queries", dict) or {})
