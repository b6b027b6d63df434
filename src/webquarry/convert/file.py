"""Files as markdown, as the endpoint converts them: in workers, within their limits.

    from webquarry.convert.file import to_markdown
    text = to_markdown("report.pdf")

Quick workers read a file; heavy ones read the pages that only OCR can read.
"""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final

from pydantic import Field

from webquarry.convert import scan
from webquarry.core.errors import ConversionFailed, FileTooLarge
from webquarry.core.log import spare_output
from webquarry.core.types import Deadline, Isolated
from webquarry.workers.blocking import BlockingWorkers
from webquarry.workers.job import Facts, Job
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import Text
from webquarry_convert.file.limits import MAX_FILE, MAX_MARKDOWN
from webquarry_convert.file.scan_search import MAX_PAGES

PRELOADED: Final = ("webquarry.convert.file_job", "webquarry_convert.file.readers:preload")
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
    """unread: pages that only OCR could read, the first `MAX_PAGES` of them."""

    unread: Annotated[list[_Page], Field(max_length=MAX_PAGES)]


CONVERT: Final[Job[Read]] = Job("webquarry.convert.file_job:pack", Read, {Read: (MARKDOWN,)})
"""`file_job.pack`, as a pool runs it."""


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
    """Return the job's answer to the file; its pieces end with the markdown. The job takes what `file_job.pack` takes,
    and the options in `more`.

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


@cache
def _start_workers(_process: int) -> BlockingWorkers:
    """The workers of this process; a process that was forked off has its own."""
    spare_output()
    return BlockingWorkers(PRELOADED, preload_heavy=scan.PRELOADED)
