"""Pages that only OCR can read: each is read apart from the others, in this process or wherever the caller likes.

_, document = readers.convert(body)
readings = {page: scans.read_page(body, page) for page in document.unread[: scans.MAX_PAGES]}
_, document = readers.convert(body, readings=readings)
"""

import os
from collections.abc import Iterable, Mapping
from importlib import import_module
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from webquarry_convert.file.detect import is_picture
from webquarry_convert.file.scan_search import MAX_PAGES, Search

if TYPE_CHECKING:  # few files need the engines
    from webquarry_convert.file.image.ocr.lines import Reading

Readings = Mapping[int, "Reading"]
"""What OCR read, by page, from 1 on."""
NONE_READ: Final[Readings] = MappingProxyType({})
_IMAGE, _PDF = "webquarry_convert.file.image", "webquarry_convert.file.pdf.source.recognition"


def read_page(body: bytes, page: int) -> "Reading":
    """Return what OCR reads on a page of a PDF or an image. page: from 1 on.

    Raises ConversionFailed for a page that cannot be drawn, and when no engine is installed.
    """
    from webquarry_convert.file.image import ocr

    return ocr.read(import_module(_IMAGE if is_picture(body) else _PDF).render(body, page)).reading


def read_pages(body: bytes, pages: Iterable[int]) -> dict[int, "Reading"]:
    """Return what OCR reads on these pages, `MAX_PAGES` at most and as many as are worth it. Raises as
    `read_page`.

    There is no limit of time: callers that have one read page by page, in processes that can be killed.
    """
    search = Search()
    readings: dict[int, Reading] = {}
    for page in islice(pages, MAX_PAGES):
        before_s = measure_cpu()
        readings[page] = read_page(body, page)
        search.note(has_text=bool(readings[page].lines), cpu_s=measure_cpu() - before_s)
        if search.is_over:
            break
    return readings


def measure_cpu() -> float:
    """Return the seconds of the processor that this process and the programs that it has run took."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
