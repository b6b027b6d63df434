"""Outgoing traffic. Providers fetch with `Net`; the service builds one `Door` per process."""

from webquarry.net.exchanges import Exchanged
from webquarry.net.kept import Kept
from webquarry.net.net import Door, Net
from webquarry.net.robots import Rule, Rules
from webquarry.net.status import ANY_STATUS, accept_wire, retry_after_s

__all__ = ["ANY_STATUS", "Door", "Exchanged", "Kept", "Net", "Rule", "Rules", "accept_wire", "retry_after_s"]
