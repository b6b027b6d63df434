"""A real redis-server for tests, on a private unix socket."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def redis_server() -> Iterator[str]:
    """Start a server without persistence. Yields its URL, `unix:///…`."""
    binary = shutil.which("redis-server") or shutil.which("valkey-server")
    if binary is None:
        raise RuntimeError("neither redis-server nor valkey-server is installed: `make test` installs one")
    with tempfile.TemporaryDirectory(prefix="wq-redis-") as folder:
        socket = Path(folder) / "redis.sock"
        options = {"port": "0", "unixsocket": str(socket), "save": "", "appendonly": "no", "dir": folder}
        command = [binary, *(word for name, value in options.items() for word in (f"--{name}", value))]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
            try:
                _await_socket(server, socket)
                yield f"unix://{socket}"
            finally:
                server.terminate()


def _await_socket(server: "subprocess.Popen[bytes]", socket: Path, within_s: float = 10.0) -> None:
    give_up_at = time.monotonic() + within_s
    while not socket.exists():
        if server.poll() is not None or time.monotonic() > give_up_at:
            raise RuntimeError(f"redis-server did not start (exit code {server.returncode})")
        time.sleep(0.005)
