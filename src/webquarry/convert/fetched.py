"""Whatever an address answered, as a page: HTML is converted, texts are passed on, data is shown as code."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from webquarry.convert.charset import decode
from webquarry.convert.media import media_of
from webquarry.convert.page import Page, convert, refresh_of
from webquarry.convert.page.links import absolute, listed, visible
from webquarry.convert.page.markup import readable
from webquarry.convert.page.words import count_words
from webquarry.errors import ConversionFailed

REFRESH_WITHIN_S = 5
REFRESH_WINDOW = 16 * 1024
"""Characters in which a page that only leads elsewhere says so."""

_HEADING = re.compile(r"^#[ \t]+(.{1,300}?)[ \t]*#*$", re.MULTILINE)
_FENCES = re.compile(r"^[ ]{0,3}(`{3,})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Converted:
    """A page, the media type it was made of (without parameters), and whether that was HTML with scripts."""

    page: Page
    media_type: str
    has_scripts: bool = False


@dataclass(frozen=True, slots=True)
class Moved:
    """The page only leads to `url`, as `<meta http-equiv=refresh>` says."""

    url: str


def convert_fetched(body: bytes, content_type: str, url: str) -> Converted | Moved:
    """content_type: the whole header value, or ""; url: the address that answered.

    ConversionFailed (unsupported_type) when the bytes are a document, an image, an archive or another binary file.
    """
    media = media_of(body, content_type.partition(";")[0].strip().lower(), urlsplit(url).path)
    if media.form == "other":
        raise ConversionFailed(
            f"This address serves {media.name}, which is not read here: give the address of a web page or a text.",
            reason="unsupported_type",
        )
    text = decode(body, content_type).text
    if media.form == "html":
        if target := _refresh(text, url):
            return Moved(target)
        return Converted(convert(text, url), media.media_type, has_scripts="<script" in text.lower())
    text = readable(text).strip()
    if media.form == "markdown":
        text = absolute(text, url)
    elif media.form == "code" and text:
        fence = "`" * max(3, *(len(run) + 1 for run in _FENCES.findall(text)), 3)
        text = f"{fence}{media.name}\n{text}\n{fence}"
    return Converted(_text_page(text, url, is_markdown=media.form == "markdown"), media.media_type)


def _refresh(html: str, url: str) -> str | None:
    start = html[:REFRESH_WINDOW]
    return refresh_of(LexborHTMLParser(start), url, REFRESH_WITHIN_S) if "refresh" in start.lower() else None


def _text_page(text: str, url: str, *, is_markdown: bool) -> Page:
    heading = _HEADING.search(text) if is_markdown else None
    links, images = listed(text, url) if is_markdown else ((), ())
    return Page(
        markdown=f"{text}\n" if text else "",
        title=visible(heading[1]) if heading else None,
        description=None,
        language=None,
        canonical_url=None,
        site_name=None,
        author=None,
        published_at=None,
        modified_at=None,
        kind=None,
        word_count=count_words(visible(text) if is_markdown else text),
        links=links,
        images=images,
        sources={"title": "h1"} if heading else {},
    )
