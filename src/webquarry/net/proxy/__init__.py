"""The forward proxy that a browser sits behind: all it sends to the outside is judged here, request by request."""

from webquarry.net.proxy.exchange import Counts
from webquarry.net.proxy.lease import Fault, Lease, Quota
from webquarry.net.proxy.server import ForwardProxy
from webquarry.net.proxy.visit import Times

__all__ = ["Counts", "Fault", "ForwardProxy", "Lease", "Quota", "Times"]
