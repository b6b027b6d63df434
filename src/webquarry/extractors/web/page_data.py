"""What a page gives as `data`."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from webquarry.endpoints.declare import Result, field


class PageLink(Result):
    url: str = field("Absolute http or https address.")
    text: str = field("Its label, plain text.")


class PageImage(Result):
    url: str = field("Absolute http or https address.")
    alt: str = field("Its alternative text.")


class PageFeed(Result):
    url: str = field("Absolute http or https address.")
    title: str | None = field("What the page calls it.")
    form: Literal["rss", "atom", "json"] = field("Form of the feed.")


class ProductEntity(Result):
    """A product, as JSON-LD or microdata of the page describe it."""

    type: Literal["product"] = field("What this is.", default="product")
    name: str | None = field("Name of the product.")
    brand: str | None = field("Name of the brand.")
    sku: str | None = field("The shop's own number.")
    gtin: str | None = field("GTIN, EAN or ISBN.")
    mpn: str | None = field("The maker's number.")
    price: str | None = field("Amount of the first offer, with a point before its hundredths.")
    currency: str | None = field("Currency of the price (ISO 4217).")
    availability: str | None = field("InStock, OutOfStock and the like, as schema.org names them.")
    rating: float | None = field("Mean rating, on the page's own scale.")
    review_count: int | None = field("Ratings or reviews behind it.")
    image_url: str | None = field("Absolute address of the first image.")
    description: str | None = field("The page's own description, its first 500 characters.")


class RecipeEntity(Result):
    """A recipe, as JSON-LD or microdata of the page describe it."""

    type: Literal["recipe"] = field("What this is.", default="recipe")
    name: str | None = field("Name of the dish.")
    author: str | None = field("Author or authors, comma-separated.")
    ingredients: list[str] = field("Ingredients with their amounts, at most 200.")
    steps: list[str] = field("Steps in their order, at most 100.")
    servings: str | None = field("Yield, as the page writes it.")
    prep_minutes: int | None = field("Time to prepare.", unit="minutes")
    cook_minutes: int | None = field("Time to cook.", unit="minutes")
    total_minutes: int | None = field("Time in all.", unit="minutes")
    image_url: str | None = field("Absolute address of the first image.")


class EventEntity(Result):
    """An event, as JSON-LD or microdata of the page describe it."""

    type: Literal["event"] = field("What this is.", default="event")
    name: str | None = field("Name of the event.")
    starts_at: str | None = field("Instant (RFC 3339, UTC) or bare date of its beginning.")
    ends_at: str | None = field("Instant (RFC 3339, UTC) or bare date of its end.")
    location: str | None = field("Name of the place.")
    address: str | None = field("Postal address of the place, on one line.")
    organizer: str | None = field("Who holds it.")
    status: str | None = field("EventScheduled, EventCancelled and the like, as schema.org names them.")
    image_url: str | None = field("Absolute address of the first image.")


class ArticleEntity(Result):
    """An article, as JSON-LD or microdata of the page describe it."""

    type: Literal["article"] = field("What this is.", default="article")
    headline: str | None = field("Headline.")
    author: str | None = field("Author or authors, comma-separated.")
    publisher: str | None = field("Who published it.")
    published_at: str | None = field("Instant (RFC 3339, UTC) or bare date of publication.")
    modified_at: str | None = field("Instant (RFC 3339, UTC) or bare date of the last change.")
    section: str | None = field("Section it stands in.")
    image_url: str | None = field("Absolute address of the first image.")


PageEntity = Annotated[ProductEntity | RecipeEntity | EventEntity | ArticleEntity, Field(discriminator="type")]


class PageData(Result):
    object: Literal["page"] = field("What this is, where an address may serve either.", default="page")
    url: str = field("The address asked for.")
    final_url: str = field("The address that answered, after redirects.")
    canonical_url: str | None = field("The address that the page calls its own.", wire="link[rel=canonical]")
    title: str | None = field("Title of the page.")
    description: str | None = field("The page's own summary.")
    language: str | None = field("Language tag (BCP 47).")
    site_name: str | None = field("Name of the site.")
    author: str | None = field("Author or authors, comma-separated.")
    published_at: str | None = field("Instant (RFC 3339, UTC) or bare date of publication.")
    modified_at: str | None = field("Instant (RFC 3339, UTC) or bare date of the last change.")
    kind: str | None = field(
        "article, documentation, forum, product, listing, collection or service, where it says so."
    )
    image_url: str | None = field("The image that the page gives for itself, absolute.")
    favicon_url: str | None = field("The first icon that the page names, absolute.")
    feeds: list[PageFeed] = field("Feeds that the page names, at most 20.")
    read_at: str = field("Instant (RFC 3339, UTC) at which the page was fetched.")
    status: int = field("HTTP status of the answer.")
    content_type: str = field("Media type, lower case, without parameters.", wire="content-type")
    word_count: int = field(
        "Words of the main content; each Chinese, Japanese or Korean sign counts as one.", unit="words"
    )
    links: list[PageLink] = field("Links of the main content, each address once, in their order.")
    images: list[PageImage] = field("Images of the main content, each address once, in their order.")
    entities: list[PageEntity] = field(
        "Products, recipes, events and articles that the page's JSON-LD and microdata describe, at most 20."
    )
    fetched_with: Literal["static", "browser"] = field("Whether a browser had to render the page.")
    warnings: list[str] = field("What the page hides from its readers and is not in the markdown, a sentence each.")
    sources: Mapping[str, str] = field("For each field that the page gave, where it was found.")
    markdown: str = Field("", exclude=True, repr=False, description="The main content; the answer's other artifact.")
