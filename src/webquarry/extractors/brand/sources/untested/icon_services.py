"""Icon services, used if all icons of the site are too small. Response format: docs/upstreams/logo.md.

Services without a key are used only if the operator enables untested sources.

For an unknown site, a service shows a placeholder (a globe, a letter). Requests therefore ask for status 404 instead,
and an image smaller than the smallest allowed request counts as missing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode

from webquarry.core.types import Domain, Provider

UNTESTED: Final = "untested_sources"
LOGO_DEV = Provider(name="logo_dev", title="Logo.dev", needs=("logo_dev_key",), unproven=True)
GOOGLE = Provider(name="google_favicons", title="Google's favicon service", needs=(UNTESTED,), unproven=True)
DUCKDUCKGO = Provider(name="duckduckgo_icons", title="DuckDuckGo's icon service", needs=(UNTESTED,), unproven=True)

GLOBE_SIDE: Final = 16
"""Side in pixels of the globe that Google shows for an unknown site."""
_GOOGLE_SIZES: Final = (16, 32, 64, 128, 256)


@dataclass(frozen=True, slots=True)
class Service:
    """An icon service.

    url: function that returns the URL of a domain's icon in a given size. secrets: query parameters, each with the
    setting that holds its value. is_proof: whether its sizes can be trusted. Services without a key enlarge small
    icons.
    """

    provider: Provider
    source: str
    url: Callable[[Domain, int], str]
    secrets: Mapping[str, str] = field(default_factory=dict)
    is_proof: bool = False


def make_logo_dev_url(domain: Domain, size: int) -> str:
    return f"https://img.logo.dev/{domain.registrable}?{urlencode({'size': size, 'format': 'png', 'fallback': '404'})}"


def make_google_url(domain: Domain, size: int) -> str:
    """Return the URL for the smallest of the service's five sizes that is at least the requested size."""
    query = {
        "client": "SOCIAL",
        "type": "FAVICON",
        "fallback_opts": "TYPE,SIZE,URL",
        "url": f"https://{domain.host}",
        "size": next(known for known in _GOOGLE_SIZES if known >= size),
    }
    return f"https://t1.gstatic.com/faviconV2?{urlencode(query, safe=',:/')}"


def make_duckduckgo_url(domain: Domain, _size: int) -> str:
    return f"https://icons.duckduckgo.com/ip3/{domain.host}.ico"


KEYED: Final = (Service(LOGO_DEV, "logo.dev", make_logo_dev_url, {"token": "logo_dev_key"}, is_proof=True),)
KEYLESS: Final = (Service(GOOGLE, "google", make_google_url), Service(DUCKDUCKGO, "duckduckgo", make_duckduckgo_url))


def find_provider(source: str) -> Provider | None:
    """Return the provider of an icon service's source, or None for the site's own sources."""
    return next((service.provider for service in (*KEYED, *KEYLESS) if service.source == source), None)
