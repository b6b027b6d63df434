"""Pages through the running API: rendered if necessary, rejected if they are block pages."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from support.caller import Caller, Reply
from support.chromium import chromium_of, kill
from support.origin import Asked, Origin, answer
from support.pages import article, as_answer
from support.rendering import WORDS, html, script
from support.server import Server
from verdict.test_block_pages import FOUND_IN_SAMPLES, MADE, SAMPLES, needs_samples

pytestmark = pytest.mark.asyncio(loop_scope="module")
CREDITS = 10_000
SHELL = html('<div id="root"></div><script src="/app.js"></script>')
TELLING = "Times of the ferries of the northern islands, for today and the days to come."


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def site() -> AsyncIterator[Origin]:
    async with Origin() as origin:
        yield origin


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def walled() -> AsyncIterator[Origin]:
    """Another host, because a host that repeatedly returns block pages is paused after a while."""
    async with Origin("127.0.0.2") as origin:
        yield origin


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(site: Origin, walled: Origin, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    async with _server(folder, egress_allow=f"{site.target},{walled.target}") as server:
        yield server
        assert await server.stop() == 0
    assert chromium_of(folder) == []
    assert "Traceback" not in _log(server)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def caller(server: Server) -> AsyncIterator[Caller]:
    async with Caller(server, await server.first_key()) as caller:
        yield caller


@asynccontextmanager
async def _server(folder: Path, **settings: Any) -> AsyncIterator[Server]:
    settings = {"first_account_credits": CREDITS, "rate_limit_per_minute": 10_000, **settings}
    async with Server(folder, **settings) as server:
        yield server


def _log(server: Server) -> str:
    return (server.folder / "serve.log").read_text()


def _events(server: Server, name: str) -> list[dict[str, Any]]:
    lines = (json.loads(line) for line in _log(server).splitlines() if line.startswith("{"))
    return [line for line in lines if line["event"] == name]


def _balance(server: Server) -> int:
    with sqlite3.connect(server.folder / "webquarry.db") as database:
        return int(database.execute("SELECT balance FROM accounts").fetchone()[0])


def _attempts(server: Server, request_id: str) -> list[dict[str, Any]]:
    with sqlite3.connect(server.folder / "webquarry.db") as database:
        row = database.execute("SELECT attempts FROM receipts WHERE request_id = ?", (request_id,)).fetchone()
    attempts: list[dict[str, Any]] = json.loads(row[0])
    return attempts


def _is_error(reply: Reply, reason: str) -> bool:
    return (reply.status, reply.body["code"], reply.headers["x-error-reason"]) == (422, "provider_error", reason)


async def test_shell_is_rendered_charged_and_cached(server: Server, caller: Caller, site: Origin) -> None:
    code = "document.getElementById('root').innerHTML = `<main><h1>Made</h1><p>${WORDS}</p></main>`"
    url = site.on("/shell", script(code, '<div id="root"></div>'))
    before = _balance(server)
    reply = await caller.markdown(url)
    assert (reply.status, reply.body["creditsCharged"]) == (200, 1)
    assert reply.body["data"]["fetched_with"] == "browser"
    assert reply.body["markdown"].startswith(f"# Made\n\n{WORDS.strip()}\n\n*Fetched ")
    seen = len(site.requests)
    again = await caller.markdown(url)
    assert (again.headers["x-cache"], again.body["data"]) == ("hit", reply.body["data"])
    assert len(site.requests) == seen
    assert before - _balance(server) == 1


async def test_page_with_text_is_read_without_a_browser(caller: Caller, site: Origin) -> None:
    reply = await caller.markdown(site.on("/article", as_answer(article("static"))))
    assert (reply.status, reply.body["data"]["fetched_with"]) == (200, "static")


async def test_rendering_is_counted_and_logged(server: Server, caller: Caller, site: Origin) -> None:
    await caller.markdown(site.on("/counted", script("say('counted')")))
    async with aiohttp.ClientSession() as session, session.get(f"{server.url}/metrics") as found:
        metrics = dict(line.rsplit(" ", 1) for line in (await found.text()).splitlines() if not line.startswith("#"))
    assert float(metrics['webquarry_renders_total{result="ok"}']) >= 1
    assert float(metrics['webquarry_browser_proxy_total{event="requests"}']) >= 1
    assert float(metrics["webquarry_browser_processes"]) >= 1
    assert _events(server, "render")[-1]["status"] == 200


async def _refused_as_wall(server: Server, caller: Caller, walled: Origin, url: str) -> None:
    """A block page is reported, refunded and not stored; another page of the same host is still read."""
    before = _balance(server)
    for _ in range(2):
        visits = len(walled.requests)
        reply = await caller.markdown(url)
        assert _is_error(reply, "blocked"), reply.body
        assert reply.body["error"].startswith("127.0.0.2 ")
        assert len(walled.requests) > visits
    assert _balance(server) == before
    fine = walled.on("/fine", as_answer(article("fine")))
    assert (await caller.markdown(f"{fine}?{len(walled.requests)}")).status == 200


@needs_samples
@pytest.mark.parametrize("name", FOUND_IN_SAMPLES)
async def test_recorded_block_page_is_refused(server: Server, caller: Caller, walled: Origin, name: str) -> None:
    media = "application/json" if name.endswith(".json") else "text/html"
    block_page = answer(200, (SAMPLES / name).read_bytes(), {"Content-Type": media})
    await _refused_as_wall(server, caller, walled, walled.on(f"/{name}", block_page))


@pytest.mark.parametrize("status", [200, 403, 503])
@pytest.mark.parametrize("name", ["cloudflare managed challenge", "datadome captcha"])
async def test_block_page_is_refused_whatever_its_status(
    server: Server, caller: Caller, walled: Origin, name: str, status: int
) -> None:
    block_page = answer(status, MADE[name].html.encode(), {"Content-Type": "text/html"})
    await _refused_as_wall(server, caller, walled, walled.on(f"/made/{status}/{name.replace(' ', '-')}", block_page))


@pytest.mark.long
async def test_block_page_that_a_script_writes_is_refused(server: Server, caller: Caller, walled: Origin) -> None:
    form = "<h1>Log in</h1><form><input type=text><input type=password><button>Log in</button></form>"
    page = script(f"document.getElementById('root').innerHTML = '{form}'", '<div id="root"></div>')
    await _refused_as_wall(server, caller, walled, walled.on("/app", page))


@pytest.mark.long
async def test_shell_that_stays_empty_is_refused(server: Server, caller: Caller, walled: Origin) -> None:
    walled.on("/app.js", answer(200, b"throw new Error()", {"Content-Type": "text/javascript"}))
    await _refused_as_wall(server, caller, walled, walled.on("/empty", SHELL))


async def test_static_text_is_kept_when_rendering_fails(caller: Caller, site: Origin) -> None:
    leave = '<script>location = "http://127.0.0.1:1/"</script>'
    reply = await caller.markdown(site.on("/leaves", html(f'<p>{TELLING}</p><div id="root"></div>{leave}')))
    assert (reply.status, reply.body["data"]["fetched_with"]) == (200, "static")
    assert TELLING in reply.body["markdown"]


async def test_script_that_leads_to_a_private_address_is_refused(server: Server, caller: Caller, site: Origin) -> None:
    before = _balance(server)
    leave = f'<script>location = "http://127.0.0.3:{site.port}/"</script>'
    reply = await caller.markdown(site.on("/inside", html(f'<div id="root"></div>{leave}')))
    assert (reply.status, reply.body["code"]) == (400, "unsafe_target")
    assert _balance(server) == before


@pytest.mark.long
async def test_killed_browser_is_reported_and_the_next_page_is_rendered(
    server: Server, caller: Caller, site: Origin
) -> None:
    came = asyncio.Event()

    async def endless(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        came.set()
        await site.left(writer)

    site.on("/endless.js", endless)
    url = site.on("/waits", html('<div id="root"></div><script src="/endless.js"></script>'))
    before, pid = _balance(server), server.pid
    call = asyncio.create_task(caller.markdown(url))
    await came.wait()
    kill(chromium_of(server.folder)[0])
    reply = await call
    assert _is_error(reply, "unavailable"), reply.body
    assert "try again" in reply.body["error"]
    attempts = _attempts(server, reply.headers["x-request-id"])
    assert [(attempt["provider"], attempt["reason"]) for attempt in attempts] == [
        ("page", "unavailable"),
        ("browser", "unavailable"),
    ]
    assert (_balance(server), server.pid) == (before, pid)
    assert (await caller.markdown(site.on("/next", script("say('next')")))).body["data"]["fetched_with"] == "browser"


async def test_service_without_chromium_reads_pages_that_do_not_need_it(site: Origin, tmp_path: Path) -> None:
    url = site.on("/app", script("say('app')"))
    async with (
        _server(tmp_path, egress_allow=site.target, chromium_path=tmp_path / "nowhere") as server,
        Caller(server, await server.first_key()) as caller,
    ):
        assert len(_events(server, "browser.missing")) == 1
        assert (await caller.get("/readyz")).status == 200
        assert (await caller.markdown(site.on("/static", as_answer(article("static"))))).status == 200
        telling = site.on("/telling", html(f'<p>{TELLING}</p><div id="root"></div><script src="/app.js"></script>'))
        assert (await caller.markdown(telling)).body["data"]["fetched_with"] == "static"
        reply = await caller.markdown(url)
        assert _is_error(reply, "unavailable")
        assert "or set WEBQUARRY_CHROMIUM_PATH" in reply.body["error"]
        assert len(_events(server, "browser.missing")) == 1


@pytest.mark.long
async def test_command_renders_while_a_server_runs(server: Server, site: Origin) -> None:
    got = await server.command("get", "markdown_url", "--url", site.on("/command", script("say('command')")))
    assert got.code == 0, got.err
    assert json.loads(got.out)["data"]["fetched_with"] == "browser"
