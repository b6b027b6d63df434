"""Pages as other hosts might have written them: the same texts in the same order, under other names and tags.

A forest that sees a page only as it is relies on what its host calls things. Each function takes HTML and a draw.
"""

import re
from collections.abc import Callable, Sequence
from random import Random

_NAMED = re.compile(r"""(\s(?:class|id)\s*=\s*)("[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE)
_WORD = re.compile("[A-Z]?[a-z]{2,}|[A-Z]{2,}")
"""As `webquarry_convert.page.content.names` divides names."""
_UNKNOWN = "0"
_SECTIONS = ("main", "article", "section", "nav", "header", "footer", "aside")
_SECTION = re.compile(rf"<(/?)({'|'.join(_SECTIONS)})\b", re.IGNORECASE)


def rename(html: str, draw: Random) -> str:
    """Half of the words in classes and ids say nothing, the same ones on the whole page."""
    known: dict[str, bool] = {}

    def hide(match: re.Match[str]) -> str:
        word = match[0].lower()
        if word not in known:
            known[word] = draw.random() < 0.5
        return match[0] if known[word] else _UNKNOWN

    return _NAMED.sub(lambda match: match[1] + _WORD.sub(hide, match[2]), html)


def flatten(html: str, draw: Random) -> str:
    """Half of the sectioning elements are a `div`, the same ones on the whole page."""
    plain = {tag for tag in _SECTIONS if draw.random() < 0.5}
    return _SECTION.sub(lambda match: f"<{match[1]}div" if match[2].lower() in plain else match[0], html)


VARIANTS: Sequence[Callable[[str, Random], str]] = (rename, flatten)
