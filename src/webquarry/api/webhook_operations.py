"""The endpoints below `/api/v1/webhooks`, as documented."""

from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel

from webquarry.endpoints.declare import Params, Result
from webquarry.webhooks.statements import (
    DeletedWebhook,
    DeliveriesParams,
    DeliveriesStatement,
    DeliveryStatement,
    WebhookRequest,
    WebhooksStatement,
    WebhookStatement,
    WebhookWithSecret,
)

PATH: Final = "/webhooks"
DELIVERIES: Final = f"{PATH}/deliveries"


class NoParams(Params):
    """Parameters of an endpoint without a query."""


@dataclass(frozen=True, slots=True)
class WebhookOperation:
    """One endpoint, as documented. `body` is the model of its JSON body."""

    name: str
    method: Literal["GET", "POST", "DELETE"]
    path: str
    title: str
    description: str
    result: type[Result]
    params: type[Params] = NoParams
    status: int = 200
    body: type[BaseModel] | None = None


CREATE = WebhookOperation(
    "webhooks_create",
    "POST",
    PATH,
    "Create a webhook",
    "Sends events about your jobs to an address of yours. Each request is signed with the secret in the response. The "
    "secret is not shown again.",
    WebhookWithSecret,
    status=201,
    body=WebhookRequest,
)
LIST = WebhookOperation("webhooks", "GET", PATH, "List webhooks", "Your webhooks, oldest first.", WebhooksStatement)
FIND = WebhookOperation(
    "webhooks_get", "GET", f"{PATH}/{{webhook_id}}", "Get a webhook", "A webhook, without its secret.", WebhookStatement
)
DELETE = WebhookOperation(
    "webhooks_delete",
    "DELETE",
    f"{PATH}/{{webhook_id}}",
    "Delete a webhook",
    "Deletes a webhook with its deliveries.",
    DeletedWebhook,
)
ROTATE = WebhookOperation(
    "webhooks_rotate",
    "POST",
    f"{PATH}/{{webhook_id}}/rotate",
    "Replace the secret of a webhook",
    "Returns a new secret. For 24 hours, deliveries are signed with the new and the previous secret.",
    WebhookWithSecret,
)
ENABLE = WebhookOperation(
    "webhooks_enable",
    "POST",
    f"{PATH}/{{webhook_id}}/enable",
    "Enable a webhook",
    "Sends events again to a webhook that was switched off.",
    WebhookStatement,
)
TEST = WebhookOperation(
    "webhooks_test",
    "POST",
    f"{PATH}/{{webhook_id}}/test",
    "Test a webhook",
    "Sends an event of the type `webhook.test`, which every webhook receives.",
    DeliveryStatement,
    status=202,
)
LIST_DELIVERIES = WebhookOperation(
    "webhooks_deliveries",
    "GET",
    f"{PATH}/{{webhook_id}}/deliveries",
    "List the deliveries of a webhook",
    "Deliveries, newest first, with the result of the last attempt. They are kept for some days.",
    DeliveriesStatement,
    params=DeliveriesParams,
)
REDELIVER = WebhookOperation(
    "webhooks_redeliver",
    "POST",
    f"{DELIVERIES}/{{delivery_id}}/redeliver",
    "Send a delivery again",
    "Sends a delivery again with the same `webhook-id`, in up to six attempts. A delivery that waits stays as it is.",
    DeliveryStatement,
    status=202,
)
OPERATIONS = (CREATE, LIST, FIND, DELETE, ROTATE, ENABLE, TEST, LIST_DELIVERIES, REDELIVER)
