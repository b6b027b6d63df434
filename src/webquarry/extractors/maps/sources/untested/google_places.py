"""Google's Places API (New): text search, with the operator's key. Response format: docs/upstreams/maps-keyed.md.

The API has its own place IDs only, so it can't look up a place by cid or fid.
"""

from datetime import time
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import orjson

from webquarry.core.types import Provider, Wire
from webquarry.extractors.maps.model import values
from webquarry.extractors.maps.model.links import map_address, read_web_address
from webquarry.extractors.maps.model.map_ids import Cid
from webquarry.extractors.maps.model.opening import ALL_DAY, Day, Times, find_weekday, read_week
from webquarry.extractors.maps.model.page import make_page
from webquarry.extractors.maps.model.params import MapsParams
from webquarry.extractors.maps.model.result import DayHours, Maps, Place, Status
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import MAX_ANSWER_BYTES, answer_by_key
from webquarry.read import at, each, json_of, must, take, texts
from webquarry.read.fields import to_token
from webquarry.read.losses import read_rows
from webquarry_convert.text.escape import clean_line

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
"""The requested fields, which decide the price.

`editorialSummary` would raise the price of each request, and the result of a search does not use it.
"""
FIELD_MASK = ",".join(["nextPageToken", *(f"places.{name}" for name in _FIELDS)])
DAY_MINUTES: Final = 24 * 60
WEEK_MINUTES: Final = 7 * DAY_MINUTES
STATUSES: dict[str, Status] = {
    "OPERATIONAL": "open",
    "CLOSED_TEMPORARILY": "closed_temporarily",
    "CLOSED_PERMANENTLY": "closed_permanently",
}
PRICES = {
    "PRICE_LEVEL_FREE": "Free",
    "PRICE_LEVEL_INEXPENSIVE": "$",
    "PRICE_LEVEL_MODERATE": "$$",
    "PRICE_LEVEL_EXPENSIVE": "$$$",
    "PRICE_LEVEL_VERY_EXPENSIVE": "$$$$",
}


async def ask(params: MapsParams, net: Net) -> tuple[Maps, Wire]:
    """Request all pages up to the requested one. A page after the last page has no places."""
    wires = await fetch(params, net)
    if len(wires) < params.page:
        return make_page((), _identify, read_facts, params, GOOGLE_PLACES, has_more=False), wires[-1]
    return await net.read(read_search, wires[-1], params), wires[-1]


def why_not(params: MapsParams) -> str | None:
    """Return the reason why this source can't run the search, or None if it can."""
    if params.page > MAX_PAGES:
        return f"Google's Places API returns at most {MAX_PAGES} pages."
    if params.ll is not None and params.ll.diameter_m / 2 > MAX_RADIUS_M:
        return f"Google's Places API searches within at most {MAX_RADIUS_M / 1000:.0f} km of a point."
    return None


async def fetch(params: MapsParams, net: Net) -> list[Wire]:
    """Return the pages of places up to `params.page`, or fewer if there are no more.

    Each page is an object with `places`; an object without `places` has no results. It is requested with the token of
    the previous page.
    """
    view = params.ll
    question: dict[str, object] = {
        "textQuery": params.q,
        "languageCode": str(params.hl),
        "regionCode": params.gl.upper(),
        "pageSize": PAGE_SIZE,
    }
    if view is not None:
        middle = {"latitude": view.latitude, "longitude": view.longitude}
        question["locationBias"] = {"circle": {"center": middle, "radius": min(view.diameter_m / 2, MAX_RADIUS_M)}}
    wires = [await _ask(question, net)]
    while len(wires) < params.page and (token := await net.read(read_next_page, wires[-1])):
        wires.append(await _ask({**question, "pageToken": token}, net))
    return wires


def read_next_page(wire: Wire) -> str | None:
    """Return the token of the next page, or None on the last page. Raises the errors of `_list_rows`."""
    _list_rows(wire)
    return take(json_of(wire), "nextPageToken", to_token)


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
    return await answer_by_key(wire, GOOGLE_PLACES, net)


def read_search(wire: Wire, params: MapsParams) -> Maps:
    """Parse the places of a search.

    Raises the errors of `_list_rows`, and `ViewIgnored` for places far from the view.
    """
    rows = _list_rows(wire)
    has_more = read_next_page(wire) is not None and params.page < MAX_PAGES
    return make_page(rows, _identify, read_facts, params, GOOGLE_PLACES, has_more=has_more)


