"""A search whose first results are read. Each of these results gets the excerpts of its page that answer the query.

Upstreams: the endpoints for searches and pages, each as a part with a separate price, cache entry and error. A page
that fails or is slow is omitted, and a warning names the page. If the search fails, its error is raised.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from pydantic import TypeAdapter

from webquarry.core.types import Deadline
from webquarry.endpoints.context import Context, PartAnswer
from webquarry.endpoints.declare import Further, Part
from webquarry.endpoints.footer import remove_footer
from webquarry.excerpts.job import CHOOSE, Excerpt, Portioned
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import Organic, Search
from webquarry.render import Link, Md

MOST_PAGES: Final = 5
TOKENS_PER_PAGE: Final = 400
PAGES_S: Final = 20.0
"""Maximum time in seconds for reading the pages. Slower pages are omitted."""
PAGES_SHARE: Final = 0.9
"""Maximum share of the remaining time for reading the pages. The rest is reserved for choosing the excerpts."""
SEARCH: Final = "search"
_SEARCH: Final = TypeAdapter(Search)


class _Read(NamedTuple):
    """A page's excerpts and the id of its conversion, or the reason why the page was omitted."""

    row: Organic
    warning: str | None = None


def list_parts(params: SearchParams) -> tuple[Part, ...]:
    """Return the part that every request has: the search."""
    texts = {name: str(value) for name, value in params.model_dump(mode="json").items()}
    return (Part(SEARCH, "search", texts),)


def list_pages(params: SearchParams, data: Mapping[str, Any]) -> tuple[Part, ...]:
    """Return the pages of the first results. `data` contains the search's `data`."""
    rows = data[SEARCH]["organic_results"][: count_pages(params)] if SEARCH in data else []
    return tuple(Part(str(row["position"]), "markdown_url", {"url": row["link"]}) for row in rows)


def count_pages(params: SearchParams) -> int:
    """Return the maximum number of pages that are read."""
    return min(params.num, MOST_PAGES)


FURTHER: Final = Further("markdown_url", count_pages, list_pages)


async def run(params: SearchParams, ctx: Context) -> Search:
    found = await ctx.part(SEARCH)
    if found.failure is not None:
        raise found.failure
    search: Search = _SEARCH.validate_json(found.data_json or b"")
    names = await ctx.further()
    until = ctx.deadline.within(min(PAGES_S, PAGES_SHARE * ctx.deadline.remaining_s))
    first, rest = search.organic_results[: len(names)], search.organic_results[len(names) :]
    read = await asyncio.gather(
        *(_read(row, name, params.q, until, ctx) for row, name in zip(first, names, strict=True))
    )
    return search.model_copy(
        update={
            "organic_results": [*(page.row for page in read), *rest],
            "warnings": [*search.warnings, *(page.warning for page in read if page.warning)],
        }
    )


async def _read(row: Organic, name: str, query: str, until: Deadline, ctx: Context) -> _Read:
    """Return a result with the excerpts of its page, or with a warning if the page can't be read in time."""
    waited = round(until.remaining_s)
    try:
        async with until.bound():
            answer = await ctx.part(name)
    except TimeoutError:
        answer = PartAnswer(error=f"No response within {waited} seconds.")
    if answer.error is not None:
        host = urlsplit(row.link).hostname or row.link[:100]
        return _Read(row, f"Result {row.position} ({host}) was not read: {answer.error}")
    options = {
        "query": query,
        "max_tokens": TOKENS_PER_PAGE,
        "page_starts": list(answer.page_starts),
        "marks_pages": False,
    }
    body = remove_footer(answer.markdown_text or b"")
    chosen = (await ctx.isolated(CHOOSE, body, options, subject="answer")).pieces[0]
    excerpts: list[Excerpt] = Portioned.model_validate_json(chosen).excerpts or []
    return _Read(row.model_copy(update={"excerpts": excerpts, "conversion_id": answer.id}))


def write_excerpts(rows: list[Organic]) -> str:
    """Return the excerpts of all results as a section, or "" if there are no excerpts."""
    blocks: list[str] = []
    for row in rows:
        if row.excerpts:
            blocks.append(Md("").heading(f"{row.position}. {row.title}", 3).paragraph(Link(row.link, row.link)).text())
        path: list[str] = []
        for excerpt in row.excerpts or []:
            if excerpt.heading_path != path:
                path = excerpt.heading_path
                blocks.append(Md("").paragraph(" › ".join(path)).text())
            blocks.append(f"{excerpt.table_head}\n{excerpt.text}" if excerpt.table_head else excerpt.text)
    return "\n\n".join(["## Excerpts", *(block.strip("\n") for block in blocks)]) if blocks else ""
