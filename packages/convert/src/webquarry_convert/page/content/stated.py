"""What a page states of its product and a text of it shows: its name, its price, its numbers.

The choice weighs short texts by what stands around them. What the page itself calls the price is its content wherever
it stands.
"""

import re
from collections.abc import Mapping, Sequence
from html import unescape
from typing import NamedTuple

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.codes import keep_codes
from webquarry_convert.page.content.prices import find_box, find_price, is_offered, list_marked, read_prices
from webquarry_convert.page.head import Places
from webquarry_convert.page.head.title import is_own, make_key
from webquarry_convert.page.kind import KINDS
from webquarry_convert.page.structured import Node as JsonObject
from webquarry_convert.page.structured import get_types
from webquarry_convert.tree import Tree

PRODUCT = KINDS.index("product")
LIKELY = 128
"""Of 255, from which a page is about a product though it does not say so."""
MAX_NAME_TOKENS = 40
"""Of texts that show the name."""
MAX_NAME = 300
MIN_ALIKE = 3
"""Characters of a name that are compared, and that a heading has at least which says more or less than it."""
MAX_FACTS = 12
MAX_CODE = 40
MAX_ADDRESS = 200
"""Characters at the end of the page's address that are read."""
_PRODUCTS = frozenset(
    {"Product", "ProductGroup", "IndividualProduct", "SomeProducts", "ProductModel", "Vehicle", "Car", "Book"}
)
_NAMED = frozenset(
    {"Event", "MusicEvent", "SportsEvent", "BusinessEvent", "EducationEvent", "TheaterEvent", "Festival", "Course"}
)
"""Other things whose name stays."""
_CODES = ("sku", "mpn", "productID", "gtin", "gtin13", "gtin12", "gtin14", "gtin8", "isbn")
_LABELLED = ("brand", "manufacturer")
_PRICES = ("price", "lowPrice")
_METAS = ("product:price:amount", "og:price:amount", "price")
_IN_ADDRESS = re.compile(r"(?<![A-Za-z0-9])(?=[A-Z0-9]{0,11}\d\d\d)[A-Z0-9]{6,14}(?![A-Za-z0-9])")
"""What may be the number of a product in the page's address."""
_HEADINGS = frozenset({"h1", "h2", "h3"})


class _Facts(NamedTuple):
    """names, prices, codes: as the page's data write them."""

    names: list[str]
    prices: list[str]
    codes: list[str]


def keep_stated(
    blocks: Blocks,
    is_kept: list[bool],
    judged: Sequence[int],
    priced: bytes,
    places: Places,
    url: str | None,
    titles: Sequence[str],
    kinds: bytes,
) -> bool:
    """Keep the texts that show what the page's data, its address or its labels state of its one product; and the name
    of its one event.

    True when the page's data are those of one product.

    judged: numbers of the blocks in no menu. priced: of each of these, whether it names a sum of money. titles: of the
    page, as its head gives them. kinds: how likely the page is each of `KINDS`, 255 for certain.
    """
    main = places.description.main if places.mentions(*_PRODUCTS, *_NAMED) else None
    types = get_types(main) if main is not None else set()
    products = [main] if main is not None and types & _PRODUCTS else []
    products += [item for item in places.items if get_types(item) & _PRODUCTS][:1]
    is_product = bool(products) or _is_product(places) or kinds[PRODUCT] >= LIKELY
    if main is not None and places.description.is_alone and types & _NAMED:
        for number in _find_names(blocks, judged, _list_texts(main.get("name"))):
            is_kept[number] = True
    sums = [number for number, is_priced in zip(judged, priced, strict=True) if is_priced] if 1 in priced else []
    if not is_product and not list_marked(blocks, sums):
        return False
    stated = _read_facts(products, places)
    names = _find_names(blocks, judged, [*stated.names, *titles])
    name = names[0] if names else -1
    if not is_product and (name < 0 or not is_offered(blocks, sums, name)):
        return False
    for number in names:
        if not _is_heading_kept(blocks, is_kept, blocks.all[number].text):
            is_kept[number] = True
    price = find_price(blocks, judged, name, stated.prices)
    if price >= 0:
        for number in find_box(blocks, price):
            is_kept[number] = True
    codes = dict.fromkeys([*stated.codes, *_IN_ADDRESS.findall((url or "")[-MAX_ADDRESS:])])
    keep_codes(blocks, is_kept, judged, name, codes)
    return bool(products) and places.description.is_alone


