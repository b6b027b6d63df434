"""The call of a job: how the parts of a request run a function on foreign bytes."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from webquarry.core.types import Deadline, Subject
from webquarry.workers.job import Job
from webquarry.workers.parcel import Parcel

F = TypeVar("F")


class Isolated(Protocol):
    """Runs a job on foreign bytes in a child process without network and with bounded memory and time.

    `job` is the function to call with the bytes and the options (JSON values), with a declaration of its result.
    `origin` is the host of the bytes, or a name for one file: a child is reused within an origin; "" uses a separate
    child. `subject` is the kind of bytes. `heavy` allows much memory and starting programs. `deadline` defaults to the
    request's. Raises ConversionFailed if the bytes take too much, or if the result does not match the declaration.
    """

    async def __call__(
        self,
        job: Job[F],
        body: bytes,
        options: Mapping[str, Any],
        *,
        origin: str = "",
        subject: Subject = "file",
        heavy: bool = False,
        deadline: Deadline = ...,
    ) -> Parcel[F]: ...
