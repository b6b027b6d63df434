"""The process settings of a server."""

import asyncio
import gc
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from support.server import Server
from webquarry.accounts import Accounts
from webquarry.app import assemble
from webquarry.cli import main, serving
from webquarry.core.process.interpreter import TURN_S
from webquarry.core.settings import Settings


@pytest.fixture(autouse=True)
def _thawed() -> Iterator[None]:
    """Undo the tests' freeze, which the server does not do."""
    gc.unfreeze()
    yield
    gc.freeze()


async def test_serving_reduces_garbage_collection_and_prioritizes_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Serving:
        should_exit = False
        frozen = 0
        threshold = 0
        turn_s = 0.0

        async def serve(self, **_: Any) -> None:
            self.frozen, self.threshold = gc.get_freeze_count(), gc.get_threshold()[0]
            self.turn_s = sys.getswitchinterval()

    before = gc.get_threshold()
    fake = Serving()
    monkeypatch.setattr(serving, "server", lambda *_, **__: fake)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    await serving.run(Settings(data_dir=tmp_path, port=0), sandbox=True)
    assert fake.frozen > 10_000
    assert fake.threshold > before[0]
    assert fake.turn_s == pytest.approx(TURN_S)
    assert (gc.get_freeze_count(), gc.get_threshold()) == (0, before)


async def test_assembling_the_service_does_not_change_the_garbage_collector(tmp_path: Path) -> None:
    async with assemble(Settings(data_dir=tmp_path), sandbox=True, serving=True):
        assert gc.get_freeze_count() == 0


async def test_concurrent_first_starts_on_one_store_create_one_first_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def find_none(_accounts: object) -> bool:
        return False

    monkeypatch.setattr(Accounts, "exist", find_none)
    async with assemble(Settings(data_dir=tmp_path), sandbox=True) as service:
        for _ in range(2):
            await serving.greet(service, from_tapes=False)
        assert len(await service.accounts.list_all()) == 1
    assert capsys.readouterr().out.count("shown only once") == 1


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "socks5://ada:secret@127.0.0.1:1080",
            "All requests are sent through socks5://127.0.0.1:1080; host names are resolved and checked locally.",
        ),
        (
            "http://ada:secret@[::1]:3128",
            "All requests are sent through http://[::1]:3128, which resolves host names.",
        ),
    ],
)
async def test_greeting_names_the_proxy_without_its_credentials(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str, message: str
) -> None:
    async with assemble(Settings(data_dir=tmp_path, proxy_url=address)) as service:
        await serving.greet(service, from_tapes=False)
    greeting = capsys.readouterr().out
    assert message in greeting.splitlines()
    assert "wq_live_" in greeting
    assert "secret" not in greeting


@pytest.mark.parametrize("guesses", [True, False])
async def test_greeting_explains_a_guessed_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], guesses: bool
) -> None:
    async with assemble(Settings(data_dir=tmp_path)) as service:
        await serving.greet(service, from_tapes=False, guesses_address=guesses)
    assert ("publish another port of a container, set WEBQUARRY_BASE_URL." in capsys.readouterr().out) is guesses


async def test_greeting_warns_about_an_unconfigured_proxy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with assemble(Settings(data_dir=tmp_path, base_url="https://quarry.example")) as service:
        await serving.greet(service, from_tapes=False)
    assert (
        "Warning: quarry.example reaches this service through a proxy: set WEBQUARRY_TRUSTED_PROXIES"
        in capsys.readouterr().out
    )


async def test_server_logs_to_the_file_of_its_setting(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    async with Server(tmp_path / "store", log_file=tmp_path / "log") as server:
        host, port = server.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET /api/v1/nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert b"404" in await reader.readline()
        await reader.read()
        writer.close()
        assert await server.stop() in (0, -signal.SIGTERM)
    assert '"event": "request"' in (tmp_path / "log").read_text()
    assert (tmp_path / "store" / "serve.log").read_text() == ""


def test_log_file_that_cannot_be_written_is_refused_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "log"
    said = refuse_to_start(tmp_path, log_file=str(path))
    assert said == f"Error: WEBQUARRY_LOG_FILE: {path} can't be written: No such file or directory.\n"


def refuse_to_start(folder: Path, **settings: str) -> str:
    """Return the error output of a start that these settings prevent."""
    line = ["serve", "--port", "0", "--data-dir", str(folder)]
    done = CliRunner().invoke(main, line, env={f"WEBQUARRY_{name.upper()}": text for name, text in settings.items()})
    assert done.exit_code == 1
    return done.stderr


def test_remote_browser_without_a_way_back_is_refused_at_the_start(tmp_path: Path) -> None:
    said = refuse_to_start(tmp_path, browser_cdp_url="http://127.0.0.1:9222")
    assert "set WEBQUARRY_BROWSER_PROXY_ADDRESS too" in said


def test_address_for_a_remote_browser_that_is_taken_is_refused_at_the_start(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        said = refuse_to_start(tmp_path, browser_proxy_address=address)
    assert said.startswith(f"Error: WEBQUARRY_BROWSER_PROXY_ADDRESS: can't listen on {address}: ")


@pytest.mark.parametrize(
    ("listens_on", "reached_at"),
    [
        ("0.0.0.0", "127.0.0.1"),  # no socket is opened
        ("::", "[::1]"),
        ("192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "127.0.0.1"),
        ("2001:db8::7", "[2001:db8::7]"),
    ],
)
def test_greeting_of_a_server_on_all_addresses_names_one_that_can_be_opened(listens_on: str, reached_at: str) -> None:
    assert serving.find_reachable_host(listens_on) == reached_at
