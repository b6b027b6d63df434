"""Scripts of a page as received: their sizes, and the text of those that write into the page."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_SCRIPT = re.compile(r"<script(?=[\s/>])([^>]*+)(?:>|\Z)", re.IGNORECASE)
_SCRIPT_END = re.compile(r"</script(?=[\s/>])", re.IGNORECASE)
_DATA = re.compile(
    r"\btype\s*+=\s*+[\"']?+\s*+"
    r"(?:(?:application|text)/(?:[\w.+-]*json|[\w.+-]*template|html|x-)|importmap|speculationrules)",
    re.IGNORECASE,
)
_DESCRIPTION = re.compile(r"\bld\+json", re.IGNORECASE)
_SOURCE = re.compile(r"\bsrc\s*=", re.IGNORECASE)
_STATE = re.compile(
    r"__NEXT_DATA__|__NUXT(?:_DATA)?__|__INITIAL_(?:STATE|DATA|PROPS)__|__PRELOADED_STATE__|__APOLLO_STATE__|__REDUX_STATE__"
    r"|__UNIVERSAL_DATA_|__(?:APP|PAGE|SERVER|ROUTER|MODERN_ROUTER|FRONTITY_CONNECT)_(?:STATE|DATA)__|__remixContext"
    r"|__sveltekit_|__next_f\b|ytInitialData|data-sjs\b"
)
_WRITES = re.compile(
    r"innerHTML|insertAdjacent|append|replaceChildren|attachShadow|customElements|createElement|document\.write|"
    r"textContent|innerText|\.render\(|\.mount\(|\bfetch\("
)
MAX_INLINE = 400_000
MAX_SCRIPTS = 2_000
"""Maximum number of scripts that are examined. Real pages have far fewer."""
SCRIPT_WINDOW = 4_000_000
"""Size of the window, in characters, that contains the starts of all examined scripts."""


class ScriptTotals(NamedTuple):
    """Sizes of the page's scripts.

    chars: number of characters of inline programs. state: number of characters of data objects, without linked data.
    """

    chars: int
    state: int
    external: int
    inline: int

    @property
    def programs(self) -> int:
        return self.external + self.inline


def count_scripts(html: str) -> ScriptTotals:
    """Sum the sizes of scripts in the page as received. A sanitized tree has no scripts."""
    chars = state = external = inline = 0
    for attributes, start, stop in _find_scripts(html):
        size = stop - start
        if _DATA.search(attributes):
            is_state = "json" in attributes.lower() and not _DESCRIPTION.search(attributes)
            state += size if is_state else 0
        elif _SOURCE.search(attributes):
            external += 1
        elif size:
            inline += 1
            chars += size
            state += size if _STATE.search(html, start, min(stop, start + 400)) else 0
    return ScriptTotals(chars, state, external, inline)


def collect_writing_scripts(html: str) -> str:
    """Return the text of the inline scripts that write into the page, or "" if no script does."""
    texts = []
    taken = 0
    for attributes, start, stop in _find_scripts(html):
        if taken >= MAX_INLINE:
            break
        if not _DATA.search(attributes) and not _SOURCE.search(attributes):
            text = html[start : min(stop, start + MAX_INLINE)]
            taken += len(text)
            if _WRITES.search(text):
                texts.append(text)
    return "\n".join(texts)


def _find_scripts(html: str) -> Iterator[tuple[str, int, int]]:
    """Yield the attributes, start and end of each script, in one scan."""
    position = 0
    for _ in range(MAX_SCRIPTS):
        found = _SCRIPT.search(html, position, SCRIPT_WINDOW)
        if found is None:
            return
        end = _SCRIPT_END.search(html, found.end())
        position = len(html) if end is None else end.start()
        yield found[1][:2000], found.end(), position
