"""DataForSEO, with the operator's login: JSON of tasks. Untested: no response is recorded.

Response format: docs/upstreams/dataforseo.md.
"""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final

import orjson

from webquarry.core.errors import ProviderError
from webquarry.core.types import Provider, Wire
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import MAX_ANSWER_BYTES, answer_by_key, refusal
from webquarry.read import JsonObject, at, json_of, must, take
from webquarry.read.fields import to_line, to_whole

DATAFORSEO: Final = Provider(
    name="dataforseo", title="DataForSEO", needs=("dataforseo_login", "dataforseo_key"), unproven=True
)
_BASE_URL: Final = "https://api.dataforseo.com/v3/"
_OK: Final = 20000


async def ask(net: Net, route: str, question: Mapping[str, Any]) -> Wire:
    """Run one task and return the response. Raises ProviderError as `answer_by_key` does."""
    login = f"{net.setting('dataforseo_login')}:{net.setting('dataforseo_key')}"
    wire = await net.post(
        _BASE_URL + route,
        body=orjson.dumps([question]),
        content_type="application/json",
        accept="application/json",
        headers={"Authorization": f"Basic {b64encode(login.encode()).decode()}"},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    return await answer_by_key(wire, DATAFORSEO, net)


def find_result(wire: Wire) -> JsonObject:
    """Return the task's first result.

    Raises ProviderError: "refused" if the whole response or the task failed, "changed" if the task succeeded without a
    result.
    """
    answer: JsonObject = must(json_of(wire), "", dict)
    _check(answer, wire)
    task: JsonObject = must(answer, "tasks[0]", dict)
    _check(task, wire)
    result: JsonObject = must(task, "result[0]", dict)
    return result


def _check(task: JsonObject, wire: Wire) -> None:
    status = take(task, "status_code", to_whole, required=True)
    if status is None:
        raise ProviderError("DataForSEO sent a response without a status.", reason="changed")
    if status != _OK:
        message = to_line(at(task, "status_message", str)) or "no reason given"
        raise refusal(DATAFORSEO, f"{status}, {message[:200]}", wire)
