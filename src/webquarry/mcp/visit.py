"""A visit: one admitted request to `/mcp`."""

from dataclasses import dataclass
from typing import Final

from webquarry.accounts import Caller
from webquarry.mcp.catalog import Selection

VISIT: Final = "webquarry.visit"
"""Where a request's scope holds it."""


@dataclass(frozen=True, slots=True)
class Visit:
    caller: Caller
    selection: Selection
    request_id: str
