"""The upstream of benchmarks, in a separate process: every GET receives the same body after a delay.

`python -m bench.upstream DELAY_S MEDIA_TYPE KEEP|CLOSE BODY_FILE` prints its port and stops when its standard input
ends.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

import uvloop

MARKDOWN = b"# A small page\n\nText that is markdown already: there is nothing to convert, and [a link](/more).\n"
HTML = b"""<!doctype html><html lang="en"><head><title>A small page</title><meta name="description" content="Made.">
</head><body><nav><a href="/">Home</a></nav><main><h1>A small page</h1>
<p>It stands for the many pages of a few paragraphs that the web consists of. It says enough to be read as an article,
and has <a href="/more">a link</a>, so that every step of a conversion has something to do.</p>
<ul><li>one</li><li>two</li></ul></main></body></html>"""


class _Answers(asyncio.Protocol):
    """Protocol that handles one request at a time per connection, and ignores the requested path."""

    def __init__(self, answer: bytes, delay_s: float, closes: bool) -> None:
        self._answer = answer
        self._delay_s = delay_s
        self._closes = closes
        self._head = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # it is one for streams
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._head += data
        if not self._head.endswith(b"\r\n\r\n"):
            return
        self._head = b""
        if self._delay_s:
            asyncio.get_running_loop().call_later(self._delay_s, self._say)
        else:
            self._say()

    def _say(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(self._answer)
            if self._closes:
                self._transport.close()


@asynccontextmanager
async def upstream(
    body: bytes, *, delay_s: float = 0.0, media_type: str = "text/html", closes: bool = False
) -> AsyncIterator[str]:
    """Run an upstream and yield its host:port.

    closes: whether the upstream closes every connection after the response.
    """
    with NamedTemporaryFile(prefix="wq-bench-") as file:
        file.write(body)
        file.flush()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.upstream"),
            *(str(delay_s), media_type, "CLOSE" if closes else "KEEP", file.name),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield f"127.0.0.1:{int(await process.stdout.readline())}"
        finally:
            process.stdin.close()
            await process.wait()


async def _serve(delay_s: float, media_type: str, body: bytes, *, closes: bool) -> None:
    loop = asyncio.get_running_loop()
    fields = [
        "HTTP/1.1 200 OK",
        f"Content-Type: {media_type}; charset=utf-8",
        f"Content-Length: {len(body)}",
        *(["Connection: close"] if closes else []),
    ]
    answer = "\r\n".join([*fields, "", ""]).encode() + body
    server = await loop.create_server(lambda: _Answers(answer, delay_s, closes), "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    _, delay, kind, closing, path = sys.argv
    uvloop.run(_serve(float(delay), kind, Path(path).read_bytes(), closes=closing == "CLOSE"))
