"""Scanned pages, each read by OCR in a job of its own.

A page whose child is lost, or takes too long, costs no other page. A child that has read one page of a file reads the
next one too, since it has loaded the engines; it reads no other file.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from secrets import token_hex
from typing import Annotated, Any, Final

from pydantic import Field, Strict

from webquarry.core.errors import ConversionFailed, Overloaded, ServiceError
from webquarry.core.log import log
from webquarry.core.types import Deadline, Isolated
from webquarry.workers.job import Count, Facts, Job
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import Data
from webquarry_convert.file.scan_search import Search

PRELOADED: Final = (
    "webquarry.convert.scan_job",
    "webquarry_convert.file.image",
    "webquarry_convert.file.pdf.source.recognition",
)
"""What a heavy worker imports before its first page. Not RapidOCR: it takes seconds, and clean print does without."""
_AGAIN_S: Final = 0.5
_MAX_PAGE: Final = 1_000_000
"""Bytes of a page's reading: a newspaper's page has 100,000."""

_Ask = Callable[..., Awaitable[Parcel["PageRead"]]]
_LIST: Final = Strict(False)
"""A tuple may be a list, which it is in JSON."""
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
    """What OCR read on a page, as one child hands it to another: the fields of `ocr.lines.Reading` (see `scan_job`)."""

    lines: Annotated[list[Line], Field(max_length=5_000)]
    width: _Side
    height: _Side
    dpi: Annotated[float, Field(ge=0.1, le=10_000)]
    lying: _Rules
    standing: _Rules


class PageRead(Facts):
    """lines: how many the page has. cpu_s: seconds of the processor that it took."""

    lines: Count
    cpu_s: Annotated[float, Field(ge=0, le=10_000)]


READ_PAGE: Final[Job[PageRead]] = Job(
    "webquarry.convert.scan_job:read_page", PageRead, {PageRead: (Data(PageReading, most=_MAX_PAGE),)}
)
"""`scan_job.read_page`, as a pool runs it."""


async def read_pages(isolated: Isolated, body: bytes, pages: Sequence[int], deadline: Deadline) -> dict[int, bytes]:
    """Return what OCR reads on these pages, by page: each a `PageReading` as JSON.

    Pages that cannot be read, and those for which no time is left, are left out. Raises the first failure where no page
    could be read.
    """
    search, readings = Search(), dict[int, bytes]()
    ask = partial(isolated, READ_PAGE, body, origin=f"scan {token_hex(8)}", heavy=True, deadline=deadline)
    failure: ServiceError | None = None
    for page in pages:
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
    """Return the reading of a page. While others are overloaded, a page after the first is asked for again."""
    while True:
        try:
            return await ask(options={"page": page})
        except Overloaded:
            if is_first or deadline.remaining_s <= _AGAIN_S:
                raise
        await asyncio.sleep(_AGAIN_S)


def _ends_all(failure: ServiceError) -> bool:
    """Whether no other page can be read either: there is no engine, or no time."""
    return isinstance(failure, Overloaded) or getattr(failure, "reason", None) == "unsupported_type"


def pack_readings(body: bytes, readings: dict[int, bytes]) -> tuple[bytes, dict[str, Any]]:
    """Return a file and what was read of it as the body and the options of a job, for `scan_job.unpack_readings`."""
    return b"".join((body, *readings.values())), {"scanned": [[page, len(text)] for page, text in readings.items()]}
