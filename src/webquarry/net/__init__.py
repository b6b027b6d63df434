"""The only door to the outside: `Net` for those who fetch, `Door` for who builds the service."""

from webquarry.net.kept import Kept
from webquarry.net.net import ANY_STATUS, Door, Exchanged, Net, accept_wire, retry_after_s

__all__ = ["ANY_STATUS", "Door", "Exchanged", "Kept", "Net", "accept_wire", "retry_after_s"]
