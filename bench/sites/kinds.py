"""The kinds of software in whose markup pages are made."""

from collections.abc import Callable, Mapping
from random import Random

from bench.sites import articles, documentation, forums, listings, services, shops, threads
from bench.sites.page import Page

KINDS: Mapping[str, Callable[[Random], Page]] = {
    **forums.KINDS,
    **threads.KINDS,
    **shops.KINDS,
    **listings.KINDS,
    **documentation.KINDS,
    **articles.KINDS,
    **services.KINDS,
}


def make_page(kind: str, seed: int) -> Page:
    return KINDS[kind](Random(f"{kind} {seed}"))
