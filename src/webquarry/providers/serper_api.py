"""Serper: a search engine's results as JSON, with the operator's key.

All of Serper's services take similar requests.
"""

from collections.abc import Mapping

import orjson

from webquarry.core.types import Provider, Wire
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import MAX_ANSWER_BYTES, answer_by_key

SERPER_KEY = "serper_key"
"""Setting that all providers for Serper's services need."""
_BASE_URL = "https://google.serper.dev/"


async def ask(service: str, question: Mapping[str, str | int], provider: Provider, net: Net) -> Wire:
    """Return the response of a service (`search`, `maps`, …), a JSON object.

    Raises ProviderError as `answer_by_key` does: Serper writes `{"message": "Not enough credits", "statusCode": 400}`.
    """
    wire = await net.post(
        _BASE_URL + service,
        body=orjson.dumps(question),
        content_type="application/json",
        accept="application/json",
        headers={"X-API-KEY": net.setting(SERPER_KEY)},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    return await answer_by_key(wire, provider, net)
