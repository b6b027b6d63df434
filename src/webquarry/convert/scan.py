"""Reading of scanned pages with OCR, each in a separate job.

If the child process of a page dies or takes too long, no other page is affected. The same child also reads the file's
next page, because it has loaded the OCR engines. The child reads no other file.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from secrets import token_hex
from typing import Annotated, Any, Final

from pydantic import Field, Strict

from webquarry.core.errors import ConversionFailed, Overloaded, ServiceError
from webquarry.core.log import log
from webquarry.core.progress import report_progress
from webquarry.core.types import Deadline
from webquarry.workers.isolated import Isolated
from webquarry.workers.job import Count, Facts, Job
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import Data
from webquarry_convert.file.scan_search import Search

PRELOADED: Final = (
    "webquarry.convert.scan_job",
    "webquarry_convert.file.image",
    "webquarry_convert.file.pdf.source.recognition",
)
"""Modules that a heavy worker imports before its first page. RapidOCR is excluded, because loading it takes seconds and
clean print does not need it.
"""
_AGAIN_S: Final = 0.5
_MAX_PAGE: Final = 1_000_000
"""Maximum size of a page's text in bytes. The text of a newspaper page has 100,000 bytes."""

_Ask = Callable[..., Awaitable[Parcel["PageRead"]]]
_LIST: Final = Strict(False)
"""Configuration that accepts a list in place of a tuple, because JSON has no tuples."""
_Place = Annotated[float, Field(ge=-100_000, le=100_000)]
_Side = Annotated[int, Field(ge=1, le=100_000)]
_Box = Annotated[tuple[_Place, _Place, _Place, _Place], _LIST]
_Text = Annotated[str, Field(max_length=10_000)]
_Word = Annotated[tuple[_Place, _Place, _Text], _LIST]
_Reach = Annotated[tuple[_Place, _Place], _LIST]
_Rules = Annotated[list[_Box], Field(max_length=2_000)]


class Line(Facts):
    box: _Box
    text: _Text
    confidence: Annotated[float, Field(ge=0, le=1.001)]
    reach: _Reach | None
    words: Annotated[list[_Word], Field(max_length=2_000)]


class PageReading(Facts):
    """Text that OCR read on a page, in a form that can be sent to another child process.

    It has the same fields as `ocr.lines.Reading`.
    """

    lines: Annotated[list[Line], Field(max_length=5_000)]
    width: _Side
    height: _Side
    dpi: Annotated[float, Field(ge=0.1, le=10_000)]
    lying: _Rules
    standing: _Rules


class PageRead(Facts):
    """Figures about a page that was read. `lines` is the number of lines; `cpu_s` is the CPU time in seconds."""

    lines: Count
    cpu_s: Annotated[float, Field(ge=0, le=10_000)]


READ_PAGE: Final[Job[PageRead]] = Job(
    "webquarry.convert.scan_job:read_page", PageRead, {PageRead: (Data(PageReading, most=_MAX_PAGE),)}
)
"""Job for `scan_job.read_page`."""


async def read_pages(isolated: Isolated, body: bytes, pages: Sequence[int], deadline: Deadline) -> dict[int, bytes]:
    """Return the OCR results of these pages by page number, each a `PageReading` as JSON.

    Pages that cannot be read, or for which no time is left, are omitted. Raises the first failure if no page could be
    read.
    """
    search, readings = Search(), dict[int, bytes]()
    ask = partial(isolated, READ_PAGE, body, origin=f"scan {token_hex(8)}", heavy=True, deadline=deadline)
    failure: ServiceError | None = None
    for finished, page in enumerate(pages):
        report_progress("pages", finished, len(pages))
        if search.is_over or deadline.passed:
            break
        try:
            read = await _read_page(ask, page, deadline, is_first=not readings and failure is None)
        except (ConversionFailed, Overloaded) as exc:
            failure = failure or exc
            if _ends_all(exc):
                break
            log.info("scan.page_lost", page=page, error=exc.message)
            continue
        readings[page] = read.pieces[0]
        search.note(has_text=bool(read.facts.lines), cpu_s=read.facts.cpu_s)
        log.info("worker.progress", what="pages", done=len(readings), of=len(pages))
    if not readings:
        raise failure or Overloaded()
    return readings


async def _read_page(ask: _Ask, page: int, deadline: Deadline, *, is_first: bool) -> Parcel[PageRead]:
    """Return the OCR result of a page. After the first page, an overload is retried."""
    while True:
        try:
            return await ask(options={"page": page})
        except Overloaded:
            if is_first or deadline.remaining_s <= _AGAIN_S:
                raise
        await asyncio.sleep(_AGAIN_S)


def _ends_all(failure: ServiceError) -> bool:
    """Return whether no further page can be read, because there is no OCR engine or no time left."""
    return isinstance(failure, Overloaded) or getattr(failure, "reason", None) == "unsupported_type"


def pack_readings(body: bytes, readings: dict[int, bytes]) -> tuple[bytes, dict[str, Any]]:
    """Return a file and its OCR results as a job's body and options, for `scan_job.unpack_readings`."""
    return b"".join((body, *readings.values())), {"scanned": [[page, len(text)] for page, text in readings.items()]}
