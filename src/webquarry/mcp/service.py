"""The tool server, built from the service's parts and closed with it."""

from collections.abc import Sequence
from typing import Final

from webquarry.accounts import Accounts
from webquarry.core.clock import Clock
from webquarry.core.metrics import Metrics
from webquarry.jobs.crawls import Crawls
from webquarry.jobs.jobs import Jobs
from webquarry.ledger import Ledger
from webquarry.limits import InProcessLimiter, Limiter
from webquarry.logs.requests import RequestLog
from webquarry.mcp.access import Access, TokenVerifier
from webquarry.mcp.calls import ToolCalls
from webquarry.mcp.catalog import Catalog
from webquarry.mcp.direct import TITLE
from webquarry.mcp.documents import Document, ListDocuments
from webquarry.mcp.endpoint import MESSAGES_PER_MINUTE, ToolEndpoint
from webquarry.mcp.jobs import JobTools
from webquarry.mcp.official import OfficialServer
from webquarry.mcp.results import Isolated, Results
from webquarry.mcp.short import ShortDoor
from webquarry.pipeline import Pipeline

MEGABYTE: Final = 1024 * 1024


class ToolService:
    """The tool server. `endpoint` is the ASGI application for `/mcp`.

    `limiter` limits tool calls and is shared with the API. `isolated` runs a job in a child process. `cache_mb` is the
    memory for results. `tokens` verifies sign-in tokens; without it only API keys are accepted.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        ledger: Ledger,
        accounts: Accounts,
        limiter: Limiter,
        isolated: Isolated,
        clock: Clock,
        metrics: Metrics,
        requests: RequestLog,
        jobs: Jobs,
        crawls: Crawls,
        *,
        base_url: str,
        origins: Sequence[str],
        cache_mb: int,
        tokens: TokenVerifier | None = None,
        sandbox: bool = False,
    ) -> None:
        title = f"{TITLE} (sandbox: sample data)" if sandbox else TITLE
        self.catalog = Catalog(pipeline.registry)
        titles = {
            provider.name: provider.title
            for extractor in pipeline.registry
            for provider in extractor.all_providers
            if not provider.callers_choose
        }
        results = Results(isolated, cache_mb * MEGABYTE, titles)
        self.calls = ToolCalls(
            pipeline,
            ledger,
            limiter,
            results,
            clock,
            metrics,
            requests,
            ShortDoor(self.catalog),
            JobTools(jobs, crawls, pipeline.registry, pipeline, results, clock),
        )
        self.official = OfficialServer(
            lambda sdk: sdk.make_manager(sdk.make_server(self.calls, title, self._list_documents))
        )
        self._documents: ListDocuments = tuple
        self.access = Access(accounts, tokens, base_url, origins)
        self.endpoint = ToolEndpoint(
            self.access,
            self.catalog,
            self.calls,
            self.official,
            InProcessLimiter(MESSAGES_PER_MINUTE, clock, account_limit=MESSAGES_PER_MINUTE),
            title=title,
            sandbox=sandbox,
        )

    def show_documents(self, documents: ListDocuments) -> None:
        """Offer these documents as resources."""
        self._documents = documents

    def _list_documents(self) -> Sequence[Document]:
        return self._documents()

    async def close(self) -> None:
        await self.official.close()
