"""Map requests that may need several requests to Google Maps."""

from typing import TypeVar

from webquarry.core.types import Wire
from webquarry.extractors.maps.model.nearness import ViewIgnored
from webquarry.extractors.maps.model.params import MapsParams, MapsPlaceParams
from webquarry.extractors.maps.model.result import Maps, MapsPlace
from webquarry.extractors.maps.sources.rpc import reader, request
from webquarry.net import Net

A = TypeVar("A", Maps, MapsPlace)
WITHOUT_SESSION = "Google Maps gave no session, so review counts, prices, attributes and popular times may be missing."


async def search(params: MapsParams, net: Net) -> tuple[Maps, Wire]:
    """Return the places for a query. If the source ignores the view, repeat the request once in a new session."""
    question = _question(params)
    wire = await request.search(question, net)
    try:
        found = await net.read(reader.read_search, wire, params)
    except ViewIgnored:
        request.end_session(net)
        wire = await request.search(question, net)
        found = await net.read(reader.read_search, wire, params)
    return _note_missing_session(found, net), wire


def why_no_search(params: MapsParams) -> str | None:
    """Return the reason why this source can't run the search, or None if it can run it."""
    return _question(params).fault


async def place(params: MapsPlaceParams, net: Net) -> tuple[MapsPlace, Wire]:
    """Return one place. If only its cid is given, its fid is looked up first."""
    fid = params.fid or await request.find_fid(params.place_cid, params.gl, params.hl, net)
    wire = await request.place(fid, params.gl, params.hl, net)
    return _note_missing_session(await net.read(reader.read_place, wire, params), net), wire


def _question(params: MapsParams) -> request.Search:
    return request.Search(params.q, params.ll, params.page, params.gl, params.hl)


def _note_missing_session(answer: A, net: Net) -> A:
    if request.has_session(net):
        return answer
    return answer.model_copy(update={"warnings": [*answer.warnings, WITHOUT_SESSION]})
