from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from webquarry.convert.file.conversion import conversion
from webquarry.convert.file.document import Document, Recognised, beyond
from webquarry.convert.file.readers import CONVERT
from webquarry.errors import ConversionFailed

PDF = b"%PDF-1.7"
PNG = b"\x89PNG\r\n\x1a\n"


class Asked:
    """Workers that give these answers in turn, as they come over a pipe. jobs: options, and whether it was a patient
    one."""

    def __init__(self, *answers: Document | ConversionFailed) -> None:
        self._answers = list(answers)
        self.jobs: list[tuple[Mapping[str, Any], bool]] = []

    async def __call__(self, function: str, body: bytes, options: Mapping[str, Any], *, patient: bool) -> Any:
        assert (function, body[:4]) in ((CONVERT, PDF[:4]), (CONVERT, PNG[:4]))
        self.jobs.append((options, patient))
        answer = self._answers.pop(0)
        if isinstance(answer, ConversionFailed):
            raise answer
        return orjson.loads(orjson.dumps(("pdf", answer)))


async def test_a_document_is_read_by_a_quick_worker_alone() -> None:
    asked = Asked(Document("text\n", pages=1))
    assert await conversion(asked, PDF, "a.pdf") == ("pdf", Document("text\n", pages=1))
    assert asked.jobs == [({"name": "a.pdf"}, False)]


async def test_a_picture_goes_to_a_patient_worker_at_once() -> None:
    asked = Asked(Document("", pages=2, unread=(2,)))
    await conversion(asked, PNG, "a")
    assert [patient for _, patient in asked.jobs] == [True]


async def test_pages_that_are_pictures_are_read_by_a_patient_worker() -> None:
    whole = Document("text\n\nscan\n", recognised=(Recognised(2, 0.9),))
    asked = Asked(Document("text\n", unread=(2,)), whole)
    assert await conversion(asked, PDF, "a") == ("pdf", whole)
    assert asked.jobs[1] == ({"name": "a", "reads_pictures": True}, True)


async def test_the_text_is_the_answer_where_the_pictures_cannot_be_read() -> None:
    text = Document("text\n", unread=(2,), warnings=("Only a picture stands on page 2: text in it is not read.",))
    assert await conversion(Asked(text, beyond("so much")), PDF, "a") == ("pdf", text)
    with pytest.raises(ConversionFailed):
        await conversion(Asked(Document("", unread=(1,)), beyond("so much")), PDF, "a")
