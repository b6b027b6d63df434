"""A client that uploads files over HTTP.

`python -m bench.uploads URL KEY AT_ONCE FILE` keeps AT_ONCE uploads of a file in progress until its standard input
ends, each on a separate connection, and prints the number of responses.
"""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import urlsplit

_BOUNDARY = "a-boundary-that-no-document-holds"


class Caller:
    """A persistent connection."""

    def __init__(self, url: str, key: str) -> None:
        self._connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
        self._headers = {"Authorization": f"Bearer {key}"}

    def upload(self, body: bytes) -> None:
        """Upload a file for conversion. Raises RuntimeError if the response is not 200."""
        head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\n\r\n'
        form = b"".join([head.encode(), body, f"\r\n--{_BOUNDARY}--\r\n".encode()])
        kind = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
        self._ask("POST", "/api/v1/markdown/file", form, kind)

    def health(self) -> None:
        """Request `/healthz`. Raises RuntimeError if the response is not 200."""
        self._ask("GET", "/healthz", None, {})

    def close(self) -> None:
        self._connection.close()

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> None:
        self._connection.request(method, path, body, self._headers | headers)
        answer = self._connection.getresponse()
        told = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {told[:200]!r}")


class Count:
    """Number of uploads that received a response. It is set at the end."""

    uploads = 0


@asynccontextmanager
async def under_way(url: str, key: str, at_once: int, body: bytes) -> AsyncIterator[Count]:
    """Run uploads in another process while the context is active.

    The number of responses is known after the context ends.
    """
    count = Count()
    with NamedTemporaryFile(prefix="wq-bench-") as file:
        file.write(body)
        file.flush()
        command = (sys.executable, "-m", "bench.uploads", url, key, str(at_once), file.name)
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        try:
            yield count
        finally:
            told, _ = await process.communicate(b"")  # this ends the process's input
            count.uploads = int(told or 0)


def _main(url: str, key: str, at_once: int, body: bytes) -> None:
    ended = threading.Event()
    counts = [0] * at_once

    def work(place: int) -> None:
        caller = Caller(url, key)
        while not ended.is_set():
            caller.upload(body)
            counts[place] += 1

    threads = [threading.Thread(target=work, args=(place,)) for place in range(at_once)]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    ended.set()
    for thread in threads:
        thread.join()
    print(sum(counts))


if __name__ == "__main__":
    _main(sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]).read_bytes())
