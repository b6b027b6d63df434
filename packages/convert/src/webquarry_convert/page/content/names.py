"""Elements' names, which are the words in their tags, classes, ids, roles and properties, with learned weights.

The words of an attribute are its runs of letters, split at changes from lowercase to uppercase: `postBody-2` → post,
body.
"""

import re
from collections.abc import Mapping
from itertools import repeat

from webquarry_convert.tree import Attributes, Node

_WORDS = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
MAX_NAME = 300
"""Number of characters that are read from an attribute."""
_MARKS: Mapping[str, str] = {
    "class": "", "id": "#",
    **{key: f"{key}=" for key in ("role", "itemprop", "itemtype", "data-testid")},
}  # fmt: skip
"""Attributes that name an element, with the prefix of their words."""
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
"""Codes of informative tags, in descending likelihood of being content. Other tags have the code 0."""


def collect_words(node: Node) -> set[str]:
    """Return the words that name an element.

    Words from ids, roles and properties are prefixed, which distinguishes the class `main` from the role `main`.
    """
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
    """Return whether the markup hides the element; style sheets are not considered."""
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    style = attributes.get("style")
    return style is not None and _NO_DISPLAY.search(style[:1000]) is not None


class Names:
    """The weights of elements, in sixteenths, based on the words of their names.

    Words with positive weights are typical of content. Each name is weighed only once.
    """

    def __init__(self, weights: Mapping[str, int]) -> None:
        self._weights = weights
        self._tags: dict[str, int] = {}
        self._classes: dict[str, int] = {}
        self._others: dict[tuple[str, str], int] = {}  # weights by attribute and value

    def weight(self, node: Node) -> int:
        """Return the sum of the weights of `collect_words(node)`."""
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
