"""Structured data of a page (JSON-LD): finds the node that describes the page, and reads its properties."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import orjson

MAX_NODES = 2000
MAX_CHARS = 2_000_000
MAX_INGREDIENTS = 200
_WRAPPING = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>)\s*$"
)
_TRAILING = re.compile(r",(\s*[}\]])")

KINDS: Mapping[str, str] = {
    "NewsArticle": "article",
    "Article": "article",
    "BlogPosting": "article",
    "ReportageNewsArticle": "article",
    "AnalysisNewsArticle": "article",
    "OpinionNewsArticle": "article",
    "ScholarlyArticle": "article",
    "LiveBlogPosting": "article",
    "Report": "article",
    "Recipe": "article",
    "Review": "article",
    "TechArticle": "documentation",
    "APIReference": "documentation",
    "HowTo": "documentation",
    "DiscussionForumPosting": "forum",
    "QAPage": "forum",
    "Question": "forum",
    "Product": "product",
    "ProductGroup": "product",
    "Service": "service",
    "ItemList": "listing",
    "SearchResultsPage": "listing",
    "CollectionPage": "collection",
}
"""Schema.org types that determine the kind of a page.

If a page has several, the one listed first here describes the page.
"""
_OTHERS = ("JobPosting", "Course", "Event", "MusicEvent", "SportsEvent", "BusinessEvent", "EducationEvent", "Festival")
"""Types of nodes that can describe a page but don't determine its kind."""
_RANK = {name: rank for rank, name in enumerate((*KINDS, *_OTHERS))}
_PAGES = frozenset({"WebPage", "AboutPage", "ContactPage", "ItemPage", "FAQPage", "ProfilePage", "MedicalWebPage"})
_SITES = frozenset({"WebSite"})

Node = Mapping[str, Any]


def read_nodes(blocks: Iterable[str]) -> tuple[Node, ...]:
    """Return up to `MAX_NODES` typed nodes from all JSON-LD blocks, outer nodes first.

    Simple syntax errors are repaired.
    """
    found: list[Node] = []
    for block in blocks:
        found += _collect_typed(_parse_block(block), MAX_NODES - len(found))
    return tuple(found)


class Description:
    """A page's description in its JSON-LD nodes. Missing values are None.

    main: the node that describes the page. is_alone: whether no other node has the same rank; if so, the page is about
    only one entity. questions: the questions of an FAQ page.
    """

    def __init__(self, found: tuple[Node, ...]) -> None:
        self._by_id = {node["@id"]: node for node in reversed(found) if isinstance(node.get("@id"), str)}
        ranked = [(rank, node) for node in found if (rank := _rank(node)) is not None]
        best = min((rank for rank, _ in ranked), default=None)
        equals = [node for rank, node in ranked if rank == best]
        self.main = equals[0] if equals else None
        self.is_alone = len(equals) == 1
        self._sources = [node for node in (self.main, _find_typed(found, _PAGES)) if node is not None]
        self._site = _find_typed(found, _SITES)
        self.questions = [node for page in found if "FAQPage" in get_types(page) for node in _get_entities(page)]

    def __bool__(self) -> bool:
        """Return whether one of the nodes describes the page."""
        return self.main is not None or bool(self.questions)

    @property
    def kind(self) -> str | None:
        names = get_types(self.main) & KINDS.keys() if self.main is not None else None
        return KINDS[min(names, key=_RANK.__getitem__)] if names else None

    @property
    def author(self) -> str | None:
        for node in self._sources:
            names = dict.fromkeys(self._names(node.get("author")) or self._names(node.get("creator")))
            if names:
                return ", ".join(names)
        return None

    @property
    def site_name(self) -> str | None:
        for value in (self._site, *(node.get("isPartOf") for node in self._sources if "publisher" not in node)):
            if value is not None and (names := self._names(value)):
                return names[0]
        for node in self._sources:
            if names := self._names(node.get("publisher")):
                return names[0]
        return None

    def text(self, *keys: str) -> str | None:
        """Return the first of the given properties whose value is a text.

        Properties of the main node come before properties of the page's node.
        """
        for node in self._sources:
            for key in keys:
                value = node.get(key)
                value = value[0] if isinstance(value, list) and value else value
                if isinstance(value, str) and value.strip():
                    return value
        return None

    def _names(self, value: Any) -> list[str]:
        """Return the names in a value: a text, a person or organization, a reference to one of them, or a list of
        these.
        """
        names: list[str] = []
        for item in (value if isinstance(value, list) else [value])[:20]:
            if isinstance(item, dict):
                item = self._get_name(item)
            if isinstance(item, str) and item.strip() and not item.startswith(("http://", "https://")):
                names.append(" ".join(item.split()))
        return names

    def _get_name(self, node: Node) -> Any:
        """Return the first name of a node or of the node that it refers to."""
        name = node.get("name")
        if name is None and isinstance(node.get("@id"), str):
            name = self._by_id.get(node["@id"], {}).get("name")
        return name[0] if isinstance(name, list) and name else name


def _find_typed(nodes: Iterable[Node], types: AbstractSet[str]) -> Node | None:
    return next((node for node in nodes if get_types(node) & types), None)


def list_ingredients(recipe: Node) -> list[str]:
    """Return up to `MAX_INGREDIENTS` of a recipe's ingredients, unchanged."""
    listed = recipe.get("recipeIngredient", recipe.get("ingredients"))
    return [item for item in listed[:MAX_INGREDIENTS] if isinstance(item, str)] if isinstance(listed, list) else []


def _rank(node: Node) -> int | None:
    return min((_RANK[name] for name in get_types(node) if name in _RANK), default=None)


def _get_entities(page: Node) -> list[Node]:
    value = page.get("mainEntity")
    return [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]


def get_types(node: Node) -> set[str]:
    """Return the names of a node's types, without the vocabulary's URL."""
    value = node.get("@type")
    names = value if isinstance(value, list) else [value]
    return {name.rpartition("/")[2] for name in names if isinstance(name, str)}


def _collect_typed(value: Any, room: int) -> list[Node]:
    found: list[Node] = []
    queue = [value]
    for item in _walk_queue(queue):
        if len(found) >= room:
            break
        if isinstance(item, list):
            queue += item
        elif isinstance(item, dict):
            if "@type" in item:
                found.append(item)
            queue += [item[key] for key in ("@graph", "mainEntity", "mainEntityOfPage") if key in item]
    return found


def _walk_queue(queue: list[Any]) -> Iterator[Any]:
    for position, item in enumerate(queue):  # the queue grows during the loop
        if position > 10 * MAX_NODES:
            return
        yield item


def _parse_block(text: str) -> Any:
    text = text[:MAX_CHARS]
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    mended = _TRAILING.sub(r"\1", _WRAPPING.sub("", text).strip().rstrip(";"))
    try:
        # Raw line breaks and tabs in strings are the most common error. With `strict=False`, json accepts them.
        return json.JSONDecoder(strict=False).raw_decode(mended.lstrip())[0]
    except (ValueError, RecursionError):
        return None
