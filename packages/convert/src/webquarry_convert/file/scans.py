"""OCR of scanned pages. Each page is read separately, in this process or in one that the caller chooses.

_, document = readers.convert(body)
readings = {page: scans.read_page(body, page) for page in document.unread[: scans.MAX_PAGES]}
_, document = readers.convert(body, readings=readings)
"""

import os
from collections.abc import Iterable
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING

from webquarry_convert.file.detect import is_picture
from webquarry_convert.file.scan_search import MAX_PAGES, Search

if TYPE_CHECKING:  # avoids loading the OCR engines, which few files need
    from webquarry_convert.file.image.ocr.lines import Reading

_IMAGE, _PDF = "webquarry_convert.file.image", "webquarry_convert.file.pdf.source.recognition"


def read_page(body: bytes, page: int) -> "Reading":
    """Run OCR on a page of a PDF or an image. page: page number, from 1.

    Raises `ConversionFailed` if the page cannot be rendered or no engine is installed.
    """
    from webquarry_convert.file.image import ocr

    return ocr.read(import_module(_IMAGE if is_picture(body) else _PDF).render(body, page)).reading


def read_pages(body: bytes, pages: Iterable[int]) -> dict[int, "Reading"]:
    """Run OCR on up to `MAX_PAGES` pages. Stops early if the pages contain no text. Raises the errors of `read_page`.

    There is no time limit. To set a time limit, read each page with `read_page` in a process that can be killed.
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
    """Return the CPU seconds used by this process and its finished child processes."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
