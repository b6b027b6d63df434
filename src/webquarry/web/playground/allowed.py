"""Allow lists for HTML from fetched content. Both the renderer and the checker use these lists."""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from webquarry.core.types import PICTURES_PATH

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
_COUNT: Final = r"[0-9]{1,4}(?:\.[0-9])?"
_FIGURE: Final[Mapping[str, Mapping[str, str]]] = {
    "section": {"class": "figure"},
    "h3": {},
    "p": {"class": "muted|legend"},
    "br": {},
    "strong": {},
    "span": {"class": "muted|distance|visually-hidden"},
    "ol": {"class": "places"},
    "li": {},
    "details": {},
    "summary": {},
    "table": {"class": "bars"},
    "caption": {},
    "thead": {},
    "tbody": {},
    "tr": {},
    "th": {"scope": "row|col"},
    "td": {"class": "level|num"},
    "img": {
        "class": "picture",
        "src": f"{PICTURES_PATH}[0-9a-f]{{32}}[.](?:png|svg)",
        "alt": "Picture from the response",
        "width": _COUNT,
        "height": _COUNT,
    },
    "svg": {
        "class": "lines",
        "viewBox": "0 0 [0-9]{1,4} [0-9]{1,4}",
        "preserveAspectRatio": "none",
        "role": "img",
        "aria-hidden": "true",
        "aria-labelledby": "figure-[0-9]-title figure-[0-9]-summary",
        "width": _COUNT,
        "height": _COUNT,
    },
    "title": {"id": "figure-[0-9]-title"},
    "desc": {"id": "figure-[0-9]-summary"},
    "rect": {"class": "series-[0-4]", "x": _COUNT, "y": _COUNT, "width": _COUNT, "height": _COUNT},
    "line": {"class": "rule", "x1": _COUNT, "x2": _COUNT, "y1": _COUNT, "y2": _COUNT},
    "polyline": {"class": "line-[0-4]", "points": f"{_COUNT},{_COUNT}(?: {_COUNT},{_COUNT})*+"},
    "text": {"class": "scale", "x": _COUNT, "y": _COUNT, "text-anchor": "start|middle|end"},
}
"""Elements of figures, with the pattern of each attribute."""
FIGURE_VOIDS: Final = frozenset({"br", "img"})
_NUMBER: Final = re.compile(r"[0-9]{1,10}")


def allows_content(name: str, attribute: str, value: str) -> bool:
    """Return whether fetched content that is shown as a page may have this attribute; "" means the element itself."""
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
    """Return whether JSON that is shown as a tree may have this attribute; "" means the element itself."""
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


def allows_figure(name: str, attribute: str, value: str) -> bool:
    """Return whether figures may have this attribute; "" means the element itself."""
    if name not in _FIGURE:
        return False
    pattern = "" if attribute == "" else _FIGURE[name].get(attribute)
    return pattern is not None and re.fullmatch(pattern, value) is not None


def links_outside(url: str) -> bool:
    """Return whether a link is allowed. Only absolute URLs are allowed, but not links to pages of this service."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in SCHEMES and bool(parts.netloc or parts.scheme.lower() == "mailto")
