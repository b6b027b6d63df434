"""What the endpoint of the social network's pages takes and gives."""

from typing import Literal

from webquarry.endpoints.declare import Params, Result, exactly_one, field, param
from webquarry.extractors.social.socialnet.slug import PageSlug, PageUrl

SourceName = Literal["page_html"]


class SocialnetPageParams(Params):
    one_of = exactly_one("slug", "url")

    slug: PageSlug | None = param(
        "Name of the page as in its address, with or without a leading @, or its id.", default=None, example="example"
    )
    url: PageUrl | None = param("Address of the page.", default=None)

    @property
    def page(self) -> PageSlug:
        """The page asked for, whichever way it was named."""
        return PageSlug.parse(self.slug or self.url or "")


class SocialLink(Result):
    platform: str = field("Name of the site.")
    url: str = field("The account there.", wire="INTRO_CARD_OTHER_ACCOUNT url")


class SocialnetPage(Result):
    slug: str = field("The page as asked for, lower case.")
    url: str = field("Its address; the network's own where it tells it.", wire="og:url")
    page_id: str | None = field(
        "Id of the page, which the ads of the social network are asked by.", wire="delegate_page.id; associated_page_id"
    )
    profile_id: str | None = field("Id of the profile behind the page; no ads are known by it.", wire="user.id")
    name: str = field("Name of the page.", wire="og:title")
    category: str | None = field("What the page is first of all.", wire="INTRO_CARD_INFLUENCER_CATEGORY")
    categories: list[str] = field("All that it is.", wire="INTRO_CARD_INFLUENCER_CATEGORY")
    followers: int | None = field(
        "Followers; the network shows either these or likes.", wire="og:description; profile_social_context"
    )
    likes: int | None = field("Likes of the page.", wire="og:description; profile_social_context")
    talking_about: int | None = field("Accounts that speak of it.", wire="og:description")
    were_here: int | None = field("Accounts that say that they were there.", wire="og:description")
    counts_rounded: bool = field("Whether followers and likes are rounded, as where only their short form is told.")
    bio: str | None = field("What it says of itself.", wire="profile_status_text; best_description")
    website: str | None = field("Web site, without what tracks.", wire="INTRO_CARD_WEBSITE")
    phone: str | None = field("Phone, where it is public.", wire="INTRO_CARD_PROFILE_PHONE")
    email: str | None = field("Mail, where it is public.", wire="INTRO_CARD_PROFILE_EMAIL")
    address: str | None = field("Postal address, where it is public.", wire="INTRO_CARD_ADDRESS")
    address_map_url: str | None = field("The address on a map.", wire="INTRO_CARD_ADDRESS external_url")
    hours_status: str | None = field("Such as Open now.", wire="INTRO_CARD_BUSINESS_HOURS")
    price_range: str | None = field("Such as $$.", wire="INTRO_CARD_BUSINESS_PRICE")
    services: str | None = field("What it offers.", wire="INTRO_CARD_BUSINESS_SERVICES")
    rating_percent: int | None = field("Share of reviews that recommend it.", unit="%", wire="INTRO_CARD_RATING")
    review_count: int | None = field("Reviews.", wire="INTRO_CARD_RATING")
    social_links: list[SocialLink] = field("Its accounts elsewhere.", wire="INTRO_CARD_OTHER_ACCOUNT")
    picture_url: str | None = field(
        "Picture; a signed address that expires.", wire="og:image; delegate_page.profile_picture_uri"
    )
    cover_url: str | None = field("Picture behind the head; it expires too.", wire="cover_photo.photo.image.uri")
    verified: bool | None = field("Whether it has the badge.", wire="show_verified_badge_on_profile")
    runs_ads: bool | None = field("Whether ads of it run now; null where the library of ads does not tell.")
    ad_library_url: str | None = field("Its ads in the network's library.")
    source: SourceName = field("Which door answered.")
    warnings: list[str] = field("What this answer could not tell.")
