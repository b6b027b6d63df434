"""HTML that pages may show of fetched content. Both the renderer and the checker use these lists."""

import re
from typing import Final
from urllib.parse import urlsplit

SCHEMES: Final = frozenset({"http", "https", "mailto"})
ALIGNMENTS: Final = frozenset({"left", "right", "center"})
CELLS: Final = ("td", "th")
VOIDS: Final = frozenset({"br", "hr"})
CONTENT_TAGS: Final = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code", "em", "strong", "s"}
    | {"ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "a"}
)
LINK_REL: Final = "nofollow noopener noreferrer"
_TREE_TAGS: Final = frozenset({"details", "summary", "ul", "li", "span", "bdi"})
_TREE_CLASSES: Final = frozenset({"at", "count", "cut", "flag", "key", "none", "number", "sign", "text"})
_NUMBER: Final = re.compile(r"[0-9]{1,10}")


def allows_content(name: str, attribute: str, value: str) -> bool:
    """Return whether fetched content, shown as a page, may have this attribute; "" means the element itself."""
    if name not in CONTENT_TAGS:
        return False
    match name, attribute:
        case _, "":
            return True
        case "a", "href":
            return links_outside(value)
        case "a", "target":
            return value == "_blank"
        case "a", "rel":
            return value == LINK_REL
        case "ol", "start":
            return bool(_NUMBER.fullmatch(value))
        case (("td" | "th"), "align"):
            return value in ALIGNMENTS
    return False


def allows_tree(name: str, attribute: str, value: str) -> bool:
    """Return whether JSON, shown as a tree, may have this attribute; "" means the element itself."""
    if name not in _TREE_TAGS:
        return False
    match name, attribute:
        case _, "":
            return True
        case "details", "open":
            return not value
        case "span", "class":
            return value in _TREE_CLASSES
    return False


def links_outside(url: str) -> bool:
    """Return whether a link is allowed: only absolute URLs, none of our pages."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in SCHEMES and bool(parts.netloc or parts.scheme.lower() == "mailto")
