"""Search for places on the map.

Upstreams: Serper and Google's Places API where their keys are set, else Google Maps by the call of its own page. Wire
notes: docs/upstreams/maps.md, docs/upstreams/maps-keyed.md. Nothing found → an empty list; places far from the view
that was asked for → ProviderError, unless the query names their place.
"""

from webquarry.declare import Extractor, Source, hours
from webquarry.extractors.maps.asking import search_places, search_rpc, search_serper, why_no_places, why_no_rpc
from webquarry.extractors.maps.google_places import GOOGLE_PLACES
from webquarry.extractors.maps.params import MapsParams
from webquarry.extractors.maps.readers import places, serper
from webquarry.extractors.maps.render import render_search
from webquarry.extractors.maps.result import Maps
from webquarry.extractors.maps.rpc import reader
from webquarry.extractors.maps.rpc.request import MAPS_RPC
from webquarry.extractors.maps.serper_maps import SERPER_MAPS

extractor = Extractor(
    name="maps",
    path="/maps",
    version=2,
    group="maps",
    title="Places on the map",
    description=(
        "Places for a query, 20 on a page: address, coordinates, rating, kind, site, phone, price level, opening hours "
        "and `cid`, by which `maps_place` tells more. Give `ll` for answers that do not depend on where this service "
        "stands, above all when asking for several pages."
    ),
    params=MapsParams,
    result=Maps,
    credits=1,
    fresh=hours(12),
    sources=(
        Source(SERPER_MAPS, search_serper, serper.read_search, reads_params=True),
        Source(GOOGLE_PLACES, None, places.read_search, reads_params=True, ask=search_places, skips=why_no_places),
        Source(MAPS_RPC, None, reader.read_search, reads_params=True, ask=search_rpc, skips=why_no_rpc),
    ),
    render=render_search,
    example={"q": "coffee", "ll": "@39.8,-89.65,14z"},
)
