"""Selects the product's price among all amounts of money on a page."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.facts import has_sum
from webquarry_convert.page.content.siblings import SeriesKey
from webquarry_convert.tree import Node, Tree

MAX_TOKENS = 30
"""Maximum number of tokens in a text that shows a price."""
MAX_CHARS = 200
"""Number of characters that are read from a text or an attribute."""
BEFORE = 30
AFTER = 120
"""Number of blocks before and after the product's name within which a price belongs to the product."""
BESIDE = 12
"""Number of blocks after the name within which the first amount of money is the price."""
NEXT = 4
"""Number of blocks after the name within which a number that is marked as a price may lack a currency."""
MAX_SERIES = 3
"""Maximum number of prices in the same position. If there are more, they belong to cards."""
MAX_BOX = 6
"""Maximum number of blocks in a price's box."""
MAX_OFFERS = 60
MAX_LISTED = 12
LEVELS = 3
"""Number of ancestors that may mark a text as a price."""
_NUMBER = re.compile(r"\d[\d.,' \u00a0\u202f]{0,15}")
_DIGIT = re.compile(r"\d")
_NO_DIGIT = re.compile(r"\D+")
_CENTS = re.compile(r"[.,](\d{1,2})$")
_FINE = re.compile(r"(\d{1,12})\.(\d\d)\d{1,6}")
"""Matches a price with more than two decimals, as shops store it."""
_PRICED = re.compile(r"price|preis|prix|precio|prezzo|preco|cena|pris(?![a-z])|prijs|hinta|amount", re.IGNORECASE)
_OTHER_PRICE = re.compile(
    r"old|was|strike|before|regular|list-?price|related|recommend|similar|unit|shipping|versand|saving", re.IGNORECASE
)
_KEYS = ("price", "lowPrice")


def read_prices(offers: object) -> list[str]:
    """Return the prices of offers, including the offers in aggregate offers, as written in the data."""
    found: list[str] = []
    waiting = [offers]
    for offer in waiting:  # the list grows during the loop
        if isinstance(offer, list):
            waiting += offer[:MAX_LISTED]
        elif isinstance(offer, Mapping) and len(waiting) < MAX_OFFERS:
            for key in _KEYS:
                value = offer.get(key)
                values = value[:MAX_LISTED] if isinstance(value, list) else [value]
                found += [str(each) for each in values if isinstance(each, str | int | float)]
            waiting += [offer.get("offers"), offer.get("priceSpecification")]
    return found


def is_offered(blocks: Blocks, priced: Sequence[int], name: int) -> bool:
    """Return whether a price directly follows the page's name, as on a product page.

    priced: numbers of the blocks with an amount of money. name: number of the block that contains the name. The price
    on the first card of a group does not count, because other cards have similar prices.
    """
    make_key = blocks.series.make_key
    marked = [number for number in list_marked(blocks, priced) if 0 < number - name <= BESIDE]
    if not marked:
        return False
    keys = [make_key(blocks.all[number].place) for number in priced]
    return any(keys.count(make_key(blocks.all[number].place)) <= MAX_SERIES for number in marked)


def list_marked(blocks: Blocks, numbers: Iterable[int]) -> list[int]:
    """Return the blocks that the markup marks as a price."""
    return [
        number
        for number in numbers
        if has_sum(blocks.all[number].text) and _has_mark(blocks.tree, blocks.all[number].place, _PRICED)
    ]


def find_price(blocks: Blocks, judged: Sequence[int], name: int, prices: Iterable[str]) -> int:
    """Return the number of the text that shows one of the prices, or -1.

    If no text shows one, returns the first text after the name that is a price or is marked as one.

    name: number of the block that contains the product's name, or -1. prices: prices as written in the data.
    """
    make_key = blocks.series.make_key
    values = {value for price in prices for value in _read_values(price)}
    ranked: list[tuple[int, int, SeriesKey]] = []
    for number in judged:
        block = blocks.all[number]
        since = number - name if name >= 0 else 0
        if not (values or -BEFORE <= since <= AFTER):
            continue
        rank = _rank_price(blocks.tree, block, since, values)
        if rank is not None:
            ranked.append((rank, number, make_key(block.place)))
    return _choose_best(ranked)


