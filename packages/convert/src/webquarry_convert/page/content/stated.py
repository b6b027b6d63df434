"""Facts about a product that both the page's data and its blocks contain: the name, the price and the product
numbers.

Short blocks are otherwise weighed by their context, but a price from the page's data is content in any position.
"""

import re
from collections.abc import Mapping, Sequence
from html import unescape
from typing import NamedTuple

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.codes import keep_codes
from webquarry_convert.page.content.prices import find_box, find_price, is_offered, list_marked, read_prices
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.head import Places
from webquarry_convert.page.head.title import is_own, make_key
from webquarry_convert.page.structured import Node as JsonObject
from webquarry_convert.page.structured import get_types
from webquarry_convert.tree import Tree

LIKELY = 128
"""Minimum chance, of 255, that a page without product data is a product page."""
MAX_NAME_TOKENS = 40
"""Maximum number of tokens in a text that shows the name."""
MAX_NAME = 300
MIN_ALIKE = 3
"""Number of a name's characters that are compared.

Also the minimum length of a heading that extends or shortens a name.
"""
MAX_FACTS = 12
MAX_CODE = 40
MAX_ADDRESS = 200
"""Number of characters that are read from the end of the page's URL."""
_PRODUCTS = frozenset(
    {"Product", "ProductGroup", "IndividualProduct", "SomeProducts", "ProductModel", "Vehicle", "Car", "Book"}
)
_NAMED = frozenset(
    {"Event", "MusicEvent", "SportsEvent", "BusinessEvent", "EducationEvent", "TheaterEvent", "Festival", "Course"}
)
"""Types of entities, other than products, whose names are kept."""
_CODES = ("sku", "mpn", "productID", "gtin", "gtin13", "gtin12", "gtin14", "gtin8", "isbn")
_LABELLED = ("brand", "manufacturer")
_PRICES = ("price", "lowPrice")
_METAS = ("product:price:amount", "og:price:amount", "price")
_IN_ADDRESS = re.compile(r"(?<![A-Za-z0-9])(?=[A-Z0-9]{0,11}\d\d\d)[A-Z0-9]{6,14}(?![A-Za-z0-9])")
"""Matches a potential product number in the page's URL."""
_HEADINGS = frozenset({"h1", "h2", "h3"})


class _Facts(NamedTuple):
    """Facts about a product. names, prices and codes are as written in the page's data."""

    names: list[str]
    prices: list[str]
    codes: list[str]


def keep_stated(selection: Selection) -> None:
    """Keep the blocks that show the stated facts of the page's only product, or the name of its only event.

    Facts come from the page's data, its URL or its labels. Sets `is_product`.
    """
    places = selection.places
    main = places.description.main if places.mentions(*_PRODUCTS, *_NAMED) else None
    if main is not None and _is_only_event(main, places):
        selection.keep(_find_names(selection, _list_texts(main.get("name"))))
    products = _list_products(main, places)
    stated = _read_facts(products, places)
    names = _find_names_of_product(selection, stated.names, is_product=_is_product(selection, products))
    if names is None:
        return
    selection.is_product = bool(products) and places.description.is_alone
    for number in names:
        if not _is_heading_kept(selection, number):
            selection.keep((number,))
    name = names[0] if names else -1
    price = find_price(selection.blocks, selection.judged, name, stated.prices)
    if price >= 0:
        selection.keep(find_box(selection.blocks, price))
    keep_codes(selection, name, dict.fromkeys([*stated.codes, *_find_codes_in_address(selection.url)]))


def _find_codes_in_address(url: str | None) -> list[str]:
    return _IN_ADDRESS.findall((url or "")[-MAX_ADDRESS:])


def _is_only_event(main: JsonObject, places: Places) -> bool:
    return places.description.is_alone and bool(get_types(main) & _NAMED)


def _list_products(main: JsonObject | None, places: Places) -> list[JsonObject]:
    """Return the page's product as described by its JSON-LD and by its microdata, if it has them."""
    products = [main] if main is not None and get_types(main) & _PRODUCTS else []
    return products + [item for item in places.items if get_types(item) & _PRODUCTS][:1]


def _is_product(selection: Selection, products: Sequence[JsonObject]) -> bool:
    """Return whether the page's data shows that the page is about a product, or makes it likely."""
    kind = (selection.places.meta("og:type") or "").strip().lower()
    return (
        bool(products) or kind in ("product", "og:product", "product.item") or selection.get_chance("product") >= LIKELY
    )


def _find_names_of_product(selection: Selection, names: Sequence[str], *, is_product: bool) -> list[int] | None:
    """Return the blocks that contain the product's name, or None if the page is not about a product.

    names: as written in the page's data. is_product: whether the page is known to be about a product; otherwise a price
    must directly follow its name.
    """
    blocks, priced = selection.blocks, selection.get_column("price")
    sums = [number for number, is_priced in zip(selection.judged, priced, strict=True) if is_priced]
    if not is_product and not list_marked(blocks, sums):
        return None
    found = _find_names(selection, [*names, *selection.titles])
    if not is_product and not (found and is_offered(blocks, sums, found[0])):
        return None
    return found


