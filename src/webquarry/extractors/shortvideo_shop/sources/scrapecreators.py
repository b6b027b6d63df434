"""ScrapeCreators: a service that republishes the shop's data as JSON, with the operator's key.

Responses about stores are recorded. See docs/upstreams/shortvideo-shop.md#keyed.
"""

from typing import Any, Final
from urllib.parse import urlencode

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Provider, Wire
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import MAX_ANSWER_BYTES, answer_by_key
from webquarry.read import json_of

TITLE: Final = "ScrapeCreators"
SCRAPECREATORS = Provider(name="scrapecreators", title=TITLE, needs=("scrapecreators_key",))
_BASE: Final = "https://api.scrapecreators.com/v1/tiktok/"


async def ask(net: Net, provider: Provider, call: str, **parameters: str) -> Wire:
    """Send a request such as `shop/products`. Raises ProviderError as `answer_by_key` does."""
    wire = await net.get(
        f"{_BASE}{call}?{urlencode(parameters)}",
        accept="application/json",
        headers={"x-api-key": net.setting("scrapecreators_key")},
        ok_on=ANY_STATUS,
        absent_on=(404,),
        max_bytes=4 * MAX_ANSWER_BYTES,
    )
    if wire.status == 404:
        raise Absent(f"{TITLE} reports that this does not exist.")
    return await answer_by_key(wire, provider, net)


def answer_of(wire: Wire) -> dict[str, Any]:
    """Return the response's object, which must be marked as a success.

    Raises ProviderError "refused" if it reports a failure.
    """
    answer = json_of(wire)
    if not isinstance(answer, dict):
        raise ProviderError(f"{TITLE} sent a response that is not an object.", reason="changed")
    if answer.get("success") is False:
        raise ProviderError(f"{TITLE} did not get the data from the shop.", reason="refused")
    return answer
