"""A real redis-server for tests, on a private unix socket."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Redis:
    """A redis-server without persistence, on a socket in the folder. url: `unix:///…`."""

    def __init__(self, folder: Path) -> None:
        binary = shutil.which("redis-server") or shutil.which("valkey-server")
        if binary is None:
            raise RuntimeError("neither redis-server nor valkey-server is installed: `make test` installs one")
        self._socket = folder / "redis.sock"
        self.url = f"unix://{self._socket}"
        options = {"port": "0", "unixsocket": str(self._socket), "save": "", "appendonly": "no", "dir": str(folder)}
        self._command = [binary, *(word for name, value in options.items() for word in (f"--{name}", value))]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server. Returns when it listens."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        _await_socket(self._process, self._socket)

    def kill(self) -> None:
        """Kill the server, which has the effect of a crash. It can be started again, without its data."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._socket.unlink(missing_ok=True)


@contextmanager
def running_redis() -> Iterator[Redis]:
    """Run a server for the duration of the context."""
    with tempfile.TemporaryDirectory(prefix="wq-redis-") as folder:
        redis = Redis(Path(folder))
        redis.start()
        try:
            yield redis
        finally:
            redis.kill()


@contextmanager
def redis_server() -> Iterator[str]:
    """Run a server for the duration of the context. Yields its URL, `unix:///…`."""
    with running_redis() as redis:
        yield redis.url


def _await_socket(server: "subprocess.Popen[bytes]", socket: Path, within_s: float = 10.0) -> None:
    give_up_at = time.monotonic() + within_s
    while not socket.exists():
        if server.poll() is not None or time.monotonic() > give_up_at:
            raise RuntimeError(f"redis-server did not start (exit code {server.returncode})")
        time.sleep(0.005)
