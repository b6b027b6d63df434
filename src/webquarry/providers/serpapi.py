"""SerpApi: what search engines answer, as JSON, by the operator's key. Unproven: no answer is recorded. Wire notes:
docs/upstreams/ai-overview.md, docs/upstreams/trends.md.
"""

from typing import Any, Final, Literal
from urllib.parse import urlencode

from webquarry.errors import EmptyResult, ProviderError
from webquarry.escape import plain
from webquarry.net import ANY_STATUS, Net, retry_after_s
from webquarry.providers.trends.trends_widgets import Question
from webquarry.read import at, json_of, must
from webquarry.types import Provider, Wire

SERPAPI: Final = Provider(name="serpapi", title="SerpApi", needs=("serpapi_key",), unproven=True)

TrendsData = Literal["TIMESERIES", "GEO_MAP_0", "RELATED_QUERIES"]

_URL: Final = "https://serpapi.com/search.json"
_NOTHING_FOUND: Final = "hasn't returned any results"
_LONGEST_SAID: Final = 200


async def ask(net: Net, engine: str, **parameters: str) -> Wire:
    """What one of its engines answers. Blank parameters are left out.

    ProviderError (refused) for any status but 200; an error of the search itself is in the answer.
    """
    given = {name: value for name, value in parameters.items() if value}
    wire = await net.get(
        f"{_URL}?{urlencode({'engine': engine, **given})}",
        accept="application/json",
        secrets={"api_key": net.setting("serpapi_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
    )
    match wire.status:
        case 200:
            return wire
        case 401 | 403:
            said = "SerpApi does not accept the key that is set."
        case 429:
            said = "SerpApi has no searches left for the key that is set."
        case status:
            said = f"SerpApi refused the request (status {status})."
    raise ProviderError(said, reason="refused", retry_after_s=retry_after_s(wire))


async def trends(net: Net, question: Question, data: TrendsData, *, resolution: str | None = None) -> Wire:
    """Google Trends' answer to a question. resolution: of a map, where another than its own is wanted."""
    return await ask(
        net,
        "google_trends",
        q=",".join(question.keywords),
        data_type=data,
        date=question.time,
        cat=str(question.category),
        hl="en",
        tz="0",
        geo=question.geo,
        gprop=question.gprop,
        region=resolution or "",
    )


async def trending(net: Net, geo: str, hours: int) -> Wire:
    """Google Trends' list of what is searched for now."""
    return await ask(net, "google_trends_trending_now", geo=geo, hours=str(hours), hl="en")


def answer_of(wire: Wire) -> dict[str, Any]:
    """The answer. EmptyResult when the search found nothing; ProviderError: `refused` when SerpApi says that it failed,
    `changed` for anything else."""
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    if "error" not in answer:
        return answer
    said = plain(at(answer, "error", str) or "")[:_LONGEST_SAID]
    if _NOTHING_FOUND in said:
        raise EmptyResult("The search engine found nothing for this.")
    raise ProviderError(f"SerpApi says that the search failed ({said or 'no reason given'}).", reason="refused")
