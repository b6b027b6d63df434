"""The names that link indexes use for a site."""

from typing import Protocol

from webquarry.core.types import Domain


class HasDomain(Protocol):
    @property
    def domain(self) -> Domain: ...


def find_site(domain: Domain) -> str:
    """Return the host without a leading `www.`, which all indexes treat as the same site."""
    return domain.host if domain.host == domain.registrable else domain.host.removeprefix("www.")


def make_root_url(domain: Domain) -> str:
    """Return the URL of the host's home page."""
    return f"https://{domain.host}/"
