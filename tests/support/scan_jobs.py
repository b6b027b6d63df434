"""Jobs that read scanned pages, some of them hostile."""

import os
import signal
import time
from collections.abc import Sequence
from typing import Final

from webquarry.convert import scan, scan_job
from webquarry.convert.file import MARKDOWN, Read
from webquarry.convert.file_job import describe_pages
from webquarry.workers.job import Facts, Job
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import Data
from webquarry_convert.file import readers


def crash_on_second(body: bytes, *, page: int) -> Parcel[scan.PageRead]:
    """Read a page like the real job, but crash on the second page."""
    if page == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return scan_job.read_page(body, page)


def crash(body: bytes, *, page: int) -> Parcel[scan.PageRead]:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError(page)


def hang_on_second(body: bytes, *, page: int) -> Parcel[scan.PageRead]:
    """Read a page like the real job, but hang on the second page."""
    if page == 2:
        time.sleep(3600)
    return scan_job.read_page(body, page)


def forge_second(body: bytes, *, page: int) -> Parcel[scan.PageRead]:
    """Read a page like the real job, but return an invalid reading for the second page."""
    read = scan_job.read_page(body, page)
    if page == 2:
        return Parcel(read.facts, (read.pieces[0].replace(b'"width":', b'"width":-'),))
    return read


class Told(Facts):
    """Information about a document in addition to its text."""

    warnings: list[str]


def tell(body: bytes, *, name: str, scanned: Sequence[Sequence[int]] = ()) -> Parcel[Read]:
    """Convert a file as `webquarry.convert.file_job.pack` does, and return its warnings too."""
    body, readings = scan_job.unpack_readings(body, scanned)
    _, document = readers.convert(body, name, readings=readings)
    told = Told(warnings=list(document.warnings)).model_dump_json()
    return Parcel(describe_pages(document), (told.encode(), document.markdown.encode()))


TELL: Final = Job[Read]("support.scan_jobs:tell", Read, {Read: (Data(Told), MARKDOWN)})
