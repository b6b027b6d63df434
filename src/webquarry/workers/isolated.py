"""Interface with which the parts of a request run a function on untrusted bytes."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from webquarry.core.types import Deadline, Subject
from webquarry.workers.job import Job
from webquarry.workers.parcel import Parcel

F = TypeVar("F")


class Isolated(Protocol):
    """Runs a job on untrusted bytes in a child process with limited memory and time and without network access.

    `job` is the function to call with the bytes and the options (JSON values), with a declaration of its result.
    `origin` is the host that the bytes come from, or a name for one file. A child is only reused within an origin; ""
    uses a separate child. `subject` is the kind of bytes. `heavy` allows much memory and starting programs. `deadline`
    defaults to the request's deadline. Raises ConversionFailed if a limit is exceeded or if the result does not match
    the declaration.
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
