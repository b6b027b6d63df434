"""Recipe ingredients that both the page's data and its blocks contain."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.head.title import make_key
from webquarry_convert.page.structured import list_ingredients

MAX_RECIPES = 6
MAX_CHARS = 200
"""Number of an ingredient's characters that are compared."""
MAX_TOKENS = 30
"""Maximum number of tokens in a text that shows an ingredient."""
MAX_TRIES = 8
MAX_BESIDE = 12
"""Maximum number of matches that are checked for an ingredient, and of other letters in the blocks that show it."""


def keep_ingredients(selection: Selection) -> None:
    """Keep the blocks that show a recipe's ingredients, if they show at least half of the ingredients.

    The recipe need not be the main entity of the page's data: a blog article may contain one. An ingredient's amount
    and name may be in separate blocks. Texts that only mention an ingredient, such as the steps, are not kept.
    """
    recipes = selection.places.recipes[:MAX_RECIPES]
    if not recipes:
        return
    blocks, judged = selection.blocks, selection.judged
    texts = [make_key(blocks.all[number].text) if blocks.all[number].tokens <= MAX_TOKENS else "|" for number in judged]
    starts = list(accumulate(map(len, texts), initial=0))
    page = "".join(texts)
    for recipe in recipes:
        for first, last in _find_shown(page, starts, list_ingredients(recipe)):
            selection.keep(judged[first:last])


def _find_shown(page: str, starts: Sequence[int], ingredients: Sequence[str]) -> list[tuple[int, int]]:
    """Return the ranges of blocks that show ingredients, or [] if they show less than half of the ingredients.

    page, starts: as in `_find_texts`.
    """
    keys = [key for item in ingredients if (key := make_key(item[:MAX_CHARS]))]
    shown = [found for key in dict.fromkeys(keys) if (found := _find_texts(page, starts, key)) is not None]
    return shown if 2 * len(shown) >= len(keys) else []


def _find_texts(page: str, starts: Sequence[int], key: str) -> tuple[int, int] | None:
    """Return the first range of blocks that contains the ingredient and little other text, or None.

    page: the concatenated blocks. starts: the offset of each block.
    """
    at = page.find(key)
    for _ in range(MAX_TRIES):
        if at < 0:
            return None
        first, last = bisect_right(starts, at) - 1, bisect_left(starts, at + len(key))
        if starts[last] - starts[first] <= len(key) + MAX_BESIDE:
            return first, last
        at = page.find(key, at + 1)
    return None
