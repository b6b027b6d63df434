"""What the names of elements say: tag, class, id, role and property as words with learned weights.

The words of an attribute are its runs of letters, split where small letters meet capitals: `postBody-2` → post, body.
"""

import re
from collections.abc import Mapping
from itertools import repeat

from webquarry.convert.page.tree import Attributes, Node

_WORDS = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
MAX_NAME = 300
"""Characters of an attribute that are read."""
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


def words_of(node: Node) -> set[str]:
    """Words that name an element. Ids, roles and properties are marked: a class `main` is not a role."""
    found = {f"<{node.tag}"}
    attributes = node.attributes
    if attributes:
        name = attributes.get("class")
        if name:
            found.update(map(str.lower, _WORDS.findall(name[:MAX_NAME])))
        name = attributes.get("id")
        if name:
            found.update(["#" + word.lower() for word in _WORDS.findall(name[:MAX_NAME])])
        for key in ("role", "itemprop", "itemtype", "data-testid"):
            name = attributes.get(key)
            if name:
                found.update([f"{key}={word.lower()}" for word in _WORDS.findall(name[:MAX_NAME])])
    return found


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
        self._known: dict[tuple[str, str | None, str | None], int] = {}

    def weight(self, node: Node) -> int:
        attributes = node.attributes
        if not attributes:
            return self._weights.get("<" + node.tag, 0)
        key = (node.tag, attributes.get("class"), attributes.get("id"))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = sum(map(self._weights.get, words_of(node), repeat(0)))
        return found
