"""Serper: a search engine's results as JSON, by the operator's key. One form of question for all its services."""

from collections.abc import Mapping

import orjson

from webquarry.errors import ProviderError
from webquarry.escape import plain
from webquarry.net import Net
from webquarry.providers.answers import MAX_ANSWER_BYTES
from webquarry.read import at, json_of
from webquarry.types import Wire

SERPER_KEY = "serper_key"
"""The setting that a provider of one of its services needs."""
_BASE_URL = "https://google.serper.dev/"
_REFUSALS = (400, 401, 403)


async def ask(service: str, question: Mapping[str, str | int], net: Net) -> Wire:
    """What a service (`search`, `maps`, …) answers, a JSON object.

    ProviderError "refused" with Serper's own words for a question, a key or an account that it does not accept.
    """
    wire = await net.post(
        _BASE_URL + service,
        body=orjson.dumps(question),
        content_type="application/json",
        accept="application/json",
        headers={"X-API-KEY": net.setting(SERPER_KEY)},
        ok_on=(200, *_REFUSALS),
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    if wire.status in _REFUSALS:
        said = plain(at(json_of(wire), "message", str) or "")[:200] or f"status {wire.status}"
        raise ProviderError(f"Serper refused the request ({said}).", reason="refused")
    return wire
