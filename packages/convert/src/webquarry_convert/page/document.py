"""A page as a reader gets it: its markdown and what is known about it."""

import gc
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

from webquarry_convert.links import Image, Link, Reference, find_references, keep_labels, list_links
from webquarry_convert.page.content import choose, explain_choice
from webquarry_convert.page.entities import Entity, read_entities
from webquarry_convert.page.head import Head, Places, read_head
from webquarry_convert.page.state import find_ingredients, find_missing
from webquarry_convert.text.invisible import build_warning, strip_invisible
from webquarry_convert.text.unreadable import strip_unreadable
from webquarry_convert.tree import Node, Tree, build_tree
from webquarry_convert.unseen import leave_out, warn_of_hidden
from webquarry_convert.words import count_words
from webquarry_convert.write import write

RICH_CHARS = 1500
"""Characters of text from which the page's data is not asked for more: it repeats what the elements show."""


@dataclass(frozen=True, slots=True)
class Page:
    """Everything of a page that can be known without fetching.

    markdown: the main content; "" when the page has no text. word_count, links and images are those of the markdown.
    entities: the products, recipes, events and articles that the page's data describe.
    warnings: what of the page is not in the markdown although a program would read it, one sentence each.
    """

    markdown: str
    head: Head
    word_count: int
    links: tuple[Link, ...]
    images: tuple[Image, ...]
    warnings: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()


def to_markdown(html: str, url: str | None = None) -> str:
    """The main content of a page as markdown with absolute links; "" when it has no text.

    url: the page's address after redirects; without it relative targets stay as they are. Total: any text in. The
    time grows with the size.
    """
    with _collector_paused:
        return _build_markdown(html, Places(build_tree(html)), url).markdown


def convert(html: str, url: str | None = None, tree: Tree | None = None) -> Page:
    """Markdown and metadata of a page. Arguments and totality as in `to_markdown`.

    tree: of the page, as `build_tree` makes it, where that is at hand; it is used up.
    """
    with _collector_paused:
        places = Places(build_tree(html) if tree is None else tree)
        head = read_head(places, url)  # before the choice takes parts of the tree away
        entities = read_entities([*places.nodes, *places.items], places.base_of(url))
        markdown, warnings, references = _build_markdown(html, places, url)
    if references is None:
        references = [*find_references(markdown)]
    links, images = list_links(markdown, url, references)
    words = count_words(keep_labels(markdown, references))
    return Page(markdown, head, words, links, images, warnings, entities)


def explain(html: str, url: str | None = None) -> str:
    """Return a line for each text of a page that says whether it is kept, and which stages decided that.

    Arguments as in `to_markdown`. The fields of a line have tabs between them: `kept` or `dropped`, its chance to be
    content as a share of the least one that is kept, the stages, its element, and the beginning of the text.
    """
    with _collector_paused:
        return explain_choice(Places(build_tree(html)), url)


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


class _Built(NamedTuple):
    """markdown, warnings: as in `Page`. references: of the markdown, where they are known."""

    markdown: str
    warnings: tuple[str, ...]
    references: list[Reference] | None


def _build_markdown(html: str, places: Places, url: str | None) -> _Built:
    base = places.base_of(url)
    root = choose(places, url)
    unseen = leave_out(places.tree, html)
    written = text = write(root, base)
    # addresses of pictures are nothing to read
    references = [*find_references(text)] if len(text) >= RICH_CHARS and "![" in text else None
    is_sparse = len(text if references is None else keep_labels(text, references)) < RICH_CHARS
    found = find_missing(html, places.description, text) if is_sparse else []
    if not found and len(places.recipes) == 1:
        found = find_ingredients(places.recipes[0], text)
    if found:
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
