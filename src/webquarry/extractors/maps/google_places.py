"""Google's Places API (New): text search, by the operator's key. Wire notes: docs/upstreams/maps-keyed.md.

It knows places by ids of its own only, so it cannot look one up by cid or fid.
"""

import orjson

from webquarry.extractors.maps.map_view import MapView
from webquarry.locale import Country, Language
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import MAX_ANSWER_BYTES, answer_by_key
from webquarry.read import json_of
from webquarry.types import Provider, Wire

GOOGLE_PLACES = Provider(
    name="google_places",
    title="Google's Places API",
    needs=("google_places_key",),
    unproven=True,
)
PAGE_SIZE = 20
MAX_PAGES = 3
MAX_RADIUS_M = 50_000.0
_URL = "https://places.googleapis.com/v1/places:searchText"
_FIELDS = (
    "id", "displayName", "formattedAddress", "location", "rating", "userRatingCount", "primaryTypeDisplayName", "types",
    "websiteUri", "internationalPhoneNumber", "nationalPhoneNumber", "priceLevel",
    "regularOpeningHours.weekdayDescriptions", "regularOpeningHours.periods", "businessStatus", "googleMapsUri",
)  # fmt: skip
"""What is paid for; `editorialSummary` would raise the price of each call and is no field of a search."""
FIELD_MASK = ",".join(["nextPageToken", *(f"places.{name}" for name in _FIELDS)])


async def search(
    query: str, view: MapView | None, page: int, country: Country, language: Language, net: Net
) -> list[Wire]:
    """The pages of places for a query up to `page`, as many as there are: objects with `places`, empty when there are
    none. Each is reached with the token that the one before gave."""
    question: dict[str, object] = {
        "textQuery": query,
        "languageCode": str(language),
        "regionCode": country.upper(),
        "pageSize": PAGE_SIZE,
    }
    if view is not None:
        middle = {"latitude": view.latitude, "longitude": view.longitude}
        question["locationBias"] = {"circle": {"center": middle, "radius": min(view.diameter_m / 2, MAX_RADIUS_M)}}
    wires = [await _ask(question, net)]
    while len(wires) < page and (token := next_page(wires[-1])):
        wires.append(await _ask({**question, "pageToken": token}, net))
    return wires


def next_page(wire: Wire) -> str | None:
    """The token of the page after this one; None on the last."""
    answer = json_of(wire)
    token = answer.get("nextPageToken") if isinstance(answer, dict) else None
    return token if isinstance(token, str) and token else None


async def _ask(question: dict[str, object], net: Net) -> Wire:
    wire = await net.post(
        _URL,
        body=orjson.dumps(question),
        content_type="application/json",
        accept="application/json",
        headers={"X-Goog-Api-Key": net.setting("google_places_key"), "X-Goog-FieldMask": FIELD_MASK},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    return answer_by_key(wire, GOOGLE_PLACES)
