"""The site of a map or a crawl: the hosts whose pages belong to it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from webquarry.core.types import Domain


@dataclass(frozen=True, slots=True)
class Site:
    """The hosts of a site. `www.example.com` and `example.com` count as one host, for `http` and `https`.

    `hosts` are without `www.` and include the port unless it is the default. If `domain` is not empty, all hosts of
    this registrable domain belong to the site too.
    """

    hosts: frozenset[str]
    domain: str = ""

    @classmethod
    def of(cls, addresses: Iterable[str], *, subdomains: bool = False) -> Self:
        """Return the site of these URLs. `subdomains` adds all hosts of the first URL's registrable domain."""
        hosts = [_host_of(address) for address in addresses]
        return cls(frozenset(hosts), _find_domain(hosts[0]) if subdomains else "")

    def has(self, address: str) -> bool:
        """Return whether a normalized URL belongs to the site."""
        host = _host_of(address)
        if host in self.hosts:
            return True
        return bool(self.domain) and f".{host.partition(':')[0]}".endswith(f".{self.domain}")


def _host_of(address: str) -> str:
    return urlsplit(address).netloc.removeprefix("www.")


def _find_domain(host: str) -> str:
    """Return the registrable domain of a host, or "" for an IP address, a local name or a public suffix."""
    try:
        return Domain.parse(host.partition(":")[0]).registrable
    except ValueError:
        return ""
