"""The start page of an account: balance, next steps and recent activity."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Accounts, Visitor
from webquarry.core.clock import Clock
from webquarry.endpoints.snippets import Snippet
from webquarry.endpoints.statements import Statements, UsageParams
from webquarry.web.account.chart import draw
from webquarry.web.gate import Gate

LATEST = 5


class OverviewPage:
    """Routes of `/account`. `snippets` show a first request."""

    def __init__(
        self,
        gate: Gate,
        accounts: Accounts,
        statements: Statements,
        clock: Clock,
        snippets: Sequence[Snippet],
    ) -> None:
        self._gate = gate
        self._accounts = accounts
        self._statements = statements
        self._clock = clock
        self._snippets = snippets

    def routes(self) -> Sequence[BaseRoute]:
        return (Route("/account", self._gate.page(self.show), methods=["GET"]),)

    async def show(self, request: Request, visitor: Visitor) -> Response:
        now = self._clock.now()
        keys = await self._accounts.list_keys(visitor.account_id)
        account = await self._statements.read_account(visitor.caller)
        usage = await self._statements.read_usage(visitor.caller, UsageParams(limit=LATEST))
        return await self._gate.show(
            request,
            "account/overview.html",
            section="overview",
            account=account,
            usage=usage,
            chart=draw(usage.days, usage.since, usage.until),
            keys=[key for key in keys if key.is_active(now)],
            has_called=any(key.last_used_at for key in keys) or usage.calls > 0,
            snippets=self._snippets,
        )
