"""What the names of elements say: tag, class, id, role and property as words with learned weights.

The words of an attribute are its runs of letters, split where small letters meet capitals: `postBody-2` → post, body.
"""

import re
from collections.abc import Mapping
from itertools import repeat

from webquarry_convert.tree import Attributes, Node

_WORDS = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
MAX_NAME = 300
"""Characters of an attribute that are read."""
_MARKS: Mapping[str, str] = {
    "class": "", "id": "#",
    **{key: f"{key}=" for key in ("role", "itemprop", "itemtype", "data-testid")},
}  # fmt: skip
"""The attributes that name an element, and what stands before their words."""
_RARER = frozenset(_MARKS) - {"class"}
_NO_DISPLAY = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

TAGS: Mapping[str, int] = {
    name: code
    for code, names in enumerate(
        (
            "p", "h1", "h2", "h3", "h4 h5 h6", "li", "td", "th", "dt", "dd", "pre", "blockquote", "figcaption", "div",
            "section", "article main", "span", "a", "button summary", "label legend", "form fieldset", "ul ol",
            "header", "footer", "nav", "aside", "body html", "caption", "center font", "address", "noscript",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
"""Codes of the tags that tell something about a text, the likeliest content first; others are 0."""


def collect_words(node: Node) -> set[str]:
    """Words that name an element. Ids, roles and properties are marked: a class `main` is not a role."""
    attributes = node.attributes
    found = {f"<{node.tag}"}
    for key, mark in _MARKS.items():
        name = attributes.get(key)
        if name:
            found |= _mark_words(mark, name)
    return found


def _mark_words(mark: str, name: str) -> set[str]:
    return {mark + word.lower() for word in _WORDS.findall(name[:MAX_NAME])}


def is_hidden(attributes: Attributes) -> bool:
    """Whether the markup itself hides the element; style sheets are not asked."""
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    style = attributes.get("style")
    return style is not None and _NO_DISPLAY.search(style[:1000]) is not None


class Names:
    """Weights of elements by their words, in sixteenths. Positive: seen on content. Each name is weighed once."""

    def __init__(self, weights: Mapping[str, int]) -> None:
        self._weights = weights
        self._tags: dict[str, int] = {}
        self._classes: dict[str, int] = {}
        self._others: dict[tuple[str, str], int] = {}  # by attribute and value

    def weight(self, node: Node) -> int:
        """The sum over `words_of(node)`: no word of one attribute is one of another."""
        total = self._tags.get(node.tag)
        if total is None:
            total = self._tags[node.tag] = self._weights.get("<" + node.tag, 0)
        attributes = node.attributes
        if attributes:
            name = attributes.get("class")
            if name:
                known = self._classes.get(name)
                if known is None:
                    words = {*map(str.lower, _WORDS.findall(name[:MAX_NAME]))}
                    known = self._classes[name] = sum(map(self._weights.get, words, repeat(0)))
                total += known
            if not _RARER.isdisjoint(attributes):
                for key in _RARER.intersection(attributes):
                    name = attributes[key]
                    if name:
                        known = self._others.get((key, name))
                        if known is None:
                            words = _mark_words(_MARKS[key], name)
                            known = self._others[key, name] = sum(map(self._weights.get, words, repeat(0)))
                        total += known
        return total
