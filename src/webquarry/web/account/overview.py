"""The start page of an account: balance, next steps and recent activity."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Accounts, Visitor
from webquarry.accounts.balance_alerts import BalanceAlerts
from webquarry.api.statements import Statements, UsageParams
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams
from webquarry.endpoints.snippets import Snippet
from webquarry.ledger import MAX_CREDITS
from webquarry.web.account.chart import draw
from webquarry.web.gate import Gate, go_to, name_fault
from webquarry.web.session import Fields

LATEST = 5
LOW_BALANCE = "/account/low-balance"


class OverviewPage:
    """Routes of `/account`. `snippets` are code examples of a first request."""

    def __init__(
        self,
        gate: Gate,
        accounts: Accounts,
        statements: Statements,
        clock: Clock,
        alerts: BalanceAlerts,
        snippets: Sequence[Snippet],
    ) -> None:
        self._gate = gate
        self._accounts = accounts
        self._statements = statements
        self._clock = clock
        self._alerts = alerts
        self._snippets = snippets

    def routes(self) -> Sequence[BaseRoute]:
        return (
            Route("/account", self._gate.page(self.show), methods=["GET"]),
            Route(LOW_BALANCE, self._gate.form(self.set_low_balance), methods=["POST"]),
        )

    async def show(self, request: Request, visitor: Visitor) -> Response:
        return await self._show(request, visitor)

    async def set_low_balance(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        """Set the balance below which an email is sent. An empty field turns emails off."""
        text = fields.get("threshold", "").strip().replace(",", "")
        try:
            await self._alerts.set(visitor.account_id, read_threshold(text))
        except InvalidParams as error:
            return await self._show(request, visitor, text, error)
        return go_to("/account?done=low-balance#low-balance")

    async def _show(
        self, request: Request, visitor: Visitor, threshold: str | None = None, error: InvalidParams | None = None
    ) -> Response:
        """Return the page. `error` refers to the given `threshold`."""
        now = self._clock.now()
        keys = await self._accounts.list_keys(visitor.account_id)
        account = await self._statements.read_account(visitor.caller)
        usage = await self._statements.read_usage(visitor.caller, UsageParams(limit=LATEST))
        return await self._gate.show(
            request,
            "account/overview.html",
            status=error.status if error else 200,
            section="overview",
            account=account,
            usage=usage,
            chart=draw(usage.days, usage.since, usage.until),
            keys=[key for key in keys if key.is_active(now)],
            has_called=any(key.last_used_at for key in keys) or usage.calls > 0,
            snippets=self._snippets,
            sends_mail=self._alerts.sends_mail,
            threshold=await self._alerts.find(visitor.account_id) if threshold is None else threshold,
            fault=name_fault(error, ("threshold",))[1] if error else "",
            is_saved=request.query_params.get("done") == "low-balance",
        )


def read_threshold(text: str) -> int | None:
    """Parse a threshold in credits, or None if the text is empty. Raises InvalidParams if it is not a whole number."""
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > len(str(MAX_CREDITS)):
        raise InvalidParams(f"threshold: must be a whole number from 1 to {MAX_CREDITS:,}, or empty for no email.")
    return int(text)
