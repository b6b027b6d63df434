"""Descriptions of webhooks and deliveries in requests and responses."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from webquarry.endpoints.declare import Params, Result, field, param
from webquarry.webhooks.records import EVENTS, Delivery, DeliveryState, DisabledReason, EventType, Webhook


class WebhookRequest(BaseModel):
    """The body of a request that creates a webhook."""

    model_config = ConfigDict(extra="forbid", strict=True)

    url: str = Field(
        description="URL that receives events. It must be public and start with https://.",
        examples=["https://example.com/webhooks"],
    )
    events: list[EventType] = Field(
        list(EVENTS), min_length=1, max_length=20, description="Events to receive. Default: all."
    )
    description: str = Field("", max_length=200, description="Description for your own use.")


class DeliveriesParams(Params):
    state: DeliveryState | None = param("Return only deliveries in this state.", default=None)
    limit: int = param("Deliveries per page.", default=50, min_value=1, max_value=100)
    cursor: str | None = param("`next_cursor` of the previous page.", default=None, max_length=64)


class WebhookStatement(Result):
    id: str = field("ID of the webhook.")
    url: str = field("URL that receives events.")
    events: list[EventType] = field("Events that the webhook receives.")
    description: str = field("Your text.")
    enabled: bool = field("Whether events are sent.")
    disabled_at: datetime | None = field("Time when the webhook was switched off.")
    disabled_reason: DisabledReason | None = field(
        "Why it was switched off: `failures` (50 attempts in a row failed), `gone` (it responded with status 410)."
    )
    failures: int = field("Failed attempts in a row.")
    old_secret_until: datetime | None = field("After a rotation, the time until which the previous secret is valid.")
    created_at: datetime = field("Time of the request.")


class WebhookWithSecret(WebhookStatement):
    secret: str = field("Secret with which deliveries are signed. Store it now: it is not shown again.")


class WebhooksStatement(Result):
    webhooks: list[WebhookStatement] = field("Webhooks, oldest first.")


class DeletedWebhook(Result):
    id: str = field("ID of the webhook.")
    deleted: bool = field("Always true.")


class DeliveryStatement(Result):
    id: str = field("ID of the delivery: the header `webhook-id` of each attempt.")
    webhook_id: str = field("ID of the webhook.")
    type: str = field("Type of the event.")
    state: DeliveryState = field("`waiting` (for the next attempt), `delivered` or `failed`.")
    attempts: int = field("Attempts so far.")
    status: int | None = field("Status of the last response; null if there was no response.")
    error: str | None = field("Why the last attempt failed.")
    next_at: datetime | None = field("Time of the next attempt.")
    created_at: datetime = field("Time of the event.")
    ended_at: datetime | None = field("Time of the last attempt.")


class DeliveriesStatement(Result):
    deliveries: list[DeliveryStatement] = field("Deliveries, newest first.")
    next_cursor: str | None = field("Cursor for the next page; null on the last page.")


def tell_webhook(webhook: Webhook) -> WebhookStatement:
    return WebhookStatement(**_fields(webhook))


def tell_with_secret(webhook: Webhook, secret: str) -> WebhookWithSecret:
    return WebhookWithSecret(**_fields(webhook), secret=secret)


def tell_delivery(delivery: Delivery) -> DeliveryStatement:
    return DeliveryStatement(
        id=delivery.id,
        webhook_id=delivery.webhook_id,
        type=delivery.type,
        state=delivery.state,
        attempts=delivery.attempts,
        status=delivery.status,
        error=delivery.error,
        next_at=delivery.next_at,
        created_at=delivery.created_at,
        ended_at=delivery.ended_at,
    )


def _fields(webhook: Webhook) -> dict[str, Any]:
    return {
        "id": webhook.id,
        "url": webhook.url,
        "events": list(webhook.events),
        "description": webhook.description,
        "enabled": webhook.disabled_at is None,
        "disabled_at": webhook.disabled_at,
        "disabled_reason": webhook.disabled_reason,
        "failures": webhook.failures,
        "old_secret_until": webhook.old_secret_until,
        "created_at": webhook.created_at,
    }
