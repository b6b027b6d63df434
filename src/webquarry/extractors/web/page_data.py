"""What a page gives as `data`."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from webquarry.declare import Result, field


class PageLink(Result):
    url: str = field("Absolute http or https address.")
    text: str = field("Its label, plain text.")


class PageImage(Result):
    url: str = field("Absolute http or https address.")
    alt: str = field("Its alternative text.")


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
    status: int = field("HTTP status of the answer.")
    content_type: str = field("Media type, lower case, without parameters.", wire="content-type")
    word_count: int = field(
        "Words of the main content; each Chinese, Japanese or Korean sign counts as one.", unit="words"
    )
    links: list[PageLink] = field("Links of the main content, each address once, in their order.")
    images: list[PageImage] = field("Images of the main content, each address once, in their order.")
    fetched_with: Literal["static", "browser"] = field("Whether a browser had to render the page.")
    warnings: list[str] = field("What the page hides from its readers and is not in the markdown, a sentence each.")
    sources: Mapping[str, str] = field("For each field that the page gave, where it was found.")
    markdown: str = Field("", exclude=True, repr=False, description="The main content; the answer's other artifact.")
