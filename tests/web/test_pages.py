"""Documents for programs beside the API, static files, and the responses for unknown paths."""

import asyncio
import gzip
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.robotparser import RobotFileParser

import pytest
from selectolax.lexbor import LexborHTMLParser

from support.client import Client, Reply
from webquarry.api.openapi import document
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.endpoints.registry import load
from webquarry.service import Service, example_answer
from webquarry.storage import readiness
from webquarry.workers.workers import Workers

TEXTS = {
    "/llms.txt": "text/plain; charset=utf-8",
    "/agents.md": "text/markdown; charset=utf-8",
    "/openapi.json": "application/json",
    "/openapi.json?examples=false": "application/json",
    "/openapi.yaml": "application/yaml",
    "/openapi.yaml?examples=false": "application/yaml",
    "/changelog.md": "text/markdown; charset=utf-8",
    "/robots.txt": "text/plain; charset=utf-8",
    "/healthz": "text/plain; charset=utf-8",
    "/readyz": "text/plain; charset=utf-8",
}


@pytest.mark.parametrize("page", TEXTS)
def test_a_document_answers_without_a_key(client: Client, page: str) -> None:
    reply = client.ask(page, key=None)
    assert (reply.status, reply.headers["content-type"]) == (200, TEXTS[page])


def test_crawlers_may_read_the_docs_and_nothing_of_an_account(client: Client) -> None:
    rules = RobotFileParser()
    rules.parse(client.ask("/robots.txt", key=None).text.splitlines())
    for page in ("/", "/docs", "/docs/api/search.md", "/llms.txt", "/openapi.json"):
        assert rules.can_fetch("any", page), page
    for page in ("/account", "/account/keys", "/admin", "/playground/search?q=a", "/login", "/oauth/authorize"):
        assert not rules.can_fetch("any", page), page


@pytest.mark.parametrize("page", [*TEXTS, "/metrics", "/", "/docs/errors"])
def test_head_answers_as_get_does(client: Client, page: str) -> None:
    assert client.ask(page, method="HEAD", host="127.0.0.1").status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("page", ["/", "/docs/errors", "/openapi.json", "/metrics"])
def test_another_method_is_405(client: Client, page: str, method: str) -> None:
    reply = client.ask(page, "Content-Length: 0", method=method)
    assert (reply.status, reply.code) == (405, "method_not_allowed")
    assert {name.strip() for name in reply.headers["allow"].split(",")} == {"GET", "HEAD"}


@pytest.mark.parametrize(
    "page",
    [
        "/nowhere",
        "/docs/nowhere",
        "/docs/",
        "/docs/a/b",
        "/docs/nowhere.md",
        "/healthz/",
        "//",
        "/static/",
        "/static/site.css",
        "/%00",
    ],
)
def test_an_unknown_page_is_the_json_error_or_a_page_to_a_browser(client: Client, page: str) -> None:
    reply = client.ask(page)
    assert (reply.status, reply.code) == (404, "not_found")
    shown = client.ask(page, "Accept: text/html,*/*;q=0.8")
    assert (shown.status, shown.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "Page not found" in shown.text


def test_static_files_are_named_by_their_content_and_kept(client: Client) -> None:
    tree = LexborHTMLParser(client.ask("/").text)
    for node in tree.css("link[rel=stylesheet], script, link[rel=icon]"):
        address = str(node.attributes.get("href") or node.attributes.get("src"))
        assert re.fullmatch(r"/static/[\w-]+\.[0-9a-f]{12}\.(css|js|svg)", address)
        reply = client.ask(address, "Accept-Encoding: gzip")
        assert reply.headers["cache-control"] == "public, max-age=31536000, immutable"
        again = gzip.decompress(reply.body) if "content-encoding" in reply.headers else reply.body
        assert again == client.ask(address).body


def test_an_icon_is_where_browsers_look_for_it(client: Client) -> None:
    assert client.ask("/favicon.ico").headers["content-type"] == "image/svg+xml"


def test_metrics_count_calls_by_endpoint_and_code(client: Client) -> None:
    client.ask("/api/v1/domain/registration?domain=localhost")
    reply = client.ask("/metrics", key=None, host="127.0.0.1")
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'endpoint="domain_registration"' in reply.text
    assert 'code="invalid_params"' in reply.text
    assert "localhost" not in reply.text


# with other settings, in this process

Started = Callable[..., AbstractAsyncContextManager[tuple[Service, Any]]]


@pytest.fixture
def started(tmp_path: Path) -> Started:
    """Starts a service with the given settings. Yields it with its application."""

    @asynccontextmanager
    async def start(**settings: Any) -> AsyncIterator[tuple[Service, Any]]:
        async with assemble(Settings(data_dir=tmp_path, **settings), serving=True) as service:
            yield service, service.asgi()

    return start


async def get(app: Any, path: str, *fields: tuple[str, str], host: str = "evil.example") -> Reply:
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in (("host", host), *fields)],
    }
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Reply(sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:]))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
async def test_metrics_are_open_on_loopback(started: Started, host: str) -> None:
    async with started(host=host) as (_, app):
        assert (await get(app, "/metrics", host="127.0.0.1:8080")).status == 200


