"""Services that keep icons of sites, asked for what the site does not show itself. Wire notes: docs/upstreams/logo.md.

Those without a key are asked where the operator enables untested sources.

What they give for a site that they do not know (a globe, a letter) is no icon: they are asked so that they answer 404,
and what is smaller than anything that was asked for counts as none.
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
"""Pixels of the picture that Google gives for what it does not know."""
_GOOGLE_SIZES: Final = (16, 32, 64, 128, 256)


@dataclass(frozen=True, slots=True)
class Service:
    """One service. url: of the icon of a domain in a size; secrets: parameters by the setting that holds their value.

    is_proof: whether the size of what it gives is a real one; the keyless ones enlarge small icons.
    """

    provider: Provider
    source: str
    url: Callable[[Domain, int], str]
    secrets: Mapping[str, str] = field(default_factory=dict)
    is_proof: bool = False


def make_logo_dev_url(domain: Domain, size: int) -> str:
    return f"https://img.logo.dev/{domain.registrable}?{urlencode({'size': size, 'format': 'png', 'fallback': '404'})}"


def make_google_url(domain: Domain, size: int) -> str:
    """The service renders five sizes: the least that is not below the one asked for."""
    asked = {
        "client": "SOCIAL",
        "type": "FAVICON",
        "fallback_opts": "TYPE,SIZE,URL",
        "url": f"https://{domain.host}",
        "size": next(known for known in _GOOGLE_SIZES if known >= size),
    }
    return f"https://t1.gstatic.com/faviconV2?{urlencode(asked, safe=',:/')}"


def make_duckduckgo_url(domain: Domain, _size: int) -> str:
    return f"https://icons.duckduckgo.com/ip3/{domain.host}.ico"


KEYED: Final = (Service(LOGO_DEV, "logo.dev", make_logo_dev_url, {"token": "logo_dev_key"}, is_proof=True),)
KEYLESS: Final = (Service(GOOGLE, "google", make_google_url), Service(DUCKDUCKGO, "duckduckgo", make_duckduckgo_url))


def find_provider(source: str) -> Provider | None:
    """The service that a source is; None for those of the site."""
    return next((service.provider for service in (*KEYED, *KEYLESS) if service.source == source), None)
