"""Files as markdown, as the endpoint converts them: in workers, within their limits.

    from webquarry.convert.file import to_markdown
    text = to_markdown("report.pdf")

Quick workers read a file; heavy ones read what only OCR can read of it.
"""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from webquarry.errors import ConversionFailed, FileTooLarge
from webquarry.log import spare_output
from webquarry.types import Isolated
from webquarry.workers.blocking import BlockingWorkers
from webquarry.workers.job import Facts, Job
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import Text
from webquarry_convert.file import readers
from webquarry_convert.file.detect import is_picture
from webquarry_convert.file.limits import MAX_FILE, MAX_MARKDOWN

PRELOADED: Final = (__name__, *readers.PRELOADED)
"""What a worker imports before its first file, so that no caller waits for it."""
WITHIN_S: Final = 60.0
MARKDOWN: Final = Text(4 * MAX_MARKDOWN)
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Read(Facts):
    """has_unread: whether pages are left that only OCR could read."""

    has_unread: bool


CONVERT: Final[Job[Read]] = Job("webquarry.convert.file:pack", Read, {Read: (MARKDOWN,)})
"""`pack`, as a pool runs it."""


def to_markdown(path: str) -> str:
    """The file's content as markdown, converted as the endpoint does it: in a worker, within its limits.

    Raises OSError when the file cannot be read, `FileTooLarge` beyond 10 MB, `UnsupportedType` for what is not read,
    `ConversionFailed` for what is encrypted, damaged, or takes too much. The first call starts the worker, which stays
    warm and ends with this process.
    """
    with Path(path).open("rb") as file:
        body = file.read(MAX_FILE + 1)
    if len(body) > MAX_FILE:
        raise FileTooLarge(f"The file is larger than {MAX_FILE:,} bytes.")
    workers = _start_workers(os.getpid())
    given = workers.do(lambda isolated: convert(isolated, body, Path(path).name), WITHIN_S)
    return given.pieces[-1].decode()


async def convert(
    isolated: Isolated, body: bytes, name: str, job: Job[Read] = CONVERT, more: Mapping[str, Any] = _NOTHING
) -> Parcel[Read]:
    """What the job gives for the file. Called, with `more` options, as `pack` is; tells as that does.

    Raises `UnsupportedType`, `ConversionFailed` and what `isolated` raises beside them. When the pages of a PDF that
    are pictures cannot be read, its other pages are the answer, if they have a text.
    """
    needs_ocr = is_picture(body)
    given = await isolated(job, body, {"name": name, **more}, subject="file", heavy=needs_ocr)
    if not given.facts.has_unread or needs_ocr:
        return given
    options = {"name": name, "reads_pictures": True, **more}
    try:
        whole = await isolated(job, body, options, subject="file", heavy=True)
    except ConversionFailed:
        if not given.pieces[-1]:
            raise
        return given
    return whole


def pack(body: bytes, name: str = "", *, reads_pictures: bool = False) -> Parcel[Read]:
    """Runs in a worker: `readers.convert`. has_unread: whether pages are left that only OCR could read; the last piece
    is the markdown."""
    _, document = readers.convert(body, name, reads_pictures=reads_pictures)
    return Parcel(Read(has_unread=bool(document.unread)), (document.markdown.encode(),))


@cache
def _start_workers(_process: int) -> BlockingWorkers:
    """The workers of this process; a process that was forked off has its own."""
    spare_output()
    return BlockingWorkers(PRELOADED)
