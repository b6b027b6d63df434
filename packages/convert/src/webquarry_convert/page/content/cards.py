"""Cards are whole: elements made alike, each with a title, a text, a price.

Their texts are weighed one by one. Where most cards of a shelf say something that is kept, a text that stands in the
same place of nearly all of them is kept in all when it was nearly chosen on average: so a dish keeps its name above
what is in it, and its price below.
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
"""Texts of a card."""
SHARE = 0.8
"""Of the cards that must say something that is kept, and have a text in a place."""
MIN_TOKENS = 3
"""Of a text by which a card says something."""
NEAR = 0.8
FACT_NEAR = 0.6
"""Share of the least chance to keep that the texts in one place have on average; headings and prices may have less."""
MAX_REPEATED = 0.5
"""Share of the cards that may say the same in one place: buttons do."""
MAX_TOLD = 192
"""Of 255, up to which a page may be an article or a thread: what stands beside these in cards is other stories, or who
wrote the posts."""
_TOLD = ("article", "forum")
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})


def complete_cards(selection: Selection) -> None:
    """Keep texts of cards; of threads, articles and forums, whose cards are other stories, none."""
    if selection.is_thread or sum([selection.get_chance(kind) for kind in _TOLD]) >= MAX_TOLD:
        return
    blocks = selection.blocks
    for cards in _find_cards(blocks):
        filled = [card for card in cards if _says_something(selection, card)]
        if len(filled) >= SHARE * len(cards):
            for numbers in _find_places(blocks, cards):
                if _is_nearly_chosen(selection, numbers):
                    selection.keep(numbers)


def _is_nearly_chosen(selection: Selection, numbers: Sequence[int]) -> bool:
    """Whether the texts that stand in one place of cards were nearly chosen on average."""
    blocks = selection.blocks
    chance = sum([selection.get_nearness(number) for number in numbers]) / len(numbers)
    return chance >= FACT_NEAR and chance >= _find_least([blocks.all[number] for number in numbers], blocks)


def _find_cards(blocks: Blocks) -> list[list[range]]:
    """The texts of each card, by shelf."""
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
    """The texts that stand in the same place of nearly all cards, once in each."""
    places: defaultdict[SeriesKey, list[int]] = defaultdict(list)
    for card in cards:
        for number in card:
            places[blocks.series.make_key(blocks.all[number].place)].append(number)
    return [numbers for numbers in places.values() if SHARE * len(cards) <= len(numbers) <= len(cards)]


def _find_least(texts: Sequence[Block], blocks: Blocks) -> float:
    """The nearness from which texts in one place are kept; more than any for the page's own heading, links that are no
    headings, and what most cards say."""
    tags = {blocks.tags[block.place] for block in texts}
    is_heading = tags <= _HEADINGS
    if "h1" in tags or (not is_heading and any(2 * block.linked > block.size for block in texts)):
        return float("inf")
    if _are_repeated([block.text for block in texts]):
        return float("inf")
    return FACT_NEAR if is_heading or all(has_sum(block.text) for block in texts) else NEAR


def _are_repeated(texts: Sequence[str]) -> bool:
    """Whether most of the texts are the same, as those of buttons are."""
    return Counter(texts).most_common(1)[0][1] > max(1, MAX_REPEATED * len(texts))
