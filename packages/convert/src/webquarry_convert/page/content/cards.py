"""Complete cards: similar elements that each have a title, a text and a price.

The blocks of a card are scored separately. If most cards in a group have a kept text, blocks that have the same
position in nearly all cards are kept together, provided that their average score is close to the cut. The name and
price of a dish are then kept along with its description.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.facts import has_sum
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.content.siblings import SeriesKey

MIN_CARDS = 3
MIN_TEXTS = 2
MAX_TEXTS = 12
"""Maximum number of blocks in a card."""
SHARE = 0.8
"""Minimum share of cards that must have a kept text, and a text in the position that is considered."""
MIN_TOKENS = 3
"""Minimum number of tokens in a card's kept text."""
NEAR = 0.8
FACT_NEAR = 0.6
"""Minimum average nearness of the blocks in one position. Headings and prices need only `FACT_NEAR`."""
TITLE_NEAR = 0.3
"""Minimum average nearness of linked titles."""
MAX_REPEATED = 0.5
"""Maximum share of cards that may have the same text in one position. The labels of buttons repeat more often."""
MAX_TOLD = 192
"""Maximum chance, of 255, that the page is an article or a thread.

On such pages, cards show other stories or the authors of the posts.
"""
_TOLD = ("article", "forum")
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})


def complete_cards(selection: Selection) -> None:
    """Keep the remaining blocks of cards, except on threads, articles and forums, whose cards show other stories."""
    if selection.is_thread or sum([selection.get_chance(kind) for kind in _TOLD]) >= MAX_TOLD:
        return
    blocks = selection.blocks
    for cards in _find_cards(blocks):
        filled = [card for card in cards if _says_something(selection, card)]
        if len(filled) >= SHARE * len(cards):
            for numbers in _find_places(blocks, cards):
                if _is_nearly_chosen(selection, numbers) or _are_titles(selection, numbers, cards):
                    selection.keep(numbers)


def _is_nearly_chosen(selection: Selection, numbers: Sequence[int]) -> bool:
    """Return whether the average score of the blocks in one position comes close to the cut."""
    blocks = selection.blocks
    chance = sum([selection.get_nearness(number) for number in numbers]) / len(numbers)
    return chance >= FACT_NEAR and chance >= _find_least([blocks.all[number] for number in numbers], blocks)


def _are_titles(selection: Selection, numbers: Sequence[int], cards: Sequence[range]) -> bool:
    """Return whether the texts in one position are card titles. Each title begins its card and consists of one link."""
    blocks = selection.blocks
    texts = [blocks.all[number] for number in numbers]
    return (
        {card.start for card in cards}.issuperset(numbers)
        and all(block.linked == block.size and block.links == 1 and block.tokens >= MIN_TOKENS for block in texts)
        and len({block.text for block in texts}) == len(texts)
        and sum(map(selection.get_nearness, numbers)) >= TITLE_NEAR * len(numbers)
    )


def _find_cards(blocks: Blocks) -> list[list[range]]:
    """Return the cards, grouped by kind. A card is a range of blocks."""
    starts, ends = blocks.starts, blocks.ends
    shelves: defaultdict[SeriesKey, list[range]] = defaultdict(list)
    for place in blocks.holders:
        if MIN_TEXTS <= ends[place] - starts[place] <= MAX_TEXTS:
            shelves[blocks.series.make_key(place)].append(range(starts[place], ends[place]))
    return [cards for cards in shelves.values() if len(cards) >= MIN_CARDS]


def _says_something(selection: Selection, card: range) -> bool:
    kept, found = selection.kept, selection.blocks.all
    return any(kept[number] and found[number].tokens >= MIN_TOKENS for number in card)


def _find_places(blocks: Blocks, cards: Sequence[range]) -> list[list[int]]:
    """Return groups of blocks that have the same position in nearly all cards, with one block per card."""
    places: defaultdict[SeriesKey, list[int]] = defaultdict(list)
    for card in cards:
        for number in card:
            places[blocks.series.make_key(blocks.all[number].place)].append(number)
    return [numbers for numbers in places.values() if SHARE * len(cards) <= len(numbers) <= len(cards)]


def _find_least(texts: Sequence[Block], blocks: Blocks) -> float:
    """Return the minimum nearness that blocks in one position need to be kept.

    The result is infinite for the page's own heading, for links that are not headings, and for blocks that are repeated
    on most cards.
    """
    tags = {blocks.tags[block.place] for block in texts}
    is_heading = tags <= _HEADINGS
    if "h1" in tags or (not is_heading and _has_link(texts)):
        return float("inf")
    if _are_repeated([block.text for block in texts]):
        return float("inf")
    return FACT_NEAR if is_heading or all(has_sum(block.text) for block in texts) else NEAR


def _has_link(texts: Sequence[Block]) -> bool:
    """Return whether one of the blocks consists mostly of links."""
    return any(2 * block.linked > block.size for block in texts)


def _are_repeated(texts: Sequence[str]) -> bool:
    """Return whether most of the blocks have the same text, such as a button's label."""
    return Counter(texts).most_common(1)[0][1] > max(1, MAX_REPEATED * len(texts))
