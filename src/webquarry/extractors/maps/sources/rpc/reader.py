"""Parsing of the responses to the map page's own RPCs. `paths` lists the positions of all values.

Response format: docs/upstreams/maps.md.
"""

from datetime import date, time
from typing import Any, get_args

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Wire
from webquarry.extractors.maps.model import values
from webquarry.extractors.maps.model.links import map_address, read_web_address
from webquarry.extractors.maps.model.map_ids import Cid, Fid
from webquarry.extractors.maps.model.opening import Day, Times, read_week
from webquarry.extractors.maps.model.page import make_page
from webquarry.extractors.maps.model.params import PAGE_SIZE, MapsParams, MapsPlaceParams
from webquarry.extractors.maps.model.result import (
    AddressComponents,
    Attribute,
    BusyDay,
    DayHours,
    HourOfDay,
    Maps,
    MapsPlace,
    Place,
    PlaceDetail,
    SourcedLink,
    Stars,
    Status,
)
from webquarry.extractors.maps.sources.rpc import paths
from webquarry.extractors.maps.sources.rpc.request import MAPS_RPC, read_array
from webquarry.read.facts import Fact, Rows
from webquarry.read.losses import lose, read_rows

INTERNATIONAL = 2
"""Code of the international form of a phone number."""
YES_OR_NO, ONE_TEXT, SOME_TEXTS = 1, 2, 3
"""Kinds of attribute options."""
YES_AND_NO: dict[int | None, bool] = {1: True, 0: False}
OPEN_AND_CLOSED: dict[int | None, bool] = {1: True, 2: False}
"""Whether a place is open on a day, by the day's code in the response."""
LAYOUTS = (
    (paths.FOUND, paths.PLACE_FOUND),
    (paths.FOUND_OTHERWISE, paths.PLACE_FOUND_OTHERWISE),
)
"""Paths to the rows of a search and to the place in a row, for each layout."""
MAX_ROWS = 200
"""Maximum number of rows read from a search, ten times the usual number."""
CLAIM_PAGE = "https://business.google.com/create"
CLOSED: dict[str, Status] = {
    "CLOSED": "closed_permanently",
    "CLOSED_PERMANENTLY": "closed_permanently",
    "CLOSED_TEMPORARILY": "closed_temporarily",
}


def read_search(wire: Wire, params: MapsParams) -> Maps:
    """Parse the places of a search.

    Raises ProviderError: "blocked" for a block page; "changed" if no place can be parsed and the response is not an
    empty result; "changed" (`ViewIgnored`) if the places are far from the view.
    """
    answer = read_array(wire)
    arrays = _found(answer)
    if not arrays and not _is_empty(answer, params.q):
        raise ProviderError("Google Maps sent a response without readable places.", reason="changed")
    return make_page(arrays, _identify, read_facts, params, MAPS_RPC, has_more=len(arrays) >= PAGE_SIZE)


def read_place(wire: Wire, params: MapsPlaceParams) -> MapsPlace:
    """Parse the requested place.

    Raises Absent for a valid response without a place. Raises ProviderError: "blocked" for a block page, "changed" for
    another place, for a place without a name or an ID, and for a response without data.
    """
    answer = read_array(wire)
    array = paths.THE_PLACE.of(answer)
    if array is None and all(value is None for value in answer):
        raise ProviderError("Google Maps sent an empty response.", reason="changed")
    if array is None:
        raise Absent(f"Google Maps has no place with the cid {params.place_cid}.")
    cid = _identify(array)
    if cid is None:
        raise ProviderError("Google Maps sent a place without a name or an ID.", reason="changed")
    if cid != params.place_cid:
        raise ProviderError("Google Maps returned a different place than requested.", reason="changed")
    return MapsPlace(place=read_detail(array, cid), provider=MAPS_RPC.name, warnings=[])


def read_fid(array: list[Any]) -> Fid | None:
    try:
        return Fid.parse(paths.FID.of(array) or "")
    except ValueError:
        return None


def read_facts(array: list[Any], cid: Cid) -> Place:
    """Return the values that every place has."""
    latitude, longitude = values.coordinates(paths.LATITUDE.of(array), paths.LONGITUDE.of(array))
    types = paths.TYPES.of(array) or []
    days = _read_days(array)
    open_state = paths.OPEN_STATE.of(array)
    return Place(
        name=paths.NAME.of(array) or "",
        cid=cid,
        fid=read_fid(array),
        place_id=paths.PLACE_ID.of(array),
        kgmid=paths.KGMID.of(array),
        address=_read_address(array),
        address_components=_read_components(array),
        latitude=latitude,
        longitude=longitude,
        rating=values.rating(paths.RATING.of(array)),
        review_count=values.count(paths.REVIEW_COUNT.of(array)),
        type=next(iter(types), None),
        types=types,
        website=read_web_address(paths.WEBSITE.of(array)),
        phone=_read_phone(array),
        price_level=paths.PRICE.of(array),
        opening_hours=days,
        open_state=open_state,
        status=_read_status(array, is_kept_open=bool(days or open_state)),
        booking_links=_links(paths.BOOKINGS, paths.BOOKING_SOURCE, paths.BOOKING_LINK, array),
        claimed=_is_claimed(array),
        timezone=paths.TIMEZONE.of(array),
        thumbnail=read_web_address(paths.THUMBNAIL.of(array)),
        url=read_web_address(paths.CANONICAL_URL.of(array)) or map_address(cid),
    )


