"""Parameters and result of the social network's page endpoint."""

from typing import Literal

from webquarry.endpoints.declare import Params, Result, exactly_one, field, param
from webquarry.extractors.social.model.socialnet.slug import PageSlug, PageUrl

SourceName = Literal["page_html"]


class SocialnetPageParams(Params):
    one_of = exactly_one("slug", "url")

    slug: PageSlug | None = param(
        "Page name as in its URL, with or without a leading @, or the page ID.", default=None, example="example"
    )
    url: PageUrl | None = param("URL of the page.", default=None)

    @property
    def page(self) -> PageSlug:
        """Return the requested page, from either parameter."""
        return PageSlug.parse(self.slug or self.url or "")


class SocialLink(Result):
    platform: str = field("Name of the site.")
    url: str = field("URL of the account on that site.", wire="INTRO_CARD_OTHER_ACCOUNT url")


class SocialnetPage(Result):
    slug: str = field("Requested page, in lower case.")
    url: str = field("URL of the page, as given by the network if available.", wire="og:url")
    page_id: str | None = field("Page ID, for use with the ads endpoint.", wire="delegate_page.id; associated_page_id")
    profile_id: str | None = field(
        "ID of the page's profile. The ads endpoint does not accept this ID.", wire="user.id"
    )
    name: str = field("Name of the page.", wire="og:title")
    category: str | None = field("Main category.", wire="INTRO_CARD_INFLUENCER_CATEGORY")
    categories: list[str] = field("All categories.", wire="INTRO_CARD_INFLUENCER_CATEGORY")
    followers: int | None = field(
        "Number of followers. The network shows either followers or likes.",
        wire="og:description; profile_social_context",
    )
    likes: int | None = field("Number of likes.", wire="og:description; profile_social_context")
    talking_about: int | None = field("Number of accounts talking about the page.", wire="og:description")
    were_here: int | None = field("Number of accounts that checked in.", wire="og:description")
    counts_rounded: bool = field("Whether followers and likes are rounded because only short forms are available.")
    bio: str | None = field("Description of the page.", wire="profile_status_text; best_description")
    website: str | None = field("Website, without tracking parameters.", wire="INTRO_CARD_WEBSITE")
    phone: str | None = field("Phone number, if public.", wire="INTRO_CARD_PROFILE_PHONE")
    email: str | None = field("Email address, if public.", wire="INTRO_CARD_PROFILE_EMAIL")
    address: str | None = field("Postal address, if public.", wire="INTRO_CARD_ADDRESS")
    address_map_url: str | None = field("URL of the address on a map.", wire="INTRO_CARD_ADDRESS external_url")
    hours_status: str | None = field("Opening status, such as Open now.", wire="INTRO_CARD_BUSINESS_HOURS")
    price_range: str | None = field("Price range, such as $$.", wire="INTRO_CARD_BUSINESS_PRICE")
    services: str | None = field("Services offered.", wire="INTRO_CARD_BUSINESS_SERVICES")
    rating_percent: int | None = field("Share of reviews that recommend the page.", unit="%", wire="INTRO_CARD_RATING")
    review_count: int | None = field("Number of reviews.", wire="INTRO_CARD_RATING")
    social_links: list[SocialLink] = field("Accounts on other sites.", wire="INTRO_CARD_OTHER_ACCOUNT")
    picture_url: str | None = field(
        "URL of the profile picture. It is signed and expires.", wire="og:image; delegate_page.profile_picture_uri"
    )
    cover_url: str | None = field("URL of the cover image. It expires too.", wire="cover_photo.photo.image.uri")
    verified: bool | None = field("Whether the account is verified.", wire="show_verified_badge_on_profile")
    runs_ads: bool | None = field("Whether the page currently runs ads; null if the ad library doesn't show it.")
    ad_library_url: str | None = field("URL of the page's ads in the ad library.")
    source: SourceName = field("Name of the provider.")
    warnings: list[str] = field("Data that could not be determined.")
