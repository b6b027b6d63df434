"""A page as a reader gets it: its markdown and what is known about it."""

from collections.abc import Mapping
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from webquarry.convert.page import plain
from webquarry.convert.page.body import write_body
from webquarry.convert.page.head import base_of, read_head
from webquarry.convert.page.links import Image, Link, absolute, listed, visible
from webquarry.convert.page.markup import Markup, readable, tame
from webquarry.convert.page.words import count_words

SHELL_WORDS = 3
"""Words up to which a body outside `noscript` is a place-holder ("Loading, please wait")."""
NOTICE_WORDS = 60
"""Words up to which the text of such a page is the notice that it needs scripts; forums put whole threads there."""


@dataclass(frozen=True, slots=True)
class Page:
    """Everything of a page that can be known without fetching.

    markdown: the main content; "" when the page has no text or is an empty shell that scripts would fill.
    word_count, links and images are those of the markdown.
    published_at, modified_at: RFC 3339 in UTC, or a bare date. sources: field → where its value was found.
    """

    markdown: str
    title: str | None
    description: str | None
    language: str | None
    canonical_url: str | None
    site_name: str | None
    author: str | None
    published_at: str | None
    modified_at: str | None
    kind: str | None
    word_count: int
    links: tuple[Link, ...]
    images: tuple[Image, ...]
    sources: Mapping[str, str]


def to_markdown(html: str, url: str | None = None) -> str:
    """The main content of a page as markdown with absolute links; "" when it has no text or is an empty script shell.

    url: the page's address after redirects; without it relative targets stay as they are. Total: any text in. The
    time grows with the size; only within the bounds of the extraction (`body.MAX_…`) it may grow with the square, to
    a second or two. Pages beyond them come back whole, unsorted.
    """
    markup, tree = _parsed(html)
    return _body(markup, tree, base_of(tree, url))


def convert(html: str, url: str | None = None) -> Page:
    """Markdown and metadata of a page. Arguments and totality as in `to_markdown`."""
    markup, tree = _parsed(html)
    head = read_head(tree, url)
    markdown = _body(markup, tree, head.base)
    links, images = listed(markdown, url)
    return Page(
        markdown=markdown,
        title=head.title,
        description=head.description,
        language=head.language,
        canonical_url=head.canonical_url,
        site_name=head.site_name,
        author=head.author,
        published_at=head.published_at,
        modified_at=head.modified_at,
        kind=head.kind,
        word_count=count_words(visible(markdown)),
        links=links,
        images=images,
        sources=head.sources,
    )


def _parsed(html: str) -> tuple[Markup, LexborHTMLParser]:
    markup = tame(html)
    return markup, LexborHTMLParser(markup.text)


def _body(markup: Markup, tree: LexborHTMLParser, base: str | None) -> str:
    text = readable(absolute(write_body(markup, tree), base)).strip()
    return f"{text}\n" if text and not _is_shell(tree, text) else ""


def _is_shell(tree: LexborHTMLParser, markdown: str) -> bool:
    """Whether the text is only what a page says until its scripts have run."""
    if len(markdown) > 20 * NOTICE_WORDS or "![" in markdown or tree.css_first("script") is None:
        return False
    if count_words(visible(markdown)) > NOTICE_WORDS:
        return False
    return count_words(visible(plain.write(tree))) <= SHELL_WORDS
