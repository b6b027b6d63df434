"""The real service in a separate process, as an operator runs it, and its other commands."""

import asyncio
import os
import re
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from webquarry.core.settings import Settings
from webquarry.storage import open_database

PROGRAM = str(Path(sys.executable).with_name("webquarry"))
"""The installed command."""

_LISTENS = "Webquarry listens on "
_LAST = "More credits: "
_KEY = re.compile(r"wq_(?:live|test)_\w{32}")
_WAIT_S = 180.0
"""Maximum wait in seconds: a slower server hangs, even on a busy machine."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished command."""

    code: int
    out: str
    err: str


async def webquarry(*arguments: str, folder: Path, settings: Mapping[str, object] | None = None) -> Finished:
    """Run a command on the store in `folder`. settings: by field name, as in `Settings`."""
    process = await asyncio.create_subprocess_exec(
        *_command(arguments, folder),
        env=environment(settings or {}),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(_WAIT_S):
        out, err = await process.communicate()
    return Finished(process.returncode or 0, out.decode(), err.decode())


async def make_store(folder: Path, settings: Mapping[str, object]) -> None:
    """Create an empty store in the folder unless the settings name a database.

    Running the migrations would make a process's start half as long again, and the tests' process has them loaded.
    """
    if "database_url" not in settings:
        await (await open_database(Settings(data_dir=folder), migrate=True)).close()


class Server:
    """`webquarry serve` on the store in `folder`, with its log in `folder/serve.log`.

    It is used as a context manager, which stops the server if it is still running. It can be started again after `kill`
    or `stop`. url: its URL; ready_s: seconds from the start of the process to its first response.
    """

    def __init__(self, folder: Path, *options: str, **settings: object) -> None:
        self.folder = folder
        self.settings = settings
        self.url = ""
        self.ready_s = 0.0
        self._options = options
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            await self.kill()

    @property
    def program(self) -> tuple[str, ...]:
        """The installed command, or what a subclass starts instead."""
        return (PROGRAM,)

    @property
    def pid(self) -> int:
        return self._running().pid

    async def start(self) -> None:
        """Start the process. Returns after a response from /healthz."""
        began = time.perf_counter()
        await make_store(self.folder, self.settings)
        with (self.folder / "serve.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *_command(("serve", "--port", "0", *self._options), self.folder, self.program),
                env=environment(self.settings),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        try:
            async with asyncio.timeout(_WAIT_S):
                self.url = await _address(self._process)
                while not await _answers(self.url, "/healthz"):  # noqa: ASYNC110  # another process has no event of ours
                    await asyncio.sleep(0.005)
        except BaseException:  # the context's exit does not run if its entry fails
            self._process.kill()
            raise
        self.ready_s = time.perf_counter() - began

    async def first_key(self) -> str:
        """Return the key printed at the first start on an empty store."""
        stdout = self._running().stdout
        assert stdout is not None
        async for line in stdout:
            if found := _KEY.search(line.decode()):
                return found[0]
        raise RuntimeError("the server ended without printing a key")

    async def greeting(self) -> str:
        """Return the output after the key at the first start."""
        stdout = self._running().stdout
        assert stdout is not None
        text = ""
        async for line in stdout:
            text += line.decode()
            if _LAST in text:
                return text
        raise RuntimeError("the server ended before it had greeted")

    async def kill(self) -> None:
        """Kill the server, which has the effect of a crash."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """Send SIGTERM and wait. Return the exit code."""
        return await self._end(signal.SIGTERM)

    async def command(self, *arguments: str) -> Finished:
        """Run another command on the same store, whether the server runs or not."""
        return await webquarry(*arguments, folder=self.folder, settings=self.settings)

    async def _end(self, number: signal.Signals) -> int:
        process = self._running()
        process.send_signal(number)
        async with asyncio.timeout(_WAIT_S):
            code = await process.wait()
        self._process = None
        return code

    def _running(self) -> asyncio.subprocess.Process:
        if self._process is None:
            raise RuntimeError("the server is not running")
        return self._process


async def _address(process: asyncio.subprocess.Process) -> str:
    """Return the printed URL. The rest of the output is short enough to stay in the pipe."""
    assert process.stdout is not None
    async for line in process.stdout:
        text = line.decode()
        if text.startswith(_LISTENS):
            return text.removeprefix(_LISTENS).strip()
    raise RuntimeError(f"the server ended with code {await process.wait()} before it listened")


async def _answers(url: str, path: str) -> bool:
    host, _, port = url.removeprefix("http://").rpartition(":")
    try:
        reader, writer = await asyncio.open_connection(host, int(port))
    except OSError:
        return False
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        return (await reader.readline()).startswith(b"HTTP/1.1 200")
    finally:
        writer.close()


def _command(arguments: tuple[str, ...], folder: Path, program: tuple[str, ...] = (PROGRAM,)) -> tuple[str, ...]:
    return (*program, *arguments, "--data-dir", str(folder))


def environment(settings: Mapping[str, object]) -> dict[str, str]:
    """Return the environment of a server or another command.

    By default one child converts, because each takes a second of processor time at every start.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WEBQUARRY_")}
    return kept | {f"WEBQUARRY_{name.upper()}": str(value) for name, value in {"workers": 1, **settings}.items()}
