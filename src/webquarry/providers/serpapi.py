"""SerpApi: a search engine's answers as JSON, by the operator's key. Wire notes: docs/upstreams/ai-overview.md."""

from urllib.parse import urlencode

from webquarry.errors import EmptyResult, ProviderError
from webquarry.net import Net
from webquarry.read import Wire, json_of, texts
from webquarry.types import Provider

SERPAPI = Provider(name="serpapi", title="SerpApi", needs=("serpapi_key",), unproven=True)
_URL = "https://serpapi.com/search.json"
_NO_RESULTS = "hasn't returned any results"


async def search(net: Net, engine: str, **parameters: str) -> Wire:
    """What an engine of theirs answers. EmptyResult when it found nothing, ProviderError (refused) for other errors."""
    wire = await net.get(
        f"{_URL}?{urlencode({'engine': engine, **parameters})}",
        accept="application/json",
        secrets={"api_key": net.setting("serpapi_key")},
    )
    said = error_of(wire)
    if said is None:
        return wire
    if _NO_RESULTS in said:
        raise EmptyResult("The search engine has no results for this.")
    raise ProviderError(f"SerpApi says: {said[:200]}", reason="refused")


def error_of(wire: Wire) -> str | None:
    """The error that an answer with status 200 may hold."""
    answer = json_of(wire)
    return next(iter(texts(answer, "error")), None) if isinstance(answer, dict) and "error" in answer else None
