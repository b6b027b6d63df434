"""The JSON of Google's Programmable Search."""

from typing import Any

from webquarry.extractors.search.serp.readers import pieces
from webquarry.extractors.search.serp.result import Page
from webquarry.providers.search import google_cse
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
    if not rows:
        raise pieces.without_rows(google_cse.TITLE, "items")
    total = at(answer, "searchInformation.totalResults", str) or ""
    return Page(
        organic=rows,
        total_results=int(total) if total.isascii() and total.isdecimal() and len(total) <= 15 else None,
        has_more=bool(at(answer, "queries.nextPage", list)),
    )
