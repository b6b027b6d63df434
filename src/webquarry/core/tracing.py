"""Traces: the durations of a request's steps, as spans of OpenTelemetry.

`open_tracer` connects to a collector and needs the extra `webquarry[otel]`. A server without a tracer runs without
OpenTelemetry: the application is not wrapped, and `span` returns a shared object without effect.

Spans contain names, codes and numbers, never addresses, queries, keys or error messages.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from webquarry.core.errors import ServiceError
from webquarry.core.settings import Settings, SettingsError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor
    from opentelemetry.trace import Span, Tracer

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_TRACER: "ContextVar[Tracer | None]" = ContextVar("tracer", default=None)
"""The current request's tracer, which new tasks inherit."""
_NO_SPAN: Final = nullcontext()
_REQUEST_ID: Final = b"x-request-id"
_EXPORT_S: Final = 5.0
_FLUSH_MS: Final = 3000


def span(name: str, **attributes: str | int) -> AbstractContextManager[object]:
    """Open a child span of the current span for the duration of the context. Without a tracer, this has no effect."""
    tracer = _TRACER.get()
    return _NO_SPAN if tracer is None else _open_span(tracer, name, attributes)


def trace_requests(app: App, tracer: "Tracer") -> App:
    """Return the application with a span `request` around each HTTP request."""

    async def traced(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        attributes = {"http.request.method": scope["method"]}
        with _bind(tracer), _open_span(tracer, "request", attributes) as opened:

            async def note_and_send(message: MutableMapping[str, Any]) -> None:
                if message["type"] == "http.response.start":
                    _note_response(opened, message)
                await send(message)

            await app(scope, receive, note_and_send)

    return traced


@contextmanager
def open_tracer(settings: Settings, processor: "SpanProcessor | None" = None) -> "Iterator[Tracer | None]":
    """Yield the tracer configured by the settings, or None. Remaining spans are sent when the context exits.

    processor: receives the spans instead of the collector, for tests. Raises SettingsError if the extra is not
    installed.
    """
    if settings.traces_url is None:
        yield None
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as exc:
        raise SettingsError("WEBQUARRY_TRACES_URL needs OpenTelemetry: pip install 'webquarry[otel]'.") from exc
    if processor is None:
        processor = BatchSpanProcessor(OTLPSpanExporter(f"{settings.traces_url}/v1/traces", timeout=_EXPORT_S))
    provider = TracerProvider(resource=Resource.create({"service.name": "webquarry"}), shutdown_on_exit=False)
    provider.add_span_processor(processor)
    try:
        yield provider.get_tracer("webquarry")
    finally:
        provider.force_flush(_FLUSH_MS)
        provider.shutdown()


@contextmanager
def _bind(tracer: "Tracer") -> Iterator[None]:
    token = _TRACER.set(tracer)
    try:
        yield
    finally:
        _TRACER.reset(token)


@contextmanager
def _open_span(tracer: "Tracer", name: str, attributes: Mapping[str, str | int]) -> "Iterator[Span]":
    """Open a span. If it ends with an error, it records the error's code or class without its message."""
    with tracer.start_as_current_span(
        name, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as opened:
        try:
            yield opened
        except BaseException as exc:
            opened.set_attribute("error.type", exc.code if isinstance(exc, ServiceError) else type(exc).__name__)
            raise


def _note_response(opened: "Span", message: Mapping[str, Any]) -> None:
    opened.set_attribute("http.response.status_code", message["status"])
    for name, value in message.get("headers", ()):
        if name == _REQUEST_ID:
            opened.set_attribute("webquarry.request_id", value.decode("latin-1"))
