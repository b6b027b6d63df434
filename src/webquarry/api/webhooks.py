"""`/api/v1/webhooks`: addresses that are notified. Free, but each request counts towards the rate limit."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from webquarry.api.body import Receive, read_body
from webquarry.api.webhook_operations import (
    CREATE,
    DELETE,
    ENABLE,
    FIND,
    LIST,
    LIST_DELIVERIES,
    OPERATIONS,
    REDELIVER,
    ROTATE,
    TEST,
    NoParams,
    WebhookOperation,
)
from webquarry.core.errors import InvalidParams, MethodNotAllowed, NotFound, UnsupportedType
from webquarry.endpoints.declare import Result
from webquarry.endpoints.json_body import parse_json
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import API_PREFIX
from webquarry.webhooks import Webhooks
from webquarry.webhooks.statements import (
    DeletedWebhook,
    DeliveriesParams,
    DeliveriesStatement,
    WebhookRequest,
    WebhooksStatement,
    tell_delivery,
    tell_webhook,
    tell_with_secret,
)
from webquarry.webhooks.webhooks import LAST

MAX_BODY: Final = 16 * 1024
WEBHOOK_ID: Final = re.compile(r"wh_[0-9a-f]{24}")
DELIVERY_ID: Final = re.compile(r"msg_[0-9a-f]{32}")
_PLACE: Final = re.compile(r"\{\w+\}")


@dataclass(frozen=True, slots=True)
class WebhookInput:
    """What an endpoint reads of a request. `id` is that of the path, or ""."""

    account_id: str
    query: Sequence[tuple[str, str]]
    headers: Sequence[tuple[bytes, bytes]]
    receive: Receive
    id: str = ""


class WebhookCall(NamedTuple):
    """The endpoint for a path and method, with the id in the path."""

    operation: WebhookOperation
    id: str


class WebhooksApi:
    """Finds the endpoint for a path and method, and answers requests to it."""

    def __init__(self, webhooks: Webhooks) -> None:
        self._webhooks = webhooks
        self._routes = [(_compile(operation.path), operation) for operation in OPERATIONS]
        self._answers: dict[str, Callable[[WebhookInput], Awaitable[Result]]] = {
            CREATE.name: self._create,
            LIST.name: self._list,
            FIND.name: self._find,
            DELETE.name: self._delete,
            ROTATE.name: self._rotate,
            ENABLE.name: self._enable,
            TEST.name: self._test,
            LIST_DELIVERIES.name: self._list_deliveries,
            REDELIVER.name: self._redeliver,
        }

    def find(self, path: str, method: str) -> WebhookCall | None:
        """Return the endpoint, or None for another path. Raises MethodNotAllowed."""
        found = [(match, operation) for rule, operation in self._routes if (match := rule.fullmatch(path))]
        for match, operation in found:
            if operation.method == method:
                return WebhookCall(operation, (match.groups() or ("",))[0])
        if found:
            allowed = tuple(operation.method for _, operation in found)
            raise MethodNotAllowed(f"This path supports {' and '.join(allowed)} only.", allowed)
        return None

    async def answer(self, operation: WebhookOperation, given: WebhookInput) -> Result:
        """Return the result of a request. Raises InvalidParams, NotFound and the errors of `Webhooks`."""
        if operation.params is NoParams:
            parse(NoParams, given.query)
        if given.id:  # an invalid ID can't exist
            if operation is REDELIVER and not DELIVERY_ID.fullmatch(given.id):
                raise NotFound("Delivery not found. An ID is `msg_` followed by 32 hexadecimal digits.")
            if operation is not REDELIVER and not WEBHOOK_ID.fullmatch(given.id):
                raise NotFound("Webhook not found. An ID is `wh_` followed by 24 hexadecimal digits.")
        return await self._answers[operation.name](given)

    async def _create(self, given: WebhookInput) -> Result:
        types = [value for name, value in given.headers if name == b"content-type"]
        if not types or types[0].partition(b";")[0].strip().lower() != b"application/json":
            raise UnsupportedType("Send the webhook as application/json.")
        asked = parse_json(WebhookRequest, await read_body(given.headers, given.receive, MAX_BODY))
        return tell_with_secret(
            *await self._webhooks.create(given.account_id, asked.url, asked.events, asked.description)
        )

    async def _list(self, given: WebhookInput) -> Result:
        found = await self._webhooks.list_webhooks(given.account_id)
        return WebhooksStatement(webhooks=[tell_webhook(webhook) for webhook in found])

    async def _find(self, given: WebhookInput) -> Result:
        return tell_webhook(await self._webhooks.find(given.account_id, given.id))

    async def _delete(self, given: WebhookInput) -> Result:
        await self._webhooks.delete(given.account_id, given.id)
        return DeletedWebhook(id=given.id, deleted=True)

    async def _rotate(self, given: WebhookInput) -> Result:
        return tell_with_secret(*await self._webhooks.rotate(given.account_id, given.id))

    async def _enable(self, given: WebhookInput) -> Result:
        return tell_webhook(await self._webhooks.enable(given.account_id, given.id))

    async def _test(self, given: WebhookInput) -> Result:
        return tell_delivery(await self._webhooks.test(given.account_id, given.id))

    async def _list_deliveries(self, given: WebhookInput) -> Result:
        asked = parse(DeliveriesParams, given.query)
        if asked.cursor is not None and not DELIVERY_ID.fullmatch(asked.cursor):
            raise InvalidParams("Parameter 'cursor' must be the next_cursor of an earlier response.")
        found = await self._webhooks.list_deliveries(
            given.account_id, given.id, state=asked.state, before=asked.cursor or LAST, batch=asked.limit
        )
        cursor = found[-1].id if len(found) == asked.limit else None
        return DeliveriesStatement(deliveries=[tell_delivery(each) for each in found], next_cursor=cursor)

    async def _redeliver(self, given: WebhookInput) -> Result:
        return tell_delivery(await self._webhooks.redeliver(given.account_id, given.id))


def _compile(path: str) -> re.Pattern[str]:
    return re.compile(re.escape(API_PREFIX) + _PLACE.sub("([^/]+)", path))
