from collections.abc import Mapping
from typing import Any

import pytest

from webquarry.convert.file import CONVERT, Read, convert, pack
from webquarry.errors import ConversionFailed
from webquarry.types import Subject
from webquarry.workers.child import import_function
from webquarry.workers.faults import make_limit_error
from webquarry.workers.job import Job
from webquarry.workers.parcel import Parcel

PDF = b"%PDF-1.7"
PNG = b"\x89PNG\r\n\x1a\n"


class Asked:
    """Workers that give these answers in turn, as they come over a pipe. jobs: options, and whether it was a heavy
    one."""

    def __init__(self, *answers: Parcel[Read] | ConversionFailed) -> None:
        self._answers = list(answers)
        self.jobs: list[tuple[Mapping[str, Any], bool]] = []

    async def __call__(
        self,
        job: Job[Any],
        body: bytes,
        options: Mapping[str, Any],
        *,
        origin: str = "",
        subject: Subject = "file",
        heavy: bool = False,
    ) -> Any:
        assert (job, body[:4], subject) in ((CONVERT, PDF[:4], "file"), (CONVERT, PNG[:4], "file"))
        self.jobs.append((options, heavy))
        answer = self._answers.pop(0)
        if isinstance(answer, ConversionFailed):
            raise answer
        return answer


def told(markdown: str, *, has_unread: bool = False) -> Parcel[Read]:
    return Parcel(Read(has_unread=has_unread), (markdown.encode(),))


async def test_a_document_is_read_by_a_quick_worker_alone() -> None:
    asked = Asked(told("text\n"))
    assert await convert(asked, PDF, "a.pdf") == told("text\n")
    assert asked.jobs == [({"name": "a.pdf"}, False)]


async def test_a_picture_goes_to_a_patient_worker_at_once() -> None:
    asked = Asked(told("", has_unread=True))
    await convert(asked, PNG, "a")
    assert [heavy for _, heavy in asked.jobs] == [True]


async def test_pages_that_are_pictures_are_read_by_a_patient_worker() -> None:
    asked = Asked(told("text\n", has_unread=True), told("text\n\nscan\n"))
    assert await convert(asked, PDF, "a") == told("text\n\nscan\n")
    assert asked.jobs[1] == ({"name": "a", "reads_pictures": True}, True)


async def test_the_text_is_the_answer_where_the_pictures_cannot_be_read() -> None:
    text = told("text\n", has_unread=True)
    assert await convert(Asked(text, make_limit_error("so much", "file")), PDF, "a") == text
    with pytest.raises(ConversionFailed):
        await convert(Asked(told("", has_unread=True), make_limit_error("so much", "file")), PDF, "a")


def test_a_pool_knows_the_job_by_its_name() -> None:
    assert import_function(CONVERT.function) is pack
