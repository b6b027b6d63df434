"""The audit log: what administrators and the command line did, and what happened to the security of each account.

An event is written in the transaction of the action that it records, so neither exists without the other.
"""

from webquarry.audit.events import ACTIONS, CLI, Actor, Event, act_as_admin, act_as_owner, make_event
from webquarry.audit.log import AuditLog
from webquarry.audit.records import Entry, Filter, add, hide_details, is_kept, record_after

__all__ = [
    "ACTIONS",
    "CLI",
    "Actor",
    "AuditLog",
    "Entry",
    "Event",
    "Filter",
    "act_as_admin",
    "act_as_owner",
    "add",
    "hide_details",
    "is_kept",
    "make_event",
    "record_after",
]
