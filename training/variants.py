"""Variants of pages: the same texts in the same order, with the names and tags that another host might use.

A forest that sees a page only in its original form relies on the names of its host. Each function takes HTML and a
random generator.
"""

import re
from collections.abc import Callable, Sequence
from random import Random

_NAMED = re.compile(r"""(\s(?:class|id)\s*=\s*)("[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE)
_WORD = re.compile("[A-Z]?[a-z]{2,}|[A-Z]{2,}")
"""Splits names as `webquarry_convert.page.content.names` does."""
_UNKNOWN = "0"
_SECTIONS = ("main", "article", "section", "nav", "header", "footer", "aside")
_SECTION = re.compile(rf"<(/?)({'|'.join(_SECTIONS)})\b", re.IGNORECASE)


def rename(html: str, draw: Random) -> str:
    """Replace half of the words in classes and ids with meaningless ones, consistently over the page."""
    known: dict[str, bool] = {}

    def hide(match: re.Match[str]) -> str:
        word = match[0].lower()
        if word not in known:
            known[word] = draw.random() < 0.5
        return match[0] if known[word] else _UNKNOWN

    return _NAMED.sub(lambda match: match[1] + _WORD.sub(hide, match[2]), html)


def flatten(html: str, draw: Random) -> str:
    """Replace half of the kinds of sectioning elements with `div`, consistently over the page."""
    plain = {tag for tag in _SECTIONS if draw.random() < 0.5}
    return _SECTION.sub(lambda match: f"<{match[1]}div" if match[2].lower() in plain else match[0], html)


VARIANTS: Sequence[Callable[[str, Random], str]] = (rename, flatten)
