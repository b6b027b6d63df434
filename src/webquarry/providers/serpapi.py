"""SerpApi: results of search engines as JSON, with the operator's key. Untested: there is no recorded response.

Wire notes: docs/upstreams/ai-overview.md, docs/upstreams/trends.md.
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
    """Return the response of one of SerpApi's engines. Blank parameters are omitted.

    Raises ProviderError as `answer_by_key` does, except for an empty search, which SerpApi reports as an error and
    `answer_of` handles.
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
    """Return the response's JSON.

    Raises EmptyResult if the search found nothing; ProviderError "refused" if SerpApi reports a failure, "changed" for
    anything else.
    """
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    message = read_message(answer)
    if message is None:
        return answer
    if _NOTHING_FOUND in message:
        raise EmptyResult("The search engine returned no results.")
    raise refusal(SERPAPI, message, wire)


def is_done(answer: dict[str, Any]) -> bool:
    """Return whether the response states that a search was made.

    SerpApi adds the search's status, or repeats its parameters, in addition to the search's results.
    """
    return at(answer, "search_metadata.status", str) == "Success" or "search_information" in answer
