"""The room of home and docs: their addresses, and what stands on each page."""

from collections.abc import Callable, Sequence
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.api import openapi
from webquarry.declare import Extractor
from webquarry.errors import ANSWERED, REASONS, NotFound
from webquarry.limits import WINDOW_S
from webquarry.params import FORMAT, specs
from webquarry.registry import API_PREFIX, Registry
from webquarry.settings import PREFIX, Settings
from webquarry.snippets import curl, example_path
from webquarry.types import BROWSER_HEADERS
from webquarry.web.site import Site, respond
from webquarry.wording import bounds, choices, default, freshness, price, retry_advice, rules


class Docs:
    """Everything that explains the service; made once, from the registry."""

    def __init__(
        self,
        site: Site,
        registry: Registry,
        settings: Settings,
        example_answer: Callable[[Extractor], dict[str, Any] | None],
    ) -> None:
        """example_answer: what the sandbox answers, by endpoint."""
        self._site = site
        self._registry = registry
        self._example_answer = example_answer
        self._words: dict[str, Any] = {
            "registry": registry,
            "prefix": API_PREFIX,
            "setting_prefix": PREFIX,
            "browser_headers": ", ".join(sorted(BROWSER_HEADERS)),
            "price": price,
            "freshness": freshness,
            "choices": choices,
            "curl": curl,
            "example_path": example_path,
            "specs": specs,
            "rules": rules,
            "default": default,
            "bounds": bounds,
            "retry_advice": retry_advice,
            "common_format": FORMAT,
            "limit": settings.rate_limit_per_minute,
            "window_s": int(WINDOW_S),
            "errors": ANSWERED,
            "reasons": REASONS,
        }

    def routes(self) -> Sequence[BaseRoute]:
        return (
            Route("/", self.home),
            Route("/docs", self.reference),
            Route("/docs/errors", self.errors),
            Route("/docs/settings", self.settings),
            Route("/docs/{name}", self.endpoint),
            Route("/llms.txt", self.llms),
            Route("/agents.md", self.agents),
        )

    async def home(self, request: Request) -> Response:
        return await self._page(request, "home.html")

    async def reference(self, request: Request) -> Response:
        return await self._page(request, "docs/reference.html")

    async def errors(self, request: Request) -> Response:
        return await self._page(request, "docs/errors.html")

    async def settings(self, request: Request) -> Response:
        return await self._page(request, "docs/settings.html", settings=setting_rows())

    async def endpoint(self, request: Request) -> Response:
        extractor = self._registry.by_name.get(request.path_params["name"])
        if extractor is None:
            return await self._site.refuse(request, NotFound("No such page: all are listed at /docs."))
        example = self._example_answer(extractor)
        shown = orjson.dumps(example, option=orjson.OPT_INDENT_2).decode() if example else None
        fields = {when: openapi.field_rows(result) for when, result in extractor.results.items()}
        return await self._page(request, "docs/endpoint.html", extractor=extractor, fields=fields, example=shown)

    async def llms(self, request: Request) -> Response:
        return await self._text(request, "llms.txt", "text/plain; charset=utf-8")

    async def agents(self, request: Request) -> Response:
        return await self._text(request, "agents.md", "text/markdown; charset=utf-8")

    async def _page(self, request: Request, template: str, **values: Any) -> Response:
        return await self._site.page(request, template, **self._words, **values)

    async def _text(self, request: Request, template: str, media_type: str) -> Response:
        return await respond(request, self._site.render(template, **self._words).encode(), media_type)


def setting_rows() -> list[tuple[str, str, str]]:
    """Variable, default and meaning of every setting; never a value in force."""
    return [
        (PREFIX + name.upper(), "" if info.default in (None, ()) else str(info.default), info.description or "")
        for name, info in Settings.model_fields.items()
    ]
