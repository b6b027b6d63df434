"""Serper's maps: places as JSON, with the operator's key. Response format: docs/upstreams/maps-keyed.md."""

from typing import Any

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Provider, Wire
from webquarry.extractors.maps.model import values
from webquarry.extractors.maps.model.links import map_address, read_web_address
from webquarry.extractors.maps.model.map_ids import Cid, Fid
from webquarry.extractors.maps.model.opening import Day, read_week
from webquarry.extractors.maps.model.page import make_page
from webquarry.extractors.maps.model.params import PAGE_SIZE, MapsParams, MapsPlaceParams
from webquarry.extractors.maps.model.result import DayHours, Maps, MapsPlace, Place, PlaceDetail, SourcedLink
from webquarry.net import Net
from webquarry.providers import serper_api
from webquarry.providers.languages import google_language
from webquarry.read import at, each, json_of, must, texts
from webquarry.read.fields import to_line
from webquarry.read.losses import read_rows
from webquarry_convert.text.escape import clean_line

SERPER_MAPS = Provider(
    name="serper_maps",
    title="Serper's maps",
    needs=(serper_api.SERPER_KEY,),
    unproven=True,
)


async def search(params: MapsParams, net: Net) -> Wire:
    """Request one page of places for a query. The response is an object with `places`."""
    question: dict[str, str | int] = {"q": params.q, **_locale(params), "page": params.page}
    if params.ll is not None:
        question["ll"] = str(params.ll)
    return await serper_api.ask("maps", question, SERPER_MAPS, net)


async def place(params: MapsPlaceParams, net: Net) -> Wire:
    """Request one place. The response is an object with `places`, a list of at most one place."""
    name = {"fid": str(params.fid)} if params.fid else {"cid": str(params.place_cid)}
    return await serper_api.ask("maps", {**name, **_locale(params)}, SERPER_MAPS, net)


def _locale(params: MapsParams | MapsPlaceParams) -> dict[str, str]:
    return {"gl": str(params.gl), "hl": google_language(params.hl).lower()}


def read_search(wire: Wire, params: MapsParams) -> Maps:
    """Parse the places of a search. An empty `places` list is Serper's form of "nothing found".

    Raises ProviderError "changed" if the list is missing or its rows are not places; "changed" (`ViewIgnored`) for
    places far from the view.
    """
    rows = must(json_of(wire), "places", list)
    return make_page(rows, _identify, read_facts, params, SERPER_MAPS, has_more=len(rows) >= PAGE_SIZE)


def read_place(wire: Wire, params: MapsPlaceParams) -> MapsPlace:
    """Parse the requested place.

    Raises Absent for an empty list, and ProviderError "changed" for another place or a place without a name or an ID.
    """
    answer = json_of(wire)
    if not must(answer, "places", list):
        raise Absent(f"Serper has no place with the cid {params.place_cid}.")
    row = next(iter(each(answer, "places[]")), None)
    cid = None if row is None else _identify(row)
    if row is None or cid is None:
        raise ProviderError("Serper sent a place without a name or an ID.", reason="changed")
    if cid != params.place_cid:
        raise ProviderError("Serper returned a different place than requested.", reason="changed")
    detail = PlaceDetail(
        **dict(read_facts(row, cid)),
        description=_read_text(row, "description"),
        long_description=None,
        review_histogram=None,
        attributes=None,
        plus_code=None,
        menu_link=None,
        order_links=[],
        photo_count=None,
        popular_times=None,
    )
    return MapsPlace(place=detail, provider=SERPER_MAPS.name, warnings=[])


def _identify(row: Any) -> Cid | None:
    return read_cid(row) if _name(row) else None


def read_cid(row: Any) -> Cid | None:
    """Return the place's cid from a string or a number; if it is missing, from the fid."""
    fid = read_fid(row)
    for text in (at(row, "cid", str), at(row, "cid", int)):
        try:
            return Cid.parse(str(text))
        except ValueError:
            continue
    return fid.cid if fid else None


def read_fid(row: Any) -> Fid | None:
    try:
        return Fid.parse(at(row, "fid", str) or "")
    except ValueError:
        return None


def read_facts(row: Any, cid: Cid) -> Place:
    """Return the values that every place has."""
    types = [clean_line(text) for text in texts(row, "types[]")]
    kind = _read_text(row, "type") or next(iter(types), None)
    latitude, longitude = values.coordinates(at(row, "latitude", float), at(row, "longitude", float))
    return Place(
        name=_name(row) or "",
        cid=cid,
        fid=read_fid(row),
        place_id=_read_text(row, "placeId"),
        kgmid=None,
        address=_read_text(row, "address"),
        address_components=None,
        latitude=latitude,
        longitude=longitude,
        rating=values.rating(at(row, "rating", float)),
        review_count=values.count(at(row, "ratingCount", int)),
        type=kind,
        types=types or ([kind] if kind else []),
        website=read_web_address(at(row, "website", str)),
        phone=_read_text(row, "phoneNumber"),
        price_level=_read_text(row, "priceLevel"),
        opening_hours=_read_days(row),
        open_state=None,
        status=None,
        booking_links=read_rows(at(row, "bookingLinks", list) or [], _read_booking_link, "bookingLinks[]"),
        claimed=None,
        timezone=None,
        thumbnail=read_web_address(at(row, "thumbnailUrl", str)),
        url=map_address(cid),
    )


def _read_days(row: Any) -> list[DayHours] | None:
    return read_week(read_rows((at(row, "openingHours", dict) or {}).items(), _read_day, "openingHours"))


def _read_day(hours: tuple[str, Any]) -> Day | None:
    """Parse a day's name and opening hours."""
    name, text = map(to_line, hours)
    return Day(name, text) if name and text else None


def _read_booking_link(item: Any) -> SourcedLink | None:
    """Parse a booking link, which is a string or an object with a source."""
    is_plain = isinstance(item, str)
    link = read_web_address(item if is_plain else at(item, "link", str))
    return SourcedLink(source=None if is_plain else _read_text(item, "source"), link=link) if link else None


def _name(row: Any) -> str | None:
    return _read_text(row, "title")


def _read_text(row: Any, member: str) -> str | None:
    return clean_line(at(row, member, str) or "") or None
