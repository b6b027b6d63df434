"""What the endpoints of the map take."""

from webquarry.core.locale import Country, Language
from webquarry.endpoints.declare import Params, exactly_one, param
from webquarry.extractors.maps.map_ids import Cid, Fid
from webquarry.extractors.maps.map_view import MapView

MAX_PAGE = 5
PAGE_SIZE = 20


class MapsParams(Params):
    q: str = param("What to look for; may name a place too (`coffee in Lisbon`).", example="coffee", max_length=512)
    ll: MapView | None = param(
        "Where to look, `@lat,lng,zoom` as in the address of a map (zoom 3 to 21). Without it the words decide, and "
        "else where this service stands.",
        default=None,
        example="@39.8,-89.65,14z",
    )
    gl: Country = param("Country of the search, two letters.", default=Country("us"))
    hl: Language = param("Language of the answer.", default=Language("en"))
    page: int = param(
        f"Page of {PAGE_SIZE} places; later ones look farther around.", default=1, min_value=1, max_value=MAX_PAGE
    )


class MapsPlaceParams(Params):
    one_of = exactly_one("cid", "fid")

    cid: Cid | None = param(
        "Number of the place, from a search or a link to the map.", default=None, example="4503599627370497"
    )
    fid: Fid | None = param("Id of the place, `0x<hex>:0x<hex>`.", default=None)
    gl: Country = param("Country from which it is looked at, two letters.", default=Country("us"))
    hl: Language = param("Language of the answer.", default=Language("en"))

    @property
    def place_cid(self) -> Cid:
        """The cid of the place, whichever way it was named."""
        if self.fid is not None:
            return self.fid.cid
        if self.cid is None:
            raise ValueError("a place has to be named by cid or by fid")
        return self.cid
