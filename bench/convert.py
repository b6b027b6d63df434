"""Conversion of a page to markdown with metadata, as in `markdown_url`, in milliseconds of CPU time per page.

Uses generated pages of three sizes, and every fifth real page of the sample folder if available. There is no goal: the
figures serve to compare the time before and after a change on one machine.
"""

import statistics
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from bench.table import show
from support.pages import real_pages
from webquarry.core.types import Wire
from webquarry_convert.fetched import Fetched

SIZES = {"small": 3, "medium": 60, "large": 1200}
REPEATS = 15
REAL_PAGES = 200
ADDRESS = "https://example.com/page"
HEADERS = {"content-type": "text/html; charset=utf-8"}
FETCHED_AT = datetime(2026, 11, 1, 12, tzinfo=UTC)


def measure() -> None:
    rows = []
    for name, sections in SIZES.items():
        page = made_page(sections)
        rows.append((f"made, {name}", *_row([page], max(3, REPEATS if sections < 1000 else 3))))
    if real := real_pages(REAL_PAGES):
        rows.append((f"{len(real)} real ones", *_row(real, 1)))
    show("Page to markdown", ("page", "KB, mean", "ms, median", "ms, mean", "ms, worst", "MB a second"), rows)


def made_page(sections: int) -> bytes:
    section = (
        "<section><h2>Part {n}</h2><p>Some words of part {n}, with <a href='/{n}'>a link</a>, <em>stress</em> and "
        "<code>code</code>; the paragraph goes on for a while, as paragraphs do, and then it ends.</p>"
        "<ul><li>first of {n}</li><li>second of {n}</li></ul>"
        "<table><tr><th>name</th><th>value</th></tr><tr><td>row</td><td>{n}</td></tr></table></section>"
    )
    body = "".join(section.format(n=n) for n in range(sections))
    return f"<!doctype html><html lang=en><title>Made</title><main><h1>Made</h1>{body}</main></html>".encode()


def _row(pages: Sequence[bytes], repeats: int) -> tuple[float, float, float, float, float]:
    """Return mean size in KB, median, mean and worst time in ms, and MB/s. The first conversion is not counted."""
    _convert(pages[0])
    times_ms = [1000 * _convert(page) for _ in range(repeats) for page in pages]
    size_kb = statistics.mean(len(page) for page in pages) / 1000
    mean_ms = statistics.mean(times_ms)
    return size_kb, statistics.median(times_ms), mean_ms, max(times_ms), size_kb / mean_ms


def _convert(page: bytes) -> float:
    """Return the CPU seconds of one conversion."""
    began = time.process_time()
    Fetched(Wire(page, ADDRESS, ADDRESS, 200, HEADERS, FETCHED_AT)).convert()
    return time.process_time() - began


if __name__ == "__main__":
    measure()
