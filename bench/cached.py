"""A cached response over the full path (key, limit, headers, stored body of about 20 KB) against a bare ASGI
application, and the same with Redis, which counts the requests of all servers.

The application sends the same body on the same server. `wrk` uses one thread and 32 connections; one worker each, no
access logs, alternating rounds. Goals: in the median round, the service's rate is at least half of the bare rate, and a
quarter of it with Redis.
"""

import asyncio
import json
import re
import statistics
import sys
import tempfile
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.table import bar, show
from bench.upstream import upstream
from support.redis import redis_server
from support.server import Server

ROUNDS = 5
SECONDS = 5
LEAST, LEAST_WITH_REDIS = 0.5, 0.25


@dataclass(frozen=True, slots=True)
class Subject:
    """A URL whose response is cached, and the key for it."""

    url: str
    key: str

    async def warm(self) -> bytes:
        """Request the URL until the response is cached. Return the response's body."""
        body = [await asyncio.to_thread(_get, self.url, self.key) for _ in range(2)][1]
        assert json.loads(body)["cached"]
        return body

    async def load(self) -> float:
        """Return the requests per second of one round. Raises RuntimeError if any response was not 200."""
        return await _wrk(self.url, self.key)


async def subject_of(server: Server, target: str, key: str = "") -> Subject:
    """Return a page of the upstream as the server's subject."""
    asked = urllib.parse.urlencode({"url": f"http://{target}/", "format": "both"})
    return Subject(f"{server.url}/api/v1/markdown/url?{asked}", key or await server.first_key())


async def measure(folder: Path) -> None:
    async with upstream(write_page().encode()) as target:
        settings = {"rate_limit_per_minute": 1_000_000_000, "egress_allow": target}
        with redis_server() as redis_url:
            async with (
                Server(folder / "alone", **settings) as alone,
                Server(folder / "redis", redis_url=redis_url, **settings) as shared,
            ):
                subjects = [await subject_of(server, target) for server in (alone, shared)]
                body, _ = [await subject.warm() for subject in subjects]
                path = folder / "body.json"
                path.write_bytes(body)
                async with _bare(path) as bare_url:
                    await _rounds([Subject(bare_url, subjects[0].key), *subjects], len(body))


async def _rounds(sides: Sequence[Subject], body_bytes: int) -> None:
    rounds = [[await side.load() for side in sides] for _ in range(ROUNDS)]
    # ratios are taken within each round, because all sides ran under the same conditions
    rows = [
        (str(n + 1), bare, ours, shared, ours / bare, shared / bare) for n, (bare, ours, shared) in enumerate(rounds)
    ]
    middle = [statistics.median(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    show(
        f"Cached answer of {body_bytes / 1000:.1f} KB, requests a second",
        ("round", "bare ASGI", "full path", "with Redis", "ratio", "ratio with Redis"),
        [*rows, ("median", *middle)],
        bar(middle[3], LEAST),
        bar(middle[4], LEAST_WITH_REDIS),
    )


async def _wrk(url: str, key: str) -> float:
    command = ["wrk", "-t1", "-c32", f"-d{SECONDS}s", "-H", f"Authorization: Bearer {key}", url]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    told = (await process.communicate())[0].decode()
    rate = re.search(r"Requests/sec:\s*([\d.]+)", told)
    if rate is None or "Non-2xx" in told or "Socket errors" in told:
        raise RuntimeError(f"wrk: {told}")
    return float(rate[1])


@asynccontextmanager
async def _bare(body: Path) -> AsyncIterator[str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.bare", str(body), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(await process.stdout.readline())}/"
    finally:
        process.terminate()
        await process.wait()


def _get(url: str, key: str) -> bytes:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request) as answer:
        body: bytes = answer.read()
    return body


def write_page() -> str:
    """Return a page whose response, with data and markdown, has about 20 KB."""
    sentence = "Every word of this paragraph is there to be carried, not to be read; it says so {}. "
    paragraphs = "".join(f"<p>{''.join(sentence.format(f'{n}.{m}') for m in range(5))}</p>" for n in range(42))
    return f"<!doctype html><html lang=en><title>Twenty</title><main><h1>Twenty</h1>{paragraphs}</main></html>"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as made:
        asyncio.run(measure(Path(made)))
