"""Pages and documents beside the API: home, reference, texts for agents, health and metrics."""

import hmac
import ipaddress
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup, escape
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from webquarry.api import openapi
from webquarry.api.negotiation import COMPRESSED_FROM
from webquarry.api.responses import error_body
from webquarry.declare import Extractor
from webquarry.errors import (
    ANSWERED,
    REASONS,
    InternalError,
    MethodNotAllowed,
    NotFound,
    ServiceError,
    Unauthorized,
)
from webquarry.limits import WINDOW_S
from webquarry.metrics import Metrics
from webquarry.params import FORMAT, specs
from webquarry.registry import API_PREFIX, Registry
from webquarry.settings import PREFIX, Settings
from webquarry.snippets import curl, example_path
from webquarry.types import BROWSER_HEADERS
from webquarry.wording import bounds, choices, default, freshness, price, retry_advice, rules

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"
_PAGE_HEADERS = {
    "content-security-policy": _POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class Pages:
    """Everything that is served outside `/api/v1`; made once, from the registry."""

    def __init__(
        self,
        registry: Registry,
        settings: Settings,
        metrics: Metrics,
        ready: Callable[[], Awaitable[str | None]],
        remarks: Callable[[], tuple[str, ...]],
        example_answer: Callable[[Extractor], dict[str, Any] | None],
        *,
        sandbox: bool,
    ) -> None:
        """ready: what is missing for service, or None. remarks: what else an operator should know. example_answer: what
        the sandbox answers, by endpoint. sandbox: whether this is one, which every page then says."""
        self._registry = registry
        self._settings = settings
        self._metrics = metrics
        self._ready = ready
        self._remarks = remarks
        self._examples = {extractor.name: example_answer(extractor) for extractor in registry}
        base_url = settings.base_url
        self._openapi = orjson.dumps(
            openapi.document(
                registry,
                base_url=base_url,
                rate_limit=settings.rate_limit_per_minute,
                example_answer=lambda extractor: self._examples[extractor.name],
            )
        )
        self._templates = Environment(
            loader=FileSystemLoader(Path(__file__).parent / "templates"),
            autoescape=select_autoescape(),
            keep_trailing_newline=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters["code"] = _with_code
        self._templates.globals.update(
            registry=registry,
            base_url=base_url,
            prefix=API_PREFIX,
            sandbox=sandbox,
            setting_prefix=PREFIX,
            browser_headers=", ".join(sorted(BROWSER_HEADERS)),
            price=price,
            freshness=freshness,
            choices=choices,
            curl=curl,
            example_path=example_path,
            specs=specs,
            rules=rules,
            default=default,
            bounds=bounds,
            retry_advice=retry_advice,
            common_format=FORMAT,
            limit=settings.rate_limit_per_minute,
            window_s=int(WINDOW_S),
            errors=ANSWERED,
            reasons=REASONS,
        )

    def app(self) -> Starlette:
        app = Starlette(
            routes=[
                Route("/", self.home),
                Route("/docs", self.reference),
                Route("/docs/errors", self.errors),
                Route("/docs/settings", self.settings),
                Route("/docs/{name}", self.endpoint),
                Route("/openapi.json", self.openapi),
                Route("/llms.txt", self.llms),
                Route("/agents.md", self.agents),
                Route("/healthz", self.healthz),
                Route("/readyz", self.readyz),
                Route("/metrics", self.metrics),
            ],
            middleware=[Middleware(GZipMiddleware, minimum_size=COMPRESSED_FROM)],
            exception_handlers={404: _not_found, 405: _not_allowed, 500: _failed},
        )
        app.router.redirect_slashes = False  # it would answer with an address made from `Host`
        return app

    async def home(self, _request: Request) -> Response:
        return self._page("home.html")

    async def reference(self, _request: Request) -> Response:
        return self._page("reference.html")

    async def errors(self, _request: Request) -> Response:
        return self._page("errors.html")

    async def settings(self, _request: Request) -> Response:
        return self._page("settings.html", settings=setting_rows())

    async def endpoint(self, request: Request) -> Response:
        extractor = self._registry.by_name.get(request.path_params["name"])
        if extractor is None:
            return await _not_found(request, None)
        example = self._examples[extractor.name]
        shown = orjson.dumps(example, option=orjson.OPT_INDENT_2).decode() if example else None
        fields = {when: openapi.field_rows(result) for when, result in extractor.results.items()}
        return self._page("endpoint.html", extractor=extractor, fields=fields, example=shown)

    async def openapi(self, _request: Request) -> Response:
        return Response(self._openapi, media_type="application/json")

    async def llms(self, _request: Request) -> Response:
        return PlainTextResponse(self._render("llms.txt"))

    async def agents(self, _request: Request) -> Response:
        return Response(self._render("agents.md"), media_type="text/markdown")

    async def healthz(self, _request: Request) -> Response:
        """The process answers."""
        return PlainTextResponse("ok\n")

    async def readyz(self, _request: Request) -> Response:
        """The store answers too, so calls can be taken."""
        missing = await self._ready()
        said = "\n".join((missing or "ready", *self._remarks()))
        return PlainTextResponse(f"{said}\n", status_code=503 if missing else 200)

    async def metrics(self, request: Request) -> Response:
        """Open where the service listens on loopback only, else by token."""
        token = self._settings.metrics_token
        if token is None:
            allowed = _is_loopback(self._settings.host)
        else:
            given = request.headers.get("authorization", "")
            allowed = hmac.compare_digest(given.encode(), f"Bearer {token}".encode())
        if not allowed:
            return _error(Unauthorized("Set WEBQUARRY_METRICS_TOKEN and send it as `Authorization: Bearer <token>`."))
        return Response(self._metrics.text(), media_type="text/plain; version=0.0.4")

    def _render(self, template: str, **values: Any) -> str:
        return self._templates.get_template(template).render(**values)

    def _page(self, template: str, **values: Any) -> Response:
        html = self._render(template, **values)
        return HTMLResponse(html, headers=_PAGE_HEADERS)


def setting_rows() -> list[tuple[str, str, str]]:
    """Variable, default and meaning of every setting; never a value in force."""
    return [
        (PREFIX + name.upper(), "" if info.default in (None, ()) else str(info.default), info.description or "")
        for name, info in Settings.model_fields.items()
    ]


def _with_code(text: str) -> Markup:
    """Plain text in which what stands between two backticks is code."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return escape(text)
    return Markup("").join(Markup("<code>{}</code>").format(p) if n % 2 else p for n, p in enumerate(pieces))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _not_found(_request: Request, _exc: Exception | None) -> Response:
    return _error(NotFound("No such page: see /docs, /llms.txt or /openapi.json."))


async def _failed(_request: Request, _exc: Exception) -> Response:
    return _error(InternalError())


async def _not_allowed(_request: Request, exc: Exception) -> Response:
    allow = getattr(exc, "headers", None) or {}
    methods = tuple(part.strip() for part in allow.get("Allow", "GET").split(","))
    return _error(MethodNotAllowed("This path answers GET only.", methods))


def _error(error: ServiceError) -> Response:
    return Response(error_body(error), status_code=error.status, headers=error.headers(), media_type="application/json")
