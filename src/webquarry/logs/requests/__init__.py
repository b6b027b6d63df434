"""The request log: every request of an account, stored for some days for the account's owner.

Requests are noted in memory and stored in the background. Requests that exceed the log's capacity are only counted.
"""

from webquarry.logs.requests.entries import (
    CACHE_STATES,
    STATUS_CLASSES,
    CacheFilter,
    Filter,
    LoggedRequest,
    Page,
    StatusClass,
)
from webquarry.logs.requests.log import RequestLog

__all__ = [
    "CACHE_STATES",
    "STATUS_CLASSES",
    "CacheFilter",
    "Filter",
    "LoggedRequest",
    "Page",
    "RequestLog",
    "StatusClass",
]
