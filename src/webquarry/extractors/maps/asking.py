"""The ways in which the sources of the map are asked, where one answer takes several wires."""

from typing import TYPE_CHECKING, TypeVar

from webquarry.extractors.maps import google_places, serper_maps
from webquarry.extractors.maps.nearness import ViewIgnored
from webquarry.extractors.maps.page import page_of
from webquarry.extractors.maps.params import MapsParams, MapsPlaceParams
from webquarry.extractors.maps.readers import places
from webquarry.extractors.maps.result import Maps, MapsPlace
from webquarry.extractors.maps.rpc import reader, request
from webquarry.types import Wire

if TYPE_CHECKING:
    from webquarry.net import Net

A = TypeVar("A", Maps, MapsPlace)
WITHOUT_SESSION = "Google Maps gave no session, so review counts, prices, attributes and popular times may be missing."


async def search_rpc(params: MapsParams, net: "Net") -> tuple[Maps, Wire]:
    """The keyless search. A view that is ignored is asked for once more, in a new session."""
    question = _question(params)
    wire = await request.search(question, net)
    try:
        found = await net.read(reader.read_search, wire, params)
    except ViewIgnored:
        request.Session.of(net).end(net)
        wire = await request.search(question, net)
        found = await net.read(reader.read_search, wire, params)
    return _with_session_told(found, net), wire


def why_no_rpc(params: MapsParams) -> str | None:
    return _question(params).fault


async def place_rpc(params: MapsPlaceParams, net: "Net") -> tuple[MapsPlace, Wire]:
    """The keyless look-up of a place, whose fid is found first where only its cid is given."""
    fid = params.fid or await request.fid_of(params.place_cid, params.gl, params.hl, net)
    wire = await request.place(fid, params.gl, params.hl, net)
    return _with_session_told(await net.read(reader.read_place, wire, params), net), wire


async def search_serper(params: MapsParams, net: "Net") -> Wire:
    return await serper_maps.search(params.q, params.ll, params.page, params.gl, params.hl, net)


async def place_serper(params: MapsPlaceParams, net: "Net") -> Wire:
    return await serper_maps.place(params.fid or params.place_cid, params.gl, params.hl, net)


async def search_places(params: MapsParams, net: "Net") -> tuple[Maps, Wire]:
    """Google's Places API, page after page up to the one asked for; beyond its last one there are no places."""
    wires = await google_places.search(params.q, params.ll, params.page, params.gl, params.hl, net)
    if len(wires) < params.page:
        return page_of((), places.facts, params, google_places.GOOGLE_PLACES, rows=0, has_more=False), wires[-1]
    return await net.read(places.read_search, wires[-1], params), wires[-1]


def why_no_places(params: MapsParams) -> str | None:
    if params.page > google_places.MAX_PAGES:
        return f"Google's Places API gives {google_places.MAX_PAGES} pages at most."
    if params.ll is not None and params.ll.diameter_m / 2 > google_places.MAX_RADIUS_M:
        return f"Google's Places API looks at most {google_places.MAX_RADIUS_M / 1000:.0f} km around a point."
    return None


def _question(params: MapsParams) -> request.Search:
    return request.Search(params.q, params.ll, params.page, params.gl, params.hl)


def _with_session_told(answer: A, net: "Net") -> A:
    if request.Session.of(net).stands(net):
        return answer
    return answer.model_copy(update={"warnings": [*answer.warnings, WITHOUT_SESSION]})
