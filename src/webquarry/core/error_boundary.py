"""Error boundary of an interface: only errors that can be shown to a caller leave it."""

from types import TracebackType

from webquarry.core.errors import InternalError, ServiceError
from webquarry.core.log import log


class ErrorBoundary:
    """Error boundary: `with ErrorBoundary("request.failed", request_id=id):`.

    Errors of the service pass unchanged. Any other exception is a bug: it is logged in full under this event name with
    these fields, and replaced by InternalError. Exceptions that are not derived from `Exception`, such as a
    cancellation, also pass.
    """

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
