"""Whether places lie where the caller looks. A source may ignore the view silently, and answer for its own region."""

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
"""From here on, characters are mostly of scripts that set no spaces between words."""


class ViewIgnored(ProviderError):
    """The places lie far from the view, and nothing in the query explains that."""

    def __init__(self, distance_m: float, view: MapView) -> None:
        super().__init__(
            f"The source answered with places about {_km(distance_m)} from {view}, as if that had not been asked for.",
            reason="changed",
        )


def view_warnings(params: MapsParams, places: Sequence[FoundPlace]) -> list[str]:
    """What is to be said about where the places lie: nothing when they are near, or no view was asked for.

    ViewIgnored when more than half of them lie farther from the middle of the view than three times its width, and than
    50 km, unless the query names their place: that counts for more than the view.
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
    return [f"The places lie about {_km(distance_m)} from {view}: the query names a place, which counts for more."]


def names_their_place(query: str, places: Sequence[FoundPlace]) -> bool:
    """Whether words of the query stand in most of the addresses, a part of most addresses in the query, or the query
    is the name of the only place."""
    asked = query.casefold()
    words = set(_WORD.findall(asked))
    if len(places) == 1 and words & set(_WORD.findall(places[0].name.casefold())):
        return True
    named = sum(_is_named(place, asked, words) for place in places)
    return 2 * named > len(places)


def _is_named(place: FoundPlace, asked: str, words: set[str]) -> bool:
    address = (place.address or "").casefold()
    if words & set(_WORD.findall(address)) or any(word in address for word in words if word[0] >= _FIRST_UNSPACED):
        return True
    parts = place.address_components
    regions = (parts.neighborhood, parts.city, parts.state) if parts else ()
    return any(len(region) > 1 and region.casefold() in asked for region in regions if region)


def _km(distance_m: float) -> str:
    return f"{distance_m / 1000:,.0f} km"
