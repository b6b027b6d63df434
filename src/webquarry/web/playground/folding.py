"""JSON as a folding tree: HTML of nested `<details>`, limited in size for any value."""

import json
from collections.abc import Iterable
from html import escape
from typing import Any, Final

MAX_VALUES: Final = 1500
"""Maximum number of values shown."""
MAX_CHILDREN: Final = 60
"""Maximum number of values shown per object or list."""
MAX_CHARACTERS: Final = 600
"""Maximum number of characters shown of a text."""
MAX_DEPTH: Final = 30
OPEN_DEPTH: Final = 3
"""Number of levels that are initially unfolded."""


class Excerpt(str):
    """A text of which only the beginning needs to be shown. Shortening it does not count as truncation."""

    __slots__ = ()


def fold(value: Any) -> tuple[str, bool]:
    """Return the tree of a JSON value, and whether it was truncated."""
    tree = _Tree()
    return tree.write(value, 0), tree.is_cut


class _Tree:
    """Writes a tree. `left` is the number of values that may still be shown."""

    def __init__(self) -> None:
        self.left = MAX_VALUES
        self.is_cut = False

    def write(self, value: Any, depth: int, name: str = "") -> str:
        self.left -= 1
        if isinstance(value, dict):
            named = ((_key(key), child) for key, child in value.items())
            return self._fold(named, len(value), depth, name, "{", "}")
        if isinstance(value, list):
            numbered = ((f'<span class="at">{at}</span>', child) for at, child in enumerate(value))
            return self._fold(numbered, len(value), depth, name, "[", "]")
        return f"{name}{self._leaf(value)}"

    def _fold(self, children: Iterable[tuple[str, Any]], size: int, depth: int, name: str, begin: str, end: str) -> str:
        if size == 0:
            return f'{name}<span class="sign">{begin}{end}</span>'
        if depth >= MAX_DEPTH:
            return f"{name}{self._cut(f'{begin} … {end} is nested too deeply')}"
        shown = []
        for index, (child_name, child) in enumerate(children):
            if index == MAX_CHILDREN or self.left <= 0:
                shown.append(f"<li>{self._cut(f'{size - index:,} more')}</li>")
                break
            shown.append(f"<li>{self.write(child, depth + 1, child_name)}</li>")
        is_open = " open" if depth < OPEN_DEPTH else ""
        count = f'<span class="sign">{begin}</span> <span class="count">{size:,}</span> <span class="sign">{end}</span>'
        return f"<details{is_open}><summary>{name}{count}</summary><ul>{''.join(shown)}</ul></details>"

    def _leaf(self, value: Any) -> str:
        if isinstance(value, str):
            cut = value[:MAX_CHARACTERS]
            shown = f'<span class="text"><bdi>{escape(json.dumps(cut, ensure_ascii=False))}</bdi></span>'
            rest = len(value) - len(cut)
            if not rest:
                return shown
            words = f"{rest:,} more characters"
            return shown + (_mark(words) if isinstance(value, Excerpt) else self._cut(words))
        kind = "none" if value is None else "flag" if isinstance(value, bool) else "number"
        return f'<span class="{kind}">{escape(json.dumps(value)[:MAX_CHARACTERS])}</span>'

    def _cut(self, words: str) -> str:
        self.is_cut = True
        return _mark(words)


def _mark(words: str) -> str:
    return f'<span class="cut">… {words}</span>'


def _key(key: str) -> str:
    return f'<span class="key"><bdi>{escape(key[:MAX_CHARACTERS])}</bdi></span>'
