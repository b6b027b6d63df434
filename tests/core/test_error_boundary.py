"""The error boundary: service errors and cancellations pass, faults are logged and reported as internal errors."""

import asyncio

import pytest
import structlog

from webquarry.core.error_boundary import ErrorBoundary
from webquarry.core.errors import InternalError, InvalidParams


def test_a_fault_is_logged_whole_and_told_as_ours() -> None:
    with (
        structlog.testing.capture_logs() as logs,
        pytest.raises(InternalError) as told,
        ErrorBoundary("request.failed", request_id="req_1"),
    ):
        raise KeyError("inside")
    (line,) = logs
    assert (line["event"], line["request_id"], line["log_level"]) == ("request.failed", "req_1", "error")
    assert isinstance(line["exc_info"], KeyError)
    assert "inside" not in told.value.message


@pytest.mark.parametrize("error", [InvalidParams("Say what."), asyncio.CancelledError()])
def test_what_is_no_fault_passes_as_it_is(error: BaseException) -> None:
    with structlog.testing.capture_logs() as logs, pytest.raises(type(error)) as told, ErrorBoundary("request.failed"):
        raise error
    assert told.value is error
    assert logs == []