def _is_product(places: Places) -> bool:
    return (places.meta("og:type") or "").strip().lower() in ("product", "og:product", "product.item")


def _read_facts(products: Sequence[JsonObject], places: Places) -> _Facts:
    prices = [value for product in products for value in read_prices(product.get("offers"))]
    prices += [value for product in products for key in _PRICES for value in _list_texts(product.get(key))]
    prices += [value for name in _METAS if (value := places.meta(name))]
    codes = [value for product in products for key in _CODES for value in _list_texts(product.get(key))]
    for product in products:
        for key in _LABELLED:
            fact = product.get(key)
            codes += _list_texts(fact.get("name") if isinstance(fact, Mapping) else fact)
    return _Facts(
        [unescape(name) for product in products for name in _list_texts(product.get("name"))],
        list(dict.fromkeys(prices))[:MAX_FACTS],
        list(dict.fromkeys(code.strip() for code in codes if 3 <= len(code.strip()) <= MAX_CODE))[:MAX_FACTS],
    )


def _list_texts(value: object) -> list[str]:
    """The texts and numbers among a value, or a list of them."""
    values = value[:MAX_FACTS] if isinstance(value, list) else [value]
    return [str(item) for item in values if isinstance(item, str | int | float) and not isinstance(item, bool)]


def _find_names(blocks: Blocks, judged: Sequence[int], names: Sequence[str]) -> list[int]:
    """The texts that name the product: the heading that says one of the names, else the one that says more or less than
    it, and the first text that says it whole where that says less; behind these the page's only `h1`, or the only one
    that says a name and more.

    names: as the page's data and its head write them.
    """
    tree = blocks.tree
    names = [name[:MAX_NAME] for name in names if make_key(name[:MAX_NAME])]
    keys = [make_key(name) for name in names]
    longest = 2 * max(map(len, names), default=0)
    best = alike = whole = -1
    is_said = False
    firsts: dict[int, bool] = {}  # by place, whether it says a name
    for number in judged:
        block = blocks.all[number]
        if block.tokens > MAX_NAME_TOKENS:
            continue
        heading = _find_heading(tree, block.place)
        if heading < 0 and (whole >= 0 or block.size > longest):
            continue
        key = make_key(block.text)
        if not key:
            continue
        if heading >= 0 and tree[heading].tag == "h1":
            firsts[heading] = firsts.get(heading, False) or any(own in key for own in keys)
        if any(
            key == own or (own.startswith(key) and is_own(block.text, name))
            for own, name in zip(keys, names, strict=True)
        ):
            if heading < 0:
                whole = number
            elif best < 0:
                best = heading
        elif (
            heading >= 0
            and len(key) > MIN_ALIKE
            and (alike < 0 or tree[heading].tag == "h1" != tree[alike].tag)
            and any(key in own or own in key for own in keys)
        ):
            alike = heading
            is_said = any(own in key for own in keys)
    found = _list_blocks(blocks, best if best >= 0 else alike)
    if best < 0 and not is_said and whole >= 0:
        found.append(whole)
    own_firsts = [heading for heading, says_name in firsts.items() if says_name or len(firsts) == 1]
    if len(own_firsts) == 1:
        found += _list_blocks(blocks, own_firsts[0])
    return found


def _find_heading(tree: Tree, place: int) -> int:
    """Place of the heading that the element is or stands in; or -1."""
    for at in (place, tree[place].up):
        if at >= 0 and tree[at].tag in _HEADINGS:
            return at
    return -1


def _list_blocks(blocks: Blocks, heading: int) -> list[int]:
    return list(range(blocks.starts[heading], blocks.ends[heading])) if heading >= 0 else []


def _is_heading_kept(blocks: Blocks, is_kept: Sequence[bool], text: str) -> bool:
    """Whether a kept heading says the text."""
    key = make_key(text)
    return any(
        keeps and blocks.tree[block.place].tag in _HEADINGS and make_key(block.text) == key
        for block, keeps in zip(blocks.all, is_kept, strict=True)
    )
