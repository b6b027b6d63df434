"""Files as markdown, as the endpoint converts them: in workers, within their limits.

    from webquarry.convert.file import to_markdown
    text = to_markdown("report.pdf")

Quick workers read a file; heavy ones read the pages that only OCR can read.
"""

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, Self

from pydantic import Field

from webquarry.convert import scan
from webquarry.core.errors import ConversionFailed, FileTooLarge
from webquarry.core.log import spare_output
from webquarry.core.types import Deadline, Isolated
from webquarry.workers.blocking import BlockingWorkers
from webquarry.workers.job import Facts, Job
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import Text
from webquarry_convert.file import readers, scans
from webquarry_convert.file.document import Document
from webquarry_convert.file.limits import MAX_FILE, MAX_MARKDOWN

PRELOADED: Final = (__name__, *readers.PRELOADED)
"""What a worker imports before its first file, so that no caller waits for it."""
WITHIN_S: Final = 60.0
MARKDOWN: Final = Text(4 * MAX_MARKDOWN)
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_COMPOSE_S: Final = 2.0
_COMPOSE_TIMES: Final = 3.0
"""How much of the time is kept for the answer when pages are read: seconds, and times as long as the file took before.
"""
_Page = Annotated[int, Field(ge=1, le=2**31)]


class Read(Facts):
    """unread: pages that only OCR could read, the first `scans.MAX_PAGES` of them."""

    unread: Annotated[list[_Page], Field(max_length=scans.MAX_PAGES)]

    @classmethod
    def of(cls, document: Document) -> Self:
        return cls(unread=list(document.unread[: scans.MAX_PAGES]))


CONVERT: Final[Job[Read]] = Job("webquarry.convert.file:pack", Read, {Read: (MARKDOWN,)})
"""`pack`, as a pool runs it."""


def to_markdown(path: str) -> str:
    """Return the file's content as markdown, converted as the endpoint does it: in a worker, within its limits.

    Raises OSError when the file cannot be read, `FileTooLarge` beyond 10 MB, `UnsupportedType` for what is not read,
    `ConversionFailed` for what is encrypted, damaged, or takes too much. The first call starts the worker, which stays
    warm and ends with this process.
    """
    with Path(path).open("rb") as file:
        body = file.read(MAX_FILE + 1)
    if len(body) > MAX_FILE:
        raise FileTooLarge(f"The file is larger than {MAX_FILE:,} bytes.")
    workers = _start_workers(os.getpid())
    given = workers.do(lambda isolated, deadline: convert(isolated, body, Path(path).name, deadline), WITHIN_S)
    return given.pieces[-1].decode()


async def convert(
    isolated: Isolated,
    body: bytes,
    name: str,
    deadline: Deadline,
    job: Job[Read] = CONVERT,
    more: Mapping[str, Any] = _NOTHING,
) -> Parcel[Read]:
    """Return the job's answer to the file. Called, with `more` options, as `pack` is. Its pieces end with the markdown.

    Pages that only OCR can read are read one by one in heavy workers; then the job is asked again, with what was read.
    A page that cannot be read, or for which no time is left, is named in the answer's warnings.

    Raises `UnsupportedType`, `ConversionFailed`, and what else `isolated` raises. ConversionFailed for pages that
    cannot be read is raised only where the file holds no other text.
    """
    began_s = deadline.remaining_s
    given = await isolated(job, body, {"name": name, **more}, subject="file")
    if not given.facts.unread:
        return given
    left_s = deadline.remaining_s
    kept_s = min(_COMPOSE_S + _COMPOSE_TIMES * (began_s - left_s), left_s / 2)  # for the answer, after the pages
    try:
        readings = await scan.read_pages(isolated, body, given.facts.unread, deadline.within(left_s - kept_s))
        packed, scanned = scan.pack_readings(body, readings)
        return await isolated(job, packed, {"name": name, **more, **scanned}, subject="file")
    except ConversionFailed:
        if not given.pieces[-1]:
            raise
        return given


def pack(body: bytes, name: str = "", *, scanned: Sequence[Sequence[int]] = ()) -> Parcel[Read]:
    """Convert a file by `readers.convert`. Runs in a worker. scanned: as `scan.pack_readings` gives it, with a body."""
    body, readings = scan.unpack_readings(body, scanned)
    _, document = readers.convert(body, name, readings=readings)
    return Parcel(Read.of(document), (document.markdown.encode(),))


@cache
def _start_workers(_process: int) -> BlockingWorkers:
    """The workers of this process; a process that was forked off has its own."""
    spare_output()
    return BlockingWorkers(PRELOADED, preload_heavy=scan.PRELOADED)
