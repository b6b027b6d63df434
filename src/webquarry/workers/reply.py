"""Validation of a child's response against its job, in the parent."""

from collections.abc import Mapping
from typing import Any, TypeVar

from webquarry.core.errors import ServiceError
from webquarry.core.types import Subject
from webquarry.workers.faults import make_answer_error
from webquarry.workers.job import Apart, Job, ReplyError
from webquarry.workers.parcel import Parcel

F = TypeVar("F")


async def read_answer(
    job: Job[F], answer: Mapping[str, Any], pieces: tuple[bytes, ...], subject: Subject, apart: Apart | None = None
) -> Parcel[F] | ServiceError:
    """Return the validated result of a job, or the error that the child sent instead.

    `answer` is the head in the format of `child.do_job`. Raises ReplyError if the response does not match the job's
    declaration; the child must then be ended. Raises the errors of `apart`.
    """
    if "ok" not in answer:
        if pieces:
            raise ReplyError("an error has pieces")
        return make_answer_error(answer, job.function, subject)
    if not answer.keys() <= {"ok", "pieces"}:
        raise ReplyError("its head has unknown keys")
    return await job.read(answer["ok"], pieces, apart)
