"""The ingredients of dishes, which the page's data list and its texts show."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.head.title import make_key
from webquarry_convert.page.structured import list_ingredients

MAX_RECIPES = 6
MAX_CHARS = 200
"""Characters of an ingredient that are compared."""
MAX_TOKENS = 30
"""Of texts that show an ingredient."""
MAX_TRIES = 8
MAX_BESIDE = 12
"""Places at which an ingredient is looked for, and letters that may stand beside it in its texts."""


def keep_ingredients(selection: Selection) -> None:
    """Keep the texts that show the ingredients of each of the page's recipes, where at least half of them are shown.

    The recipe need not be what the data call the page: a blog's article holds one. Amount and name may stand in texts
    of their own; what only mentions an ingredient, as a step does, is not kept.
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
    """Return the ranges of texts that show ingredients; [] where less than half of them are shown.

    page, starts: as in `_find_texts`.
    """
    keys = [key for item in ingredients if (key := make_key(item[:MAX_CHARS]))]
    shown = [found for key in dict.fromkeys(keys) if (found := _find_texts(page, starts, key)) is not None]
    return shown if 2 * len(shown) >= len(keys) else []


def _find_texts(page: str, starts: Sequence[int], key: str) -> tuple[int, int] | None:
    """The first texts that say the ingredient and hardly more, as a range of them; None where there are none.

    page: the texts put together; starts: where each begins.
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
