"""Serper: a search engine's results as JSON, by the operator's key. One form of question for all its services."""

from collections.abc import Mapping

import orjson

from webquarry.core.types import Provider, Wire
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import MAX_ANSWER_BYTES, answer_by_key

SERPER_KEY = "serper_key"
"""The setting that a provider of one of its services needs."""
_BASE_URL = "https://google.serper.dev/"


async def ask(service: str, question: Mapping[str, str | int], provider: Provider, net: Net) -> Wire:
    """What a service (`search`, `maps`, …) answers, a JSON object.

    ProviderError as `answer_by_key`: Serper writes `{"message": "Not enough credits", "statusCode": 400}`.
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
