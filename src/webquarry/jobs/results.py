"""Streams of a job's results and progress."""

import asyncio
import io
import zipfile
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, Final

import orjson

from webquarry.accounts import Caller
from webquarry.core.clock import Clock
from webquarry.core.errors import ServiceError
from webquarry.core.shares import Shares
from webquarry.core.types import Deadline
from webquarry.crawl.repeats import leave_out
from webquarry.endpoints.declare import Format
from webquarry.jobs.jobs import Jobs
from webquarry.jobs.records import Item, Job
from webquarry.jobs.statements import tell_page
from webquarry.pipeline import Pipeline

POLL_S: Final = 1.0
"""Seconds between two checks of a running job."""
QUIET_S: Final = 15.0
"""Seconds after which a stream of events sends a comment, so that proxies keep it open."""
BATCH: Final = 50
STREAMS: Final = 64
"""Streams that are open at the same time, at most half of them for one account."""
Query = Sequence[tuple[str, str]]


class Results:
    """Streams of jobs. A stream ends when its job has ended, or soon after the service begins to shut down."""

    def __init__(self, jobs: Jobs, pipeline: Pipeline, clock: Clock) -> None:
        self._jobs = jobs
        self._pipeline = pipeline
        self._clock = clock
        self._streams = Shares(STREAMS, most=STREAMS // 2)

    async def bound(self, caller: Caller, stream: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
        """Yield a stream while it holds a slot. Raises Overloaded before its first piece if there are too many."""
        async with self._streams.slot(caller.account_id, Deadline.after(1.0, self._clock)), aclosing(stream):
            async for piece in stream:
                yield piece

    async def lines(
        self, caller: Caller, job: Job, *, after: int, follow: bool, form: Format, asked: Query
    ) -> AsyncGenerator[bytes, None]:
        """Yield a line for each ended item, in the order in which they ended, starting after ending number `after`.

        `follow` waits for further items until the job ends. `asked` are the parameters of a portion.
        """
        yield b""  # begin the response now, even if the first result comes later
        while not self._pipeline.closing:
            over = job.is_over  # read before the items, so that no item can end after this
            items = await self._jobs.list_ended(job, after=after, batch=BATCH)
            for item in items:
                after = item.ending or after
                yield await self._write_line(caller, job, item, form, asked)
            if len(items) == BATCH:
                continue
            if over or not follow:
                return
            await asyncio.sleep(POLL_S)
            job = await self._jobs.find(caller, job.id)

    async def archive(self, caller: Caller, job: Job, *, form: Format) -> AsyncGenerator[bytes, None]:
        """Yield a zip file with the results: `000000.md`, `000000.json` and so on, and `items.ndjson`."""
        buffer = _Pipe()
        index = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            after = -1
            while items := await self._jobs.list_items(job, after=after, batch=BATCH):
                for item in items:
                    after = item.n
                    if item.state in ("done", "failed", "stopped"):
                        index.write(orjson.dumps(_head(job, item)) + b"\n")
                    for name, body in await self._read_files(caller, item, form):
                        await asyncio.to_thread(archive.writestr, name, body)
                    if piece := buffer.take():
                        yield piece
            await asyncio.to_thread(archive.writestr, "items.ndjson", index.getvalue())
        yield buffer.take()

    async def events(self, caller: Caller, job: Job, tell: Callable[[Job], bytes]) -> AsyncGenerator[bytes, None]:
        """Yield server-sent events with the job's statement whenever it changes, at most one a second.

        The last one is named `end`.
        """
        last, quiet_s = b"", 0.0
        while not self._pipeline.closing:
            state, quiet_s = tell(job), quiet_s + POLL_S
            if job.is_over:
                yield _event("end", job, state)
                return
            key = orjson.dumps([job.state, job.reason, job.endings, job.counts.running, job.counts.items])
            if key != last:
                yield _event("job", job, state)
                last, quiet_s = key, 0.0
            elif quiet_s >= QUIET_S:
                yield b": waiting\n\n"
                quiet_s = 0.0
            await asyncio.sleep(POLL_S)
            job = await self._jobs.find(caller, job.id)

    async def _write_line(self, caller: Caller, job: Job, item: Item, form: Format, asked: Query) -> bytes:
        head = orjson.dumps(_head(job, item))
        if item.conversion_id is None:
            return head + b"\n"
        try:
            answer = await self._pipeline.conversion(caller, item.conversion_id, form, asked, edit=_find_edit(item))
        except ServiceError as error:
            gone = orjson.dumps({"error": error.message, "code": error.code})
            return b'%b,"result":null,"missing":%b}\n' % (head[:-1], gone)
        return b'%b,"result":%b}\n' % (head[:-1], answer.body)

    async def _read_files(self, caller: Caller, item: Item, form: Format) -> list[tuple[str, bytes]]:
        if item.conversion_id is None:
            return []
        try:
            answer = await self._pipeline.conversion(caller, item.conversion_id, form, edit=_find_edit(item))
        except ServiceError:
            return []
        files = [(f"{item.n:06}.md", answer.markdown)] if form != "json" else []
        return files + ([(f"{item.n:06}.json", answer.data)] if form != "markdown" else [])


def _head(job: Job, item: Item) -> dict[str, Any]:
    error = None if item.code is None else {"code": item.code, "reason": item.reason, "error": item.message}
    return {
        "n": item.n,
        "ending": item.ending,
        "state": item.state,
        "input": dict(item.input),
        "credits": item.charged,
        "cached": item.cached,
        "id": item.conversion_id,
        "error": error,
    } | {name: value for name, value in tell_page(job, item).items() if value is not None}


def _find_edit(item: Item) -> Callable[[str], str] | None:
    """Return a function that removes the furniture of a crawled page from its markdown, or None if it has none."""
    furniture = (item.details or {}).get("furniture")
    return partial(leave_out, ranges=furniture) if furniture else None


def _event(name: str, job: Job, state: bytes) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (job.endings, name.encode(), state)


class _Pipe(io.RawIOBase):
    """A file that is written once and read in pieces.

    The file is not seekable, so the archive is written from start to end.
    """

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        """Return the data written since the last call."""
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken
