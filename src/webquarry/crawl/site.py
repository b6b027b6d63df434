"""The site of a map or a crawl: the hosts whose addresses belong to it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from webquarry.core.types import Domain


@dataclass(frozen=True, slots=True)
class Site:
    """The hosts of a site. `www.example.com` and `example.com` are one host, with `http` and `https`.

    `hosts` have their port unless it is the default, and no `www.`. `domain` is the registrable domain whose other
    hosts belong to the site too; "" for none.
    """

    hosts: frozenset[str]
    domain: str = ""

    @classmethod
    def of(cls, addresses: Iterable[str], *, subdomains: bool = False) -> Self:
        """Return the site of these addresses. `subdomains` adds all hosts below the domain of the first one."""
        hosts = [_host_of(address) for address in addresses]
        return cls(frozenset(hosts), _find_domain(hosts[0]) if subdomains else "")

    def has(self, address: str) -> bool:
        """Return whether a normalised address belongs to the site."""
        host = _host_of(address)
        if host in self.hosts:
            return True
        return bool(self.domain) and f".{host.partition(':')[0]}".endswith(f".{self.domain}")


def _host_of(address: str) -> str:
    return urlsplit(address).netloc.removeprefix("www.")


def _find_domain(host: str) -> str:
    """Return the registrable domain of a host, or "" for an address, a name in a local network or a public suffix."""
    try:
        return Domain.parse(host.partition(":")[0]).registrable
    except ValueError:
        return ""