def read_detail(array: list[Any], cid: Cid) -> PlaceDetail:
    """Return a single place with its details, which include values that places in a search lack."""
    return PlaceDetail(
        **dict(read_facts(array, cid)),
        description=paths.EDITORIAL.of(array),
        long_description=paths.OWNER_TEXT.of(array),
        review_histogram=_read_histogram(array),
        attributes=_read_attributes(array),
        plus_code=paths.PLUS_CODE.of(array),
        menu_link=read_web_address(paths.MENU_LINK.of(array)),
        order_links=_links(paths.ORDERS, paths.ORDER_SOURCE, paths.ORDER_LINK, array),
        photo_count=values.count(paths.PHOTO_COUNT.of(array)),
        popular_times=_read_popular_times(array),
    )


def _found(answer: list[Any]) -> list[list[Any]]:
    """Return the places' arrays, from the first of the two layouts in which at least one row is a place.

    Rows without a place are counted, except for the first row, which describes the list.
    """
    arrays: list[list[Any]] = []
    for found, place in LAYOUTS:
        rows = (found.of(answer) or [])[:MAX_ROWS]
        found_arrays = [place.of(row) for row in rows]
        arrays = [array for array in found_arrays if array] or arrays
        if any(map(_identify, arrays)):
            lose(found.shown, sum(not array for array in found_arrays[1:]))
            break
    return arrays


def _identify(array: list[Any]) -> Cid | None:
    """Return the ID of a place that has a name, otherwise None."""
    fid = read_fid(array) if paths.NAME.of(array) else None
    return fid.cid if fid else None


def _is_empty(answer: list[Any], query: str) -> bool:
    """Return whether the response is an empty result.

    An empty result repeats the query and has at most one row, which describes the list.
    """
    repeated = paths.QUERY.of(answer)
    if repeated is None or repeated.casefold() != " ".join(query.split()).casefold():
        return False
    return len(paths.FOUND.of(answer) or ()) <= 1 and not paths.FOUND_OTHERWISE.of(answer)


def _read_address(array: list[Any]) -> str | None:
    lines = paths.ADDRESS_LINES.of(array) or []
    return paths.ADDRESS.of(array) or ", ".join(lines) or paths.ADDRESS_WITH_NAME.of(array)


def _read_components(array: list[Any]) -> AddressComponents | None:
    parts = paths.COMPONENTS.of(array)
    components = AddressComponents(
        street=paths.STREET.of(parts),
        neighborhood=paths.NEIGHBORHOOD.of(parts),
        city=paths.CITY.of(parts),
        state=paths.STATE.of(parts),
        postal_code=paths.POSTAL_CODE.of(parts),
        country_code=paths.COUNTRY_CODE.of(parts),
    )
    return components if any(components.model_dump().values()) else None


def _read_phone(array: list[Any]) -> str | None:
    forms = {paths.PHONE_FORM.of(row): paths.PHONE_TEXT.of(row) for row in paths.PHONES.of(array) or ()}
    return forms.get(INTERNATIONAL) or paths.PHONE.of(array)


def _read_days(array: list[Any]) -> list[DayHours] | None:
    newer, older = paths.DAYS, paths.OLDER_DAYS
    days = read_rows(newer.of(array) or (), _read_newer_day, newer.shown)
    return read_week(days or read_rows(older.of(array) or (), _read_older_day, older.shown))


def _read_newer_day(row: list[Any]) -> Day | None:
    name, hours = paths.DAY.of(row), paths.DAY_HOURS.of(row)
    if not name or not hours:
        return None
    number, is_open = paths.DAY_NUMBER.of(row), OPEN_AND_CLOSED.get(paths.DAY_STATE.of(row))
    spans = [] if is_open is False else paths.DAY_SPANS.of(row) or []
    times = [(paths.OPENS.of(span), paths.CLOSES.of(span)) for span in spans]
    return Day(name, ", ".join(hours), number if number in range(1, 8) else None, _read_times(times), is_open)


