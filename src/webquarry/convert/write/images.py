"""Images: their real source, their description, and whether a reader would see them at all.

Pages load images late: `src` then holds a placeholder, and the real address stands in another attribute, in a list of
sizes, in a `picture`, or in the `noscript` that follows.
"""

import re

from webquarry import escape
from webquarry.convert.tree import Node
from webquarry.convert.write.inline import collapsed

_LAZY = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-full-src", "data-url",
    "data-img-src", "data-hi-res-src", "data-actualsrc", "data-echo", "data-srcset", "data-lazy-srcset",
)  # fmt: skip
_SCHEMES = ("data:", "about:", "blob:", "javascript:")
# of the last part of an address, in lower case
_PLACEHOLDER = re.compile(
    r"(?:(?:.*[_.-])?(?:blank|spacer|place-?holder|transparent|1x1|lazy-?load(?:er|ing)?|loading|loader|dummy)"
    r"|pixel|clear|lazy|gr[ea]y|white|empty|trans)"
    r"(?:[\w.-]{0,12}\.(?:gif|svg)|(?:[._-]?(?:image|img|pixel|bg|icon|gr[ea]y|white|[0-9x]+))*\.(?:png|jpe?g|webp))"
    r"|(?:.*[_.-])?placeholder"
)
_CANDIDATE = re.compile(r"(\S*[^\s,])(?:\s+([0-9.]+)([wx]))?\s*(?:,|$)")
_TRACKING = re.compile(r"(?:pixel|beacon|track(?:ing)?|tr|b)(?:\.gif|\.png)?$")
_SMALL = re.compile(r"\s*[0-3](?:\.\d+)?\s*(?:px)?\s*")
_ZERO = re.compile(r"\s*0(?:\.0+)?\s*(?:px)?\s*")
_EMOJI = re.compile(r"(?:^|[\s_-])(?:wp-)?(?:emoji|smiley|smilies|emoticon)s?(?:$|[\s_-])", re.IGNORECASE)
MAX_ALT = 1000


def description(node: Node) -> str:
    """The alternative text, escaped."""
    text = collapsed(node.attributes.get("alt") or "")
    return escape.label(text[:MAX_ALT]) if text else ""


def emoji(node: Node) -> str | None:
    """The sign that an image stands for, when it is one among text."""
    names = node.attributes.get("class")
    return node.attributes.get("alt") if names and _EMOJI.search(names) else None


def source_of(node: Node) -> str | None:
    """The address of what a reader sees, as the page writes it; None for placeholders and pixels that count visits."""
    attributes = node.attributes
    if is_pixel(attributes):
        return None
    source = attributes.get("src")
    if source and not is_placeholder(source):
        return source
    for name in _LAZY:
        value = attributes.get(name)
        if value and value[0] not in "{[":
            found = largest(value) if name.endswith("srcset") else value
            if found and not found.startswith(_SCHEMES):
                return found
    candidates = attributes.get("srcset")
    found = largest(candidates) if candidates else None
    return found if found and not is_placeholder(found) else None


def is_placeholder(address: str) -> bool:
    """Whether an address is that of an image which stands in for another, or only counts visits."""
    path = address.partition("?")[0].lower()
    if path.startswith(_SCHEMES):
        return True
    name = path[path.rfind("/") + 1 :]
    if not name:
        return False
    return _PLACEHOLDER.fullmatch(name) is not None or _TRACKING.fullmatch(name) is not None


def is_pixel(attributes: dict[str, str | None]) -> bool:
    """Whether an image is too small to be seen. One side of 0 beside a large one is what scripts are to set for
    a photo; a GIF only keeps room so."""
    sides = [side for side in (attributes.get("width"), attributes.get("height")) if side]
    small = [side for side in sides if _SMALL.fullmatch(side)]
    if not small or len(small) == len(sides) or any(_ZERO.fullmatch(side) is None for side in small):
        return bool(small)
    return (attributes.get("src") or "").partition("?")[0].lower().endswith(".gif")


def largest(candidates: str) -> str | None:
    """The address of the widest image in a `srcset`."""
    best, width = None, -1.0
    for found in _CANDIDATE.finditer(candidates[:20_000]):
        address, size, unit = found.groups()
        try:
            value = float(size) * (1000 if unit == "x" else 1) if size else 1000.0
        except ValueError:
            continue
        if value > width and not address.startswith("data:"):
            best, width = address, value
    return best


def within(node: Node) -> Node | None:
    """The only image of a small element, e.g. a `noscript` for a lazy one."""
    waiting = [node]
    for _ in range(8):
        if not waiting:
            break
        current = waiting.pop()
        if current.tag == "img":
            return current
        waiting += [child for child in reversed(current.children) if isinstance(child, Node)]
    return None


def picture_source(node: Node) -> str | None:
    """The largest source of a `picture`, whose own `img` shows nothing."""
    for child in node.children:
        if isinstance(child, Node) and child.tag == "source":
            for name in ("srcset", "data-srcset", "data-lazy-srcset", "src", "data-src"):
                value = child.attributes.get(name)
                found = largest(value) if value else None
                if found and not is_placeholder(found):
                    return found
    return None
