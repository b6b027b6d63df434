"""The elements that contain a page's metadata."""

from functools import cached_property

from webquarry_convert.links import join_address
from webquarry_convert.page.microdata import Item, read_items
from webquarry_convert.page.structured import Description, get_types, list_ingredients, read_nodes
from webquarry_convert.page.structured import Node as JsonObject
from webquarry_convert.tree import Node, Tree

MAX_BEFORE = 60
MAX_AFTER = 300
"""Number of elements on each side of the heading that are searched for the date and the author."""
MAX_AROUND = 2000
"""Number of elements that are searched on pages without a heading."""
MAX_HEADINGS = 20
MAX_ABOVE = 6
"""Number of ancestors of the heading whose descendants may contain its date or author."""
MAX_TEXT = 8000
FEEDS = {"application/rss+xml": "rss", "application/atom+xml": "atom", "application/feed+json": "json"}
"""Feed formats by media type."""
_STATING = frozenset({"meta", "base", "link", "title", "h1", "script"})
_PROPERTIES = frozenset({"author", "datePublished", "dateModified", "dateCreated"})


class Places:
    """The elements that contain a page's metadata, identified by their index in the tree and in document order.

    metas: non-blank contents of meta elements, by lower-case property, name, itemprop or http-equiv. data: strings of
    the JSON-LD scripts. base, canonical, icons: URLs as written on the page. feeds: the URL, title and form of each
    feed. title: text of the `title` element. headings: `h1` elements.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.metas: dict[str, list[str]] = {}
        self.base: str | None = None
        self.canonical: str | None = None
        self.icons: list[str] = []
        self.feeds: list[tuple[str, str | None, str]] = []
        self.title: str | None = None
        self.headings: list[int] = []
        self.data: list[str] = []
        for place in [place for place, node in enumerate(tree) if node.tag in _STATING]:
            self._take(place, tree[place])

    def _take(self, place: int, node: Node) -> None:
        attributes = node.attributes
        match node.tag:
            case "meta":
                self._take_meta(attributes)
            case "link":
                self._take_link(attributes)
            case "script" if "ld+json" in (attributes.get("type") or "").lower():
                self.data.append(collect_text(node, None))
            case "base":
                self.base = self.base or attributes.get("href")
            case "title" if self.title is None:
                self.title = collect_text(node, MAX_TEXT)
            case "h1":
                self.headings.append(place)

    def _take_link(self, attributes: dict[str, str | None]) -> None:
        relation, address = attributes.get("rel"), attributes.get("href")
        if not relation or not address:
            return
        names = relation.lower().split()
        if "canonical" in names:
            self.canonical = self.canonical or address
        elif "icon" in names:
            self.icons.append(address)
        elif "alternate" in names and (kind := (attributes.get("type") or "").lower()) in FEEDS:
            self.feeds.append((address, attributes.get("title"), FEEDS[kind]))

    def _take_meta(self, attributes: dict[str, str | None]) -> None:
        content = attributes.get("content")
        names = (
            attributes.get("property")
            or attributes.get("name")
            or attributes.get("itemprop")
            or attributes.get("http-equiv")
        )
        if names and content and not content.isspace():
            for name in names.lower().split():
                self.metas.setdefault(name, []).append(content)

    def meta(self, name: str) -> str | None:
        return self.metas[name][0] if name in self.metas else None

    def base_of(self, url: str | None) -> str | None:
        """Return the base for relative URLs: the URL of the first `base` element, or else `url`, the page's URL."""
        return join_address(url, self.base) or url

    def mentions(self, *names: str) -> bool:
        """Return whether the JSON-LD text contains one of these words. This quick check avoids needless parsing."""
        return any(name in text for text in self.data for name in names)

    @cached_property
    def nodes(self) -> tuple[JsonObject, ...]:
        """The nodes of the page's JSON-LD."""
        return read_nodes(self.data)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items of the page's microdata."""
        return read_items(self.tree)

    @cached_property
    def description(self) -> Description:
        """The description of the page in its JSON-LD."""
        return Description(self.nodes)

    @cached_property
    def recipes(self) -> list[JsonObject]:
        """The page's recipes with ingredients, from JSON-LD or microdata.

        Recipes with the same ingredients are merged.
        """
        found: dict[tuple[str, ...], JsonObject] = {}
        for node in [*(self.nodes if self.mentions("Recipe") else ()), *self.items]:
            if "Recipe" in get_types(node) and (listed := list_ingredients(node)):
                found.setdefault(tuple(listed), node)
        return list(found.values())

    @cached_property
    def properties(self) -> dict[str, int]:
        """The first element near the heading for each itemprop of an author or a date."""
        found: dict[str, int] = {}
        for place in self._find_with("itemprop"):
            value = self.tree[place].attributes["itemprop"]
            for name in value.split() if value else ():
                if name in _PROPERTIES:
                    found.setdefault(name, place)
        return found

    @cached_property
    def rel_authors(self) -> list[int]:
        """The links near the heading that lead to the author."""
        return [
            place
            for place in self._find_with("rel")
            if (value := self.tree[place].attributes["rel"]) and "author" in value.lower().split()
        ]

    def _find_with(self, name: str) -> list[int]:
        """Return the elements near the heading that have an attribute."""
        around = self._around
        return [
            place
            for place, node in enumerate(self.tree[around.start : around.stop], around.start)
            if name in node.attributes
        ]

    @cached_property
    def names(self) -> list[list[int]]:
        """The elements near the heading that have an author class, grouped by nearness."""
        return self._nearest([place for place, mark in self._marks if "author" in mark or "byline" in mark])

    @cached_property
    def dates(self) -> list[list[int]]:
        """The elements near the heading that are `time` elements or have a date class, grouped by nearness."""
        return self._nearest(
            [place for place, mark in self._marks if "date" in mark or "publish" in mark or "posted" in mark]
        )

    @cached_property
    def _marks(self) -> list[tuple[int, str]]:
        """The classes of elements near the heading, with "date" for a `time` element."""
        around = self._around
        return [
            (place, value.lower() if value and node.tag != "time" else "date")
            for place, node in enumerate(self.tree[around.start : around.stop], around.start)
            if (value := node.attributes.get("class")) or node.tag == "time"
        ]

    @cached_property
    def _heading(self) -> int | None:
        """The first heading with text."""
        return next(
            (at for at in self.headings[:MAX_HEADINGS] if not collect_text(self.tree[at], MAX_TEXT).isspace()), None
        )

    @cached_property
    def _around(self) -> range:
        """The elements before and after the heading, or all elements if there is no heading."""
        if self._heading is None:
            return range(min(MAX_AROUND, len(self.tree)))
        return range(max(0, self._heading - MAX_BEFORE), min(self._heading + MAX_AFTER, len(self.tree)))

    def _nearest(self, lines: list[int]) -> list[list[int]]:
        """Group lines by nearness to the heading.

        The first group is inside the heading's parent, the next group is inside its grandparent but not its parent, and
        so on. Without a heading, all lines are in one group.
        """
        if self._heading is None or not lines:
            return [lines]
        tree = self.tree
        levels = _list_levels(tree, self._heading)
        found: list[list[int]] = [[] for _ in levels]
        for line in lines:
            at = tree[line].up
            while at >= 0 and at not in levels:
                at = tree[at].up
            if at >= 0:
                found[levels[at]].append(line)
        return found


def _list_levels(tree: Tree, place: int) -> dict[int, int]:
    """Return an element's ancestors up to the body, with the distance of each."""
    levels: dict[int, int] = {}
    above = tree[place].up
    while above >= 0 and tree[above].tag not in ("body", "html") and len(levels) < MAX_ABOVE:
        levels[above] = len(levels)
        above = tree[above].up
    return levels


def collect_text(node: Node, limit: int | None) -> str:
    """Return a node's text with spaces between its pieces.

    Stops adding pieces after `limit` characters.
    """
    pieces: list[str] = []
    room = limit
    waiting: list[Node | str] = [node]
    while waiting and (room is None or room > 0):
        item = waiting.pop()
        if isinstance(item, str):
            pieces.append(item)
            room = None if room is None else room - len(item)
        elif item is node or item.tag != "script":
            waiting.extend(reversed(item.children))
    return " ".join(pieces)
