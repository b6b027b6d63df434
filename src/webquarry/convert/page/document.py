"""A page as a reader gets it: its markdown and what is known about it."""

import gc
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

from selectolax.lexbor import LexborHTMLParser

from webquarry.convert.page.content import choose
from webquarry.convert.page.head import Places, read_head
from webquarry.convert.page.links import Image, Link, joined, listed, visible
from webquarry.convert.page.markup import parse, readable
from webquarry.convert.page.state import missing
from webquarry.convert.page.tree import Node, copied
from webquarry.convert.page.words import count_words
from webquarry.convert.page.write import write

SHELL_WORDS = 3
"""Words up to which a body outside `noscript` is a place-holder ("Loading, please wait")."""
NOTICE_WORDS = 60
"""Words up to which the text of such a page is the notice that it needs scripts; forums put whole threads there."""
RICH_CHARS = 1500
"""Characters of markdown from which the page's data is not asked for more: it repeats what the elements show."""
_UNSEEN = frozenset({"head", "script", "noscript", "select", "svg", "iframe", "textarea"})


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
    time grows with the size.
    """
    with _collector_paused:
        parsed = parse(html)
        return _markdown(html, parsed, Places(copied(parsed)), url)


def convert(html: str, url: str | None = None) -> Page:
    """Markdown and metadata of a page. Arguments and totality as in `to_markdown`."""
    with _collector_paused:
        parsed = parse(html)
        places = Places(copied(parsed))
        head = read_head(places, url)  # before the choice takes parts of the tree away
        markdown = _markdown(html, parsed, places, url)
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


class _CollectorPause:
    """While one page or more is converted, the cycle collector does not run: a page is thousands of objects without
    cycles, among which it would look for some several times, a quarter of the whole time.

    The collector's switch is the process's: the first page turns it off, the last one on again, whatever thread each is
    in.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._pages = 0
        self._was_enabled = False

    def __enter__(self) -> None:
        with self._lock:
            if self._pages == 0:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._pages += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._pages -= 1
            if self._pages == 0 and self._was_enabled:
                gc.enable()


_collector_paused = _CollectorPause()


def _markdown(html: str, parsed: LexborHTMLParser, places: Places, url: str | None) -> str:
    words = _seen_words(places.tree[0]) if parsed.css_first("script") is not None else None
    base = joined(url, places.base) or url
    text = write(choose(places, url), base)
    if words is not None and words <= SHELL_WORDS and _is_notice(text):
        text = ""
    if len(text) < RICH_CHARS and (found := missing(html, places.said, text)):
        added = Node("body", {}, -1)
        added.children = list(found)
        text = f"{text}\n{write(added, base)}"
    text = readable(text).strip()
    return f"{text}\n" if text else ""


def _is_notice(markdown: str) -> bool:
    """Whether the text of a page that shows nothing without scripts is only its word about that."""
    if len(markdown) > 20 * NOTICE_WORDS or "![" in markdown:
        return False
    return count_words(visible(markdown)) <= NOTICE_WORDS


def _seen_words(root: Node) -> int:
    """Words outside `noscript`, counted until they are more than a place-holder."""
    words = 0
    waiting: list[Node | str] = [root]
    while waiting and words <= SHELL_WORDS:
        item = waiting.pop()
        if isinstance(item, str):
            words += 0 if item.isspace() else count_words(item[:200])
        elif item.tag not in _UNSEEN:
            waiting.extend(item.children)
    return words
