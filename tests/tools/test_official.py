"""The official SDK's server as a component: it starts once for all waiting requests, and a failed start blocks none."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import Environment
from structlog.testing import capture_logs

from support.visits import Browser
from webquarry.app import assemble
from webquarry.cli import serving
from webquarry.core.settings import Settings
from webquarry.mcp.official import OfficialServer


class Manager:
    """Replaces the SDK's manager: responds with its number."""

    def __init__(self, number: int, fault: Exception | None) -> None:
        self.number = number
        self._fault = fault
        self.is_open = False

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        if self._fault is not None:
            raise self._fault
        self.is_open = True
        yield
        self.is_open = False

    async def handle_request(self, _scope: Any, _receive: Any, send: Any) -> None:
        await send(self.number)


class Builder:
    """Creates managers, the first ones with these faults."""

    def __init__(self, *faults: Exception) -> None:
        self._faults = list(faults)
        self.made: list[Manager] = []

    def __call__(self, _sdk: Any) -> Manager:
        self.made.append(Manager(len(self.made), self._faults.pop(0) if self._faults else None))
        return self.made[-1]


async def ask(server: OfficialServer) -> int:
    answers: list[int] = []

    async def send(message: int) -> None:
        answers.append(message)

    async with asyncio.timeout(20):
        await server.handle({}, None, send)
    (answer,) = answers
    return answer


async def test_concurrent_requests_wait_for_one_start() -> None:
    builder = Builder()
    server = OfficialServer(builder)
    assert await asyncio.gather(*(ask(server) for _ in range(5))) == [0] * 5
    assert len(builder.made) == 1
    await server.close()
    assert not builder.made[0].is_open


async def test_a_failed_start_is_reported_and_retried() -> None:
    server = OfficialServer(Builder(OSError("no memory")))
    with pytest.raises(OSError, match="no memory"):
        await ask(server)
    assert await ask(server) == 1
    await server.close()


async def test_a_request_cancelled_during_the_start_does_not_affect_others() -> None:
    builder = Builder()
    server = OfficialServer(builder)
    leaving = asyncio.create_task(ask(server))
    staying = asyncio.create_task(ask(server))
    await asyncio.sleep(0)
    leaving.cancel()
    assert await staying == 0
    assert len(builder.made) == 1
    await server.close()


async def test_the_first_page_does_not_wait_in_a_warm_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("this was to be ready")

    async with assemble(Settings(data_dir=tmp_path), sandbox=True, serving=True) as service:
        app = service.asgi()
        await service.warm()
        monkeypatch.setattr(Environment, "compile", refuse)
        for path in ("/", "/status", "/login", "/playground/search", "/docs/api/domain_registration"):
            assert (await Browser(app).get(path)).status == 200


async def test_a_failed_warm_up_is_logged_and_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail() -> None:
        raise ImportError("no such library")

    monkeypatch.setattr(serving, "WARM_AFTER_S", 0.0)
    monkeypatch.setattr(serving, "WARM_REST_AFTER_S", 0.0)
    monkeypatch.setattr("gc.freeze", lambda: None)
    service: Any = SimpleNamespace(workers=SimpleNamespace(warm=lambda: None), warm=fail)
    with capture_logs() as logs:
        await serving._warm(service)
    assert [line["event"] for line in logs] == ["warm.failed"]


async def test_an_unused_server_closes_immediately() -> None:
    await OfficialServer(Builder()).close()
