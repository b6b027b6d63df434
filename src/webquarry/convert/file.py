"""Conversion of files to markdown, as the endpoint does it: in workers, within limits.

    from webquarry.convert.file import to_markdown

    text = to_markdown("report.pdf")

Quick workers read files; heavy workers read the pages that need OCR.
"""

import os
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final

from pydantic import Field

from webquarry.convert import scan
from webquarry.core.errors import ConversionFailed, FileTooLarge
from webquarry.core.log import spare_output
from webquarry.core.types import Deadline
from webquarry.workers.blocking import BlockingWorkers
from webquarry.workers.isolated import Isolated
from webquarry.workers.job import Facts, Job, ReplyError
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import Text
from webquarry_convert.file.limits import MAX_FILE, MAX_MARKDOWN, MAX_PAGES
from webquarry_convert.file.scan_search import MAX_PAGES as MAX_SCANNED

PRELOADED: Final = ("webquarry.convert.file_job", "webquarry_convert.file.readers:preload")
"""Modules that a worker imports before its first file, so that no caller waits for them."""
WITHIN_S: Final = 60.0
MARKDOWN: Final = Text(4 * MAX_MARKDOWN)
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_COMPOSE_S: Final = 2.0
_COMPOSE_TIMES: Final = 3.0
"""Time reserved for composing the result after OCR: a number of seconds, plus a multiple of the time that the first
reading of the file took.
"""
_Page = Annotated[int, Field(ge=1, le=2**31)]
_Place = Annotated[int, Field(ge=0, le=MAX_MARKDOWN)]


class Read(Facts):
    """Result of reading a file.

    `unread` are the pages that need OCR, at most the first `MAX_SCANNED`. `page_starts` are the offsets in the markdown
    where pages begin, in characters.
    """

    unread: Annotated[list[_Page], Field(max_length=MAX_SCANNED)]
    page_starts: Annotated[list[_Place], Field(max_length=MAX_PAGES)]


def check_pages(made: Parcel[Read], _known: Mapping[str, Any]) -> None:
    """Raise ReplyError unless the offsets where pages begin are in ascending order."""
    if any(later < earlier for earlier, later in pairwise(made.facts.page_starts)):
        raise ReplyError("its pages are not in order")


CONVERT: Final[Job[Read]] = Job("webquarry.convert.file_job:pack", Read, {Read: (MARKDOWN,)}, rule=check_pages)
"""Job for `file_job.pack`."""


def to_markdown(path: str) -> str:
    """Return the file's content as markdown, converted in a worker within limits, as the endpoint does.

    Raises OSError if the file cannot be read, `FileTooLarge` beyond 10 MB, `UnsupportedType` for unsupported files, and
    `ConversionFailed` for files that are encrypted or damaged or that exceed a limit. The first call starts the worker,
    which keeps running until this process ends.
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
    """Return the job's result for the file. The result's last piece is the markdown.

    The job takes the arguments of `file_job.pack` and the options in `more`. Pages that need OCR are read one by one in
    heavy workers; then the job runs again with their text. A page that cannot be read in time is named in the result's
    warnings.

    Raises `UnsupportedType`, `ConversionFailed`, and the other errors that `isolated` raises. Unreadable pages raise
    ConversionFailed only if the file has no other text.
    """
    began_s = deadline.remaining_s
    given = await isolated(job, body, {"name": name, **more}, subject="file")
    if not given.facts.unread:
        return given
    left_s = deadline.remaining_s
    # reserve time for composing the result after OCR
    kept_s = min(_COMPOSE_S + _COMPOSE_TIMES * (began_s - left_s), left_s / 2)
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
    """Return the workers of this process. A forked process gets new workers."""
    spare_output()
    return BlockingWorkers(PRELOADED, preload_heavy=scan.PRELOADED)
