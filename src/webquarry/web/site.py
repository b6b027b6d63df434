"""Code that all pages share: templates, static files, the security policy, and errors as pages."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.api.negotiation import COMPRESSED_FROM, choose_coding, compress
from webquarry.api.responses import error_body
from webquarry.core.errors import InternalError, MethodNotAllowed, NotFound, Overloaded, ServiceError
from webquarry.web.highlight import LANGUAGES, find_lexer, highlight
from webquarry.web.static_files import PREFIX, StaticFiles
from webquarry.web.texts import break_names, fence, to_cell

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'{forms}; base-uri 'none'; frame-ancestors 'none'"
)
_HTML = "text/html; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
VARIES = {"vary": "Cookie, Accept, Accept-Encoding"}
"""Header for URLs with both an HTML page and markdown."""


class Visitor(Protocol):
    """The signed-in user, as shown in a page's header."""

    @property
    def email(self) -> str: ...

    @property
    def is_admin(self) -> bool: ...


class Section(Protocol):
    """A part of the site with its routes."""

    def routes(self) -> Sequence[BaseRoute]: ...


async def _nobody(_request: Request) -> Visitor | None:
    return None


class Site:
    """The parts that the site's pages share, created once.

    `visitor` returns the signed-in user of a request (default: None). `sandbox` adds a notice about sample data to
    every page. Templates have `sandbox`, `base_url`, `static(name)`, `highlight(text, language)`, the filter `code`,
    and on each page `visitor` and `path`.
    """

    def __init__(
        self,
        base_url: str,
        *,
        sandbox: bool,
        visitor: Callable[[Request], Awaitable[Visitor | None]] = _nobody,
    ) -> None:
        self.base_url = base_url
        self.sandbox = sandbox
        self.static = StaticFiles()
        self._visitor = visitor
        self._templates = Environment(
            loader=FileSystemLoader(Path(__file__).parent / "templates"),
            autoescape=select_autoescape(),
            undefined=StrictUndefined,
            keep_trailing_newline=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters.update(code=mark_code, cell=to_cell)
        self._templates.globals.update(
            base_url=base_url, sandbox=sandbox, static=self.static.address, highlight=highlight, fence=fence
        )

    def app(self, *sections: Section) -> Starlette:
        """Return the application with these routes. Unknown paths return an error, as a page for browsers."""
        app = Starlette(
            routes=[
                Route(f"{PREFIX}{{name:path}}", self._static),
                Route("/favicon.ico", self._icon),
                *(route for room in sections for route in room.routes()),
            ],
            exception_handlers={404: self._not_found, 405: self._not_allowed, 500: self._failed},
        )
        app.router.redirect_slashes = False  # a redirect would build its URL from the client's `Host`
        return app

    def compile(self) -> None:
        """Compile templates and lexers before the first page needs them.

        Takes half a second, so call it in a thread.
        """
        for name in self._templates.list_templates():
            self._templates.get_template(name)
        for language in LANGUAGES:
            find_lexer(language)

    def render(self, template: str, **values: Any) -> str:
        """Render a template as text, independently of a request."""
        return self._templates.get_template(template).render(**values)

    async def page(
        self,
        request: Request,
        template: str,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        form_targets: Sequence[str] = (),
        **values: Any,
    ) -> Response:
        """Render a page from a template that extends `base.html`.

        `form_targets` are other origins to which a form of this page may redirect. `values` are for the template;
        `visitor` is looked up unless it is included.
        """
        if "visitor" not in values:
            values["visitor"] = await self._find_visitor(request)
        html = self.render(template, path=request.scope["path"], **values)
        cached = "no-cache" if values["visitor"] is None else "private, no-store"
        own = {
            "content-security-policy": POLICY.format(forms="".join(f" {target}" for target in form_targets)),
            "referrer-policy": "same-origin",
            "cache-control": cached,
            **VARIES,
        }
        return await respond(request, html.encode(), _HTML, status, {**own, **(headers or {})})

    async def refuse(self, request: Request, error: ServiceError, **values: Any) -> Response:
        """Return an error, as a page for browsers and otherwise as the API's JSON. For `values`, see `page`."""
        if not prefers_html(request):
            return Response(
                error_body(error), status_code=error.status, headers=error.headers(), media_type="application/json"
            )
        headers = error.headers()
        return await self.page(request, "error.html", status=error.status, headers=headers, error=error, **values)

    async def _find_visitor(self, request: Request) -> Visitor | None:
        """Return the signed-in user, or None if the store is unavailable.

        Documentation and error pages must work without the store.
        """
        try:
            return await self._visitor(request)
        except Overloaded:
            return None

    async def _static(self, request: Request) -> Response:
        file = self.static.find(request.scope["path"])
        return await (file.answer(request) if file else self._not_found(request, None))

    async def _icon(self, request: Request) -> Response:
        """Return the icon at the path that browsers request by default."""
        file = self.static.find(self.static.address("favicon.svg"))
        return await (file.answer(request, "public, max-age=86400") if file else self._not_found(request, None))

    async def _not_found(self, request: Request, _exc: Exception | None) -> Response:
        return await self.refuse(request, NotFound("Page not found. See /docs, /llms.txt or /openapi.json."))

    async def _not_allowed(self, request: Request, exc: Exception) -> Response:
        allow = getattr(exc, "headers", None) or {}
        methods = tuple(part.strip() for part in allow.get("Allow", "GET").split(","))
        return await self.refuse(
            request, MethodNotAllowed(f"This path supports {' and '.join(methods)} only.", methods)
        )

    async def _failed(self, request: Request, _exc: Exception) -> Response:
        """Show an internal error, which the server logs.

        The user is not looked up, because the lookup may have caused the error.
        """
        return await self.refuse(request, InternalError(), visitor=None)


async def respond(
    request: Request, body: bytes, media_type: str, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response, which is compressed if the request allows it."""
    all_headers = dict(headers or {})
    coding = choose_coding(request.headers.get("accept-encoding", "")) if len(body) >= COMPRESSED_FROM else None
    if coding is not None:
        body = await compress(body, coding)
        all_headers["content-encoding"] = coding
    return Response(body, status_code=status, headers={"vary": "Accept-Encoding", **all_headers}, media_type=media_type)


def prefers_html(request: Request) -> bool:
    """Return whether the request comes from a browser that shows pages."""
    return "text/html" in request.headers.get("accept", "")


def mark_code(text: str) -> Markup:
    """Return plain text as HTML, with text between backticks as code."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(break_names(p)) if n % 2 else p for n, p in enumerate(pieces)
    )
