"""Pages of webhooks: create one (its secret is shown once), rotate, test, delete, and read or repeat deliveries."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, get_args

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Visitor
from webquarry.core.errors import InvalidParams, RequestError, UnsafeTarget
from webquarry.web.account.events import link
from webquarry.web.gate import Gate, go_to, name_fault
from webquarry.web.session import Fields
from webquarry.webhooks import Webhooks
from webquarry.webhooks.records import EVENTS, DeliveryState, EventType
from webquarry.webhooks.table import MAX_WEBHOOKS
from webquarry.webhooks.webhooks import LAST, MAX_DESCRIPTION, MAX_URL

WEBHOOKS: Final = "/account/webhooks"
PAGE: Final = 25
STATES: Final[tuple[DeliveryState, ...]] = get_args(DeliveryState)
FIELDS: Final = ("url", "description", "events")
PICK: Final = "on."
"""Prefix of the check boxes of events."""
ABOUT: Final[Mapping[EventType, str]] = {
    "job.done": "A job has ended with at least one result.",
    "job.failed": "A job has ended without a result.",
    "job.paused": "A job was paused because credits ran out or its key ended.",
    "job.cancelled": "A job was cancelled.",
}
OFF: Final = {
    "failures": "Its last 50 attempts in a row failed.",
    "gone": "The receiver responded with status 410, which asks for no further events.",
}
"""Why a webhook was switched off."""
ASKED: Final = {"rotate": "Rotate the secret?", "delete": "Delete this webhook?"}


class WebhookPages:
    """Routes of `/account/webhooks`."""

    def __init__(self, gate: Gate, webhooks: Webhooks) -> None:
        self._gate = gate
        self._webhooks = webhooks

    def routes(self) -> Sequence[BaseRoute]:
        gate, one = self._gate, f"{WEBHOOKS}/{{id}}"
        return (
            Route(WEBHOOKS, gate.page(self.show), methods=["GET"]),
            Route(WEBHOOKS, gate.form(self.create, fresh=True), methods=["POST"]),
            Route(one, gate.page(self.show_one), methods=["GET"]),
            Route(f"{one}/secret", gate.page(self.show_secret), methods=["GET"]),
            *(Route(f"{one}/{action}", gate.page(self._ask(action)), methods=["GET"]) for action in ASKED),
            Route(f"{one}/rotate", gate.form(self.rotate, fresh=True), methods=["POST"]),
            Route(f"{one}/delete", gate.form(self.delete, fresh=True), methods=["POST"]),
            Route(f"{one}/enable", gate.form(self.enable), methods=["POST"]),
            Route(f"{one}/test", gate.form(self.test), methods=["POST"]),
            Route(f"{one}/deliveries/{{delivery}}/send", gate.form(self.send_again), methods=["POST"]),
        )

    async def show(self, request: Request, visitor: Visitor) -> Response:
        return await self._show(request, visitor, {})

    async def create(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        picked = [event for event in EVENTS if f"{PICK}{event}" in fields]
        try:
            made = await self._webhooks.create(
                visitor.account_id, fields.get("url", "").strip(), picked, fields.get("description", "").strip()
            )
        except (InvalidParams, UnsafeTarget) as error:
            return await self._show(request, visitor, fields, error)
        return self._hand_over(made[0].id, made[1])

    async def show_one(self, request: Request, visitor: Visitor) -> Response:
        """Show a webhook with a page of its deliveries."""
        return await self._show_one(request, visitor)

    async def show_secret(self, request: Request, visitor: Visitor) -> Response:
        """Show a new secret once. Later requests are redirected to the webhook."""
        webhook = await self._webhooks.find(visitor.account_id, request.path_params["id"])
        id, _, secret = self._gate.visitors.find_secret(request).partition(":")
        if id != webhook.id or not secret:
            return go_to(f"{WEBHOOKS}/{webhook.id}")
        response = await self._gate.show(
            request, "account/webhook_secret.html", section="webhooks", webhook=webhook, secret=secret
        )
        self._gate.visitors.drop_secret(response)
        return response

    async def rotate(self, request: Request, visitor: Visitor, _fields: Fields) -> Response:
        webhook, secret = await self._webhooks.rotate(visitor.account_id, request.path_params["id"])
        return self._hand_over(webhook.id, secret)

    async def delete(self, request: Request, visitor: Visitor, _fields: Fields) -> Response:
        await self._webhooks.delete(visitor.account_id, request.path_params["id"])
        return go_to(WEBHOOKS)

    async def enable(self, request: Request, visitor: Visitor, _fields: Fields) -> Response:
        webhook = await self._webhooks.enable(visitor.account_id, request.path_params["id"])
        return go_to(f"{WEBHOOKS}/{webhook.id}")

    async def test(self, request: Request, visitor: Visitor, _fields: Fields) -> Response:
        try:
            delivery = await self._webhooks.test(visitor.account_id, request.path_params["id"])
        except InvalidParams as error:
            return await self._show_one(request, visitor, error)
        return go_to(f"{WEBHOOKS}/{delivery.webhook_id}?done=sent#deliveries")

    async def send_again(self, request: Request, visitor: Visitor, _fields: Fields) -> Response:
        try:
            delivery = await self._webhooks.redeliver(visitor.account_id, request.path_params["delivery"])
        except InvalidParams as error:
            return await self._show_one(request, visitor, error)
        return go_to(f"{WEBHOOKS}/{delivery.webhook_id}?done=sent#deliveries")

    def _ask(self, action: str) -> Callable[[Request, Visitor], Awaitable[Response]]:
        """Return the handler of the page that asks before an action, for browsers without scripts."""

        async def answer(request: Request, visitor: Visitor) -> Response:
            webhook = await self._webhooks.find(visitor.account_id, request.path_params["id"])
            return await self._gate.show(
                request,
                "account/change.html",
                section="webhooks",
                change=f"webhook-{action}",
                heading=ASKED[action],
                subject=webhook,
            )

        return answer

    def _hand_over(self, id: str, secret: str) -> Response:
        response = go_to(f"{WEBHOOKS}/{id}/secret")
        self._gate.visitors.hand_over(response, f"{id}:{secret}")
        return response

    async def _show(
        self, request: Request, visitor: Visitor, values: Mapping[str, str], error: RequestError | None = None
    ) -> Response:
        """Return the list. `error` refers to the form, which is filled with `values`."""
        field, fault = name_fault(error, FIELDS) if error else ("", "")
        return await self._gate.show(
            request,
            "account/webhooks.html",
            status=error.status if error else 200,
            section="webhooks",
            webhooks=await self._webhooks.list_webhooks(visitor.account_id),
            about=ABOUT,
            pick=PICK,
            most=MAX_WEBHOOKS,
            max_url=MAX_URL,
            max_description=MAX_DESCRIPTION,
            values=values,
            field="url" if isinstance(error, UnsafeTarget) else field,
            fault=fault,
        )

    async def _show_one(self, request: Request, visitor: Visitor, error: RequestError | None = None) -> Response:
        webhook = await self._webhooks.find(visitor.account_id, request.path_params["id"])
        asked, before = request.query_params.get("state", ""), request.query_params.get("before", LAST)
        state = next((each for each in STATES if each == asked), None)
        found = await self._webhooks.list_deliveries(
            visitor.account_id, webhook.id, state=state, before=before[:64], batch=PAGE + 1
        )
        path, given = f"{WEBHOOKS}/{webhook.id}", {"state": state} if state else {}
        values: dict[str, Any] = {
            "webhook": webhook,
            "off": OFF.get(webhook.disabled_reason or "", ""),
            "deliveries": found[:PAGE],
            "kinds": {"delivered": "good", "waiting": "accent", "failed": "bad"},
            "states": STATES,
            "state": state or "",
            "asked": ASKED,
            "keep_days": self._webhooks.keep.days,
            "said": request.query_params.get("done", ""),
            "fault": error.message if error else "",
            "newer": link(path, given) if before != LAST else "",
            "older": link(path, {**given, "before": found[PAGE - 1].id}) if len(found) > PAGE else "",
        }
        return await self._gate.show(
            request, "account/webhook.html", status=error.status if error else 200, section="webhooks", **values
        )