async def test_metrics_are_closed_to_what_came_through_a_proxy(started: Started) -> None:
    async with started() as (_, app):
        assert (await get(app, "/metrics", host="quarry.example")).status == 401
        assert (await get(app, "/metrics", ("x-forwarded-for", "192.0.2.1"), host="127.0.0.1")).status == 401


async def test_metrics_of_a_service_with_a_public_address_need_their_token(started: Started) -> None:
    async with started(base_url="https://quarry.example") as (_, app):
        assert (await get(app, "/metrics", host="127.0.0.1")).status == 401


async def test_readiness_names_the_setting_for_a_proxy(started: Started) -> None:
    async with started(base_url="https://quarry.example") as (_, app):
        assert "WEBQUARRY_TRUSTED_PROXIES" in (await get(app, "/readyz")).text
    async with started(base_url="https://quarry.example", trusted_proxies=("127.0.0.1",)) as (_, app):
        assert "WEBQUARRY_TRUSTED_PROXIES" not in (await get(app, "/readyz")).text


async def test_a_setting_opens_and_closes_metrics(started: Started) -> None:
    async with started(metrics="open", host="0.0.0.0", metrics_token="secret") as (_, app):
        assert (await get(app, "/metrics")).status == 200
    async with started(metrics="token") as (_, app):
        assert (await get(app, "/metrics", host="127.0.0.1")).status == 401


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "service.example"])
async def test_metrics_are_refused_elsewhere_with_advice(started: Started, host: str) -> None:
    async with started(host=host) as (_, app):
        reply = await get(app, "/metrics", host="127.0.0.1")
        assert (reply.status, reply.code) == (401, "unauthorized")
        assert "WEBQUARRY_METRICS_TOKEN" in reply.json["error"]


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
async def test_metrics_open_to_their_token_only(started: Started, host: str) -> None:
    async with started(host=host, metrics_token="secret") as (_, app):
        assert (await get(app, "/metrics", ("authorization", "Bearer secret"))).status == 200
        for fields in ([], ["Bearer wrong"], ["secret"], ["Basic secret"], ["Bearer "], ["Bearer \xff"]):
            assert (await get(app, "/metrics", *(("authorization", field) for field in fields))).status == 401


async def test_service_is_not_ready_but_alive_without_its_store(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "AGE_S", -1.0)
    async with started() as (service, app):
        assert (await get(app, "/readyz")).status == 200
        await service.database.close()
        gone = await get(app, "/readyz")
        assert (gone.status, gone.headers["content-type"]) == (503, "text/plain; charset=utf-8")
        assert (await get(app, "/healthz")).status == 200


async def test_links_begin_with_the_public_address_as_set(started: Started) -> None:
    async with started(base_url="https://quarry.example") as (_, app):
        for page in ("/", "/llms.txt", "/agents.md", "/openapi.json"):
            text = (await get(app, page)).text
            assert "https://quarry.example" in text
            assert "evil.example" not in text


async def test_the_document_served_is_the_one_made_of_the_registry(started: Started) -> None:
    async with started(base_url="https://quarry.example", rate_limit_per_minute=7) as (_, app):
        example = partial(example_answer, base_url="https://quarry.example")
        made = document(load(), base_url="https://quarry.example", rate_limit=7, example_answer=example)
        assert (await get(app, "/openapi.json")).json == made


async def test_readiness_says_when_files_are_not_kept_from_the_network(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started() as (service, app):
        assert service.workers.isolation is None
        assert "network" not in (await get(app, "/readyz")).text
        monkeypatch.setattr(Workers, "isolation", "none")
        reply = await get(app, "/readyz")
        assert (reply.status, "not isolated from the network" in reply.text) == (200, True)


async def test_warm_workers_tell_their_isolation(started: Started) -> None:
    async with started() as (service, _):
        service.workers.warm()
        async with asyncio.timeout(20):
            while service.workers.isolation is None:  # noqa: ASYNC110  # another process reports it
                await asyncio.sleep(0.02)
        assert service.workers.isolation in ("namespace", "seccomp", "none")
