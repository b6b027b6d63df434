"""What the data of a page states of its product and a text of it shows: its name, its price, its numbers.

The choice weighs short texts by what stands around them. What the page itself calls the price is its content wherever
it stands.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.facts import has_price
from webquarry_convert.page.head import Places
from webquarry_convert.page.head.title import is_own, make_key
from webquarry_convert.page.kind import KINDS
from webquarry_convert.page.structured import Node as JsonObject
from webquarry_convert.page.structured import get_types
from webquarry_convert.tree import Tree

PRODUCT = KINDS.index("product")
LIKELY = 128
"""Of 255, from which a page is about a product though it does not say so."""
MAX_TOKENS = 30
MAX_NAME_TOKENS = 40
"""Of texts that show a fact, or the name."""
MAX_NAME = 300
"""Characters of a name that are compared."""
MAX_FACTS = 12
MAX_OFFERS = 60
MAX_CODE = 40
MIN_DIVIDED = 6
MAX_DIVIDED = 6
"""Characters of a code, and tokens of a text, that may write it in groups."""
MAX_TRIES = 8
"""Places at which a code is looked for in a text."""
BEFORE = 30
AFTER = 120
"""Blocks before and after the name among which a price is that of the product."""
BESIDE = 12
"""Blocks behind the name among which the first sum of money is the price."""
_PRODUCTS = frozenset(
    {"Product", "ProductGroup", "IndividualProduct", "SomeProducts", "ProductModel", "Vehicle", "Car", "Book"}
)
_CODES = ("sku", "mpn", "productID", "gtin", "gtin13", "gtin12", "gtin14", "gtin8", "isbn")
_LABELLED = ("brand", "manufacturer")
_PRICES = ("price", "lowPrice")
_METAS = ("product:price:amount", "og:price:amount", "price")
_NUMBER = re.compile(r"\d[\d.,' \u00a0\u202f]{0,15}")
_NO_DIGIT = re.compile(r"\D+")
_CENTS = re.compile(r"[.,](\d{1,2})$")
_PRICED = re.compile(r"price|preis|prix|precio|prezzo|preco|cena|pris(?![a-z])|prijs|hinta|amount", re.IGNORECASE)
_OTHER_PRICE = re.compile(
    r"old|was|strike|before|regular|list-?price|related|recommend|similar|unit|shipping|versand|saving", re.IGNORECASE
)
_IN_ADDRESS = re.compile(r"(?<![A-Za-z0-9])(?=[A-Z0-9]{0,11}\d\d\d)[A-Z0-9]{6,14}(?![A-Za-z0-9])")
"""What may be the number of a product in the page's address."""
_HEADINGS = frozenset({"h1", "h2", "h3"})
MAX_MARKS = 200
LEVELS = 3


class _Facts(NamedTuple):
    """names, prices, codes: as the page's data write them."""

    names: list[str]
    prices: list[str]
    codes: list[str]


def keep_stated(
    blocks: Blocks,
    is_kept: list[bool],
    judged: Sequence[int],
    places: Places,
    url: str | None,
    titles: Sequence[str],
    kinds: bytes,
) -> bool:
    """Keep the texts that show what the page's data, or its address, state of its one product.

    True when the page's data are those of one product.

    judged: numbers of the blocks in no menu. titles: of the page, as its head gives them. kinds: how likely the page is
    each of `KINDS`, 255 for certain.
    """
    main = places.description.main if places.mentions(*_PRODUCTS) else None
    products = [main] if main is not None and get_types(main) & _PRODUCTS else []
    products += [item for item in places.items if get_types(item) & _PRODUCTS][:1]
    if not (products or _is_product(places) or kinds[PRODUCT] >= LIKELY):
        return False
    stated = _read_facts(products, places)
    name = _find_name(blocks, judged, [*stated.names, *titles])
    if name >= 0 and not _is_heading_kept(blocks, is_kept, blocks.all[name].text):
        is_kept[name] = True
    near = [number for number in judged if name < 0 or -BEFORE <= number - name <= AFTER]
    price = _find_price(blocks, near, name, stated.prices)
    if price >= 0:
        is_kept[price] = True
    for code in dict.fromkeys([*stated.codes, *_IN_ADDRESS.findall((url or "")[-MAX_MARKS:])]):
        found = _find_code(blocks, is_kept, judged, code)
        if found >= 0:
            is_kept[found] = True
    return bool(products) and places.description.is_alone


def _is_product(places: Places) -> bool:
    return (places.meta("og:type") or "").strip().lower() in ("product", "og:product", "product.item")


def _read_facts(products: Sequence[JsonObject], places: Places) -> _Facts:
    prices = [value for product in products for value in _find_prices(product.get("offers"))]
    prices += [value for product in products for key in _PRICES for value in _list_texts(product.get(key))]
    prices += [value for name in _METAS if (value := places.meta(name))]
    codes = [value for product in products for key in _CODES for value in _list_texts(product.get(key))]
    for product in products:
        for key in _LABELLED:
            fact = product.get(key)
            codes += _list_texts(fact.get("name") if isinstance(fact, Mapping) else fact)
    return _Facts(
        [name for product in products for name in _list_texts(product.get("name"))],
        list(dict.fromkeys(prices))[:MAX_FACTS],
        list(dict.fromkeys(code.strip() for code in codes if 3 <= len(code.strip()) <= MAX_CODE))[:MAX_FACTS],
    )


