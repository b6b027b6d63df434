"""Results for places, the same for every source."""

from typing import Literal

from webquarry.endpoints.declare import Result, field
from webquarry.extractors.maps.sources.rpc import paths

Status = Literal["open", "closed_temporarily", "closed_permanently"]
Stars = Literal["1", "2", "3", "4", "5"]


class AddressComponents(Result):
    street: str | None = field("Street and number.", wire=paths.STREET.shown)
    neighborhood: str | None = field("Neighborhood or district.", wire=paths.NEIGHBORHOOD.shown)
    city: str | None = field("City or village.", wire=paths.CITY.shown)
    state: str | None = field("State, province or region.", wire=paths.STATE.shown)
    postal_code: str | None = field("Postal code.", wire=paths.POSTAL_CODE.shown)
    country_code: str | None = field("Two-letter ISO 3166-1 code.", wire=paths.COUNTRY_CODE.shown)


class OpeningSpan(Result):
    opens: str = field("Opening time, `HH:MM` in 24-hour local time.")
    closes: str = field(
        "Closing time, `HH:MM` in 24-hour local time. If it is not after `opens`, it is on the next day."
    )


class DayHours(Result):
    day: str = field("Name of the day in the requested language.")
    hours: str = field("Opening hours on that day as shown by the provider, separated by commas.")
    weekday: int | None = field("ISO weekday: 1 is Monday, 7 is Sunday; null if only the name is known.")
    spans: list[OpeningSpan] | None = field("Opening hours as times; [] if closed, null if unclear.")
    is_closed: bool | None = field("Whether the place is closed all day; null if unknown.")
    is_24h: bool | None = field("Whether the place is open 24 hours; null if unknown.")


class SourcedLink(Result):
    source: str | None = field("Provider of the link, such as the host of a booking service.")
    link: str = field("Target URL of the link.")


class Attribute(Result):
    name: str = field("Name of the attribute in the requested language.")
    enabled: bool | None = field("Whether the attribute applies; null if it isn't a yes-or-no attribute.")
    values: list[str] = field("Value of an attribute that isn't yes or no, such as the accepted cards.")


class HourOfDay(Result):
    hour: int = field("Hour, 0 to 23.")
    percent: int = field("Usual busyness, relative to the busiest hour of the week.", unit="%")


class BusyDay(Result):
    weekday: int = field("ISO weekday: 1 is Monday, 7 is Sunday.")
    hours: list[HourOfDay] = field("Hours of the day, in order.")


class Place(Result):
    name: str = field("Name of the venue.", wire=paths.NAME.shown)
    cid: str = field("Place number (`cid`), an unsigned 64-bit integer as a string.", wire=paths.FID.shown)
    fid: str | None = field("ID in the form 0x<hex>:0x<hex>. The second half is the `cid`.", wire=paths.FID.shown)
    place_id: str | None = field("Google place ID (ChIJ…).", wire=paths.PLACE_ID.shown)
    kgmid: str | None = field("Knowledge graph ID (/g/…).", wire=paths.KGMID.shown)
    address: str | None = field("Address without the name.", wire=paths.ADDRESS.shown)
    address_components: AddressComponents | None = field("Address components.", wire=paths.COMPONENTS.shown)
    latitude: float | None = field("Latitude in degrees (WGS 84).", wire=paths.LATITUDE.shown)
    longitude: float | None = field("Longitude in degrees (WGS 84).", wire=paths.LONGITUDE.shown)
    rating: float | None = field("Average rating, 1 to 5.", wire=paths.RATING.shown)
    review_count: int | None = field("Number of reviews.", wire=paths.REVIEW_COUNT.shown)
    type: str | None = field("Main category in the requested language.", wire=paths.TYPES.shown)
    types: list[str] = field("All categories.", wire=paths.TYPES.shown)
    website: str | None = field("URL of the place's website.", wire=paths.WEBSITE.shown)
    phone: str | None = field("Phone number, in international form if known.", wire=paths.PHONES.shown)
    price_level: str | None = field(
        "Price level: currency signs (`$` to `$$$$`) or a price range.", wire=paths.PRICE.shown
    )
    opening_hours: list[DayHours] | None = field(
        "Opening hours by day, in the provider's order, which may start with the current day; null if unknown.",
        wire=paths.DAYS.shown,
    )
    open_state: str | None = field(
        "Opening status at fetch time, as shown by the provider (`Open ⋅ Closes 8 PM`).", wire=paths.OPEN_STATE.shown
    )
    status: Status | None = field(
        "Whether the business is still operating; null if unknown.", wire=paths.CLOSED_MARK.shown
    )
    booking_links: list[SourcedLink] = field("Booking links.", wire=paths.BOOKINGS.shown)
    claimed: bool | None = field(
        "Whether the owner has claimed the listing; null if unknown.",
        wire=f"{paths.OWNER_ID.shown}; {paths.CLAIM_LINK.shown}",
    )
    timezone: str | None = field("Time zone name (IANA).", wire=paths.TIMEZONE.shown)
    thumbnail: str | None = field("URL of an image.", wire=paths.THUMBNAIL.shown)
    url: str = field("URL of the place on the map.", wire=paths.CANONICAL_URL.shown)


class FoundPlace(Place):
    position: int = field("Position in the results, starting at 1 and counted over all pages.")


class PlaceDetail(Place):
    description: str | None = field("Editorial summary.", wire=paths.EDITORIAL.shown)
    long_description: str | None = field(
        "Description by the owner. Google Maps shows it only in a browser, so it is null without the setting "
        "`maps_browser`.",
        wire=paths.OWNER_TEXT.shown,
    )
    review_histogram: dict[Stars, int] | None = field("Number of reviews by stars.", wire=paths.HISTOGRAM.shown)
    attributes: dict[str, list[Attribute]] | None = field(
        "Attributes of the place, by section.", wire=paths.SECTIONS.shown
    )
    plus_code: str | None = field("Plus code of the location.", wire=paths.PLUS_CODE.shown)
    menu_link: str | None = field("URL of the menu.", wire=paths.MENU_LINK.shown)
    order_links: list[SourcedLink] = field("Links for ordering food.", wire=paths.ORDERS.shown)
    photo_count: int | None = field("Number of photos.", wire=paths.PHOTO_COUNT.shown)
    popular_times: list[BusyDay] | None = field("Usual busyness by hour.", wire=paths.BUSY_DAYS.shown)


class Maps(Result):
    query: str = field("The query.")
    gl: str = field("Country of the search.")
    hl: str = field("Language of the response.")
    ll: str | None = field("Requested map view, `@lat,lng,zoom`.")
    page: int = field("Number of this page, from 1.")
    provider: str = field("Name of the provider.")
    places: list[FoundPlace] = field("Places found, at most 20; empty if none.")
    has_more: bool = field("Whether another page can be requested and is likely to have results.")
    warnings: list[str] = field("Parts of the request that could not be fulfilled.")


class MapsPlace(Result):
    place: PlaceDetail = field("The place.")
    provider: str = field("Name of the provider.")
    warnings: list[str] = field("Parts of the request that could not be fulfilled.")
