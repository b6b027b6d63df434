"""Conversion of HTTP responses: HTML is converted, text is returned unchanged, and data is shown as code."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol
from urllib.parse import urlsplit

from webquarry_convert.links import extract_visible, keep_labels, list_links, make_absolute
from webquarry_convert.media import Media, identify_media
from webquarry_convert.page import Head, Page, convert, find_refresh
from webquarry_convert.text.charset import decode
from webquarry_convert.text.invisible import build_warning, strip_invisible
from webquarry_convert.text.markup import parse
from webquarry_convert.text.unreadable import strip_unreadable
from webquarry_convert.tree import Tree, copy_tree
from webquarry_convert.verdict import BlockPage, PageFeatures, Shell, find_block_page, find_shell, measure_page
from webquarry_convert.words import count_words

REFRESH_WITHIN_S = 5
MAX_NOTE = 2000
"""Maximum length, in characters, of a non-HTML response that may be a block message, such as JSON with "rate limit
exceeded".
"""

_HEADING = re.compile(r"^#[ \t]+(.{1,300}?)[ \t]*#*$", re.MULTILINE)
_FENCES = re.compile(r"^[ ]{0,3}(`{3,})", re.MULTILINE)


class Response(Protocol):
    """An HTTP response.

    body: decoded from its transfer and content encodings. url: the URL after redirects. headers: lower-case names.
    rendered: whether a browser rendered the page; the body is then HTML in UTF-8.
    """

    @property
    def body(self) -> bytes: ...
    @property
    def url(self) -> str: ...
    @property
    def status(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...
    @property
    def content_type(self) -> str: ...
    @property
    def rendered(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Converted:
    """A converted page and its source media type, without parameters.

    shell: why the page needs a browser, or None if it does not or if a browser has rendered it.
    """

    page: Page
    media_type: str
    shell: Shell | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """A page that redirects to `url` by `<meta http-equiv=refresh>`."""

    url: str


@dataclass(frozen=True, slots=True)
class Foreign:
    """A response that is a document, a picture or another file instead of a page.

    The first bytes or the header show the type. name: a readable name such as "a PDF document".
    """

    name: str


class Fetched:
    """A decoded and examined response with any status code."""

    def __init__(self, response: Response) -> None:
        content_type = response.headers.get("content-type", "")
        self._response = response
        self._media = (
            Media("html", response.content_type)
            if response.rendered  # a browser always returns a page, whatever the page's scripts wrote into it
            else identify_media(response.body, response.content_type, urlsplit(response.url).path)
        )
        self._text = "" if self._media.form == "other" else decode(response.body, content_type).text
        is_judged = self._media.form == "html" or len(self._text) <= MAX_NOTE
        judged = self._text if is_judged else ""
        parsed = parse(judged)
        self._tree: Tree | None = copy_tree(parsed)
        self._glance: PageFeatures = measure_page(judged, parsed, self._tree)

    def block_page(self, asked: str) -> BlockPage | None:
        """Return the block page that the site served instead of content, or None if it served content.

        asked: the URL that the caller requested.
        """
        response = self._response
        return find_block_page(
            self._glance,
            url=response.url,
            requested_url=asked,
            status=response.status,
            headers=response.headers,
            rendered=response.rendered,
        )

    def convert(self) -> Converted | Moved | Foreign:
        if self._media.form == "other":
            return Foreign(self._media.name)
        return self._convert_html() if self._media.form == "html" else self._convert_text()

    def _convert_html(self) -> Converted | Moved:
        url, look, is_rendered = self._response.url, self._glance, self._response.rendered
        tree = copy_tree(look.tree) if self._tree is None else self._tree
        self._tree = None  # the parsed tree can be used only once
        if not is_rendered and (target := find_refresh(tree, url, REFRESH_WITHIN_S)):
            return Moved(target)
        shell = None if is_rendered else find_shell(look)
        return Converted(convert(self._text, url, tree), self._media.media_type, shell)

    def _convert_text(self) -> Converted:
        url, media = self._response.url, self._media
        text, removed = strip_invisible(strip_unreadable(self._text))
        text = text.strip()
        if media.form == "markdown":
            text = make_absolute(text, url)
        elif media.form == "code" and text:
            fence = "`" * max(3, *(len(run) + 1 for run in _FENCES.findall(text)), 3)
            text = f"{fence}{media.name}\n{text}\n{fence}"
        made = _build_text_page(text, url, is_markdown=media.form == "markdown")
        if removed:
            made = replace(made, warnings=(build_warning(removed),))
        return Converted(made, media.media_type)


def _build_text_page(text: str, url: str, *, is_markdown: bool) -> Page:
    heading = _HEADING.search(text) if is_markdown else None
    links, images = list_links(text, url) if is_markdown else ((), ())
    head = Head(title=extract_visible(heading[1]), sources={"title": "h1"}) if heading else Head()
    words = count_words(keep_labels(text) if is_markdown else text)
    return Page(f"{text}\n" if text else "", head, words, links, images)
