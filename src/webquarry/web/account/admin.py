"""Pages for administrators: all accounts and the actions on them. Other users get a 404."""

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Accounts, Directory, People, Visitor
from webquarry.accounts.directory import BY_EMAIL, COLUMNS, PAGE, Order
from webquarry.api.statements import Statements, UsageParams
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams
from webquarry.ledger import MAX_CREDITS, Ledger, last_days
from webquarry.logs.audit import act_as_admin
from webquarry.web.account.chart import draw
from webquarry.web.gate import Gate, go_to, name_fault
from webquarry.web.session import Fields

ADMIN = "/admin"
CREATED = f"{ADMIN}/created"
DAYS = 30
MAX_NOTE = 200
FIELDS = ("credits", "note", "password", "confirm", "state", "admin")
"""Fields in the forms of an account's page."""


class AdminPages:
    """Routes of `/admin`. `first_credits` is the initial value in the form for a new account."""

    def __init__(
        self,
        gate: Gate,
        accounts: Accounts,
        people: People,
        directory: Directory,
        ledger: Ledger,
        statements: Statements,
        clock: Clock,
        *,
        first_credits: int,
    ) -> None:
        self._gate = gate
        self._accounts = accounts
        self._people = people
        self._directory = directory
        self._ledger = ledger
        self._statements = statements
        self._clock = clock
        self._first_credits = first_credits

    def routes(self) -> Sequence[BaseRoute]:
        gate, one = self._gate, f"{ADMIN}/accounts/{{id}}"
        return (
            Route(ADMIN, gate.page(self.list_accounts, admin=True), methods=["GET"]),
            Route(f"{ADMIN}/accounts", gate.form(self.create, admin=True, fresh=True), methods=["POST"]),
            Route(CREATED, gate.page(self.show_created, admin=True), methods=["GET"]),
            Route(one, gate.page(self.show_account, admin=True), methods=["GET"]),
            Route(f"{one}/grant", gate.form(self.grant, admin=True, fresh=True), methods=["POST"]),
            Route(f"{one}/password", gate.form(self.set_password, admin=True, fresh=True), methods=["POST"]),
            Route(f"{one}/second-factor", gate.form(self.reset_factor, admin=True, fresh=True), methods=["POST"]),
            Route(f"{one}/state", gate.form(self.set_state, admin=True, fresh=True), methods=["POST"]),
            Route(f"{one}/admin", gate.form(self.set_admin, admin=True, fresh=True), methods=["POST"]),
            Route(f"{one}/delete", gate.form(self.delete, admin=True, fresh=True), methods=["POST"]),
        )

    async def list_accounts(self, request: Request, _visitor: Visitor) -> Response:
        return await self._show_list(request, {})

    async def create(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        """Create an account and redirect to the page that shows its first key."""
        try:
            credits = read_credits(fields.get("credits", ""), least=0)
            _, text = await self._accounts.create(fields.get("email", ""), credits, by=act_as_admin(visitor.account_id))
        except InvalidParams as error:
            return await self._show_list(request, fields, error)
        response = go_to(CREATED)
        self._gate.visitors.hand_over(response, text)
        return response

    async def show_created(self, request: Request, _visitor: Visitor) -> Response:
        """Show a newly created account with its key, once. Later requests are redirected to the list of accounts."""
        text = self._gate.visitors.find_secret(request)
        key = await self._accounts.find_by_text(text)
        if key is None:
            return go_to(ADMIN)
        account = await self._directory.find(key.account_id)
        response = await self._gate.show(request, "admin/created.html", account=account, key=text)
        self._gate.visitors.drop_secret(response)
        return response

    async def show_account(self, request: Request, _visitor: Visitor) -> Response:
        return await self._show_account(request, request.path_params["id"])

    async def grant(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        account_id = request.path_params["id"]
        found = await self._directory.find(account_id)
        try:
            amount = read_credits(fields.get("credits", ""), least=1)
            note = fields.get("note", "").strip() or "granted by an administrator"
            if len(note) > MAX_NOTE or not note.isprintable():
                raise InvalidParams(f"note: must be at most {MAX_NOTE} printable characters.")
            by = act_as_admin(visitor.account_id)
            await self._ledger.grant(found.id, amount, note, request_id=_read_once(fields), by=by)
        except InvalidParams as error:
            return await self._show_account(request, account_id, fields, error)
        return go_to(f"{ADMIN}/accounts/{found.id}")

    async def set_password(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        """Set the password, which ends all sessions of the account."""
        found = await self._directory.find(request.path_params["id"])
        try:
            by = act_as_admin(visitor.account_id)
            await self._people.set_password(found.email, fields.get("password", ""), by=by)
        except InvalidParams as error:
            return await self._show_account(request, found.id, {}, error)
        return go_to(f"{ADMIN}/accounts/{found.id}")

    async def reset_factor(self, request: Request, visitor: Visitor, _fields: Fields) -> Response:
        """Turn off two-factor authentication, for an owner who has lost both their phone and their recovery codes."""
        found = await self._directory.find(request.path_params["id"])
        await self._people.factors.reset(found.id, by=act_as_admin(visitor.account_id))
        return go_to(f"{ADMIN}/accounts/{found.id}")

    async def set_state(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        """Disable or enable an account."""
        found = await self._directory.find(request.path_params["id"])
        is_disabled = fields.get("state") == "disabled"
        if found.id == visitor.account_id and is_disabled:
            error = InvalidParams("state: you can't disable your own account. Ask another administrator.")
            return await self._show_account(request, found.id, {}, error)
        await self._people.set_disabled(found.id, is_disabled, by=act_as_admin(visitor.account_id))
        return go_to(f"{ADMIN}/accounts/{found.id}")

    async def set_admin(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        """Grant or revoke an account's administrator rights."""
        found = await self._directory.find(request.path_params["id"])
        try:
            await self._people.set_admin(found.id, fields.get("admin") == "on", by=act_as_admin(visitor.account_id))
        except InvalidParams as error:
            return await self._show_account(request, found.id, {}, error)
        is_own_end = found.id == visitor.account_id and fields.get("admin") != "on"
        return go_to("/account" if is_own_end else f"{ADMIN}/accounts/{found.id}")

    async def delete(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        """Delete the account permanently if its address was typed to confirm."""
        found = await self._directory.find(request.path_params["id"])
        if fields.get("confirm", "").strip().lower() != found.email:
            error = InvalidParams(f"confirm: enter {found.email} to delete this account.")
            return await self._show_account(request, found.id, fields, error)
        if found.id == visitor.account_id:
            error = InvalidParams("confirm: you can't delete your own account. Ask another administrator.")
            return await self._show_account(request, found.id, {}, error)
        await self._directory.delete(found.id, by=act_as_admin(visitor.account_id))
        return go_to(ADMIN)

    async def _show_list(
        self, request: Request, values: Mapping[str, str], error: InvalidParams | None = None
    ) -> Response:
        field, fault = name_fault(error, ("email", "credits")) if error else ("", "")
        part, after = request.query_params.get("q", "").strip(), request.query_params.get("after", "")
        order = read_order(request)
        accounts = await self._directory.list_page(part=part, order=order, after=after, batch=PAGE + 1)
        shown = accounts[:PAGE]
        is_more = len(accounts) > PAGE
        period = last_days(self._clock.now(), DAYS)
        return await self._gate.show(
            request,
            "admin/accounts.html",
            status=error.status if error else 200,
            accounts=shown,
            usage=await self._ledger.usage_by_account(period, [each.id for each in shown]),
            part=part,
            order=order,
            order_by=Order,
            link=partial(link_order, part),
            first=link_order(part, order) if after else "",
            further=link_order(part, order, order.place_of(shown[-1])) if is_more else "",
            is_open=self._people.is_open,
            values={"credits": str(self._first_credits), **values},
            field=field,
            fault=fault,
        )

    async def _show_account(
        self,
        request: Request,
        id: str,
        values: Mapping[str, str] | None = None,
        error: InvalidParams | None = None,
    ) -> Response:
        found = await self._directory.find(id)
        field, fault = name_fault(error, FIELDS) if error else ("", "")
        usage = await self._statements.read_usage(found.caller, UsageParams(limit=20))
        return await self._gate.show(
            request,
            "admin/account.html",
            status=error.status if error else 200,
            account=found,
            keys=await self._accounts.list_keys(found.id),
            spent=await self._ledger.spending(found.id),
            now=self._clock.now(),
            usage=usage,
            chart=draw(usage.days, usage.since, usage.until),
            values=values or {},
            once=secrets.token_hex(16),
            field=field,
            fault=fault,
        )


def read_order(request: Request) -> Order:
    """Return the sort order of the list, which is by address unless the query names another column."""
    asked = request.query_params.get("sort", "")
    column = next((column for column in COLUMNS if column == asked.removeprefix("-")), BY_EMAIL.column)
    return Order(column, asked.startswith("-"))


def link_order(part: str, order: Order, after: str = "") -> str:
    """Return the URL of the list in this order, starting after a cursor."""
    sort = f"{'-' if order.is_descending else ''}{order.column}"
    query = {"q": part, "sort": "" if order == BY_EMAIL else sort, "after": after}
    asked = urlencode({name: text for name, text in query.items() if text})
    return f"{ADMIN}?{asked}" if asked else ADMIN


def read_credits(text: str, *, least: int) -> int:
    """Parse a number of credits. Raises InvalidParams unless it is a whole number within the bounds."""
    digits = text.strip().replace(",", "")
    is_short = len(digits) <= len(str(MAX_CREDITS))
    if not is_short or not digits.isascii() or not digits.isdigit() or not least <= int(digits) <= MAX_CREDITS:
        raise InvalidParams(f"credits: must be a whole number from {least} to {MAX_CREDITS:,}.")
    return int(digits)


def _read_once(fields: Fields) -> str | None:
    """Return the form's id, which distinguishes a second grant from the same form sent twice."""
    once = fields.get("once", "")
    return f"admin-{once}" if len(once) == 32 and once.isalnum() else None
