"""Declarations of the endpoints below `/api/v1/webhooks`."""

from typing import Final

from webquarry.api.operations import Operation
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


CREATE = Operation(
    "webhooks_create",
    "POST",
    PATH,
    "Create a webhook",
    "Sends events about your jobs to your server. Each request is signed with the secret in the response. The "
    "secret is not shown again.",
    "webhooks",
    result=WebhookWithSecret,
    status=201,
    body=WebhookRequest,
)
LIST = Operation(
    "webhooks", "GET", PATH, "List webhooks", "Your webhooks, oldest first.", "webhooks", result=WebhooksStatement
)
FIND = Operation(
    "webhooks_get",
    "GET",
    f"{PATH}/{{webhook_id}}",
    "Get a webhook",
    "A webhook, without its secret.",
    "webhooks",
    result=WebhookStatement,
)
DELETE = Operation(
    "webhooks_delete",
    "DELETE",
    f"{PATH}/{{webhook_id}}",
    "Delete a webhook",
    "Deletes a webhook with its deliveries.",
    "webhooks",
    result=DeletedWebhook,
)
ROTATE = Operation(
    "webhooks_rotate",
    "POST",
    f"{PATH}/{{webhook_id}}/rotate",
    "Replace a webhook's secret",
    "Returns a new secret. For 24 hours, deliveries are signed with the new and the previous secret.",
    "webhooks",
    result=WebhookWithSecret,
)
ENABLE = Operation(
    "webhooks_enable",
    "POST",
    f"{PATH}/{{webhook_id}}/enable",
    "Enable a webhook",
    "Sends events again to a webhook that was switched off.",
    "webhooks",
    result=WebhookStatement,
)
TEST = Operation(
    "webhooks_test",
    "POST",
    f"{PATH}/{{webhook_id}}/test",
    "Test a webhook",
    "Sends an event of the type `webhook.test`, which every webhook receives.",
    "webhooks",
    result=DeliveryStatement,
    status=202,
)
LIST_DELIVERIES = Operation(
    "webhooks_deliveries",
    "GET",
    f"{PATH}/{{webhook_id}}/deliveries",
    "List a webhook's deliveries",
    "Deliveries, newest first, with the last attempt's result. Deliveries are kept for some days.",
    "webhooks",
    result=DeliveriesStatement,
    params=DeliveriesParams,
)
REDELIVER = Operation(
    "webhooks_redeliver",
    "POST",
    f"{DELIVERIES}/{{delivery_id}}/redeliver",
    "Send a delivery again",
    "Sends a delivery again with the same `webhook-id`, in up to six attempts. A waiting delivery is not changed.",
    "webhooks",
    result=DeliveryStatement,
    status=202,
)
OPERATIONS = (CREATE, LIST, FIND, DELETE, ROTATE, ENABLE, TEST, LIST_DELIVERIES, REDELIVER)
