"""The client address for which a request is counted.

It comes from the reverse proxy if the operator trusts the proxy.
"""

from collections.abc import Mapping, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from webquarry.api.forwarding import ProxyWatch, is_forwarded

Address = IPv4Address | IPv6Address
_IPV6_NETWORK = 16
"""Number of hexadecimal digits that identify an IPv6 network (/64)."""
MAX_HOPS = 20
"""Maximum number of X-Forwarded-For entries to read."""


class Addresses:
    """Finds the client network of a request.

    `trusted` lists addresses and networks of proxies whose X-Forwarded-For header is trusted. `watch` is notified of
    proxies that are not listed.
    """

    def __init__(self, trusted: Sequence[str] = (), watch: ProxyWatch | None = None) -> None:
        self._watch = watch
        self._trusted = tuple(ip_network(text, strict=False) for text in trusted)

    def name_peer(self, host: str | None) -> str | None:
        """Return the network of a connection's peer, in the notation of `network_of`, or None for a trusted proxy."""
        address = _read(host or "")
        return None if address is not None and self._is_trusted(address) else _name(address)

    def network_of(self, scope: Mapping[str, Any]) -> str:
        """Return the network that counts as one client: an IPv4 address, or an IPv6 /64. "" if there is no address."""
        client = scope.get("client")
        address = _read(client[0]) if client else None
        if address is not None and self._is_trusted(address):
            address = self._find_visitor(scope, address)
        elif self._watch is not None and address is not None and address.is_private and is_forwarded(scope):
            self._watch.see_forwarded(str(address))
        return _name(address)

    def _find_visitor(self, scope: Mapping[str, Any], proxy: Address) -> Address:
        """Return the last address in X-Forwarded-For that is not a trusted proxy.

        Clients can forge all entries before it.
        """
        fields = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
        found = proxy
        for text in reversed(",".join(fields).split(",")[-MAX_HOPS:]):
            address = _read(text.strip())
            if address is None:
                break
            found = address
            if not self._is_trusted(address):
                break
        return found

    def _is_trusted(self, address: Address) -> bool:
        return any(address in network for network in self._trusted)


def show_network(network: str) -> str:
    """Return the usual notation of a network that `Addresses` has named: 192.0.2.1 or 2001:db8::/64."""
    if len(network) != _IPV6_NETWORK or ":" in network or "." in network:
        return network
    return str(ip_network((bytes.fromhex(network) + bytes(8), 64)))


def _name(address: Address | None) -> str:
    if isinstance(address, IPv6Address):
        return address.packed[:8].hex()
    return str(address or "")


def _read(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address
