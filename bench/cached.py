"""A cached response over the full path (key, limit, headers, stored body of about 20 KB) against a bare ASGI
application.

The application sends the same body on the same server. `wrk` uses one thread and 32 connections; one worker each, no
access logs, alternating rounds. Goal: in the median round, our rate is at least half of the bare one.
"""

import asyncio
import json
import re
import statistics
import sys
import tempfile
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bench.table import bar, show
from bench.upstream import upstream
from support.server import Server

ROUNDS = 5
SECONDS = 5
LEAST = 0.5


async def measure(folder: Path) -> None:
    async with upstream(_page().encode()) as target:
        settings = {"rate_limit_per_minute": 1_000_000_000, "egress_allow": target}
        async with Server(folder / "data", **settings) as service:
            key = await service.first_key()
            asked = urllib.parse.urlencode({"url": f"http://{target}/", "format": "both"})
            url = f"{service.url}/api/v1/markdown/url?{asked}"
            body = [await asyncio.to_thread(_get, url, key) for _ in range(2)][1]
            assert json.loads(body)["cached"]
            path = folder / "body.json"
            path.write_bytes(body)
            async with _bare(path) as bare_url:
                await _rounds(url, key, bare_url, len(body))


async def _rounds(url: str, key: str, bare_url: str, body_bytes: int) -> None:
    ours, bare = [], []
    for _ in range(ROUNDS):
        bare.append(await _wrk(bare_url, key))
        ours.append(await _wrk(url, key))
    rows = [(f"{n + 1}", b, o, o / b) for n, (b, o) in enumerate(zip(bare, ours, strict=True))]
    # ratios are taken within each round, because both sides ran under the same conditions
    ratio = statistics.median(o / b for b, o in zip(bare, ours, strict=True))
    rows.append(("median", statistics.median(bare), statistics.median(ours), ratio))
    show(
        f"Cached answer of {body_bytes / 1000:.1f} KB, requests a second",
        ("round", "bare ASGI", "full path", "ratio"),
        rows,
        bar(ratio, LEAST),
    )


async def _wrk(url: str, key: str) -> float:
    """Return the requests per second of one round. Raises RuntimeError if any response was not 200."""
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


def _page() -> str:
    """Return a page whose response, data and markdown, has about 20 KB."""
    sentence = "Every word of this paragraph is there to be carried, not to be read; it says so {}. "
    paragraphs = "".join(f"<p>{''.join(sentence.format(f'{n}.{m}') for m in range(5))}</p>" for n in range(42))
    return f"<!doctype html><html lang=en><title>Twenty</title><main><h1>Twenty</h1>{paragraphs}</main></html>"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as made:
        asyncio.run(measure(Path(made)))
