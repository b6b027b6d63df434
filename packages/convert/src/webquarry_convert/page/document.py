"""Conversion of a page to markdown and metadata."""

import gc
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

from webquarry_convert.addresses import reveal_addresses
from webquarry_convert.hidden import leave_out, warn_of_hidden
from webquarry_convert.links import Image, Link, Reference, find_references, keep_labels, list_links
from webquarry_convert.page.content import choose, explain_choice
from webquarry_convert.page.entities import Entity, read_entities
from webquarry_convert.page.head import Head, Places, read_head
from webquarry_convert.page.state import find_ingredients, find_missing
from webquarry_convert.text.invisible import build_warning, strip_invisible
from webquarry_convert.text.unreadable import strip_unreadable
from webquarry_convert.tree import Node, Tree, build_tree
from webquarry_convert.word_lists import gather_lists
from webquarry_convert.words import count_words
from webquarry_convert.write import write

RICH_CHARS = 1500
"""Minimum number of text characters on a page whose structured data is ignored because it repeats the visible text."""


@dataclass(frozen=True, slots=True)
class Page:
    """The markdown and metadata of a page.

    markdown: the main content; "" if the page has no text. word_count, links, images: word count, links and images of
    the markdown. entities: the products, recipes, events and articles that the page's data describes. warnings: one
    sentence for each kind of content that the markdown lacks.
    """

    markdown: str
    head: Head
    word_count: int
    links: tuple[Link, ...]
    images: tuple[Image, ...]
    warnings: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()


def to_markdown(html: str, url: str | None = None) -> str:
    """Return the main content of a page as markdown with absolute links, or "" if it has no text.

    url: the URL of the page after redirects; without it, relative targets stay unchanged. Accepts any text and takes
    linear time.
    """
    with _collector_paused:
        return _build_markdown(html, Places(build_tree(html)), url).markdown


def convert(html: str, url: str | None = None, tree: Tree | None = None) -> Page:
    """Return the markdown and metadata of a page. The parameters and guarantees are the same as those of `to_markdown`.

    tree: the result of `build_tree`, if available; it is modified.
    """
    with _collector_paused:
        places = Places(build_tree(html) if tree is None else tree)
        head = read_head(places, url)  # before the content selection removes parts of the tree
        entities = read_entities([*places.nodes, *places.items], places.base_of(url))
        markdown, warnings, references = _build_markdown(html, places, url)
    if references is None:
        references = [*find_references(markdown)]
    links, images = list_links(markdown, url, references)
    words = count_words(keep_labels(markdown, references))
    return Page(markdown, head, words, links, images, warnings, entities)


def explain(html: str, url: str | None = None) -> str:
    """Return a line for each text on a page, with the names of the stages that kept or dropped it.

    The arguments are the same as in `to_markdown`. The fields of a line are separated by tabs: `kept` or `dropped`, the
    text's score relative to the threshold for content, the stages, the element, and the beginning of the text.
    """
    with _collector_paused:
        return explain_choice(Places(build_tree(html)), url)


class _CollectorPause:
    """A pause of the garbage collector during the conversion of pages.

    A page consists of thousands of objects without cycles. The collector would search them for cycles several times,
    which takes a quarter of the total time. The collector is global, so the first of several concurrent pages turns it
    off and the last one turns it on again, in whichever thread each page is converted.
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


class _Built(NamedTuple):
    """Converted markdown. markdown, warnings: as in `Page`. references: references in the markdown, if known."""

    markdown: str
    warnings: tuple[str, ...]
    references: list[Reference] | None


def _build_markdown(html: str, places: Places, url: str | None) -> _Built:
    base = places.base_of(url)
    reveal_addresses(places.tree, html)
    root = choose(places, url)
    unseen = leave_out(places.tree, html)
    if "mso-list" in html:
        gather_lists(places.tree)
    written = text = write(root, base)
    # A picture's URL is not readable text.
    references = [*find_references(text)] if len(text) >= RICH_CHARS and "![" in text else None
    is_sparse = len(text if references is None else keep_labels(text, references)) < RICH_CHARS
    if found := _find_additions(html, places, text, is_sparse=is_sparse):
        added = Node("body", {}, -1)
        added.children = [*found]
        text = f"{text}\n{write(added, base)}"
    text, removed = strip_invisible(strip_unreadable(text))
    text = text.strip()
    warnings = warn_of_hidden(unseen.characters, "page")
    if removed:
        warnings.append(build_warning(removed))
    markdown = f"{text}\n" if text else ""
    return _Built(markdown, tuple(warnings), references if markdown == written else None)


def _find_additions(html: str, places: Places, text: str, *, is_sparse: bool) -> list[Node]:
    """Return content from the page's data that its text lacks.

    On a page with little text, this is any content; on other pages, it is a recipe's ingredients.
    """
    found = find_missing(html, places.description, text) if is_sparse else []
    if not found and len(places.recipes) == 1:
        return find_ingredients(places.recipes[0], text)
    return found
