"""Files through real workers: scans are read page by page."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from io import BytesIO
from typing import Any, TypeVar

import pypdfium2  # type: ignore[import-untyped]  # it has no types
import pytest
import pytest_asyncio
from PIL import Image
from structlog.testing import capture_logs

from convert_support.portable import HEIGHT, Sheet, portable
from convert_support.prints import PROSE, printed, saved
from support.scan_jobs import TELL, Told
from webquarry.convert import scan, scan_job
from webquarry.convert.file import CONVERT, Read, convert
from webquarry.convert.file_job import pack
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ConversionFailed, Overloaded
from webquarry.core.progress import watch_progress
from webquarry.core.types import Deadline, Subject
from webquarry.workers.child import import_function
from webquarry.workers.isolated import Isolated
from webquarry.workers.job import Job
from webquarry.workers.parcel import Parcel
from webquarry.workers.workers import Workers
from webquarry_convert.file.scans import read_page

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed"),
]
F = TypeVar("F")
CLOCK = SystemClock()
PAGES = tuple(printed([line], width=1300) for line in PROSE[:3])


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def workers() -> AsyncIterator[Workers]:
    made = Workers(CLOCK, preload_heavy=scan.PRELOADED, size=1, spares=0)
    yield made
    await made.close()


class Asked:
    """Calls real workers and records the jobs. page_job: replaces the job that reads pages."""

    def __init__(self, workers: Workers, seconds: float = 120, page_job: str | None = None) -> None:
        self.deadline = Deadline.after(seconds, CLOCK)
        self.jobs: list[tuple[str, bool]] = []
        self.page_origins: set[str] = set()
        self._workers = workers
        self._page_job = page_job

    async def __call__(
        self,
        job: Job[F],
        body: bytes,
        options: Mapping[str, Any],
        *,
        origin: str = "",
        subject: Subject = "file",
        heavy: bool = False,
        deadline: Deadline | None = None,
    ) -> Parcel[F]:
        self.jobs.append((job.function.partition(":")[2], heavy))
        if heavy:
            self.page_origins.add(origin)
        if heavy and self._page_job:
            job = replace(job, function=f"support.scan_jobs:{self._page_job}")
        return await self._workers.run(
            job, body, options, deadline=deadline or self.deadline, origin=origin, subject=subject, heavy=heavy
        )


async def read(asked: Asked, body: bytes, name: str = "a") -> str:
    return (await convert(asked, body, name, asked.deadline)).pieces[-1].decode()


def scanned(*pictures: Image.Image) -> bytes:
    body = BytesIO()
    first, *others = [picture.copy() for picture in pictures]
    first.save(body, "PDF", resolution=200, save_all=True, append_images=others)
    return body.getvalue()


def tiff(*pictures: Image.Image) -> bytes:
    first, *others = [picture.copy() for picture in pictures]
    return saved(first, "TIFF", save_all=True, append_images=others)


def half_scanned() -> bytes:
    """Return a PDF of a page with text and a page that is an image."""
    cover = pypdfium2.PdfDocument(portable(Sheet(drawn=[f"BT /Helvetica 10 Tf 72 {HEIGHT - 72} Td (Cover) Tj ET"])))
    cover.import_pages(pypdfium2.PdfDocument(scanned(PAGES[0])))
    body = BytesIO()
    cover.save(body)
    return body.getvalue()


async def test_a_document_without_scans_only_uses_a_quick_worker(workers: Workers) -> None:
    asked = Asked(workers)
    assert await read(asked, b"a,b\n1,2\n", "a.csv") == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"
    assert asked.jobs == [("pack", False)]


@pytest.mark.parametrize("make", [scanned, tiff])
async def test_each_scanned_page_is_read_by_a_heavy_worker(workers: Workers, make: Callable[..., bytes]) -> None:
    asked = Asked(workers)
    with capture_logs() as logs:
        assert (await read(asked, make(*PAGES))).split() == " ".join(PROSE[:3]).split()
    assert [(each["done"], each["of"]) for each in logs if each["event"] == "worker.progress"] == [
        (1, 3),
        (2, 3),
        (3, 3),
    ]
    assert asked.jobs == [("pack", False), *[("read_page", True)] * 3, ("pack", False)]


async def test_progress_counts_the_pages_that_have_been_tried(workers: Workers) -> None:
    progress, seen = watch_progress(), []

    class Watched(Asked):
        async def __call__(self, job: Job[F], body: bytes, options: Mapping[str, Any], **given: Any) -> Parcel[F]:
            seen.append(str(progress))
            return await super().__call__(job, body, options, **given)

    asked = Watched(workers, page_job="crash_on_second")
    await asyncio.create_task(convert(asked, scanned(*PAGES), "a", asked.deadline, TELL))
    assert list(dict.fromkeys(seen)) == ["", "0 of 3 pages", "1 of 3 pages", "2 of 3 pages"]


@pytest.mark.parametrize(
    ("make", "page_job"), [(scanned, "crash_on_second"), (tiff, "crash_on_second"), (scanned, "forge_second")]
)
async def test_a_lost_page_does_not_affect_other_pages(
    workers: Workers, make: Callable[..., bytes], page_job: str
) -> None:
    asked = Asked(workers, page_job=page_job)
    answer = await convert(asked, make(*PAGES), "a", asked.deadline, TELL)
    assert answer.pieces[-1].decode().split() == f"{PROSE[0]} {PROSE[2]}".split()
    assert answer.facts.unread == [2]
    (warning,) = Told.model_validate_json(answer.pieces[0]).warnings
    assert "page 2" in warning


async def test_pages_of_a_file_share_a_child_that_no_other_file_uses(workers: Workers) -> None:
    first, second = Asked(workers), Asked(workers)
    await read(first, tiff(*PAGES[:2]))
    await read(second, saved(PAGES[0], "PNG"))
    assert "" not in first.page_origins | second.page_origins
    assert len(first.page_origins) == len(second.page_origins) == 1
    assert first.page_origins != second.page_origins


async def test_late_pages_are_named_and_the_others_are_returned(workers: Workers) -> None:
    await read(Asked(workers), saved(PAGES[0], "PNG"))  # the workers are warm
    asked = Asked(workers, seconds=15, page_job="hang_on_second")
    answer = await convert(asked, scanned(*PAGES), "a", asked.deadline, TELL)
    assert answer.pieces[-1].decode().strip() == PROSE[0]
    assert answer.facts.unread == [2, 3]
    (warning,) = Told.model_validate_json(answer.pieces[0]).warnings
    assert "pages 2 and 3" in warning
    assert not asked.deadline.passed


async def test_the_text_is_returned_if_no_scanned_page_can_be_read(workers: Workers) -> None:
    body = half_scanned()
    assert (await read(Asked(workers, page_job="crash"), body)).strip() == "Cover"
    with pytest.raises(ConversionFailed):
        await read(Asked(workers, page_job="crash"), saved(PAGES[0], "PNG"))


async def test_no_result_is_returned_if_no_processor_was_available() -> None:
    """A repeated request returns the pages, so text without the scanned pages is not returned as the result."""

    async def overloaded(*_: Any, heavy: bool = False, **__: Any) -> Parcel[Read]:
        if heavy:
            raise Overloaded
        return Parcel(Read(unread=[2], page_starts=[]), (b"Cover\n",))

    isolated: Isolated = overloaded  # type: ignore[assignment]  # of one job
    with pytest.raises(Overloaded):
        await convert(isolated, b"", "a", Deadline.after(30, CLOCK))


async def test_a_reading_is_transferred_unchanged() -> None:
    body = scanned(printed(PROSE))
    reading = read_page(body, 1)
    assert reading.lines
    packed, options = scan.pack_readings(body, {1: scan_job.read_page(body, 1).pieces[0]})
    assert scan_job.unpack_readings(packed, **options) == (body, {1: reading})


async def test_a_pool_finds_the_job_by_name() -> None:
    assert import_function(CONVERT.function) is pack
    assert import_function(scan.READ_PAGE.function) is scan_job.read_page
