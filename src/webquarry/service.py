"""The assembled service and its HTTP application."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import orjson
from starlette.applications import Starlette

from webquarry import sandbox as tapes
from webquarry.accounts import Accounts, Directory, History, People, Shares
from webquarry.api import openapi
from webquarry.api.account import AccountApi
from webquarry.api.addresses import Addresses
from webquarry.api.cors import allow_origins
from webquarry.api.endpoint import ApiEndpoint
from webquarry.api.forwarding import ProxyWatch
from webquarry.api.free_operations import OPERATIONS
from webquarry.api.jobs import JobsApi
from webquarry.api.operations import Handler, Operation
from webquarry.api.pictures import PER_MINUTE as PICTURES_PER_MINUTE
from webquarry.api.pictures import Pictures
from webquarry.api.request_statements import RequestStatements
from webquarry.api.statements import Statements
from webquarry.api.upload import Uploads
from webquarry.api.webhooks import WebhooksApi
from webquarry.core.clock import Clock
from webquarry.core.metrics import Metrics
from webquarry.core.settings import Settings
from webquarry.core.types import PICTURES_PATH
from webquarry.endpoints.availability import Standing, list_standings
from webquarry.endpoints.chain import remedy
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.registry import API_PREFIX, Registry
from webquarry.endpoints.snippets import example_path, write_snippets
from webquarry.jobs.results import Results
from webquarry.jobs.workshop import Workshop
from webquarry.ledger import Ledger
from webquarry.limits import WINDOW_S, InProcessLimiter, Limiter
from webquarry.logs.audit import AuditLog
from webquarry.logs.figures import DailyFigures
from webquarry.logs.requests import RequestLog
from webquarry.mcp.access import PATH as TOOLS_PATH
from webquarry.mcp.service import ToolService
from webquarry.net import Door
from webquarry.oauth import Clients, Grants, Tokens
from webquarry.pipeline import Pipeline
from webquarry.providers.rank_list.index import FILE as RANKS
from webquarry.providers.rank_list.index import tell_age
from webquarry.sandbox import cases
from webquarry.sandbox.cases import TAPED_BASE_URL
from webquarry.sandbox.pipeline import SandboxedPipeline
from webquarry.storage import Database
from webquarry.storage.conversions import Conversions
from webquarry.storage.readiness import Readiness
from webquarry.web.account.admin import AdminPages
from webquarry.web.account.admin_overview import AdminOverview
from webquarry.web.account.apps import AppPages
from webquarry.web.account.callers import CallerNames
from webquarry.web.account.events import EventPages
from webquarry.web.account.jobs import JobPages
from webquarry.web.account.keys import KeyPages
from webquarry.web.account.overview import OverviewPage
from webquarry.web.account.requests import RequestPages
from webquarry.web.account.usage import UsagePages
from webquarry.web.account.webhooks import WebhookPages
from webquarry.web.docs.docs import Docs
from webquarry.web.gate import Gate
from webquarry.web.health import Health
from webquarry.web.pages import Pages
from webquarry.web.playground.jobs import JobForms
from webquarry.web.playground.pages import Playground
from webquarry.web.playground.runner import GUEST_CALLS, RequestRunner
from webquarry.web.playground.sharing import PER_MINUTE as SHARED_PER_MINUTE
from webquarry.web.playground.sharing import SharedPages
from webquarry.web.playground.view import Viewer
from webquarry.web.reauthentication import Reauthentication
from webquarry.web.session import Visitors
from webquarry.web.signin.consent import ConsentPages
from webquarry.web.signin.factor import FactorPages
from webquarry.web.signin.oauth import OAuthRoutes
from webquarry.web.signin.pages import SignInPages
from webquarry.web.signin.passkeys import PasskeyPages
from webquarry.web.signin.recovery import RecoveryPages
from webquarry.web.signin.second_step import SecondStepPages
from webquarry.web.signin.security import SecurityPages
from webquarry.web.signin.throttle import MakeLimiter, Throttle
from webquarry.web.site import Section, Site
from webquarry.web.status import Status
from webquarry.webhooks import Webhooks
from webquarry.workers.workers import Workers

FIRST_CALL = "markdown_url"
"""The endpoint that a new account is shown first."""


@dataclass(frozen=True)
class Service:
    """The assembled parts of the service."""

    settings: Settings
    registry: Registry
    clock: Clock
    metrics: Metrics
    database: Database
    ledger: Ledger
    accounts: Accounts
    people: People
    directory: Directory
    audit: AuditLog
    requests: RequestLog
    figures: DailyFigures
    clients: Clients
    grants: Grants
    tokens: Tokens
    conversions: Conversions
    limiter: Limiter
    make_limiter: MakeLimiter
    pipeline: Pipeline
    workshop: Workshop
    webhooks: Webhooks
    sandboxed: SandboxedPipeline
    door: Door
    workers: Workers
    readiness: Readiness
    tools: ToolService
    sandbox: bool

    @cached_property
    def visitors(self) -> Visitors:
        return Visitors(self.people, self.settings.base_url, self.addresses, self.clock)

    @cached_property
    def site(self) -> Site:
        return Site(self.settings.base_url, sandbox=self.sandbox, visitor=self.visitors.find)

    @cached_property
    def proxies(self) -> ProxyWatch:
        return ProxyWatch(self.settings)

    @cached_property
    def addresses(self) -> Addresses:
        return Addresses(self.settings.trusted_proxies, self.proxies)

    @cached_property
    def results(self) -> Results:
        """The streams of jobs, of which the API and the pages share a limited number."""
        return Results(self.workshop.jobs, self.pipeline, self.clock)

    async def warm(self) -> None:
        """Prepare everything that a page's first request would otherwise wait for.

        Calling this is optional. The MCP server's library is only loaded for its first client (docs/decisions/0021).
        """
        await asyncio.to_thread(self.site.compile)

    def asgi(self) -> Any:
        """Return the HTTP application: the API under its prefix, pages and documentation elsewhere."""
        api = ApiEndpoint(
            self.registry,
            self.pipeline,
            self.accounts,
            self.ledger,
            self.limiter,
            self.clock,
            self.metrics,
            self.requests,
            self.handlers(),
            base_url=self.settings.base_url,
            sandbox=self.sandbox,
        )
        addresses, site = self.addresses, self.site
        throttle = Throttle(self.make_limiter, self.proxies.see_sign_in)
        gate = Gate(site, self.visitors, Reauthentication(self.people, self.visitors, throttle, self.clock))
        example = partial(example_answer, base_url=self.settings.base_url)
        document = openapi.document(
            self.registry,
            base_url=self.settings.base_url,
            rate_limit=self.settings.rate_limit_per_minute,
            example_answer=example,
        )
        docs = Docs(site, self.registry, self.settings, document, example, tapes.list_questions)
        self.tools.show_documents(docs.list_documents)
        pages = site.app(
            SignInPages(gate, self.people, throttle, addresses, first_credits=self.settings.new_account_credits),
            gate,
            SecondStepPages(gate, self.people, throttle, addresses),
            SecurityPages(gate, self.people, throttle, self.clock),
            FactorPages(gate, self.people, throttle),
            PasskeyPages(gate, self.people, throttle, addresses),
            RecoveryPages(gate, self.people, throttle, addresses),
            ConsentPages(gate, self.clients, self.grants, throttle, resource=f"{self.settings.base_url}{TOOLS_PATH}"),
            OAuthRoutes(
                self.clients,
                self.grants,
                throttle,
                addresses,
                base_url=self.settings.base_url,
                resource_path=TOOLS_PATH,
            ),
            docs,
            JobForms(
                gate,
                self.registry,
                self.workshop.jobs,
                self.workshop.crawls,
                self.ledger,
                self.limiter,
                self.clock,
            ),
            *self._playground(gate, addresses),
            Status(
                site,
                self.registry,
                self.clock,
                self.list_standings,
                self.figures.read,
                self.workshop.jobs.read_standing,
            ),
            Pages(document, self._health()),
            *self._account_sections(gate),
        )
        shared = allow_origins(api, self.settings.cors_origins)
        pictures = Pictures(self.pipeline, InProcessLimiter(PICTURES_PER_MINUTE, self.clock), self.metrics, addresses)
        below = f"{API_PREFIX}/"

        async def app(scope: Any, receive: Any, send: Any) -> None:
            path = scope["path"]
            if path == TOOLS_PATH:
                await self.tools.endpoint(scope, receive, send)
                return
            chosen = shared if path.startswith(below) or path == API_PREFIX else pages
            await (pictures if path.startswith(PICTURES_PATH) else chosen)(scope, receive, send)

        return app

    def worker_asgi(self) -> Any:
        """Return the HTTP application of a process that only works on jobs: health and metrics."""
        return Starlette(routes=self._health().routes())

    def _health(self) -> Health:
        return Health(self.settings, self.metrics, self.missing, self.remarks)

    def _account_sections(self, gate: Gate) -> tuple[Section, ...]:
        """Return the pages of accounts and administrators."""
        statements, first = self.statements(), self.registry.by_name.get(FIRST_CALL) or next(iter(self.registry))
        snippets, names = write_snippets(first, self.settings.base_url), CallerNames(self.accounts, self.grants)
        return (
            OverviewPage(gate, self.accounts, statements, self.clock, self.people.balance_alerts, snippets),
            KeyPages(gate, self.accounts, self.ledger, self.clock, example=example_path(first)),
            AppPages(gate, self.grants, self.ledger),
            EventPages(gate, self.audit, self.directory),
            UsagePages(gate, self.accounts, self.ledger, names, statements, list(self.registry.by_name)),
            RequestPages(gate, names, self.request_statements()),
            JobPages(gate, self.workshop.jobs, self.results, self.registry, self.clock),
            WebhookPages(gate, self.webhooks),
            AdminOverview(gate, self.directory, self.figures.read, self.clock),
            AdminPages(
                gate,
                self.accounts,
                self.people,
                self.directory,
                self.ledger,
                statements,
                self.clock,
                first_credits=self.settings.new_account_credits,
            ),
        )

    def statements(self) -> Statements:
        """Return the statements, with which accounts read their own data."""
        return Statements(
            self.accounts,
            self.ledger,
            self.clock,
            endpoints=self.registry.by_name,
            rate_limit=self.settings.rate_limit_per_minute,
            account_rate_limit=self.settings.requests_per_account,
            keep_days=self.settings.keep_days,
        )

    def handlers(self) -> Mapping[Operation, Handler]:
        """Return the handlers of all operations."""
        jobs = self.workshop.jobs
        apis = (
            AccountApi(self.statements(), self.request_statements()),
            JobsApi(jobs, self.workshop.crawls, self.results, self.registry, self.ledger, self.webhooks, self.clock),
            WebhooksApi(self.webhooks),
        )
        return {operation: handler for api in apis for operation, handler in api.handlers.items()}

    def request_statements(self) -> RequestStatements:
        """Return the queries of an account's request log."""
        names = {*self.registry.by_name, *(each.name for each in OPERATIONS), "balance", "conversions"}
        return RequestStatements(self.requests, self.clock, endpoints=names)

    def _playground(self, gate: Gate, addresses: Addresses) -> tuple[Section, ...]:
        """Return the pages of the playground and of shared responses."""
        shares, clock = Shares(self.database), self.clock
        viewer = Viewer(self.workers, clock, gate.site.static.address("content.css"), gate.site.base_url)
        runner = RequestRunner(
            self.pipeline,
            None if self.sandbox else self.sandboxed.open,
            self.ledger,
            History(self.database),
            shares,
            self.limiter,
            self.make_limiter(GUEST_CALLS, WINDOW_S),
            clock,
            self.metrics,
            self.requests,
        )
        playground = Playground(
            gate,
            self.registry,
            runner,
            viewer,
            Uploads(clock),
            addresses,
            lambda extractor: remedy(extractor.all_providers, self.settings),
            tapes.questions,
            keep_days=self.settings.keep_days,
        )
        limiter = self.make_limiter(SHARED_PER_MINUTE, WINDOW_S)
        return playground, SharedPages(gate, self.registry, self.pipeline, shares, viewer, limiter, addresses, clock)

    def list_standings(self) -> Sequence[Standing]:
        """Return the status of each endpoint and provider."""
        circuits = self.door.admission.breakers.states()
        return list_standings(self.registry, self.settings, self.metrics.endpoints, self.metrics.sources, circuits)

    async def missing(self) -> str | None:
        """Return a sentence that states why the service cannot accept requests, or None if it can."""
        if self.pipeline.closing:
            return "The service is shutting down."
        if fault := self.workers.fault:
            return f"No converter can be started: {fault}. Run `webquarry doctor isolation` for details."
        return await self.readiness.missing()

    def remarks(self) -> tuple[str, ...]:
        """Return notes for the operator about the running service, each one a sentence."""
        remarks = [tell_age(self.settings.data_dir / RANKS, self.clock.now()), self.proxies.remark]
        if self.workers.isolation == "none":
            remarks.append("Converters are not isolated from the network because this kernel does not support it.")
        if self.workers.openings:
            openings = ", ".join(self.workers.openings)
            remarks.append(f"A compromised converter could {openings}, because this system can't prevent it.")
        return tuple(filter(None, remarks))


def example_answer(extractor: Extractor, base_url: str = TAPED_BASE_URL) -> dict[str, Any] | None:
    """Return the sandbox's response to an endpoint's declared example, as the documentation shows it.

    `base_url` replaces the address that the tapes' expectations contain.
    """
    for case in cases(extractor.name):
        is_example = case.params == extractor.example and case.file == (extractor.upload and extractor.upload.example)
        if is_example and case.ships and case.data is not None:
            answer = orjson.dumps({"data": case.data, "markdown": case.markdown}).decode()
            shown: dict[str, Any] = orjson.loads(answer.replace(TAPED_BASE_URL, base_url))
            return shown
    return None
