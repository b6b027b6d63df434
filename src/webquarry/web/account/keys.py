"""Pages on which a user creates a key (shown once), sets its cap and revokes it."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Accounts, Visitor
from webquarry.accounts.accounts import end_last_day
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams, NotFound
from webquarry.ledger import MAX_CREDITS, Ledger
from webquarry.ledger.spending import renewal
from webquarry.logs.audit import act_as_owner
from webquarry.web.gate import Gate, go_to, name_fault
from webquarry.web.session import Fields

KEYS = "/account/keys"
NEW = f"{KEYS}/new"
FIELDS = ("name", "expires", "cap")


class KeyPages:
    """Routes of `/account/keys`. `example` is a path of the API for trying a new key."""

    def __init__(self, gate: Gate, accounts: Accounts, ledger: Ledger, clock: Clock, *, example: str) -> None:
        self._gate = gate
        self._accounts = accounts
        self._ledger = ledger
        self._clock = clock
        self._example = example

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        return (
            Route(KEYS, gate.page(self.show), methods=["GET"]),
            Route(KEYS, gate.form(self.create, fresh=True), methods=["POST"]),
            Route(NEW, gate.page(self.show_new), methods=["GET"]),
            Route(f"{KEYS}/{{id}}/cap", gate.page(self.show_cap), methods=["GET"]),
            Route(f"{KEYS}/{{id}}/cap", gate.form(self.set_cap, fresh=True), methods=["POST"]),
            Route(f"{KEYS}/{{id}}/revoke", gate.page(self.show_revoke), methods=["GET"]),
            Route(f"{KEYS}/{{id}}/revoke", gate.form(self.revoke, fresh=True), methods=["POST"]),
        )

    async def show(self, request: Request, visitor: Visitor) -> Response:
        return await self._show_keys(request, visitor, {})

    async def create(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        try:
            _, text = await self._accounts.create_key(
                visitor.account_id,
                fields.get("name", ""),
                expires_at=read_expiry(fields.get("expires", "")),
                monthly_cap=read_cap(fields.get("cap", "")),
                by=act_as_owner(visitor.account_id),
            )
        except InvalidParams as error:
            return await self._show_keys(request, visitor, fields, error)
        response = go_to(NEW)
        self._gate.visitors.hand_over(response, text)
        return response

    async def show_new(self, request: Request, visitor: Visitor) -> Response:
        """Show a newly created key once.

        Later requests are redirected to the list of keys, which does not contain the keys' text.
        """
        text = self._gate.visitors.find_secret(request)
        key = await self._accounts.find_by_text(text)
        if key is None or key.account_id != visitor.account_id:
            return go_to(KEYS)
        response = await self._gate.show(
            request, "account/new_key.html", section="keys", key=key, text=text, example=self._example
        )
        self._gate.visitors.drop_secret(response)
        return response

    async def show_cap(self, request: Request, visitor: Visitor) -> Response:
        """Show the form for a key's cap as a page, for browsers without scripts."""
        return await self._show_change(request, visitor, "cap", "Monthly cap")

    async def show_revoke(self, request: Request, visitor: Visitor) -> Response:
        """Show the page that asks whether to revoke a key, for browsers without scripts."""
        return await self._show_change(request, visitor, "revoke", "Revoke this key?")

    async def set_cap(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        key_id = request.path_params["id"]
        try:
            cap, by = read_cap(fields.get("cap", "")), act_as_owner(visitor.account_id)
            await self._accounts.set_key_cap(visitor.account_id, key_id, cap, by=by)
        except InvalidParams as error:
            return await self._show_change(request, visitor, "cap", "Monthly cap", fields.get("cap", ""), error)
        return go_to(f"{KEYS}#{key_id}")

    async def revoke(self, request: Request, visitor: Visitor, _fields: Fields) -> Response:
        by = act_as_owner(visitor.account_id)
        await self._accounts.revoke_key(visitor.account_id, request.path_params["id"], by=by)
        return go_to(KEYS)

    async def _show_keys(
        self,
        request: Request,
        visitor: Visitor,
        values: Mapping[str, str],
        error: InvalidParams | None = None,
    ) -> Response:
        """Return the page. `error` refers to the form, which is filled with `values`."""
        field, fault = name_fault(error, FIELDS) if error else ("", "")
        now = self._clock.now()
        keys = await self._accounts.list_keys(visitor.account_id)
        return await self._gate.show(
            request,
            "account/keys.html",
            status=error.status if error else 200,
            section="keys",
            active=[key for key in keys if key.is_active(now)],
            ended=[key for key in keys if not key.is_active(now)],
            spent=await self._ledger.spending(visitor.account_id),
            renews_on=renewal(now).date(),
            today=now.date(),
            most=MAX_CREDITS,
            values=values,
            field=field,
            fault=fault,
        )

    async def _show_change(
        self,
        request: Request,
        visitor: Visitor,
        change: str,
        heading: str,
        value: str | None = None,
        error: InvalidParams | None = None,
    ) -> Response:
        """Return the page with a form that changes the key. `error` refers to the given `value`.

        Raises NotFound if the account has no such active key.
        """
        keys = await self._accounts.list_keys(visitor.account_id)
        now, key_id = self._clock.now(), request.path_params["id"]
        key = next((key for key in keys if key.id == key_id and key.is_active(now)), None)
        if key is None:
            raise NotFound("Key not found.")
        if value is None:
            value = "" if key.monthly_cap is None else str(key.monthly_cap)
        return await self._gate.show(
            request,
            "account/change.html",
            status=error.status if error else 200,
            section="keys",
            change=change,
            heading=heading,
            subject=key,
            value=value,
            fault=name_fault(error, FIELDS)[1] if error else "",
        )


def read_expiry(text: str) -> datetime | None:
    """Return the time when a key with this last day of validity expires, or None if the text is empty.

    Raises InvalidParams if the text is not a date.
    """
    if not text.strip():
        return None
    try:
        day = date.fromisoformat(text.strip())
    except ValueError as exc:
        raise InvalidParams(
            "expires: must be a date such as 2027-12-31, or empty for a key that never expires."
        ) from exc
    return end_last_day(day)


def read_cap(text: str) -> int | None:
    """Parse a cap in credits, or None if the text is empty. Raises InvalidParams if it is not a whole number."""
    digits = text.strip()
    if not digits:
        return None
    if not digits.isascii() or not digits.isdigit() or len(digits) > len(str(MAX_CREDITS)):
        raise InvalidParams(f"cap: must be a whole number from 0 to {MAX_CREDITS:,}, or empty for no cap.")
    return int(digits)