def _read_facts(products: Sequence[JsonObject], places: Places) -> _Facts:
    prices = [value for product in products for value in read_prices(product.get("offers"))]
    prices += _list_values(products, _PRICES)
    prices += [value for name in _METAS if (value := places.meta(name))]
    codes = [code.strip() for code in [*_list_values(products, _CODES), *_list_labelled(products)]]
    return _Facts(
        [unescape(name) for name in _list_values(products, ("name",))],
        list(dict.fromkeys(prices))[:MAX_FACTS],
        list(dict.fromkeys([code for code in codes if 3 <= len(code) <= MAX_CODE]))[:MAX_FACTS],
    )


def _list_values(products: Sequence[JsonObject], keys: Sequence[str]) -> list[str]:
    return [value for product in products for key in keys for value in _list_texts(product.get(key))]


def _list_labelled(products: Sequence[JsonObject]) -> list[str]:
    """Return the names of the products' brands and manufacturers."""
    facts = [product.get(key) for product in products for key in _LABELLED]
    return [text for fact in facts for text in _list_texts(fact.get("name") if isinstance(fact, Mapping) else fact)]


def _list_texts(value: object) -> list[str]:
    """Return the strings and numbers in a value, which may be a list."""
    values = value[:MAX_FACTS] if isinstance(value, list) else [value]
    return [str(item) for item in values if isinstance(item, str | int | float) and not isinstance(item, bool)]


class _NameSearch:
    """A search, in document order, for the elements that contain the product's name.

    best: index of the heading whose text is a name. alike: index of a heading that extends or shortens a name. whole:
    number of the first other block whose text is a name. Each is -1 if nothing was found. is_said: whether `alike`
    contains a complete name. firsts: whether each `h1` contains a name, by its index.
    """

    __slots__ = ("_keys", "_longest", "_names", "_tree", "alike", "best", "firsts", "is_said", "whole")

    def __init__(self, tree: Tree, names: Sequence[str]) -> None:
        self._tree = tree
        self._names = [name[:MAX_NAME] for name in names if make_key(name[:MAX_NAME])]
        self._keys = [make_key(name) for name in self._names]
        self._longest = 2 * max(map(len, self._names), default=0)
        self.best = self.alike = self.whole = -1
        self.is_said = False
        self.firsts: dict[int, bool] = {}

    def look_at(self, number: int, block: Block) -> None:
        """Record whether a block's text matches a name."""
        heading = _find_heading(self._tree, block.place)
        if heading < 0 and (self.whole >= 0 or block.size > self._longest):
            return
        key = make_key(block.text)
        if not key:
            return
        holds_name = heading >= 0 and any(own in key for own in self._keys)
        if heading >= 0 and self._tree[heading].tag == "h1":
            self.firsts[heading] = self.firsts.get(heading, False) or holds_name
        if self._says_name(key, block.text):
            if heading < 0:
                self.whole = number
            elif self.best < 0:
                self.best = heading
        elif self._is_more_alike(heading, key) and (holds_name or any(key in own for own in self._keys)):
            self.alike, self.is_said = heading, holds_name

    def find_own_first(self) -> int:
        """Return the index of the page's only `h1`, of the only `h1` that contains a name, or -1."""
        firsts = self.firsts
        own = [heading for heading, says_name in firsts.items() if says_name or len(firsts) == 1]
        return own[0] if len(own) == 1 else -1

    def _says_name(self, key: str, text: str) -> bool:
        """Return whether a text is one of the names, with or without the site's name.

        key: the text's key for comparisons.
        """
        return any(
            key == own or (own.startswith(key) and is_own(text, name))
            for own, name in zip(self._keys, self._names, strict=True)
        )

    def _is_more_alike(self, heading: int, key: str) -> bool:
        """Return whether a heading may extend or shorten a name and is better than the one found so far.

        The first such heading is better, and so is an `h1` after a lower heading.
        """
        if heading < 0 or len(key) <= MIN_ALIKE:
            return False
        return self.alike < 0 or self._tree[heading].tag == "h1" != self._tree[self.alike].tag


def _find_names(selection: Selection, names: Sequence[str]) -> list[int]:
    """Return the blocks that contain the product's name.

    In order of preference, these are the heading whose text is one of the names; the heading that extends or shortens a
    name (if it shortens the name, also the first text that is the name); and the page's only `h1`, or the only `h1`
    that contains a name.

    names: as written in the page's data and its head.
    """
    blocks = selection.blocks
    search = _NameSearch(blocks.tree, names)
    for number in selection.judged:
        block = blocks.all[number]
        if block.tokens <= MAX_NAME_TOKENS:
            search.look_at(number, block)
    found = _list_blocks(blocks, search.best if search.best >= 0 else search.alike)
    if search.best < 0 and not search.is_said and search.whole >= 0:
        found.append(search.whole)
    return found + _list_blocks(blocks, search.find_own_first())


def _find_heading(tree: Tree, place: int) -> int:
    """Return the index of the element or ancestor that is a heading, or -1."""
    for at in (place, tree[place].up):
        if at >= 0 and tree[at].tag in _HEADINGS:
            return at
    return -1


def _list_blocks(blocks: Blocks, heading: int) -> list[int]:
    return list(range(blocks.starts[heading], blocks.ends[heading])) if heading >= 0 else []


def _is_heading_kept(selection: Selection, number: int) -> bool:
    """Return whether a heading with the same text is kept."""
    blocks = selection.blocks
    key = make_key(blocks.all[number].text)
    return any(
        keeps and blocks.tree[block.place].tag in _HEADINGS and make_key(block.text) == key
        for block, keeps in zip(blocks.all, selection.kept, strict=True)
    )
