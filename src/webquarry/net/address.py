"""Classification of IP addresses: globally routable or refused.

The block lists are maintained here because `ipaddress.is_global` accepts multicast, NAT64, 6to4 and others, and its
result depends on the Python version. An address is public only if the lists and `ipaddress` agree.
"""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

_REFUSED_V4 = tuple(
    ip_network(block)
    for block in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; some clouds serve metadata here
        "127.0.0.0/8",
        "168.63.129.16/32",  # a public address that one cloud routes to its host agent
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")
"""The only IPv6 space allocated for global unicast. It excludes NAT64, v4-compatible, site-local, multicast and
5f00::/16.
"""
_REFUSED_V6 = tuple(
    ip_network(block)
    for block in (
        "2001::/23",  # protocol assignments, including Teredo, ORCHID and benchmarking
        "2001:db8::/32",
        "2002::/16",  # 6to4, which wraps any IPv4 address
        "3fff::/20",
    )
)


@lru_cache(maxsize=8192)
def is_public(address: str) -> bool:
    """Return whether `address` is the literal of a globally routable unicast address.

    Text that is not an address is not public.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, IPv6Address):
        if parsed.scope_id is not None:
            return False
        if parsed.ipv4_mapped is None:
            return _is_public_v6(parsed)
        parsed = parsed.ipv4_mapped
    return _is_public_v4(parsed)


def _is_public_v4(address: IPv4Address) -> bool:
    return address.is_global and not any(address in block for block in _REFUSED_V4)


def _is_public_v6(address: IPv6Address) -> bool:
    return address.is_global and address in _GLOBAL_V6 and not any(address in block for block in _REFUSED_V6)
