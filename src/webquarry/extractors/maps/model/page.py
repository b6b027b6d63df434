"""A page of places that were found, whoever was asked."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from webquarry.core.errors import ProviderError
from webquarry.core.types import Provider
from webquarry.extractors.maps.model.map_ids import Cid
from webquarry.extractors.maps.model.nearness import view_warnings
from webquarry.extractors.maps.model.params import MAX_PAGE, PAGE_SIZE, MapsParams
from webquarry.extractors.maps.model.result import FoundPlace, Maps, Place

R = TypeVar("R")


def make_page(
    found: Sequence[tuple[Cid, R]],
    read_facts: Callable[[R, Cid], Place],
    params: MapsParams,
    provider: Provider,
    *,
    rows: int,
    has_more: bool,
) -> Maps:
    """The answer to a search: each place once, the first time that it is named, and at most twenty.

    found: what the source gave of each place that has an id and a name, of so many rows. read_facts: makes a place of
    it. has_more: whether the source has a further page. ProviderError "changed" when there are rows and none of them is
    a place; ViewIgnored for places far from where the caller looks.
    """
    if rows and not found:
        raise ProviderError(f"{provider.title} sent places without names and IDs.", reason="changed")
    once: dict[Cid, R] = {}
    for cid, row in found:
        once.setdefault(cid, row)
    first = PAGE_SIZE * (params.page - 1) + 1
    places = [
        FoundPlace(position=position, **dict(read_facts(row, cid)))
        for position, (cid, row) in enumerate(list(once.items())[:PAGE_SIZE], first)
    ]
    left_out = rows - len(found)
    warnings = [f"{left_out} places without a name or an ID were omitted."] if left_out else []
    return Maps(
        query=params.q,
        gl=params.gl,
        hl=params.hl,
        ll=None if params.ll is None else str(params.ll),
        page=params.page,
        provider=provider.name,
        places=places,
        has_more=has_more and params.page < MAX_PAGE,
        warnings=[*warnings, *view_warnings(params, places)],
    )
