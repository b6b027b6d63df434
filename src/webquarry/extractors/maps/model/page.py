"""A page of search results, for every source."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from webquarry.core.errors import ProviderError
from webquarry.core.types import Provider
from webquarry.extractors.maps.model.map_ids import Cid
from webquarry.extractors.maps.model.nearness import view_warnings
from webquarry.extractors.maps.model.params import MAX_PAGE, PAGE_SIZE, MapsParams
from webquarry.extractors.maps.model.result import FoundPlace, Maps, Place
from webquarry.read.losses import read_rows

R = TypeVar("R")


def make_page(
    rows: Sequence[R],
    identify: Callable[[R], Cid | None],
    read_facts: Callable[[R, Cid], Place],
    params: MapsParams,
    provider: Provider,
    *,
    has_more: bool,
) -> Maps:
    """Return the result of a search: each place once, in order of first appearance, and at most twenty.

    rows: the source's data for each place. identify: function that returns a place's ID, or None for a place without an
    ID or a name; such places are dropped and counted. read_facts: function that converts the data to a place. has_more:
    whether the source has another page. Raises ProviderError "changed" if there are rows but no places, and ViewIgnored
    if the places are far from the view.
    """
    found = read_rows(rows, lambda row: (cid, row) if (cid := identify(row)) else None, "places[]")
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
    left_out = len(rows) - len(found)
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
