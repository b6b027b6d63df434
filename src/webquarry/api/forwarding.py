"""Detection of reverse proxies that the operator has not configured.

Unless WEBQUARRY_TRUSTED_PROXIES names the proxy, all clients behind it count as one and share the limits of one
address.
"""

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from webquarry.core.log import log
from webquarry.core.settings import Settings

_FORWARDED: Final = frozenset({b"forwarded", b"via", b"x-real-ip", b"x-client-ip", b"true-client-ip"})
_FORWARDED_STARTS: Final = (b"x-forwarded", b"cf-", b"fly-")
MANY_PEOPLE: Final = 20
"""Number of people who sign in from one network before the network is suspected to be a proxy."""
_WHAT_TO_DO: Final = "set WEBQUARRY_TRUSTED_PROXIES to its address, otherwise all clients share one limit"


class ProxyWatch:
    """Detects a proxy that the operator has not configured.

    `remark` is advice for the operator, or None.
    """

    def __init__(self, settings: Settings) -> None:
        self.remark = find_unnamed_proxy(settings)
        self._people: set[str] = set()
        self._network: str | None = None
        self._has_many_networks = False

    def see_forwarded(self, peer: str) -> None:
        """Record that an untrusted proxy with this private address forwarded a request."""
        if self.remark is None:
            log.warning("proxy.unnamed", peer=peer)
            self.remark = f"Requests come through a proxy: {_WHAT_TO_DO}."

    def see_sign_in(self, network: str, email: str) -> None:
        """Record a sign-in attempt and its network, named as in `Addresses`."""
        if self._has_many_networks:
            return
        if self._network not in (None, network):
            self._has_many_networks = True
            self._people.clear()
            return
        self._network = network
        if len(self._people) <= MANY_PEOPLE:
            self._people.add(email)
        if len(self._people) > MANY_PEOPLE and self.remark is None:
            log.warning("proxy.suspected", people=MANY_PEOPLE)
            self.remark = f"All sign-ins come from the same address. If the service runs behind a proxy, {_WHAT_TO_DO}."


def find_unnamed_proxy(settings: Settings) -> str | None:
    """Return advice if the service is public but listens on loopback, so that there must be a proxy; otherwise None."""
    host = urlsplit(settings.base_url).hostname or ""
    if settings.trusted_proxies or is_loopback(host) or not is_loopback(settings.host):
        return None
    return f"{host} reaches this service through a proxy: {_WHAT_TO_DO}."


def is_forwarded(scope: Mapping[str, Any]) -> bool:
    """Return whether the request has header fields that a proxy adds."""
    return any(name in _FORWARDED or name.startswith(_FORWARDED_STARTS) for name, _ in scope["headers"])


def is_direct(scope: Mapping[str, Any], settings: Settings) -> bool:
    """Return whether the request was sent from this machine without a proxy.

    All of these must be true: the server listens on loopback, its public URL is on loopback, the request's host is on
    loopback, the request has no proxy headers, and the request does not use HTTP/1.0, the default of some proxies.
    """
    hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    asked = [settings.host, urlsplit(settings.base_url).hostname or "", *map(_read_host, hosts)]
    is_old = scope.get("http_version") == "1.0"
    return bool(hosts) and all(map(is_loopback, asked)) and not is_old and not is_forwarded(scope)


def is_loopback(host: str) -> bool:
    """Return whether a host without port is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _read_host(field: str) -> str:
    """Return the host in a Host field, or "" if it has none."""
    try:
        return urlsplit(f"//{field}").hostname or ""
    except ValueError:
        return ""
