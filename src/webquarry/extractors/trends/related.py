"""Related queries: what people who search for a keyword also search for, top and rising.

Provider: Google Trends, by its widgets or through SerpApi. See docs/upstreams/trends.md.

Raises EmptyResult if both lists are missing. A second request must confirm this.
"""

from collections.abc import Sequence
from typing import Any, Final

from webquarry.core.errors import EmptyResult
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Result, field
from webquarry.extractors.trends.model.params import (
    RequestFields,
    SourceName,
    TrendsParams,
    ages,
    list_request_facts,
    list_request_fields,
    write_end,
)
from webquarry.extractors.trends.model.windows import LONGEST_KEPT
from webquarry.extractors.trends.sources import widgets
from webquarry.extractors.trends.sources.chain import chain
from webquarry.extractors.trends.sources.values import count_at, has_enough, index_at, read_web_address
from webquarry.providers import serpapi
from webquarry.read import at, must
from webquarry.read.fields import to_line
from webquarry.read.losses import read_rows
from webquarry.render import Md

BREAKOUT: Final = "Breakout"
BREAKOUT_ABOVE: Final = 5_000  # growth in percent
MEANING: Final = f"{BREAKOUT}: grew by more than 5,000%, usually from few or no searches."


class TopQuery(Result):
    query: str = field("Search query.", wire="default.rankedList[0].rankedKeyword[].query")
    value: int = field(
        "Interest from 0 to 100, relative to the first query.", wire="default.rankedList[0].rankedKeyword[].value"
    )
    formatted_value: str = field("Formatted value.", wire="default.rankedList[0].rankedKeyword[].formattedValue")
    link: str | None = field(
        "URL of the query's Google Trends page.", wire="default.rankedList[0].rankedKeyword[].link"
    )


class RisingQuery(Result):
    query: str = field("Search query.", wire="default.rankedList[1].rankedKeyword[].query")
    value: int = field(
        "Growth compared with the previous period.", unit="percent", wire="default.rankedList[1].rankedKeyword[].value"
    )
    formatted_value: str = field(
        f"Formatted growth: `+400%`, or `{BREAKOUT}` for more than 5,000%.",
        wire="default.rankedList[1].rankedKeyword[].formattedValue",
    )
    is_breakout: bool = field("Whether the query grew by more than 5,000%.")
    link: str | None = field(
        "URL of the query's Google Trends page.", wire="default.rankedList[1].rankedKeyword[].link"
    )


class Related(RequestFields):
    keyword: str = field("Requested keyword.")
    top: list[TopQuery] = field("Most searched queries. The first query has 100.")
    rising: list[RisingQuery] = field("Queries with the highest growth, fastest first.")


def read(wire: Wire, params: TrendsParams) -> Related:
    """Parse the data of the widget RELATED_QUERIES: the top list, then the rising list."""
    lists = must(widgets.answer_of(wire), "default.rankedList", list)
    top, rising = (_list_rows(lists, place) for place in (0, 1))
    return _make_related(
        params,
        "google_trends",
        (top, read_rows(top, lambda row: _read_top(row, "value", "formattedValue"), "rankedList[0]")),
        (rising, read_rows(rising, lambda row: _read_rising(row, "value", "formattedValue"), "rankedList[1]")),
    )


def read_serpapi(wire: Wire, params: TrendsParams) -> Related:
    found = must(serpapi.answer_of(wire), "related_queries", dict)
    top, rising = (must(found, name, list) if name in found else [] for name in ("top", "rising"))
    return _make_related(
        params,
        "serpapi",
        (top, read_rows(top, lambda row: _read_top(row, "extracted_value", "value"), "top[]")),
        (rising, read_rows(rising, lambda row: _read_rising(row, "extracted_value", "value"), "rising[]")),
    )


def _list_rows(lists: Sequence[Any], place: int) -> list[Any]:
    """Return the rows of one list. The service omits the lists if there is no data."""
    if not lists:
        return []
    rows: list[Any] = must(lists, f"[{place}].rankedKeyword", list)
    return rows


def _read_top(row: Any, value_path: str, formatted_path: str) -> TopQuery | None:
    """Parse a row, or return None if it is unreadable."""
    query, value = to_line(at(row, "query", str)), index_at(row, value_path)
    if query is None or value is None:
        return None
    formatted = to_line(at(row, formatted_path, str)) or str(value)
    return TopQuery(query=query, value=value, formatted_value=formatted, link=read_web_address(at(row, "link", str)))


def _read_rising(row: Any, value_path: str, formatted_path: str) -> RisingQuery | None:
    """Parse a row, or return None if it is unreadable.

    A growth text without a digit is a breakout, in any language. Without a text, the number decides.
    """
    query, value = to_line(at(row, "query", str)), count_at(row, value_path)
    if query is None or value is None:
        return None
    formatted = to_line(at(row, formatted_path, str))
    is_breakout = (
        value > BREAKOUT_ABOVE if formatted is None else not any(character.isdigit() for character in formatted)
    )
    return RisingQuery(
        query=query,
        value=value,
        formatted_value=BREAKOUT if is_breakout else formatted or f"+{value:,}%",
        is_breakout=is_breakout,
        link=read_web_address(at(row, "link", str)),
    )


def _make_related(
    params: TrendsParams,
    source: SourceName,
    top: tuple[Sequence[Any], list[TopQuery]],
    rising: tuple[Sequence[Any], list[RisingQuery]],
) -> Related:
    """Return the result. top, rising: the provider's rows, and the queries that could be parsed from them."""
    if not top[0] and not rising[0]:
        raise EmptyResult(f"Google Trends has no related queries for {params.q} at this place and time.")
    warnings = [
        *has_enough(len(top[1]), len(top[0]), "top queries"),
        *has_enough(len(rising[1]), len(rising[0]), "rising queries"),
    ]
    return Related(
        **list_request_fields(params, source, warnings),
        keyword=params.q,
        top=top[1],
        rising=rising[1],
    )


def render(r: Related) -> str:
    page = Md(f"{r.keyword}: related queries").facts(list_request_facts(r))
    page.table("Top queries", ("Query", "Interest"), [(query.query, query.formatted_value) for query in r.top])
    page.table("Rising queries", ("Query", "Growth"), [(query.query, query.formatted_value) for query in r.rising])
    page.paragraph(MEANING if any(query.is_breakout for query in r.rising) else None)
    return write_end(page, r, r.keyword)


extractor = Extractor(
    name="trends_related",
    path="/trends/related",
    version=2,
    group="trends",
    title="Related search queries",
    description=(
        "Returns what people who search for a keyword on Google also search for: the top queries with their "
        "interest from 0 to 100, and the rising queries with their growth. `Breakout` means growth of more than "
        "5,000%. If there are no related queries, the request returns `empty_result`."
    ),
    params=TrendsParams,
    result=Related,
    credits=1,
    fresh=LONGEST_KEPT,
    ages=ages,
    sources=chain("RELATED_QUERIES", "RELATED_QUERIES", read, read_serpapi),
    render=render,
    ends={
        "empty_result": "No related queries are known.",
    },
    example={"q": "coffee"},
)
