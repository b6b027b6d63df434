"""`/api/v1/webhooks`: URLs that receive notifications. Free, but each request counts towards the rate limit."""

import re
from collections.abc import Mapping
from typing import Final

from webquarry.api.body import read_body
from webquarry.api.operations import PATH_PARAMETERS, Handler, Operation, Reply, Request
from webquarry.api.webhook_operations import (
    CREATE,
    DELETE,
    ENABLE,
    FIND,
    LIST,
    LIST_DELIVERIES,
    REDELIVER,
    ROTATE,
    TEST,
)
from webquarry.core.errors import InvalidParams, UnsupportedType
from webquarry.endpoints.json_body import parse_json
from webquarry.endpoints.params import parse
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
_DELIVERY_ID: Final = re.compile(PATH_PARAMETERS["delivery_id"].pattern)


class WebhooksApi:
    """Answers requests about webhooks. Raises the errors of `Webhooks`, and InvalidParams for an invalid request."""

    def __init__(self, webhooks: Webhooks) -> None:
        self._webhooks = webhooks

    @property
    def handlers(self) -> Mapping[Operation, Handler]:
        return {
            CREATE: self._create,
            LIST: self._list,
            FIND: self._find,
            DELETE: self._delete,
            ROTATE: self._rotate,
            ENABLE: self._enable,
            TEST: self._test,
            LIST_DELIVERIES: self._list_deliveries,
            REDELIVER: self._redeliver,
        }

    async def _create(self, request: Request) -> Reply:
        if request.media != b"application/json":
            raise UnsupportedType("Send the webhook as application/json.")
        asked = parse_json(WebhookRequest, await read_body(request.headers, request.receive, MAX_BODY))
        created = await self._webhooks.create(request.caller.account_id, asked.url, asked.events, asked.description)
        return Reply.of(tell_with_secret(*created))

    async def _list(self, request: Request) -> Reply:
        found = await self._webhooks.list_webhooks(request.caller.account_id)
        return Reply.of(WebhooksStatement(webhooks=[tell_webhook(webhook) for webhook in found]))

    async def _find(self, request: Request) -> Reply:
        return Reply.of(tell_webhook(await self._webhooks.find(request.caller.account_id, request.id)))

    async def _delete(self, request: Request) -> Reply:
        await self._webhooks.delete(request.caller.account_id, request.id)
        return Reply.of(DeletedWebhook(id=request.id, deleted=True))

    async def _rotate(self, request: Request) -> Reply:
        return Reply.of(tell_with_secret(*await self._webhooks.rotate(request.caller.account_id, request.id)))

    async def _enable(self, request: Request) -> Reply:
        return Reply.of(tell_webhook(await self._webhooks.enable(request.caller.account_id, request.id)))

    async def _test(self, request: Request) -> Reply:
        return Reply.of(tell_delivery(await self._webhooks.test(request.caller.account_id, request.id)))

    async def _list_deliveries(self, request: Request) -> Reply:
        asked = parse(DeliveriesParams, request.query)
        if asked.cursor is not None and not _DELIVERY_ID.fullmatch(asked.cursor):
            raise InvalidParams("Parameter 'cursor' must be the next_cursor of an earlier response.")
        found = await self._webhooks.list_deliveries(
            request.caller.account_id, request.id, state=asked.state, before=asked.cursor or LAST, batch=asked.limit
        )
        cursor = found[-1].id if len(found) == asked.limit else None
        return Reply.of(DeliveriesStatement(deliveries=[tell_delivery(each) for each in found], next_cursor=cursor))

    async def _redeliver(self, request: Request) -> Reply:
        return Reply.of(tell_delivery(await self._webhooks.redeliver(request.caller.account_id, request.id)))