def _list_rows(wire: Wire) -> list[Any]:
    """Return the places of a search; an empty object is the API's form of an empty list.

    Raises ProviderError "changed" for any other response without places.
    """
    answer = must(json_of(wire), "", dict)
    return must(answer, "places", list) if answer else []


def _identify(row: Any) -> Cid | None:
    return read_cid(row) if _name(row) else None


def read_cid(row: Any) -> Cid | None:
    """Return the place's cid, which only occurs in the place's map URL."""
    try:
        query = parse_qs(urlsplit(at(row, "googleMapsUri", str) or "").query, max_num_fields=50)
        return Cid.parse(query.get("cid", [""])[0])
    except ValueError:
        return None


def read_facts(row: Any, cid: Cid) -> Place:
    """Return the values that every place has."""
    types = texts(row, "types[]")
    latitude, longitude = values.coordinates(at(row, "location.latitude", float), at(row, "location.longitude", float))
    return Place(
        name=_name(row) or "",
        cid=cid,
        fid=None,
        place_id=_read_text(row, "id"),
        kgmid=None,
        address=_read_text(row, "formattedAddress"),
        address_components=None,
        latitude=latitude,
        longitude=longitude,
        rating=values.rating(at(row, "rating", float)),
        review_count=values.count(at(row, "userRatingCount", int)),
        type=_read_text(row, "primaryTypeDisplayName.text") or next(iter(types), None),
        types=types,
        website=read_web_address(at(row, "websiteUri", str)),
        phone=_read_text(row, "internationalPhoneNumber") or _read_text(row, "nationalPhoneNumber"),
        price_level=PRICES.get(at(row, "priceLevel", str) or ""),
        opening_hours=_read_days(row),
        open_state=None,
        status=STATUSES.get(at(row, "businessStatus", str) or ""),
        booking_links=[],
        claimed=None,
        timezone=None,
        thumbnail=None,
        url=read_web_address(at(row, "googleMapsUri", str)) or map_address(cid),
    )


def _read_days(row: Any) -> list[DayHours] | None:
    """Return the days from lines such as `Monday: 9:00 AM – 5:00 PM`, with the periods that start on each day."""
    lines = texts(row, "regularOpeningHours.weekdayDescriptions[]")
    days = read_rows(lines, _read_day, "regularOpeningHours.weekdayDescriptions[]")
    periods = _read_periods(each(row, "regularOpeningHours.periods[]")) if days else None
    return read_week(
        [
            Day(day, hours, weekday, None if periods is None or weekday is None else periods[weekday])
            for day, weekday, hours in days
        ]
    )


def _read_day(line: str) -> tuple[str, int | None, str] | None:
    """Return a day's name, its ISO number and its hours."""
    day, _, hours = clean_line(line).partition(": ")
    return (day, find_weekday(day), hours) if day and hours else None


def _read_periods(rows: list[dict[str, Any]]) -> dict[int, list[Times]] | None:
    """Return the times by ISO weekday.

    Returns None if there are no periods, or if a period can't be parsed or is longer than a day. A place that never
    closes has one period, which starts on Sunday at 0:00 and has no end.
    """
    moments = [(_read_minute_of_week(row, "open"), _read_minute_of_week(row, "close")) for row in rows]
    if moments == [(0, None)] and rows[0].get("close") is None:
        return {weekday: [ALL_DAY] for weekday in range(1, 8)}
    times: dict[int, list[Times]] = {weekday: [] for weekday in range(1, 8)}
    for opens, closes in moments:
        if opens is None or closes is None or not 0 < (closes - opens) % WEEK_MINUTES <= DAY_MINUTES:
            return None
        times[opens // DAY_MINUTES or 7].append(Times(_time_of(opens), _time_of(closes)))
    return times if rows else None


def _read_minute_of_week(row: Any, end: str) -> int | None:
    """Return minutes since Sunday 0:00; a missing day, hour or minute is 0."""
    point = row.get(end)
    if not isinstance(point, dict):
        return None
    day, hour, minute = (0 if name not in point else at(point, name, int) for name in ("day", "hour", "minute"))
    if day is None or hour is None or minute is None:
        return None
    if day not in range(7) or hour not in range(25) or minute not in range(60):
        return None
    return ((day * 24 + hour) * 60 + minute) % WEEK_MINUTES


def _time_of(minute_of_week: int) -> time:
    return time(*divmod(minute_of_week % DAY_MINUTES, 60))


def _name(row: Any) -> str | None:
    return _read_text(row, "displayName.text")


def _read_text(row: Any, path: str) -> str | None:
    return clean_line(at(row, path, str) or "") or None