def _choose_best(ranked: Sequence[tuple[int, int, SeriesKey]]) -> int:
    """Return the number of the first text with the highest rank, or -1. A long series ranks lower."""
    series = Counter([key for _, _, key in ranked])
    best, best_rank = -1, 0
    for rank, number, key in ranked:
        rank -= 4 * (series[key] > MAX_SERIES)
        if rank > best_rank:
            best, best_rank = number, rank
    return best


def _rank_price(tree: Tree, block: Block, since: int, values: Container[int]) -> int | None:
    """Return how likely a text with a digit is to be the product's price, as a rank, or None if it is not the price.

    since: number of blocks since the product's name. values: the product's prices in hundredths, from the data.
    """
    if block.tokens > MAX_TOKENS or not _DIGIT.search(block.text):
        return None
    text = " ".join(block.text.split())[:MAX_CHARS]
    is_priced = has_sum(text)
    is_marked = _has_mark(tree, block.place, _PRICED)
    if not (is_priced or is_marked):
        return None
    is_stated = any(_count_cents(found) in values for found in _NUMBER.findall(text))
    is_beside = 0 < since <= BESIDE
    is_surely_shown = is_priced and (is_marked or is_beside)
    if not (is_stated or is_surely_shown or (is_marked and _is_bare(text, since))):
        return None
    is_near = -BEFORE <= since <= AFTER
    if not is_near and not (is_stated and is_marked):
        return None
    rank = 8 * is_stated + 4 * is_marked + 3 * is_beside + 2 * (since >= 0) + is_priced
    return rank - 3 * _has_mark(tree, block.place, _OTHER_PRICE)


def _is_bare(text: str, since: int) -> bool:
    """Return whether a text soon after the name is a bare number."""
    return 0 < since <= NEXT and _NUMBER.fullmatch(text) is not None


def find_box(blocks: Blocks, price: int) -> list[int]:
    """Return the price and the other amounts of money in its box, such as prices before tax or a discount."""
    tree, starts, ends = blocks.tree, blocks.starts, blocks.ends
    box = place = blocks.all[price].place
    for _ in range(LEVELS):
        place = tree[place].up
        if place < 0 or ends[place] - starts[place] > MAX_BOX:
            break
        if _names(tree[place], _PRICED):
            box = place
    said = set(_NUMBER.findall(blocks.all[price].text))
    found = [price]
    for number in range(starts[box], ends[box]):
        text = blocks.all[number].text
        if has_sum(text) and not said.issuperset(_NUMBER.findall(text)):
            found.append(number)
    return found


def _read_values(price: str) -> list[int]:
    """Return a price's possible values in hundredths: `10.1400` is 10.14, but `1.299` is ambiguous."""
    values = [_count_cents(found) for found in _NUMBER.findall(price[:MAX_CHARS])]
    fine = _FINE.fullmatch(price.strip())
    if fine is not None:
        values.append(int(fine[1]) * 100 + int(fine[2]))
    return [value for value in values if value]


def _count_cents(written: str) -> int:
    """Return an amount in hundredths, regardless of its digit grouping, or 0 if there is no number."""
    written = written.strip(" \u00a0\u202f.,'")
    cents = _CENTS.search(written)
    whole = _NO_DIGIT.sub("", written[: cents.start()] if cents else written)
    return int(whole or 0) * 100 + (int(cents[1].ljust(2, "0")) if cents else 0) if len(whole) < 13 else 0


def _has_mark(tree: Tree, place: int, marks: re.Pattern[str]) -> bool:
    for _ in range(LEVELS):
        if _names(tree[place], marks):
            return True
        place = tree[place].up
        if place < 0:
            break
    return False


def _names(node: Node, marks: re.Pattern[str]) -> bool:
    attributes = node.attributes
    if not attributes:
        return False
    for key in ("class", "itemprop", "id", "data-testid"):
        value = attributes.get(key)
        if value and _has_marks(value[:MAX_CHARS], marks):
            return True
    return False


@lru_cache(maxsize=4096)
def _has_marks(value: str, marks: re.Pattern[str]) -> bool:
    return marks.search(value) is not None
