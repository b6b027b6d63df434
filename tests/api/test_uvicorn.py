"""The parts of uvicorn's non-public interface that `api/server.py` and `api/protocol.py` use.

pyproject.toml has an upper bound for uvicorn: raise it when these tests pass with the new version.
"""

import inspect

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle


@pytest.mark.parametrize(
    "name",
    [
        "_unset_keepalive_if_required",
        "connection_lost",
        "connection_made",
        "data_received",
        "eof_received",
        "on_body",
        "on_header",
        "on_headers_complete",
        "on_message_begin",
        "on_message_complete",
        "on_response_complete",
        "on_url",
        "send_400_response",
        "shutdown",
        "timeout_keep_alive_handler",
    ],
)
def test_uvicorn_protocol_still_has_the_attributes(name: str) -> None:
    assert callable(getattr(HttpToolsProtocol, name))


def test_uvicorn_protocol_still_has_the_methods() -> None:
    made = inspect.getsource(HttpToolsProtocol.__init__)
    for name in ("parser", "loop", "transport", "flow", "cycle", "scope", "headers", "pipeline", "client", "server"):
        assert f"self.{name}" in made, name


def test_uvicorn_cycle_still_has_the_attributes() -> None:
    made = inspect.getsource(RequestResponseCycle.__init__)
    for name in (
        "keep_alive",
        "disconnected",
        "response_started",
        "response_complete",
        "message_event",
        "body",
        "more_body",
    ):
        assert f"self.{name}" in made, name


def test_the_server_still_ends_by_shutdown() -> None:
    assert list(inspect.signature(uvicorn.Server.shutdown).parameters) == ["self", "sockets"]
