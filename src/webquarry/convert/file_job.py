"""The part of a file's conversion that runs in the child process. The service never imports this module."""

from collections.abc import Sequence

from webquarry.convert.file import Read
from webquarry.convert.scan_job import unpack_readings
from webquarry.workers.parcel import Parcel
from webquarry_convert.file import readers
from webquarry_convert.file.document import Document
from webquarry_convert.file.limits import MAX_PAGES as MOST_PAGES
from webquarry_convert.file.scan_search import MAX_PAGES


def pack(body: bytes, name: str = "", *, scanned: Sequence[Sequence[int]] = ()) -> Parcel[Read]:
    """Convert a file with `readers.convert`. `scanned` and the body come from `scan.pack_readings`."""
    body, readings = unpack_readings(body, scanned)
    _, document = readers.convert(body, name, readings=readings)
    return Parcel(describe_pages(document), (document.markdown.encode(),))


def describe_pages(document: Document) -> Read:
    """Return the pages that need OCR, and where pages begin."""
    return Read(unread=list(document.unread[:MAX_PAGES]), page_starts=list(document.page_starts[:MOST_PAGES]))
