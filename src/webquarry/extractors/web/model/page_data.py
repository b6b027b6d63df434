"""The `data` of a page."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from webquarry.endpoints.declare import Result, field


class PageLink(Result):
    url: str = field("Absolute http or https URL.")
    text: str = field("Link text.")


class PageImage(Result):
    url: str = field("Absolute http or https URL.")
    alt: str = field("Alternative text.")


class PageFeed(Result):
    url: str = field("Absolute http or https URL.")
    title: str | None = field("Title of the feed.")
    form: Literal["rss", "atom", "json"] = field("Format of the feed.")


class ProductEntity(Result):
    """A product from the page's JSON-LD or microdata."""

    type: Literal["product"] = field("Type of the entity.", default="product")
    name: str | None = field("Name of the product.")
    brand: str | None = field("Name of the brand.")
    sku: str | None = field("Stock keeping unit (SKU).")
    gtin: str | None = field("GTIN, EAN or ISBN.")
    mpn: str | None = field("Manufacturer part number.")
    price: str | None = field("Price of the first offer, with a decimal point.")
    currency: str | None = field("Currency of the price (ISO 4217).")
    availability: str | None = field("Availability as named by schema.org, such as InStock or OutOfStock.")
    rating: float | None = field("Average rating, on the page's scale.")
    review_count: int | None = field("Number of ratings or reviews.")
    image_url: str | None = field("Absolute URL of the first image.")
    description: str | None = field("First 500 characters of the page's description.")


class RecipeEntity(Result):
    """A recipe from the page's JSON-LD or microdata."""

    type: Literal["recipe"] = field("Type of the entity.", default="recipe")
    name: str | None = field("Name of the dish.")
    author: str | None = field("Author or authors, comma-separated.")
    ingredients: list[str] = field("Ingredients with amounts, at most 200.")
    steps: list[str] = field("Steps in order, at most 100.")
    servings: str | None = field("Yield, as written on the page.")
    prep_minutes: int | None = field("Preparation time.", unit="minutes")
    cook_minutes: int | None = field("Cooking time.", unit="minutes")
    total_minutes: int | None = field("Total time.", unit="minutes")
    image_url: str | None = field("Absolute URL of the first image.")


class EventEntity(Result):
    """An event from the page's JSON-LD or microdata."""

    type: Literal["event"] = field("Type of the entity.", default="event")
    name: str | None = field("Name of the event.")
    starts_at: str | None = field("Start time (RFC 3339, UTC) or date.")
    ends_at: str | None = field("End time (RFC 3339, UTC) or date.")
    location: str | None = field("Name of the venue.")
    address: str | None = field("Postal address of the venue, on one line.")
    organizer: str | None = field("Name of the organizer.")
    status: str | None = field("Status as named by schema.org, such as EventScheduled or EventCancelled.")
    image_url: str | None = field("Absolute URL of the first image.")


class ArticleEntity(Result):
    """An article from the page's JSON-LD or microdata."""

    type: Literal["article"] = field("Type of the entity.", default="article")
    headline: str | None = field("Headline of the article.")
    author: str | None = field("Author or authors, comma-separated.")
    publisher: str | None = field("Name of the publisher.")
    published_at: str | None = field("Publication time (RFC 3339, UTC) or date.")
    modified_at: str | None = field("Time (RFC 3339, UTC) or date of the last change.")
    section: str | None = field("Section of the site.")
    image_url: str | None = field("Absolute URL of the first image.")


PageEntity = Annotated[ProductEntity | RecipeEntity | EventEntity | ArticleEntity, Field(discriminator="type")]


class PageData(Result):
    object: Literal["page"] = field("Type of the result: a page or a document.", default="page")
    url: str = field("Requested URL.")
    final_url: str = field("Final URL after redirects.")
    canonical_url: str | None = field("Canonical URL stated by the page.", wire="link[rel=canonical]")
    title: str | None = field("Title of the page.")
    description: str | None = field("Description from the page's metadata.")
    language: str | None = field("Language tag (BCP 47).")
    site_name: str | None = field("Name of the site.")
    author: str | None = field("Author or authors, comma-separated.")
    published_at: str | None = field("Publication time (RFC 3339, UTC) or date.")
    modified_at: str | None = field("Time (RFC 3339, UTC) or date of the last change.")
    kind: str | None = field(
        "Type stated by the page: article, documentation, forum, product, listing, collection or service."
    )
    image_url: str | None = field("Absolute URL of the page's preview image.")
    favicon_url: str | None = field("Absolute URL of the page's first icon.")
    feeds: list[PageFeed] = field("Feeds linked by the page, at most 20.")
    read_at: str = field("Fetch time (RFC 3339, UTC).")
    status: int = field("HTTP status.")
    content_type: str = field("Media type in lower case, without parameters.", wire="content-type")
    word_count: int = field(
        "Word count of the main content. Each Chinese, Japanese or Korean character counts as one word.", unit="words"
    )
    links: list[PageLink] = field("Links in the main content in order, without duplicates.")
    images: list[PageImage] = field("Images in the main content in order, without duplicates.")
    entities: list[PageEntity] = field(
        "Products, recipes, events and articles from the page's JSON-LD and microdata, at most 20."
    )
    fetched_with: Literal["static", "browser"] = field("Whether the page was rendered in a browser.")
    warnings: list[str] = field("Hidden content of the page that is not in the markdown, one sentence each.")
    sources: Mapping[str, str] = field("Source of each field in the page.")
    markdown: str = Field("", exclude=True, repr=False, description="The main content; the answer's other artifact.")
