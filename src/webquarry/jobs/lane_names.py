"""Lanes of requests. Items in a lane visit the same upstream, so only one server at a time works on a lane."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from webquarry.core.types import Domain
from webquarry.endpoints.declare import Extractor, Params

SPREAD = 16
"""Number of lanes for an endpoint that visits no upstream, such as an endpoint that converts files."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A lane. `spacing_ms` is the time between the starts of two visits, over all servers."""

    name: str
    spacing_ms: int = 0


def lane_of(extractor: Extractor, params: Params, n: int) -> Lane:
    """Return the lane of a request: its host if callers choose the host, otherwise the first provider of the
    endpoint.
    """
    providers = extractor.all_providers
    if any(provider.callers_choose for provider in providers):
        host = _find_host(params)
        if host is not None:
            return Lane(f"host:{host}")
    if extractor.upload is not None or not providers:
        return Lane(f"endpoint:{extractor.name}:{n % SPREAD}")
    return Lane(f"provider:{providers[0].name}")


def _find_host(params: Params) -> str | None:
    for name in type(params).model_fields:
        value = getattr(params, name)
        if isinstance(value, Domain):
            return value.host
        if isinstance(value, str) and value.startswith(("http://", "https://")):
            return urlsplit(value).hostname
    return None
