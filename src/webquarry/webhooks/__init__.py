"""Signed webhooks: an account's addresses are notified when its jobs end or pause.

A delivery is a row that is written in the transaction of its event. The queue says which server sends it.
"""

from webquarry.webhooks.announce import announce
from webquarry.webhooks.records import WEBHOOK, Delivery, EventType, Webhook
from webquarry.webhooks.webhooks import Webhooks

__all__ = ["WEBHOOK", "Delivery", "EventType", "Webhook", "Webhooks", "announce"]
