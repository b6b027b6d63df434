"""How these indexes are asked about a site."""

from typing import Protocol

from webquarry.core.types import Domain


class HasDomain(Protocol):
    @property
    def domain(self) -> Domain: ...


def find_site(domain: Domain) -> str:
    """The host without a leading www., which is the same site to all of them."""
    return domain.host if domain.host == domain.registrable else domain.host.removeprefix("www.")


def make_root_url(domain: Domain) -> str:
    """The address of the host's first page."""
    return f"https://{domain.host}/"
