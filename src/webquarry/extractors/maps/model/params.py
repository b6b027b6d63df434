"""Parameters of the map endpoints."""

from webquarry.core.locale import Country, Language
from webquarry.endpoints.declare import Params, exactly_one, param
from webquarry.extractors.maps.model.map_ids import Cid, Fid
from webquarry.extractors.maps.model.map_view import MapView

MAX_PAGE = 5
PAGE_SIZE = 20


class MapsParams(Params):
    q: str = param("Search query. It can include a place (`coffee in Lisbon`).", example="coffee", max_length=512)
    ll: MapView | None = param(
        "Map view as `@lat,lng,zoom`, as in a map URL (zoom 3 to 21). Without it, results depend on the query and "
        "on the location of this service.",
        default=None,
        example="@39.8,-89.65,14z",
    )
    gl: Country = param("Two-letter country code of the search.", default=Country("us"))
    hl: Language = param("Language of the response.", default=Language("en"))
    page: int = param(
        f"Page number, {PAGE_SIZE} places each. Later pages cover a larger area.",
        default=1,
        min_value=1,
        max_value=MAX_PAGE,
    )


class MapsPlaceParams(Params):
    one_of = exactly_one("cid", "fid")

    cid: Cid | None = param(
        "Place number (`cid`) from search results or a map link.", default=None, example="4503599627370497"
    )
    fid: Fid | None = param("Place ID in the form `0x<hex>:0x<hex>`.", default=None)
    gl: Country = param("Two-letter country code of the viewer.", default=Country("us"))
    hl: Language = param("Language of the response.", default=Language("en"))

    @property
    def place_cid(self) -> Cid:
        """The place's cid, taken from the caller's cid or fid."""
        if self.fid is not None:
            return self.fid.cid
        if self.cid is None:
            raise ValueError("either cid or fid is required")
        return self.cid