def _find_prices(offers: object) -> list[str]:
    """The prices of offers, and of those that these sum up."""
    found: list[str] = []
    waiting = [offers]
    for offer in waiting:  # it grows while it is walked
        if isinstance(offer, list):
            waiting += offer[:MAX_FACTS]
        elif isinstance(offer, Mapping) and len(waiting) < MAX_OFFERS:
            found += [value for key in _PRICES for value in _list_texts(offer.get(key))]
            waiting += [offer.get("offers"), offer.get("priceSpecification")]
    return found


def _list_texts(value: object) -> list[str]:
    """The texts and numbers among a value, or a list of them."""
    values = value[:MAX_FACTS] if isinstance(value, list) else [value]
    return [str(item) for item in values if isinstance(item, str | int | float) and not isinstance(item, bool)]


def _find_name(blocks: Blocks, judged: Sequence[int], names: Sequence[str]) -> int:
    """The text that is the product's name: a heading, or else any that says it whole; or -1."""
    tree = blocks.tree
    names = [name[:MAX_NAME] for name in names if make_key(name[:MAX_NAME])]
    keys = [make_key(name) for name in names]
    whole = -1
    heading = -1
    for number in judged:
        block = blocks.all[number]
        if block.tokens > MAX_NAME_TOKENS:
            continue
        tag = tree[block.place].tag
        is_heading = tag in _HEADINGS or (tree[block.place].up >= 0 and tree[tree[block.place].up].tag in _HEADINGS)
        if not is_heading and whole >= 0:
            continue
        block_key = make_key(block.text)
        if block_key and any(
            block_key == key or (key.startswith(block_key) and is_own(block.text, name))
            for key, name in zip(keys, names, strict=True)
        ):
            if is_heading:
                return number
            whole = number
        elif (
            is_heading
            and heading < 0
            and len(block_key) > 3
            and any(block_key in key or key in block_key for key in keys)
        ):
            heading = number
    return heading if heading >= 0 else whole


def _is_heading_kept(blocks: Blocks, is_kept: Sequence[bool], text: str) -> bool:
    """Whether a kept heading says the text."""
    key = make_key(text)
    return any(
        keeps and blocks.tree[block.place].tag in _HEADINGS and make_key(block.text) == key
        for block, keeps in zip(blocks.all, is_kept, strict=True)
    )


def _find_price(blocks: Blocks, near: Sequence[int], name: int, prices: Sequence[str]) -> int:
    """The text that shows one of the prices; else the first behind the name that is marked as a price, or is one."""
    values = {value for price in prices if (value := _count_cents(price))}
    best, best_rank = -1, 0
    for number in near:
        block = blocks.all[number]
        if block.tokens > MAX_TOKENS or not any(map(str.isdigit, block.text)):
            continue
        is_priced = has_price(block.text)
        is_marked = _has_mark(blocks.tree, block.place, _PRICED)
        if not (is_priced or is_marked):
            continue
        is_stated = any(_count_cents(found) in values for found in _NUMBER.findall(block.text[:MAX_MARKS]))
        is_beside = 0 <= number - name <= BESIDE and name >= 0
        if not (is_stated or (is_priced and (is_marked or is_beside))):
            continue
        rank = 8 * is_stated + 4 * is_marked + 2 * (number >= name) + is_priced
        rank -= 3 * _has_mark(blocks.tree, block.place, _OTHER_PRICE)
        if rank > best_rank:
            best, best_rank = number, rank
    return best


def _count_cents(written: str) -> int:
    """A sum in hundredths, however its digits are divided; 0 when there is none."""
    written = written.strip(" \u00a0\u202f.,'")
    cents = _CENTS.search(written)
    whole = _NO_DIGIT.sub("", written[: cents.start()] if cents else written)
    return int(whole or 0) * 100 + (int(cents[1].ljust(2, "0")) if cents else 0) if len(whole) < 13 else 0


def _has_mark(tree: Tree, place: int, marks: re.Pattern[str]) -> bool:
    for _ in range(LEVELS):
        attributes = tree[place].attributes
        for key in ("class", "itemprop", "id", "data-testid"):
            value = attributes.get(key)
            if value and marks.search(value[:MAX_MARKS]):
                return True
        place = tree[place].up
        if place < 0:
            break
    return False


def _find_code(blocks: Blocks, is_kept: Sequence[bool], judged: Sequence[int], code: str) -> int:
    """The shortest text that holds the code as a word, however its digits are divided; -1 when a kept one does, or
    none."""
    key = make_key(code)
    best = -1
    for number in judged:
        block = blocks.all[number]
        if block.size < len(key) or (block.tokens > MAX_TOKENS and not is_kept[number]):
            continue
        if not _holds_word(block.text[: 20 * MAX_MARKS].lower(), code.lower()) and not (
            len(key) >= MIN_DIVIDED and block.tokens <= MAX_DIVIDED and key in make_key(block.text)
        ):
            continue
        if is_kept[number]:
            return -1
        if best < 0 or block.size < blocks.all[best].size:
            best = number
    return best


def _holds_word(text: str, word: str) -> bool:
    at = text.find(word)
    for _ in range(MAX_TRIES):
        if at < 0:
            return False
        end = at + len(word)
        if not text[max(0, at - 1) : at].isalnum() and not text[end : end + 1].isalnum():
            return True
        at = text.find(word, end)
    return False
