"""Places as markdown."""

from webquarry.extractors.maps.model.map_view import degrees
from webquarry.extractors.maps.model.result import (
    Attribute,
    BusyDay,
    DayHours,
    FoundPlace,
    Maps,
    MapsPlace,
    Place,
    PlaceDetail,
)
from webquarry.extractors.maps.sources.rpc.request import MAPS_RPC
from webquarry.extractors.maps.sources.untested.google_places import GOOGLE_PLACES
from webquarry.extractors.maps.sources.untested.maps_page import MAPS_PAGE
from webquarry.extractors.maps.sources.untested.serper_maps import SERPER_MAPS
from webquarry.render import Bold, Line, Link, Md, Piece

TITLES = {provider.name: provider.title for provider in (MAPS_RPC, MAPS_PAGE, SERPER_MAPS, GOOGLE_PLACES)}
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CLOSED = {"closed_temporarily": "Temporarily closed", "closed_permanently": "Permanently closed"}


def render_search(r: Maps) -> str:
    page = Md(f"{r.query}: places")
    page.facts({"View": r.ll, "Page": r.page if r.page > 1 else None})
    if not r.places:
        page.paragraph("No places were found.")
    begins_today = r.provider in (MAPS_RPC.name, MAPS_PAGE.name)
    entries = [_write_entry(place, place.opening_hours if begins_today else None) for place in r.places]
    page.numbered("Places", entries, start=r.places[0].position if r.places else 1)
    if r.has_more:
        page.paragraph(f"More places: page {r.page + 1}.")
    return page.bullets("Notes", r.warnings).source(TITLES[r.provider]).text()


def _write_entry(place: FoundPlace, days: list[DayHours] | None) -> list[Line]:
    """Return the markdown lines for one place of a search.

    days: the week's opening hours, if the first day is today.
    """
    return [
        (Bold(place.name), f"({place.type})" if place.type else None, _write_rating(place), place.price_level),
        place.address,
        _write_apart(place.phone, Link("website", place.website) if place.website else None, Link("map", place.url)),
        _state(place) or (f"{days[0].day}: {days[0].hours}" if days else None),
        f"cid: {place.cid}",
    ]


def render_place(r: MapsPlace) -> str:
    place = r.place
    counts = place.review_histogram or {}
    page = Md(place.name)
    page.facts(
        [
            ("Type", place.types),
            ("Rating", _write_rating(place)),
            ("Reviews by stars", [f"{stars}: {count:,}" for stars, count in sorted(counts.items(), reverse=True)]),
            ("Price", place.price_level),
            ("Address", place.address),
            ("Neighborhood", place.address_components.neighborhood if place.address_components else None),
            ("Phone", place.phone),
            ("Website", place.website),
            ("State", _state(place)),
            ("Claimed by its owner", place.claimed),
            ("Coordinates", _write_coordinates(place)),
            ("Plus code", place.plus_code),
            ("Time zone", place.timezone),
            ("Photos", place.photo_count),
            ("cid", place.cid),
            ("fid", place.fid),
            ("Place id", place.place_id),
        ]
    )
    _write_hours(page, place.opening_hours or [])
    _write_texts(page, place)
    if place.attributes:
        page.heading("Attributes")
        page.facts({section: _list_options(options) for section, options in place.attributes.items()})
    page.table(
        "Popular times",
        ("Day", "Busiest at", "Percent of the week's busiest hour"),
        map(_peak, place.popular_times or ()),
    )
    page.bullets("Links", _write_links(place))
    return page.bullets("Notes", r.warnings).source(TITLES[r.provider]).text()


def _write_hours(page: Md, days: list[DayHours]) -> None:
    """Write the opening hours: the source's text, and the times if they are known.

    Times are the same in all languages.
    """
    if any(day.spans for day in days):
        page.table(
            "Opening hours", ("Day", "Hours", "Times"), [(day.day, day.hours, _write_times(day)) for day in days]
        )
    else:
        page.table("Opening hours", ("Day", "Hours"), [(day.day, day.hours) for day in days])


def _write_times(day: DayHours) -> str | None:
    if day.is_closed:
        return "closed"
    return ", ".join("24 hours" if s.opens == s.closes else f"{s.opens}–{s.closes}" for s in day.spans or ()) or None


def _write_texts(page: Md, place: PlaceDetail) -> None:
    for heading, text in (("Description", place.description), ("From the owner", place.long_description)):
        if text:
            page.heading(heading).paragraph(text)


def _write_links(place: PlaceDetail) -> list[Line]:
    return [
        Link("Map", place.url),
        Link("Menu", place.menu_link) if place.menu_link else None,
        *(Link(f"Booking: {link.source or 'link'}", link.link) for link in place.booking_links),
        *(Link(f"Order: {link.source or 'link'}", link.link) for link in place.order_links),
    ]


def _write_rating(place: Place) -> str | None:
    if place.rating is None:
        return None
    if place.review_count is None:
        return str(place.rating)
    return f"{place.rating} ({place.review_count:,} review{'' if place.review_count == 1 else 's'})"


def _write_coordinates(place: Place) -> str | None:
    if place.latitude is None or place.longitude is None:
        return None
    return f"{degrees(place.latitude)}, {degrees(place.longitude)}"


def _state(place: Place) -> str | None:
    """Return whether the place is permanently or temporarily closed, otherwise whether it is open now."""
    return CLOSED.get(place.status or "") or place.open_state


def _list_options(options: list[Attribute]) -> list[str]:
    """Return the text of each option once.

    The text is the name, the name after `no: ` if the option is not available, or the name with its values.
    """
    names = {option.name for option in options if option.values}
    return [
        f"{option.name} ({', '.join(option.values)})"
        if option.values
        else f"{'' if option.enabled else 'no: '}{option.name}"
        for option in options
        if option.values or option.name not in names
    ]


def _peak(day: BusyDay) -> tuple[str, str, str]:
    peak = max(day.hours, key=lambda hour: hour.percent)
    return WEEKDAYS[day.weekday - 1], f"{peak.hour}:00", f"{peak.percent} %"


def _write_apart(*pieces: Piece) -> tuple[Piece, ...]:
    """Return the non-empty pieces, separated by bars."""
    there = [piece for piece in pieces if piece]
    return tuple(part for piece in there for part in ("|", piece))[1:]
