"""Pages of other origins: refused unless the operator allows them."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from support.client import Client
from support.tools import tool_service
from support.visits import Browser, Page
from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import example_path

ORIGIN = "https://app.example"
TARGET = example_path(load().by_name["domain_registration"])
PREFLIGHT = {
    "Origin": ORIGIN,
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "authorization",
}
in_one_loop = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def opened(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Browser, str]]:
    """A sandbox that allows the pages of one other origin, and a key."""
    async with tool_service(tmp_path_factory.mktemp("opened"), cors_origins=(ORIGIN,)) as (service, key):
        yield Browser(service.asgi()), key


async def ask(browser: Browser, headers: dict[str, str], method: str = "GET") -> Page:
    return await browser.send(method, TARGET, headers=headers)


def test_other_origins_are_refused_by_default(client: Client) -> None:
    reply = client.ask(TARGET, f"Origin: {ORIGIN}")
    assert not [name for name in reply.headers if name.startswith("access-control-")]
    preflight = (f"{name}: {text}" for name, text in PREFLIGHT.items())
    assert client.ask(TARGET, *preflight, "Content-Length: 0", method="OPTIONS", key=None).status == 405


@in_one_loop
async def test_a_page_of_an_allowed_origin_can_send_requests_and_read_responses(opened: tuple[Browser, str]) -> None:
    browser, key = opened
    asked = await ask(browser, PREFLIGHT, "OPTIONS")
    assert (asked.status, asked.headers["access-control-allow-origin"]) == (200, ORIGIN)
    assert "authorization" in asked.headers["access-control-allow-headers"].lower()
    reply = await ask(browser, {"Origin": ORIGIN, "x-api-key": key})
    assert (reply.status, reply.headers["access-control-allow-origin"]) == (200, ORIGIN)
    assert "access-control-allow-credentials" not in reply.headers
    shown = {name.strip().lower() for name in reply.headers["access-control-expose-headers"].split(",")}
    assert shown >= {
        name for name in reply.headers if name.startswith(("x-credits", "x-cache", "x-conv", "x-r", "ratelimit", "age"))
    }


@in_one_loop
async def test_a_page_of_an_allowed_origin_can_read_errors(opened: tuple[Browser, str]) -> None:
    reply = await ask(opened[0], {"Origin": ORIGIN})
    assert (reply.status, reply.headers["access-control-allow-origin"]) == (401, ORIGIN)


@in_one_loop
async def test_pages_of_other_origins_are_refused(opened: tuple[Browser, str]) -> None:
    browser, key = opened
    reply = await ask(browser, {"Origin": "https://evil.example", "x-api-key": key})
    assert reply.status == 200
    assert "access-control-allow-origin" not in reply.headers
