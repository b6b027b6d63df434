"""An admitted request to `/mcp`."""

from dataclasses import dataclass
from typing import Final

from webquarry.accounts import Caller
from webquarry.mcp.catalog import Selection

VISIT: Final = "webquarry.visit"
"""Key of the visit in a request's scope."""


@dataclass(frozen=True, slots=True)
class Visit:
    caller: Caller
    selection: Selection
    request_id: str
