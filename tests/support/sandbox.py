"""The sandbox as an operator starts it, shared by the tests of the HTTP API."""

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from support.server import environment, make_store
from webquarry.accounts import Accounts
from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.engine import make_sandbox_settings
from webquarry.storage import open_database

T = TypeVar("T")
_START_S = 180.0
_STOP_S = 180.0
_URL = re.compile(r"listens on (\S+)")
_KEY = re.compile(r"\bwq_(?:live|test)_\w+")


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A running `webquarry serve --sandbox`. key: key of its first account. log: its standard error."""

    url: str
    key: str
    pid: int
    folder: Path
    log: Path

    def command(self, *arguments: str) -> str:
        """Run another command on the same store and return its output. Raises CalledProcessError if it fails."""
        line = [_script(), *arguments, "--sandbox", "--data-dir", str(self.folder)]
        return subprocess.run(line, check=True, capture_output=True, text=True, env=environment({})).stdout

    def open_account(self, email: str, credits: int = 10) -> str:
        """Create an account as the command does, without starting a process. Return its key."""
        return _run(self._open_account(email, credits))

    async def _open_account(self, email: str, credits: int) -> str:
        settings = make_sandbox_settings(Settings(data_dir=self.folder))
        database = await open_database(settings, migrate=False)
        try:
            _, key = await Accounts(database, SystemClock(), sandbox=True).create(email, credits)
        finally:
            await database.close()
        return key


@contextmanager
def running_sandbox(folder: Path, *options: str, **settings: object) -> Iterator[Sandbox]:
    """Run a sandbox on a free loopback port with its store in `folder`. `settings` are by field name."""
    _run(make_store(make_sandbox_settings(Settings(data_dir=folder)).data_dir, settings))
    log = folder / "serve.log"
    line = [_script(), "serve", "--sandbox", "--port", "0", "--data-dir", str(folder), *options]
    with log.open("wb") as errors:
        process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment(settings))
    try:
        url, key = _greeting(process)
        yield Sandbox(url, key, process.pid, folder, log)
    finally:
        process.terminate()
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        finally:
            assert process.stdout is not None
            process.stdout.close()


def _greeting(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """Return the URL and first key from the output of its first start. A start that hangs is killed."""
    assert process.stdout is not None
    timer = threading.Timer(_START_S, process.kill)
    timer.start()
    answer = ""
    try:
        for text in process.stdout:
            answer += text
            if (url := _URL.search(answer)) and (key := _KEY.search(answer)):
                return url[1], key[0]
    finally:
        timer.cancel()
    raise RuntimeError(f"the sandbox did not start: {answer}")


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a separate loop. The tests' loop is unchanged."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        return runner.run(work)


def _script() -> str:
    return str(Path(sys.executable).with_name("webquarry"))
