"""The kinds of software whose markup is generated."""

from collections.abc import Callable, Mapping
from random import Random

from corpora.sites import (
    articles,
    documentation,
    forums,
    held_out,
    held_out_offers,
    held_out_texts,
    listings,
    services,
    shops,
    threads,
)
from corpora.sites.page import Page

KINDS: Mapping[str, Callable[[Random], Page]] = {
    **forums.KINDS,
    **threads.KINDS,
    **shops.KINDS,
    **listings.KINDS,
    **documentation.KINDS,
    **articles.KINDS,
    **services.KINDS,
}
HELD_OUT: Mapping[str, Callable[[Random], Page]] = {**held_out.KINDS, **held_out_texts.KINDS, **held_out_offers.KINDS}
"""Kinds for the evaluation of rules, which are not used for training."""


def make_page(kind: str, seed: int) -> Page:
    return (HELD_OUT.get(kind) or KINDS[kind])(Random(f"{kind} {seed}"))
