"""Search for places on the map.

Upstreams: Serper and Google's Places API if their keys are set, otherwise Google Maps through its page's own RPC.
Response format: docs/upstreams/maps.md, docs/upstreams/maps-keyed.md. If nothing is found, the list is empty. Places
far from the requested view raise ProviderError, unless the query names their location.
"""

from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.maps.model.params import MapsParams
from webquarry.extractors.maps.model.render import render_search
from webquarry.extractors.maps.model.result import Maps
from webquarry.extractors.maps.sources.rpc import ask, reader
from webquarry.extractors.maps.sources.rpc.request import MAPS_RPC
from webquarry.extractors.maps.sources.untested import google_places, serper_maps

extractor = Extractor(
    name="maps",
    path="/maps",
    version=3,
    group="maps",
    title="Map search",
    description=(
        "Lists places for a query: address, coordinates, rating, category, website, phone, price level, opening "
        "hours and `cid`, which you can use to get more details. Each page has 20 places. Set `ll` to get results "
        "that don't depend on the location of this service, especially when you fetch several pages."
    ),
    params=MapsParams,
    result=Maps,
    credits=1,
    fresh=hours(12),
    sources=(
        Source(serper_maps.SERPER_MAPS, serper_maps.search, serper_maps.read_search),
        Source(
            google_places.GOOGLE_PLACES,
            None,
            google_places.read_search,
            ask=google_places.ask,
            skips=google_places.why_not,
        ),
        Source(MAPS_RPC, None, reader.read_search, ask=ask.search, skips=ask.why_no_search),
    ),
    render=render_search,
    example={"q": "coffee", "ll": "@39.8,-89.65,14z"},
)
