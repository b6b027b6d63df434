"""Checks that places are near the requested view. A source may ignore the view and use its own region."""

import re
from collections.abc import Sequence
from statistics import median_low

from webquarry.core.errors import ProviderError
from webquarry.extractors.maps.model.map_view import MapView
from webquarry.extractors.maps.model.params import MapsParams
from webquarry.extractors.maps.model.result import FoundPlace

FAR_IN_DIAMETERS = 3
FAR_M = 50_000.0
_WORD = re.compile(r"\w{3,}|[^\W\x00-\u2e7f]{2,}")
_FIRST_UNSPACED = "\u2e80"
"""First character of a range that mostly consists of scripts without spaces between words."""


class ViewIgnored(ProviderError):
    """The places are far from the view, and the query does not explain this."""

    def __init__(self, distance_m: float, view: MapView) -> None:
        super().__init__(
            f"The provider ignored the map view: its places are about {_km(distance_m)} from {view}.",
            reason="changed",
        )


def view_warnings(params: MapsParams, places: Sequence[FoundPlace]) -> list[str]:
    """Return warnings about the distance of the places from the view.

    There are no warnings if the places are near, or if no view was requested. Raises ViewIgnored if more than half of
    the places are farther from the center of the view than three times its width and than 50 km. If the query names the
    places' location, distant places only cause a warning.
    """
    view = params.ll
    if view is None:
        return []
    distances = [
        view.distance_m(place.latitude, place.longitude)
        for place in places
        if place.latitude is not None and place.longitude is not None
    ]
    if not distances:
        return []
    distance_m = median_low(distances)
    if distance_m <= max(FAR_IN_DIAMETERS * view.diameter_m, FAR_M):
        return []
    if not names_their_place(params.q, places):
        raise ViewIgnored(distance_m, view)
    return [
        f"The places are about {_km(distance_m)} from {view} because the query names a place, which takes precedence."
    ]


def names_their_place(query: str, places: Sequence[FoundPlace]) -> bool:
    """Return whether the query names the location of most places, or words of the name if there is only one place.

    The query names a location if the address contains words of the query or the query contains a part of the address.
    """
    folded_query = query.casefold()
    words = set(_WORD.findall(folded_query))
    if len(places) == 1 and words & set(_WORD.findall(places[0].name.casefold())):
        return True
    named = sum(_is_named(place, folded_query, words) for place in places)
    return 2 * named > len(places)


def _is_named(place: FoundPlace, folded_query: str, words: set[str]) -> bool:
    address = (place.address or "").casefold()
    if words & set(_WORD.findall(address)) or any(word in address for word in words if word[0] >= _FIRST_UNSPACED):
        return True
    parts = place.address_components
    regions = (parts.neighborhood, parts.city, parts.state) if parts else ()
    return any(len(region) > 1 and region.casefold() in folded_query for region in regions if region)


def _km(distance_m: float) -> str:
    return f"{distance_m / 1000:,.0f} km"
