"""The ads of a page of the social network: what every source gives of them."""

from typing import Any, Final, Literal

from webquarry.endpoints.declare import Params, Result, exactly_one, field, param
from webquarry.providers.socialnet import HOST_URL, PageAddress, PageId, PageSlug, id_in

PAGE_SIZE: Final = 30
SourceName = Literal["library_page", "official_api"]
COVERAGE: Final[dict[SourceName, str]] = {
    "library_page": "All ads of the page that are active now, in all countries.",
    "official_api": (
        "Active ads that reached the European Union or the United Kingdom, and those on social issues, elections or "
        "politics there; it says nothing about ads that ran elsewhere only."
    ),
}


class SocialnetParams(Params):
    page_id: PageId | None = param("Page's id, which is not that of its profile.", default=None)
    slug: PageSlug | None = param("Page's name, as its address has it.", default=None, example="nasa")
    url: PageAddress | None = param("Page's address, in any of its forms, or that of its ad library.", default=None)
    max_pages: int = param("Pages of 30 ads to read at most.", default=3, min_value=1, max_value=10)
    one_of = exactly_one("page_id", "slug", "url")

    @property
    def address(self) -> str:
        """The page's address, in one spelling for all ways to name it."""
        return str(self.slug or self.url or f"{HOST_URL}/{self.page_id}")

    @property
    def given_id(self) -> str | None:
        """The id that the caller gives: the page's, or one in an address, which may be its profile's."""
        return self.page_id or id_in(self.address)


class SocialnetAds(Result):
    page_id: str = field("Page's id.")
    page_name: str | None = field("Page's name.", wire="page_name")
    page_url: str = field("Page's address.", wire="snapshot.page_profile_uri")
    source: SourceName = field("Which source answered.")
    active_status: Literal["active"] = field("Which ads are meant: those that are active.")
    total_count: int | None = field(
        "Ads in the whole library, however few are here; null where the source does not tell.",
        wire="search_results_connection.count",
    )
    count: int = field("Ads here.")
    pages_fetched: int = field("Pages of 30 that were read.")
    has_more: bool = field("Whether the source has more ads than are here.")
    next_cursor: str | None = field(
        "The source's own mark of what follows. No parameter takes it: a larger `max_pages` reads on.",
        wire="page_info.end_cursor",
    )
    partial: bool = field("Whether the source covers a part of the library only.")
    coverage: str = field("What the source covers.")
    ads: list[dict[str, Any]] = field(
        "The source's own ad nodes, unchanged. Addresses of pictures and videos in them hold for days only.",
        wire="edges[].node.collated_results[]",
    )
    warnings: list[str] = field("What is to be known about this answer.")
