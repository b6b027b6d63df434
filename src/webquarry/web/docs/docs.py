"""Routes and contents of the home page and the docs."""

import asyncio
import base64
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any
from urllib.parse import quote

import orjson
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from webquarry.api.fields import list_result_fields
from webquarry.api.negotiation import prefers_markdown
from webquarry.core.errors import ANSWERED, REASONS, NotFound
from webquarry.core.settings import PREFIX, Settings
from webquarry.core.types import BROWSER_HEADERS, GRADE_NOTES, Provider
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import FORMAT, specs
from webquarry.endpoints.portion import PORTION
from webquarry.endpoints.registry import API_PREFIX, Registry
from webquarry.endpoints.snippets import call_path, curl, example_path, write_snippets
from webquarry.endpoints.variants import list_specs
from webquarry.endpoints.wording import bounds, choices, default, freshness, price, retry_advice, rules
from webquarry.limits import WINDOW_S
from webquarry.mcp.documents import Document
from webquarry.web.docs import advice
from webquarry.web.docs.brief import list_main_fields, list_parameters
from webquarry.web.docs.changelog import read_changelog
from webquarry.web.docs.changes import find_repository, write_edit_address
from webquarry.web.docs.entries import list_entries
from webquarry.web.docs.example import write_example
from webquarry.web.docs.featured import Featured, list_featured
from webquarry.web.docs.library import OPERATORS, Page, build_library, first_sentence
from webquarry.web.docs.operations import list_operations
from webquarry.web.docs.prose import write_html
from webquarry.web.docs.search import MAX_QUERY, Index
from webquarry.web.site import MARKDOWN, VARIES, Site, respond
from webquarry.webhooks.courier import TRIES, WITHIN_S
from webquarry.webhooks.table import MAX_FAILURES, MAX_WEBHOOKS

READERS = {
    "Claude": "https://claude.ai/new?q={prompt}",
    "ChatGPT": "https://chatgpt.com/?q={prompt}",
    "Cursor": "https://cursor.com/link/prompt?text={prompt}",
}
"""Links that open an assistant with a prompt."""
INSTALLERS = (
    "cursor://anysphere.cursor-deeplink/mcp/install",
    "vscode:mcp/install",
    "https://claude.ai/settings/connectors",
)
"""URLs with which clients of the tool protocol add a server."""
_FOR_CALLERS = ("Start", "Guides")
_KEPT = {"cache-control": "public, max-age=300"}
SUGGESTED_PER_KIND = 4
"""Number of results of each kind that are shown while the reader types."""


