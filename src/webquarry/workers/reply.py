"""Replies: a child's answer as the parent takes it, after it was checked against its job."""

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
    """Return the checked answer of a job, or the error that the child answered instead.

    answer: the head as `child.do_job` writes it. Raises ReplyError for an answer that is not as the job declares it;
    such a child is to be ended. Raises what `apart` raises.
    """
    if "ok" not in answer:
        if pieces:
            raise ReplyError("an error has pieces")
        return make_answer_error(answer, job.function, subject)
    if not answer.keys() <= {"ok", "pieces"}:
        raise ReplyError("its head has further keys")
    return await job.read(answer["ok"], pieces, apart)
