"""SerpApi: what search engines answer, as JSON, by the operator's key. Unproven: no answer is recorded. Wire notes:
docs/upstreams/ai-overview.md, docs/upstreams/trends.md.
"""

from typing import Any, Final
from urllib.parse import urlencode

from webquarry.core.errors import EmptyResult
from webquarry.core.types import Provider, Wire
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import answer_by_key, read_message, refusal
from webquarry.read import at, json_of, must

SERPAPI: Final = Provider(name="serpapi", title="SerpApi", needs=("serpapi_key",), unproven=True)

_URL: Final = "https://serpapi.com/search.json"
_NOTHING_FOUND: Final = "hasn't returned any results"


async def ask(net: Net, engine: str, **parameters: str) -> Wire:
    """What one of its engines answers. Blank parameters are left out.

    ProviderError as `answer_by_key`; that a search found nothing, which SerpApi calls an error, is left to `answer_of`.
    """
    given = {name: value for name, value in parameters.items() if value}
    wire = await net.get(
        f"{_URL}?{urlencode({'engine': engine, **given})}",
        accept="application/json",
        secrets={"api_key": net.setting("serpapi_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
    )
    return await answer_by_key(wire, SERPAPI, net, but=_NOTHING_FOUND)


def answer_of(wire: Wire) -> dict[str, Any]:
    """The answer. EmptyResult when the search found nothing; ProviderError: `refused` when SerpApi says that it failed,
    `changed` for anything else."""
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    message = read_message(answer)
    if message is None:
        return answer
    if _NOTHING_FOUND in message:
        raise EmptyResult("The search engine returned no results.")
    raise refusal(SERPAPI, message, wire)


def is_done(answer: dict[str, Any]) -> bool:
    """Whether the answer says of itself that it is that of a search, which an answer without the part that is looked
    for has to: SerpApi tells how the search went, or repeats the question, beside all that it found."""
    return at(answer, "search_metadata.status", str) == "Success" or "search_information" in answer