class Docs:
    """The documentation of the service. Pages are built at the first request and cached."""

    def __init__(
        self,
        site: Site,
        registry: Registry,
        settings: Settings,
        document: Mapping[str, Any],
        example_answer: Callable[[Extractor], dict[str, Any] | None],
        questions: Callable[[str], Sequence[Mapping[str, str]]],
    ) -> None:
        """`document` is the OpenAPI document.

        `example_answer` returns the sandbox's response to an endpoint's example. `questions` returns the requests of an
        endpoint that the sandbox can answer.
        """
        self._site = site
        self._registry = registry
        self._limit = settings.rate_limit_per_minute
        self._account_limit = settings.requests_per_account
        self._example_answer = example_answer
        self._operations = list_operations(document, registry)
        self._words: dict[str, Any] = {
            "registry": registry,
            "groups": {name: (registry.describe_group(name), members) for name, members in registry.groups.items()},
            "prefix": API_PREFIX,
            "setting_prefix": PREFIX,
            "browser_headers": ", ".join(sorted(BROWSER_HEADERS)),
            "grades": GRADE_NOTES,
            "price": price,
            "freshness": freshness,
            "choices": choices,
            "curl": curl,
            "example_path": example_path,
            "snippets": write_snippets,
            "call_path": call_path,
            "specs": specs,
            "list_specs": list_specs,
            "rules": rules,
            "default": default,
            "bounds": bounds,
            "retry_advice": retry_advice,
            "common_format": FORMAT,
            "portion": PORTION,
            "limit": self._limit,
            "account_limit": self._account_limit,
            "window_s": int(WINDOW_S),
            "errors": ANSWERED,
            "reasons": REASONS,
            "advice": advice,
            "questions": questions,
            "settings": setting_rows(),
            "job_limits": (settings.jobs_per_account, settings.job_items_per_account),
            "defaults": {name: info.default for name, info in Settings.model_fields.items()},
            "operations": self._operations,
            "webhooks": {
                "most": MAX_WEBHOOKS,
                "most_failures": MAX_FAILURES,
                "tries": TRIES,
                "within_s": int(WITHIN_S),
            },
            "first_sentence": first_sentence,
            "list_parameters": list_parameters,
            "list_main_fields": list_main_fields,
            "keyed": list_keyed,
            "list_readers": self._list_readers,
            "install_links": list_install_links(site.base_url),
            "example": self._example,
        }
        self._library = build_library(registry, self._render, site.base_url, self._describe, self._operations)

    def routes(self) -> Sequence[BaseRoute]:
        return (
            Route("/", self.home),
            Route("/index.md", self._text("home.md", MARKDOWN)),
            Route("/llms.txt", self._text("llms.txt", "text/plain; charset=utf-8")),
            Route("/llms-full.txt", self.everything),
            Route("/agents.md", self._text("agents.md", MARKDOWN)),
            Route("/changelog", self.changelog),
            Route("/changelog.md", self.changelog),
            Route("/docs", self.page),
            Route("/docs/search", self.search),
            Route("/docs/search.json", self.suggest),
            Route("/docs.md", self.markdown),
            Route("/docs/{path:path}.md", self.markdown),
            Route("/docs/{path:path}", self.page),
        )

    def list_documents(self) -> list[Document]:
        """Return the pages for callers, without pages for operators and pages of single endpoints."""
        return [
            Document(
                f"{self._site.base_url}{page.address}.md",
                page.path.replace("/", "-") or "overview",
                page.title,
                page.description,
                partial(getattr, page, "plain"),
            )
            for page in self._library.pages
            if page.section in _FOR_CALLERS
        ]

    async def home(self, request: Request) -> Response:
        featured = await asyncio.to_thread(lambda: self._featured)
        return await self._site.page(request, "home.html", featured=featured, **self._words)

    async def page(self, request: Request) -> Response:
        """Return a page as HTML, or as markdown if the client prefers it.

        The name of an endpoint redirects to its page.
        """
        path = request.path_params.get("path", "")
        page = None if request.scope["path"].endswith("/") else self._library.by_path.get(path)
        if page is None and path in self._registry.by_name:
            return RedirectResponse(f"/docs/api/{path}", 308)
        if page is None:
            return await self._missing(request)
        if prefers_markdown(request.headers.get("accept", ""), over="text/html"):
            plain = await asyncio.to_thread(lambda: page.plain)
            return await respond(request, plain.encode(), MARKDOWN, headers=VARIES)
        prose = await asyncio.to_thread(lambda: page.prose)
        before, after = self._library.neighbours(page)
        return await self._site.page(
            request,
            "docs/page.html",
            page=page,
            prose=prose,
            before=before,
            after=after,
            sections=self._library.sections,
            edit=self._edit_addresses.get(page.extractor.name) if page.extractor else None,
            **self._words,
        )

    async def changelog(self, request: Request) -> Response:
        """Return the changelog as HTML or as markdown."""
        accept = request.headers.get("accept", "")
        text = await asyncio.to_thread(read_changelog)
        if request.scope["path"].endswith(".md") or prefers_markdown(accept, over="text/html"):
            return await respond(request, text.encode(), MARKDOWN, headers=VARIES)
        prose = await asyncio.to_thread(write_html, text.partition("\n")[2])
        return await self._site.page(
            request, "docs/changelog.html", prose=prose, page=None, sections=self._library.sections, **self._words
        )

    async def markdown(self, request: Request) -> Response:
        page = self._library.by_path.get(request.path_params.get("path", ""))
        if page is None:
            return await self._missing(request)
        plain = await asyncio.to_thread(lambda: page.plain)
        return await respond(request, plain.encode(), MARKDOWN)

    async def search(self, request: Request) -> Response:
        """Return search results, for browsers without scripts."""
        query = request.query_params.get("q", "").strip()[:MAX_QUERY]
        found = await asyncio.to_thread(lambda: self._index.find(query))
        return await self._site.page(
            request,
            "docs/search.html",
            query=query,
            found=found,
            page=None,
            sections=self._library.sections,
            **self._words,
        )

    async def suggest(self, request: Request) -> Response:
        """Return the best results for the page's script, as `search.Found`."""
        query = request.query_params.get("q", "")[:MAX_QUERY]
        found = await asyncio.to_thread(lambda: self._index.find(query, shown=SUGGESTED_PER_KIND))
        return await respond(request, orjson.dumps(found), "application/json", headers=_KEPT)

    async def everything(self, request: Request) -> Response:
        """Return all pages for callers, concatenated."""
        body = await asyncio.to_thread(lambda: self._everything)
        return await respond(request, body, "text/plain; charset=utf-8")

    @cached_property
    def _featured(self) -> tuple[Featured, ...]:
        return tuple(list_featured(self._registry, self._example))

    @cached_property
    def _edit_addresses(self) -> Mapping[str, str | None]:
        """Where the declaration of each endpoint can be edited."""
        repository, named = find_repository(), zip(self._registry, self._registry.files, strict=False)
        return {extractor.name: write_edit_address(repository, file) for extractor, file in named}

    @cached_property
    def _index(self) -> Index:
        return Index(list_entries(self._library))

    @cached_property
    def _everything(self) -> bytes:
        pages = [page.plain for page in self._library.pages if page.section != OPERATORS]
        return "\n\n".join(pages).encode()

    def _text(self, template: str, media_type: str) -> Callable[[Request], Awaitable[Response]]:
        made: dict[str, bytes] = {}

        async def answer(request: Request) -> Response:
            if template not in made:
                made[template] = (await asyncio.to_thread(self._render, template)).encode()
            return await respond(request, made[template], media_type)

        return answer

    def _render(self, template: str, **values: Any) -> str:
        return self._site.render(template, **self._words, **values)

    def _describe(self, extractor: Extractor) -> dict[str, Any]:
        return {
            "extractor": extractor,
            "shown": self._example(extractor),
            "fields": {when: list_result_fields(result) for when, result in extractor.results.items()},
            "endings": advice.list_endings(extractor),
        }

    def _example(self, extractor: Extractor) -> Any:
        return write_example(extractor, self._example_answer(extractor), self._limit)

    def _list_readers(self, page: Page) -> list[tuple[str, str]]:
        """Return assistants and the links that open a page in them."""
        prompt = quote(f"Read {self._site.base_url}{page.address}.md, then help me use it.", safe="")
        return [(name, link.format(prompt=prompt)) for name, link in READERS.items()]

    async def _missing(self, request: Request) -> Response:
        return await self._site.refuse(request, NotFound("Page not found. All pages are listed at /docs."))


