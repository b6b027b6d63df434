"""The chain of providers: SerpApi if its key is set, Google Trends' own API, and its embedded pages."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from webquarry.core.errors import EmptyResult
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Result, Source
from webquarry.extractors.trends.model.params import TrendsParams
from webquarry.extractors.trends.sources import trends_api
from webquarry.extractors.trends.sources.untested import serpapi, trends_embed
from webquarry.extractors.trends.sources.untested.serpapi import TrendsData
from webquarry.extractors.trends.sources.widgets import Kind
from webquarry.providers.serpapi import SERPAPI

if TYPE_CHECKING:
    from webquarry.net import Net

P = TypeVar("P", bound=TrendsParams)
R = TypeVar("R", bound=Result)


def chain(
    kind: Kind, data: TrendsData, read: Callable[[Wire, P], R], read_serpapi: Callable[[Wire, P], R]
) -> tuple[Source, ...]:
    """Return the providers, best first. kind: the widget with the data. data: SerpApi's name for the data."""

    async def by_serpapi(params: P, net: "Net") -> Wire:
        return await serpapi.answers(net, params.question, data, resolution=params.division)

    async def by_api(params: P, net: "Net") -> tuple[R, Wire]:
        async def fetch(anew: bool) -> Wire:
            return await trends_api.fetch(params.question, kind, net, resolution=params.division, anew=anew)

        return await confirm(fetch, lambda wire: net.read(read, wire, params))

    async def by_embed(params: P, net: "Net") -> tuple[R, Wire]:
        async def fetch(_anew: bool) -> Wire:
            return await trends_embed.fetch(params.question, kind, net, resolution=params.division)

        return await confirm(fetch, lambda wire: net.read(read, wire, params))

    return (
        Source(SERPAPI, by_serpapi, read_serpapi, skips=_not_by_serpapi),
        Source(trends_api.TRENDS_API, None, read, ask=by_api),
        Source(trends_embed.TRENDS_EMBED, None, read, ask=by_embed),
    )


async def confirm(fetch: Callable[[bool], Awaitable[Wire]], read: Callable[[Wire], Awaitable[R]]) -> tuple[R, Wire]:
    """Fetch and parse a response.

    An empty response may be temporary, so it is accepted only if a second response is empty too. fetch(anew): if `anew`
    is true, all requests are repeated from the beginning.
    """
    wire = await fetch(False)
    try:
        return await read(wire), wire
    except EmptyResult:
        wire = await fetch(True)
        return await read(wire), wire


def _not_by_serpapi(params: TrendsParams) -> str | None:
    if any("," in keyword for keyword in params.keywords):
        return "SerpApi does not support commas in a keyword."
    return None
