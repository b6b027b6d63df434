"""The error boundary: service errors and cancellations pass, faults are logged and reported as internal errors."""

import asyncio

import pytest
import structlog

from webquarry.core.error_boundary import ErrorBoundary
from webquarry.core.errors import InternalError, InvalidParams


def test_a_bug_is_logged_in_full_and_reported_as_an_internal_error() -> None:
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
def test_expected_errors_pass_unchanged(error: BaseException) -> None:
    with structlog.testing.capture_logs() as logs, pytest.raises(type(error)) as told, ErrorBoundary("request.failed"):
        raise error
    assert told.value is error
    assert logs == []
