"""The ads of a social network page, in the shape that every source returns."""

from typing import Final, Literal

from webquarry.endpoints.declare import Params, Result, exactly_one, field, param
from webquarry.providers.socialnet import HOST_URL, PageAddress, PageId, PageSlug, id_in
from webquarry.read import JsonObject

PAGE_SIZE: Final = 30
SourceName = Literal["library_page", "official_api"]
COVERAGE: Final[dict[SourceName, str]] = {
    "library_page": "All ads of the page that are active now, in all countries.",
    "official_api": (
        "Active ads that reached the European Union or the United Kingdom, and those on social issues, elections or "
        "politics there; ads that ran only elsewhere are not included."
    ),
}


class SocialnetParams(Params):
    page_id: PageId | None = param("Page ID (not the profile ID).", default=None)
    slug: PageSlug | None = param("Page name, as in its URL.", default=None, example="nasa")
    url: PageAddress | None = param("URL of the page or of its ad library.", default=None)
    max_pages: int = param("Maximum number of pages to fetch, 30 ads each.", default=3, min_value=1, max_value=10)
    one_of = exactly_one("page_id", "slug", "url")

    @property
    def address(self) -> str:
        """The page's URL. It is the same whether the caller gave an ID, a name or a URL."""
        return str(self.slug or self.url or f"{HOST_URL}/{self.page_id}")

    @property
    def given_id(self) -> str | None:
        """The ID that the caller gave, or the ID in the caller's URL.

        An ID in a URL may be the ID of the page's profile.
        """
        return self.page_id or id_in(self.address)


class SocialnetAds(Result):
    page_id: str = field("Page ID.")
    page_name: str | None = field("Page name.", wire="page_name")
    page_url: str = field("URL of the page.", wire="snapshot.page_profile_uri")
    source: SourceName = field("Name of the provider.")
    active_status: Literal["active"] = field("Status of the ads: always active.")
    total_count: int | None = field(
        "Total number of ads in the library, even if fewer were fetched; null if unknown.",
        wire="search_results_connection.count",
    )
    count: int = field("Number of returned ads.")
    pages_fetched: int = field("Number of pages fetched, 30 ads each.")
    has_more: bool = field("Whether more ads exist than were fetched.")
    next_cursor: str | None = field(
        "The provider's token for the next page. It can't be used as a parameter: increase `max_pages` instead.",
        wire="page_info.end_cursor",
    )
    partial: bool = field("Whether the provider covers only part of the library.")
    coverage: str = field("The part of the library that the provider covers.")
    ads: list[JsonObject] = field(
        "Raw ad nodes from the provider. URLs of images and videos in them expire after a few days.",
        wire="edges[].node.collated_results[]",
    )
    warnings: list[str] = field("Warnings about this response.")
