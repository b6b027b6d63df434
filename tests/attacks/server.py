"""The attacked server: the installed `webquarry serve` with its own store and accounts for the attacks."""

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from attacks.calling import Payer
from attacks.held import descendants, is_alive
from webquarry.accounts import Accounts
from webquarry.core.clock import SystemClock
from webquarry.core.settings import PREFIX, Settings
from webquarry.ledger import Ledger
from webquarry.storage import Database, open_database

SERVE: Final = (sys.executable, "-c", "from webquarry.cli import main; main()", "serve")
START_S = 60.0
CREDITS = 1_000_000
_OWN = frozenset(
    {"DATA_DIR", "HOST", "PORT", "BASE_URL", "DATABASE_URL", "REDIS_URL", "PROXY_URL", "BROWSER_PROXY_ADDRESS"}
    | {"METRICS_TOKEN", "EGRESS_ALLOW", "RATE_LIMIT_PER_MINUTE", "LOG_LEVEL"}
)
"""Settings that the suite sets itself, regardless of the installation's."""


class ServerError(Exception):
    """The server does not start. The message is a sentence."""


class Server:
    """A server. Its store outlives its processes: call `start` again after `kill`.

    command: its command line, extended by the suite's options; settings: settings by name, in addition to settings in
    the environment.
    """

    def __init__(self, folder: Path, settings: Mapping[str, str], command: Sequence[str] = SERVE) -> None:
        self.place = ("127.0.0.1", 0)
        self._folder = folder
        self._settings = settings
        self._command = command
        self._process: Process | None = None
        self._is_told_to_end = False

    @property
    def pid(self) -> int:
        return 0 if self._process is None else self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def has_fallen(self) -> bool:
        """Return whether the server ended without being asked to."""
        return not self.is_running and not self._is_told_to_end

    async def open_account(self, name: str, credits: int = CREDITS) -> Payer:
        """Create an account with these credits."""
        async with self._store() as database:
            email = f"{name}-{time.monotonic_ns()}@doctor.example"
            account, key = await Accounts(database, SystemClock()).create(email, credits)
        return Payer(account.id, key)

    async def balance(self, payer: Payer) -> int:
        """Return the current balance in the store."""
        async with self._store() as database:
            return await Ledger(database, SystemClock(), "in_doctor").balance(payer.account_id)

    async def faults(self) -> list[str]:
        """Return the ledger's faults, or an empty list if the ledger is consistent."""
        async with self._store() as database:
            return [str(fault) for fault in await Ledger(database, SystemClock(), "in_doctor").verify()]

    async def start(self) -> None:
        """Start a process. Raises ServerError if it does not start."""
        self._is_told_to_end = False
        line = (*self._command, "--port", "0", "--host", "127.0.0.1", "--data-dir", str(self._folder))
        with (self._folder / "serve.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *line, stdin=DEVNULL, stdout=PIPE, stderr=log, env=self._environment(), start_new_session=True
            )
        try:
            async with asyncio.timeout(START_S):
                self.place = await self._read_greeting(self._process)
        except TimeoutError as exc:
            await self.kill()
            raise ServerError("The server did not start in time.") from exc

    async def kill(self) -> None:
        """Kill the server and its descendants immediately."""
        self._is_told_to_end = True
        if self._process is None:
            return
        for pid in [self._process.pid, *descendants(self._process.pid)]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        await self._process.wait()

    async def stop(self, most_s: float) -> float | None:
        """Send SIGTERM. Return the seconds until it and all its descendants ended.

        Returns None if a process still runs after `most_s` seconds.
        """
        if self._process is None or self._process.returncode is not None:
            return 0.0
        self._is_told_to_end = True
        started = descendants(self._process.pid)
        began_s = time.perf_counter()
        self._process.terminate()
        try:
            async with asyncio.timeout(most_s):
                await self._process.wait()
                while any(is_alive(pid) for pid in started):  # noqa: ASYNC110  # the kernel tells nobody of others' children
                    await asyncio.sleep(0.02)
        except TimeoutError:
            return None
        return time.perf_counter() - began_s

    async def _read_greeting(self, process: Process) -> tuple[str, int]:
        if process.stdout is None:
            raise RuntimeError("the process has no pipe")
        while line := (await process.stdout.readline()).decode():
            if "listens on http://" in line:
                host, _, port = line.strip().rpartition("/")[2].rpartition(":")
                # further output is not needed, and must not fill the pipe
                self._draining = asyncio.create_task(process.stdout.read())
                return host, int(port)
        raise ServerError(f"The server did not start: {await asyncio.to_thread(self._last_words)}")

    def _last_words(self) -> str:
        return (self._folder / "serve.log").read_text("utf-8", "replace").strip()[-300:]

    def _environment(self) -> dict[str, str]:
        kept = {name: text for name, text in os.environ.items() if name.removeprefix(PREFIX) not in _OWN}
        own = {"RATE_LIMIT_PER_MINUTE": "1000000", "LOG_LEVEL": "warning", **self._settings}
        return kept | {f"{PREFIX}{name}": text for name, text in own.items()}

    @asynccontextmanager
    async def _store(self) -> AsyncIterator[Database]:
        self._folder.mkdir(parents=True, exist_ok=True)
        database = await open_database(Settings(data_dir=self._folder), migrate=False)
        try:
            yield database
        finally:
            await database.close()
