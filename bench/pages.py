"""Conversion of pages in child processes.

Measures the overhead, the speed-up by a second child, and the effect of hostile pages. Uses real pages of the sample
folder if available, otherwise generated pages. Each page is converted in this process, in a child reused for pages of
its host, and in a new child, in rotation. Wall-clock time is measured. Then all pages are converted by one child at a
time, and by two children. Finally, pages of 10 MB that exhaust the limits are converted while the pauses of the event
loop are measured. Goals: a page in a reused child takes at most 1.35 × the conversion (median); two children are at
least 1.7 × as fast as one (on two quiet cores); no pause above 100 ms, the 99.9th percentile below 20 ms.
"""

import asyncio
import statistics
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import uvloop

from bench.convert import made_page
from bench.pause import pauses
from bench.table import bar, show
from support.pages import real_pages
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ServiceError
from webquarry.core.types import Deadline, Wire
from webquarry.engine import PRELOADED
from webquarry.extractors.web.child.page_job import convert
from webquarry.extractors.web.child.page_reply import make_job
from webquarry.extractors.web.markdown_url import JOB
from webquarry.workers.workers import Workers

PAGES = 120
HOST = "https://example.com"
ADDRESS = f"{HOST}/page"
CLOCK = SystemClock()
AT_MOST = 1.35
TWO = 1.7
LARGE = 9_900_000


async def measure() -> None:
    pages = real_pages(PAGES) or [made_page(sections) for sections in range(3, 63)]
    workers = Workers(CLOCK, PRELOADED, size=2, queue=10_000, nice=0)
    try:
        await asyncio.gather(*(_there(workers, page) for page in pages[:8]))
        await _cost(workers, pages)
        await _two(workers, pages)
        await _hostile(workers)
    finally:
        await workers.close()


def _wire(body: bytes) -> Wire:
    headers = {"content-type": "text/html; charset=utf-8"}
    return Wire(body, ADDRESS, ADDRESS, 200, headers, datetime(2026, 11, 1, 12, tzinfo=UTC))


def _options(body: bytes) -> dict[str, Any]:
    return {"wire": _wire(body).about(), "asked": ADDRESS, "is_success": True}


async def _there(workers: Workers, body: bytes, origin: str = HOST) -> float:
    began_s = time.perf_counter()
    with suppress(ServiceError):  # refusals because of limits are measured too
        job = make_job(JOB, _wire(body), ADDRESS)
        await workers.run(job, body, _options(body), deadline=Deadline.after(600, CLOCK), origin=origin, subject="page")
    return time.perf_counter() - began_s


def _here(body: bytes) -> float:
    began_s = time.perf_counter()
    convert(body, **_options(body))
    return time.perf_counter() - began_s


async def _cost(workers: Workers, pages: Sequence[bytes]) -> None:
    for page in pages[:8]:
        _here(page)
    timed = [(_here(page), await _there(workers, page), await _there(workers, page, "")) for page in pages]
    kept, new = (statistics.median(each[place] / each[0] for each in timed) for place in (1, 2))
    names = ("here", "in a kept child", "in a new child")
    rows = [(name, 1000 * statistics.median(each[place] for each in timed)) for place, name in enumerate(names)]
    met = "met" if kept <= AT_MOST else "NOT met"
    bars = f"Median ratio {kept:.2f} in a kept child; at most {AT_MOST} ({met}). {new:.2f} in a new child."
    show(f"{len(pages)} pages, ms", ("where", "median"), rows, bars)


async def _two(workers: Workers, pages: Sequence[bytes]) -> None:
    began_s = time.perf_counter()
    for page in pages:
        await _there(workers, page)
    one_s = time.perf_counter() - began_s
    began_s = time.perf_counter()
    await asyncio.gather(*(_there(workers, page) for page in pages))
    two_s = time.perf_counter() - began_s
    rows = [("one", len(pages) / one_s), ("two", len(pages) / two_s)]
    show("Pages a second", ("children", "pages a second"), rows, bar(one_s / two_s, TWO))


async def _hostile(workers: Workers) -> None:
    row = b"<tr>" + b"<td>a1 b</td>" * 10 + b"</tr>"
    bodies = {
        "table cells": (b"<table>" + row * (LARGE // len(row) + 1))[:LARGE],
        "links": b"".join(b'<p>About <a href="/%d">link %d</a> here.</p>' % (n, n) for n in range(190_000))[:LARGE],
        "text": (b"<pre>" + b"words of a text\n" * (LARGE // 16))[:LARGE],
    }
    rows = []
    for name, body in bodies.items():
        async with pauses() as paused:
            took_s = await _there(workers, body)
        rows.append((name, took_s, paused.longest_ms, paused.percentile_ms(0.999), paused.longest_busy_ms))
    columns = ("page", "seconds", "longest pause, ms", "p99.9 pause, ms", "longest turn, ms of CPU")
    show("Hostile pages of 10 MB", columns, rows)


if __name__ == "__main__":
    uvloop.run(measure())
