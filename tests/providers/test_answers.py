import json
from datetime import UTC, datetime
from typing import Any

import pytest

from support.world import House, World
from webquarry.core.errors import ProviderError
from webquarry.core.types import Provider, Wire
from webquarry.extractors.maps.sources.untested.google_places import GOOGLE_PLACES
from webquarry.extractors.search.sources.gemini import GEMINI
from webquarry.extractors.search.sources.serper import SERPER
from webquarry.extractors.search.sources.untested.brave_api import BRAVE_API
from webquarry.extractors.search.sources.untested.google_cse import GOOGLE_CSE
from webquarry.providers.answers import answer_by_key, read_message
from webquarry.providers.serpapi import SERPAPI


def wire(body: Any, status: int = 200, **headers: str) -> Wire:
    content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    url = "https://api.example/"
    return Wire(content, url, url, status, headers, datetime(2026, 11, 20, 12, tzinfo=UTC))


def google(code: int, status: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "status": status, "message": message}}


SPENT: list[tuple[Provider, Any]] = [
    (SERPER, {"message": "Not enough credits", "statusCode": 400}),
    (SERPAPI, {"error": "Your account has run out of searches."}),
    (BRAVE_API, {"type": "ErrorResponse", "error": {"code": "QUOTA_LIMITED", "detail": "Request rate limit exceeded"}}),
    (GOOGLE_CSE, google(429, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Queries'")),
    (GEMINI, google(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan")),
    (GOOGLE_PLACES, google(403, "PERMISSION_DENIED", "This API method requires billing to be enabled.")),
]
KEYS: list[tuple[Provider, Any]] = [
    (SERPER, {"message": "Unauthorized."}),
    (SERPAPI, {"error": "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"}),
    (BRAVE_API, {"type": "ErrorResponse", "error": {"detail": "The provided subscription token is invalid."}}),
    (GOOGLE_CSE, google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")),
    (GEMINI, google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")),
    (GOOGLE_PLACES, google(403, "PERMISSION_DENIED", "The caller does not have permission")),
]


async def refused(provider: Provider, answer: Wire) -> ProviderError:
    with pytest.raises(ProviderError) as caught, House(World({})).net(provider) as net:
        await answer_by_key(answer, provider, net)
    return caught.value


@pytest.mark.parametrize("status", [200, 400, 403, 429])
@pytest.mark.parametrize(("provider", "body"), SPENT, ids=lambda value: getattr(value, "name", None))
async def test_a_used_up_quota_is_reported_whatever_the_status(provider: Provider, body: Any, status: int) -> None:
    error = await refused(provider, wire(body, status))
    assert error.reason == "refused"
    assert error.message.startswith(f"{provider.title} accepts no more requests with the configured key")


@pytest.mark.parametrize("status", [200, 400, 401, 403])
@pytest.mark.parametrize(("provider", "body"), KEYS, ids=lambda value: getattr(value, "name", None))
async def test_key_that_is_not_accepted_names_its_setting(provider: Provider, body: Any, status: int) -> None:
    error = await refused(provider, wire(body, status))
    assert error.reason == "refused"
    [setting] = [name for name in provider.needs if name.endswith("_key")]
    assert error.message.endswith(f"Check WEBQUARRY_{setting.upper()}.")


async def test_status_is_reported_if_there_is_no_message() -> None:
    assert "Check WEBQUARRY_SERPER_KEY" in (await refused(SERPER, wire("", 401))).message
    spent = await refused(SERPER, wire("", 429, **{"retry-after": "30"}))
    assert ("accepts no more requests" in spent.message, spent.retry_after_s) == (True, 30)
    assert (await refused(SERPER, wire("", 500))).message == "Serper rejected the request (status 500)."


@pytest.mark.parametrize("status", [200, 403, 503])
async def test_challenge_is_blocked_and_not_refused(status: int) -> None:
    page = "<html><title>Just a moment...</title><script>window._cf_chl_opt={}</script></html>"
    assert (await refused(SERPER, wire(page, status))).reason == "blocked"


@pytest.mark.parametrize(
    "answer",
    [
        {},
        [],
        {"organic": []},
        {"error": None, "organic": []},
        {"message": "text of a result", "organic": []},
        {"candidates": [{"error": "x"}]},
    ],
)
async def test_normal_response_is_not_a_refusal(answer: Any) -> None:
    assert read_message(answer) is None
    with House(World({})).net(SERPER) as net:
        assert await answer_by_key(wire(answer), SERPER, net)


@pytest.mark.parametrize("answer", [{"error": 5}, {"error": {}}, {"error": {"message": 7}}, {"error": True}])
def test_refusal_without_a_message_is_a_refusal(answer: Any) -> None:
    assert read_message(answer) == "no reason given"
