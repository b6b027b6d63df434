"""Traces of the whole pipeline, as OpenTelemetry's exporters receive them."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from support.direct import Direct
from support.server import Server
from webquarry.app import assemble
from webquarry.core.settings import Settings, SettingsError
from webquarry.core.tracing import open_tracer, span, trace_requests
from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import example_path

PAGE = example_path(load().by_name["markdown_url"])


async def trace(folder: Path, *paths: str) -> list[ReadableSpan]:
    """Request the paths from a sandbox, one by one. Return the spans in order of their start."""
    exporter = InMemorySpanExporter()
    settings = Settings(data_dir=folder, workers=1, traces_url="http://127.0.0.1:4318")
    with open_tracer(settings, SimpleSpanProcessor(exporter)) as tracer:
        assert tracer is not None
        async with assemble(settings, sandbox=True, serving=True) as service:
            _, key = await service.accounts.create("ada@example.com", 100)
            direct = Direct(service, key, trace_requests(service.asgi(), tracer))
            for path in paths:
                await direct.ask(path)
    return sorted(exporter.get_finished_spans(), key=lambda each: each.start_time or 0)


async def test_fresh_answer_is_a_request_with_its_hold_attempts_children_and_settle(tmp_path: Path) -> None:
    request, *parts = await trace(tmp_path, PAGE)
    assert request.name == "request"
    assert request.context is not None
    assert {each.context.trace_id for each in parts if each.context} == {request.context.trace_id}
    by_name = {each.name: each for each in parts}
    assert set(by_name) == {"hold", "attempt", "child", "settle"}
    assert dict(by_name["hold"].attributes or {}) == {"credits": 1}
    assert (by_name["attempt"].attributes or {})["endpoint"] == "markdown_url"
    parent, attempt = by_name["child"].parent, by_name["attempt"].context
    assert parent is not None
    assert attempt is not None
    assert parent.span_id == attempt.span_id
    attributes = dict(request.attributes or {})
    assert attributes["http.response.status_code"] == 200
    assert str(attributes["webquarry.request_id"]).startswith("req_")


async def test_cached_answer_is_one_span(tmp_path: Path) -> None:
    spans = await trace(tmp_path, PAGE, PAGE)
    last = max(spans, key=lambda each: each.start_time or 0)
    assert last.name == "request"
    assert last.context is not None
    assert last.context.span_id not in [each.parent.span_id for each in spans if each.parent]


async def test_failed_answer_names_its_code_and_no_address(tmp_path: Path) -> None:
    spans = await trace(tmp_path, "/api/v1/markdown/url?url=https%3A%2F%2Fnowhere.example%2F%3Ftoken%3Dsecret")
    ends = {each.name: dict(each.attributes or {}) for each in spans}
    assert ends["request"]["http.response.status_code"] == 422
    assert ends["refund"] == {"code": "provider_error"}
    assert ends["attempt"]["error.type"] == "provider_error"
    told = "".join(each.to_json() for each in spans)
    assert "secret" not in told
    assert "nowhere" not in told


def test_span_without_a_tracer_has_no_effect() -> None:
    assert span("hold", credits=1) is span("attempt")


def test_server_without_traces_does_not_load_opentelemetry(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from webquarry.app import assemble\n"
        "from webquarry.cli.serving import open_tracer\n"
        "from webquarry.core.settings import Settings\n"
        "async def main(settings):\n"
        "    with open_tracer(settings) as tracer:\n"
        "        assert tracer is None\n"
        "        async with assemble(settings, sandbox=True) as service:\n"
        "            service.asgi()\n"
        "asyncio.run(main(Settings(data_dir=Path(sys.argv[1]))))\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    # the MCP SDK loads OpenTelemetry's API if it is installed
    assert "sdk" not in subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_missing_tracing_extra_is_reported_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(SettingsError, match=r"pip install 'webquarry\[otel\]'"):
        open_tracer(Settings(traces_url="http://127.0.0.1:4318")).__enter__()


@contextmanager
def collecting() -> Iterator[tuple[str, list[str]]]:
    """A collector on loopback: its URL, and the names of the received spans."""
    names: list[str] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["content-length"])))
            assert self.path == "/v1/traces"
            names.extend(each.name for part in sent.resource_spans for more in part.scope_spans for each in more.spans)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", names
        server.shutdown()
        thread.join()


async def test_server_sends_its_traces_to_the_collector_before_it_ends(tmp_path: Path) -> None:
    with collecting() as (url, names):
        async with Server(tmp_path, "--sandbox", traces_url=url) as server:
            await server.stop()
    assert "request" in names


async def test_server_ends_in_seconds_while_the_collector_is_away(tmp_path: Path) -> None:
    async with Server(tmp_path, "--sandbox", traces_url="http://127.0.0.1:9") as server:
        assert await server.stop() == 0
