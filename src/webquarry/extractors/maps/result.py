"""What is told about places, whoever was asked."""

from typing import Literal

from webquarry.endpoints.declare import Result, field
from webquarry.extractors.maps.rpc import paths

Status = Literal["open", "closed_temporarily", "closed_permanently"]
Stars = Literal["1", "2", "3", "4", "5"]


class AddressComponents(Result):
    street: str | None = field("Street and number.", wire=paths.STREET.shown)
    neighborhood: str | None = field("Part of the city.", wire=paths.NEIGHBORHOOD.shown)
    city: str | None = field("City or village.", wire=paths.CITY.shown)
    state: str | None = field("State, province or region.", wire=paths.STATE.shown)
    postal_code: str | None = field("Postal code.", wire=paths.POSTAL_CODE.shown)
    country_code: str | None = field("ISO 3166-1 code of two letters.", wire=paths.COUNTRY_CODE.shown)


class OpeningSpan(Result):
    opens: str = field("When it opens, `HH:MM` of 24 hours, local time.")
    closes: str = field("When it closes, likewise; at or before `opens` it is that time of the next day.")


class DayHours(Result):
    day: str = field("Name of the day, in the language asked for.")
    hours: str = field("When it is open on that day, as the source writes it; several times are set apart by commas.")
    weekday: int | None = field("ISO number of the day: 1 is Monday, 7 is Sunday; null where only its name is told.")
    spans: list[OpeningSpan] | None = field("The same as times; [] when closed, null where the words leave it open.")
    is_closed: bool | None = field("Whether it is closed all day; null when not known.")
    is_24h: bool | None = field("Whether it is open around the clock, 00:00 to 00:00; null when not known.")


class SourcedLink(Result):
    source: str | None = field("Who is behind the link, such as the host of a booking service.")
    link: str = field("Web address.")


class Attribute(Result):
    name: str = field("What it is about, in the language asked for.")
    enabled: bool | None = field("Whether it is so; null where the answer is not yes or no.")
    values: list[str] = field("What is said instead of yes or no, such as the cards that are taken.")


class HourOfDay(Result):
    hour: int = field("From 0 to 23.")
    percent: int = field("How busy it usually is, of the busiest hour of the week.", unit="%")


class BusyDay(Result):
    weekday: int = field("ISO number of the day: 1 is Monday, 7 is Sunday.")
    hours: list[HourOfDay] = field("Hours in their order.")


class Place(Result):
    name: str = field("Name of the place.", wire=paths.NAME.shown)
    cid: str = field("Number of the place, unsigned 64-bit, as text.", wire=paths.FID.shown)
    fid: str | None = field("Id of the form 0x<hex>:0x<hex>; its second half is the cid.", wire=paths.FID.shown)
    place_id: str | None = field("Id that other services take (ChIJ…).", wire=paths.PLACE_ID.shown)
    kgmid: str | None = field("Id in the knowledge graph (/g/…).", wire=paths.KGMID.shown)
    address: str | None = field("Address without the name.", wire=paths.ADDRESS.shown)
    address_components: AddressComponents | None = field("Parts of the address.", wire=paths.COMPONENTS.shown)
    latitude: float | None = field("Degrees north.", wire=paths.LATITUDE.shown)
    longitude: float | None = field("Degrees east.", wire=paths.LONGITUDE.shown)
    rating: float | None = field("Mean of the reviews, from 1 to 5.", wire=paths.RATING.shown)
    review_count: int | None = field("Number of reviews.", wire=paths.REVIEW_COUNT.shown)
    type: str | None = field("What kind of place it is, in the language asked for.", wire=paths.TYPES.shown)
    types: list[str] = field("All its kinds.", wire=paths.TYPES.shown)
    website: str | None = field("Its own site.", wire=paths.WEBSITE.shown)
    phone: str | None = field("Number in its international form where that is known.", wire=paths.PHONES.shown)
    price_level: str | None = field("Signs of currency (`$` to `$$$$`) or a range of prices.", wire=paths.PRICE.shown)
    opening_hours: list[DayHours] | None = field(
        "Hours by day, in the source's order, which may begin with the day of the fetch; null when unknown.",
        wire=paths.DAYS.shown,
    )
    open_state: str | None = field(
        "Whether it is open at the fetch, as the source words it (`Open ⋅ Closes 8 PM`).", wire=paths.OPEN_STATE.shown
    )
    status: Status | None = field(
        "Whether the business goes on at all; null when nothing tells.", wire=paths.CLOSED_MARK.shown
    )
    booking_links: list[SourcedLink] = field("Where a visit is booked.", wire=paths.BOOKINGS.shown)
    claimed: bool | None = field(
        "Whether the owner has claimed the listing; null when neither an owner nor the offer to claim it is named.",
        wire=f"{paths.OWNER_ID.shown}; {paths.CLAIM_LINK.shown}",
    )
    timezone: str | None = field("Name in the time zone database.", wire=paths.TIMEZONE.shown)
    thumbnail: str | None = field("Address of a picture.", wire=paths.THUMBNAIL.shown)
    url: str = field("Address of the place on the map.", wire=paths.CANONICAL_URL.shown)


class FoundPlace(Place):
    position: int = field("Place in the list, from 1 over all pages.")


class PlaceDetail(Place):
    description: str | None = field("What the map's editors say.", wire=paths.EDITORIAL.shown)
    long_description: str | None = field(
        "What the owner says of the place. Google Maps gives it to browsers only: null without `maps_browser`.",
        wire=paths.OWNER_TEXT.shown,
    )
    review_histogram: dict[Stars, int] | None = field("Number of reviews by stars.", wire=paths.HISTOGRAM.shown)
    attributes: dict[str, list[Attribute]] | None = field(
        "What the place has and offers, by section.", wire=paths.SECTIONS.shown
    )
    plus_code: str | None = field("Short code of the position.", wire=paths.PLUS_CODE.shown)
    menu_link: str | None = field("Address of its menu.", wire=paths.MENU_LINK.shown)
    order_links: list[SourcedLink] = field("Where food is ordered.", wire=paths.ORDERS.shown)
    photo_count: int | None = field("Number of photos.", wire=paths.PHOTO_COUNT.shown)
    popular_times: list[BusyDay] | None = field("How busy it usually is, by hour.", wire=paths.BUSY_DAYS.shown)


class Maps(Result):
    query: str = field("What was asked for.")
    gl: str = field("Country of the search.")
    hl: str = field("Language of the answer.")
    ll: str | None = field("View that was asked for, `@lat,lng,zoom`.")
    page: int = field("Number of this page, from 1.")
    provider: str = field("Name of the source that answered.")
    places: list[FoundPlace] = field("At most 20; empty when nothing is found.")
    has_more: bool = field("Whether a further page can be asked for and is likely to hold places.")
    warnings: list[str] = field("What this answer could not do as asked.")


class MapsPlace(Result):
    place: PlaceDetail = field("The place.")
    provider: str = field("Name of the source that answered.")
    warnings: list[str] = field("What this answer could not do as asked.")
