"""Signed webhooks, which notify an account's URLs when its jobs end or pause.

A delivery is a row that is written in the same transaction as its event. The queue determines which server sends a
delivery.
"""

from webquarry.webhooks.announce import announce
from webquarry.webhooks.records import WEBHOOK, Delivery, EventType, Webhook
from webquarry.webhooks.webhooks import Webhooks

__all__ = ["WEBHOOK", "Delivery", "EventType", "Webhook", "Webhooks", "announce"]
