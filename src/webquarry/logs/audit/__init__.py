"""The audit log: actions of administrators and the command line, and security events of each account.

An event is written in the same transaction as the action that it records.
"""

from webquarry.logs.audit.events import ACTIONS, CLI, Actor, Event, act_as_admin, act_as_owner, make_event
from webquarry.logs.audit.log import AuditLog
from webquarry.logs.audit.records import Entry, Filter, add, hide_details, is_kept, record_after

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