def list_install_links(base_url: str) -> list[tuple[str, str]]:
    """Return clients of the tool protocol and the links that add this service to them."""
    url = f"{base_url}/mcp"
    config = base64.b64encode(orjson.dumps({"url": url})).decode()
    server = quote(orjson.dumps({"name": "webquarry", "type": "http", "url": url}).decode(), safe="")
    return [
        ("Add to Cursor", f"{INSTALLERS[0]}?name=webquarry&config={quote(config, safe='')}"),
        ("Add to Visual Studio Code", f"{INSTALLERS[1]}?{server}"),
        ("Add to Claude", INSTALLERS[2]),
    ]


def list_keyed(registry: Registry) -> list[tuple[Provider, list[Extractor]]]:
    """Return the sources that need settings, each with the endpoints that use it."""
    users: dict[str, tuple[Provider, list[Extractor]]] = {}
    for extractor in registry:
        for provider in extractor.all_providers:
            if provider.needs:
                users.setdefault(provider.name, (provider, []))[1].append(extractor)
    return list(users.values())


def setting_rows() -> list[tuple[str, str, str]]:
    """Return the variable, default and description of every setting, but never its current value."""
    return [
        (PREFIX + name.upper(), "" if info.default in (None, ()) else str(info.default), info.description or "")
        for name, info in Settings.model_fields.items()
    ]
