"""Reverse proxies: which requests came through one, and whether the operator has named the one in front.

Unless WEBQUARRY_TRUSTED_PROXIES names it, all who come through a proxy count as one visitor, with one share of what an
address may try and hold.
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
"""Who may sign in from one network, and nobody from another, before a proxy is suspected."""
_WHAT_TO_DO: Final = "set WEBQUARRY_TRUSTED_PROXIES to its address, otherwise all visitors share one limit"


class ProxyWatch:
    """Notices a proxy that the operator has not named. remark: what to do about it, None without a sign of one."""

    def __init__(self, settings: Settings) -> None:
        self.remark = find_unnamed_proxy(settings)
        self._people: set[str] = set()
        self._network: str | None = None
        self._has_many_networks = False

    def see_forwarded(self, peer: str) -> None:
        """Take note of a request that a proxy of this private address has forwarded, which is not trusted."""
        if self.remark is None:
            log.warning("proxy.unnamed", peer=peer)
            self.remark = f"Requests come through a proxy: {_WHAT_TO_DO}."

    def see_sign_in(self, network: str, email: str) -> None:
        """Take note of who tries to sign in, and from where. Networks are named as `Addresses` names them."""
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
    """Return what to do about a proxy that must be there, since the service is public and listens on loopback only."""
    host = urlsplit(settings.base_url).hostname or ""
    if settings.trusted_proxies or is_loopback(host) or not is_loopback(settings.host):
        return None
    return f"{host} reaches this service through a proxy: {_WHAT_TO_DO}."


def is_forwarded(scope: Mapping[str, Any]) -> bool:
    """Whether a proxy has left its mark on the request."""
    return any(name in _FORWARDED or name.startswith(_FORWARDED_STARTS) for name, _ in scope["headers"])


def is_direct(scope: Mapping[str, Any], settings: Settings) -> bool:
    """Whether somebody on this machine asked, with nothing in between.

    All has to speak for it: the server listens on loopback, its public address is there too, the request asks for a
    host on loopback, bears no mark of a proxy, and is no HTTP/1.0, which a proxy without further settings speaks.
    """
    hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    asked = [settings.host, urlsplit(settings.base_url).hostname or "", *map(_read_host, hosts)]
    is_old = scope.get("http_version") == "1.0"
    return bool(hosts) and all(map(is_loopback, asked)) and not is_old and not is_forwarded(scope)


def is_loopback(host: str) -> bool:
    """Whether a host, without its port, is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _read_host(field: str) -> str:
    """The host of a Host field, "" where it holds none."""
    try:
        return urlsplit(f"//{field}").hostname or ""
    except ValueError:
        return ""