def _read_older_day(row: list[Any]) -> Day | None:
    name, hours = paths.DAY.of(row), paths.OLDER_DAY_HOURS.of(row)
    if not name or not hours:
        return None
    is_open = OPEN_AND_CLOSED.get(paths.OLDER_DAY_STATE.of(row))
    spans = [] if is_open is False else paths.OLDER_DAY_SPANS.of(row) or []
    times = [
        (
            _clock(paths.OLDER_OPENS_HOUR.of(span), paths.OLDER_OPENS_MINUTE.of(span)),
            _clock(paths.OLDER_CLOSES_HOUR.of(span), paths.OLDER_CLOSES_MINUTE.of(span)),
        )
        for span in spans
    ]
    return Day(name, ", ".join(hours), _read_weekday(paths.OLDER_DAY_DATE.of(row)), _read_times(times), is_open)


def _read_times(spans: list[tuple[time | None, time | None]]) -> list[Times] | None:
    """Return all times, or None if any of them can't be parsed, because the whole day is then unknown."""
    times = [Times(opens, closes) for opens, closes in spans if opens is not None and closes is not None]
    return times if times and len(times) == len(spans) else None


def _clock(hour: int | None, minute: int | None) -> time | None:
    return None if hour is None or minute is None else values.clock(hour, minute)


def _read_weekday(day: str | None) -> int | None:
    try:
        return date.fromisoformat(day or "").isoweekday()
    except ValueError:
        return None


def _read_status(array: list[Any], *, is_kept_open: bool) -> Status | None:
    return CLOSED.get(paths.CLOSED_MARK.of(array) or "", "open" if is_kept_open else None)


def _is_claimed(array: list[Any]) -> bool | None:
    if paths.OWNER_ID.of(array):
        return True
    return False if (paths.CLAIM_LINK.of(array) or "").startswith(CLAIM_PAGE) else None


def _links(rows: Rows, source: Fact[str], link: Fact[str], array: list[Any]) -> list[SourcedLink]:
    found = ((source.of(row), read_web_address(link.of(row))) for row in rows.of(array) or ())
    links = read_rows(found, lambda pair: (pair[0], pair[1]) if pair[1] else None, rows.shown)
    return [SourcedLink(source=name, link=address) for name, address in dict.fromkeys(links)]


def _read_histogram(array: list[Any]) -> dict[str, int] | None:
    counts = paths.HISTOGRAM.of(array) or []
    stars = get_args(Stars)
    if len(counts) != len(stars) or not all(type(count) is int and count >= 0 for count in counts):
        return None
    return dict(zip(stars, counts, strict=True))


def _read_attributes(array: list[Any]) -> dict[str, list[Attribute]] | None:
    sections: dict[str, list[Attribute]] = {}
    for name, options in read_rows(paths.SECTIONS.of(array) or (), _read_section, paths.SECTIONS.shown):
        sections.setdefault(name, []).extend(options)
    return sections or None


def _read_section(section: list[Any]) -> tuple[str, list[Attribute]] | None:
    """Return the name of a section and its attributes, or None if either is missing."""
    name = paths.SECTION_NAME.of(section)
    options = read_rows(paths.OPTIONS.of(section) or (), _read_attribute, paths.OPTIONS.shown)
    return (name, options) if name and options else None


def _read_attribute(option: list[Any]) -> Attribute | None:
    name, kind = paths.OPTION_NAME.of(option), paths.OPTION_KIND.of(option)
    if name is None:
        return None
    enabled, values = None, list[str]()
    if kind == YES_OR_NO:
        enabled = YES_AND_NO.get(paths.OPTION_ON.of(option))
    elif kind == ONE_TEXT:
        values = list(filter(None, (paths.OPTION_TEXT.of(option),)))
    elif kind == SOME_TEXTS:
        values = paths.OPTION_TEXTS.of(option) or []
    return None if enabled is None and not values else Attribute(name=name, enabled=enabled, values=values)


def _read_popular_times(array: list[Any]) -> list[BusyDay] | None:
    days = read_rows(paths.BUSY_DAYS.of(array) or (), _read_busy_day, paths.BUSY_DAYS.shown)
    return [day for day in days if day.hours] or None  # days on which the place is closed have no hours


def _read_busy_day(row: list[Any]) -> BusyDay | None:
    weekday = paths.WEEKDAY.of(row)
    hours = read_rows(paths.BUSY_HOURS.of(row) or (), _read_busy_hour, paths.BUSY_HOURS.shown)
    return BusyDay(weekday=weekday, hours=hours) if weekday in range(1, 8) else None


def _read_busy_hour(row: list[Any]) -> HourOfDay | None:
    hour, percent = paths.HOUR.of(row), paths.PERCENT.of(row)
    return HourOfDay(hour=hour, percent=percent) if hour in range(24) and percent in range(101) else None
