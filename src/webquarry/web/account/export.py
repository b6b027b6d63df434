"""The ledger as CSV for spreadsheets. Text that a spreadsheet would run as a formula is prefixed with an apostrophe."""

import csv
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from io import StringIO

from webquarry.ledger import Entry, Place

HEADS = ("time_utc", "status", "credits", "held", "endpoint", "request_id", "called_by", "note")
BATCH = 1000
MAX_ROWS = 100_000
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")

Reader = Callable[[Place | None, int], Awaitable[list[Entry]]]


async def write_csv(read: Reader, callers: Mapping[str, str]) -> AsyncIterator[bytes]:
    """Yield the rows in batches, and a final notice if there are more than MAX_ROWS.

    `read(before, batch)` returns entries, newest first. `callers` are names of keys by id.
    """
    yield _lines([HEADS])
    before: Place | None = None
    for _ in range(MAX_ROWS // BATCH):
        entries = await read(before, BATCH)
        yield _lines(_row(entry, callers) for entry in entries)
        if len(entries) < BATCH:
            return
        before = entries[-1].place
    if await read(before, 1):
        yield _lines(
            [
                (
                    "",
                    "incomplete",
                    "",
                    "",
                    "",
                    "",
                    "",
                    f"Only the newest {MAX_ROWS} entries are included. Choose a shorter period for the rest.",
                )
            ]
        )


def disarm(text: str) -> str:
    """Return the text as a cell that no spreadsheet runs as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _row(entry: Entry, callers: Mapping[str, str]) -> tuple[str | int, ...]:
    called_by = callers.get(entry.key_id or "", entry.key_id or "")
    texts = (entry.endpoint or "", entry.request_id or "", called_by, entry.note or "")
    return (f"{entry.at:%Y-%m-%d %H:%M:%S}", entry.status, entry.amount, entry.held, *map(disarm, texts))


def _lines(rows: Iterable[Iterable[str | int]]) -> bytes:
    out = StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()
