"""Time and memory that the service needs for a map of 50,000 addresses, listed in an index of compressed sitemaps.

Starts the real server, and requests 10,000 addresses, with a search over all addresses. The service's peak memory is
its high-water mark; the peak of all processes together is sampled. Goals: 10 seconds, and 200 MB more than the idle
service.
"""

import asyncio
import gzip
import tempfile
import time
from pathlib import Path

from bench.memory import read_processes
from bench.table import show
from support.caller import Caller
from support.origin import Origin, answer
from support.server import Server

ADDRESSES = 50_000
FILES = 10
AT_MOST_S = 10.0
AT_MOST_MB = 200
_XML = {"Content-Type": "application/xml"}


async def measure(folder: Path) -> None:
    rows = []
    async with Origin() as origin:
        _serve(origin)
        settings = {"egress_allow": origin.target, "rate_limit_per_minute": 1_000_000}
        async with Server(folder, **settings) as service, Caller(service, await service.first_key()) as caller:
            await caller.get("/api/v1/map", url=origin.url("/warm"), sitemap="skip")
            idle_mb = read_processes(service.pid)
            for name, query in (("all, 10,000 returned", {}), ("search, best 100", {"search": "rye", "limit": "100"})):
                query = {"url": origin.url("/"), "limit": "10000", **query}
                asked = asyncio.create_task(caller.get("/api/v1/map", **query))
                began_s, peak_mb = time.perf_counter(), 0.0
                while not asked.done():
                    peak_mb = max(peak_mb, read_processes(service.pid))
                    await asyncio.sleep(0.05)
                took_s = time.perf_counter() - began_s
                data = asked.result().body["data"]
                rows.append((name, len(data["urls"]), data["found"], took_s, peak_mb - idle_mb))
    show("A map of 50,000 addresses", ("request", "returned", "found", "seconds", "MB above idle"), rows)
    for *_, took_s, more_mb in rows:
        if took_s > AT_MOST_S or more_mb > AT_MOST_MB:
            print(f"The goals are {AT_MOST_S:.0f} s and {AT_MOST_MB} MB.")


def _serve(origin: Origin) -> None:
    names = [f"/map{n}.xml.gz" for n in range(FILES)]
    origin.on("/", answer(200, b"<!doctype html><title>Home</title><h1>Home</h1><p>A page with text.</p>"))
    origin.on("/warm", answer(200, b"<!doctype html><title>Warm</title><a href='/'>Home</a><p>A page with text.</p>"))
    origin.on("/robots.txt", answer(200, f"Sitemap: {origin.url('/index.xml')}\n".encode()))
    index = "".join(f"<sitemap><loc>{origin.url(name)}</loc></sitemap>" for name in names)
    origin.on("/index.xml", answer(200, f"<sitemapindex>{index}</sitemapindex>".encode(), _XML))
    kinds = ("rye", "wheat", "spelt", "oat", "corn")
    for at, name in enumerate(names):
        numbers = range(at * ADDRESSES // FILES, (at + 1) * ADDRESSES // FILES)
        entries = "".join(
            f"<url><loc>{origin.url(f'/breads/{kinds[n % 5]}-bread/loaf-with-a-long-name-{n}.html?page=1')}</loc>"
            "<lastmod>2026-10-01</lastmod></url>"
            for n in numbers
        )
        origin.on(name, answer(200, gzip.compress(f"<urlset>{entries}</urlset>".encode())))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(measure(Path(made)))
