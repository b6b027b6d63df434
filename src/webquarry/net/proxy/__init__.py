"""Forward proxy for the browser. It checks every request that the browser sends."""

from webquarry.net.proxy.exchange import Counts
from webquarry.net.proxy.lease import Fault, Lease, Quota
from webquarry.net.proxy.server import ForwardProxy
from webquarry.net.proxy.visit import Times

__all__ = ["Counts", "Fault", "ForwardProxy", "Lease", "Quota", "Times"]
