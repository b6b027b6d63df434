"""One place on the map, named by its `cid` or its `fid`.

Upstreams: Serper if its key is set, Google Maps in a browser if the operator has enabled it, otherwise Google Maps
through its page's own RPC. Response format: docs/upstreams/maps.md, docs/upstreams/maps-keyed.md. An unknown place
raises Absent; a response about another place raises ProviderError.
"""

from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.maps.model.params import MapsPlaceParams
from webquarry.extractors.maps.model.render import render_place
from webquarry.extractors.maps.model.result import MapsPlace
from webquarry.extractors.maps.sources.rpc import ask, reader
from webquarry.extractors.maps.sources.rpc.request import MAPS_RPC
from webquarry.extractors.maps.sources.untested import maps_page, serper_maps

extractor = Extractor(
    name="maps_place",
    path="/maps/place",
    version=3,
    group="maps",
    title="Map place",
    description=(
        "Returns the details of a place: the fields of a search result, plus its description, reviews by stars, "
        "attributes, popular times, links for menu, booking and ordering, and whether the owner has claimed the "
        "listing. Set exactly one of `cid` and `fid`, which you get from a search."
    ),
    params=MapsPlaceParams,
    identity=lambda params: {"cid": params.place_cid, "gl": params.gl, "hl": params.hl},
    result=MapsPlace,
    credits=1,
    fresh=hours(12),
    sources=(
        Source(serper_maps.SERPER_MAPS, serper_maps.place, serper_maps.read_place),
        Source(maps_page.MAPS_PAGE, maps_page.fetch, maps_page.read),
        Source(MAPS_RPC, None, reader.read_place, ask=ask.place),
    ),
    render=render_place,
    ends={
        "not_found": "No place has this ID.",
    },
    example={"cid": "4503599627370497"},
)
