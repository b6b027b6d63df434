"""Lists as CSV for spreadsheets. Text that a spreadsheet would run as a formula is prefixed with an apostrophe."""

import csv
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from io import StringIO
from typing import Protocol, TypeVar

from starlette.responses import StreamingResponse

from webquarry.ledger import Entry
from webquarry.logs.requests import LoggedRequest

LEDGER_HEADS = ("time_utc", "status", "credits", "held", "endpoint", "request_id", "called_by", "note")
REQUEST_HEADS = (
    *("time_utc", "endpoint", "params", "status", "code", "cache", "credits", "took_ms", "request_id", "called_by"),
    "note",
)
BATCH = 1000
MAX_ROWS = 100_000
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
Row = Sequence[str | int]
T = TypeVar("T")


class Reader(Protocol[T]):
    """Function that returns the next batch of entries, newest first, after the last entry of the previous batch.

    None starts with the newest entry.
    """

    def __call__(self, last: T | None, batch: int, /) -> Awaitable[list[T]]: ...


def send_csv(lines: AsyncIterator[bytes], name: str) -> StreamingResponse:
    """Return a response that downloads a file of this name."""
    return StreamingResponse(
        lines,
        media_type="text/csv; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}.csv"', "cache-control": "private, no-store"},
    )


async def write_csv(heads: Row, read: Reader[T], to_row: Callable[[T], Row]) -> AsyncIterator[bytes]:
    """Yield the rows in batches. If there are more than MAX_ROWS, end with a notice in the last column."""
    yield _lines([heads])
    last: T | None = None
    for _ in range(MAX_ROWS // BATCH):
        entries = await read(last, BATCH)
        yield _lines(map(to_row, entries))
        if len(entries) < BATCH:
            return
        last = entries[-1]
    if await read(last, 1):
        notice = f"Only the newest {MAX_ROWS} entries are included. Choose a shorter period for the rest."
        yield _lines([["", "incomplete", *[""] * (len(heads) - 3), notice]])


def disarm(text: str) -> str:
    """Return the text in a form that spreadsheets do not run as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def write_entry(entry: Entry, callers: Mapping[str, str]) -> Row:
    """Return a ledger entry as a row. `callers` are names of keys by id."""
    called_by = callers.get(entry.key_id or "", entry.key_id or "")
    texts = (entry.endpoint or "", entry.request_id or "", called_by, entry.note or "")
    return (f"{entry.at:%Y-%m-%d %H:%M:%S}", entry.status, entry.amount, entry.held, *map(disarm, texts))


def write_request(request: LoggedRequest, callers: Mapping[str, str]) -> Row:
    """Return a logged request as a row. `callers` are names of keys by id."""
    return (
        f"{request.at:%Y-%m-%d %H:%M:%S.%f}"[:-3],
        request.endpoint,
        disarm(request.params),
        request.status,
        request.code,
        request.cache,
        request.credits,
        request.took_ms,
        disarm(request.request_id),
        disarm(callers.get(request.key_id, request.key_id)),
        "",
    )


def _lines(rows: Iterable[Iterable[str | int]]) -> bytes:
    out = StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()
