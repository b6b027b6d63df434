"""The last border of a surface: behind it anything may fail, and what leaves it can be told to a caller."""

from types import TracebackType

from webquarry.core.errors import InternalError, ServiceError
from webquarry.core.log import log


class Border:
    """`with Border("request.failed", request_id=id):` lets the service's own errors pass. Any other exception is a
    fault of ours: it is logged whole as this event with these fields, and leaves as InternalError. What is no
    `Exception`, such as a cancellation, passes too."""

    __slots__ = ("_event", "_fields")

    def __init__(self, event: str, **fields: object) -> None:
        self._event = event
        self._fields = fields

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if isinstance(error, Exception) and not isinstance(error, ServiceError):
            log.error(self._event, exc_info=error, **self._fields)
            raise InternalError from error
