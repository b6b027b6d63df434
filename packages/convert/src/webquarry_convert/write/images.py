"""Images: their source, their description, and whether they are visible.

Many pages load images lazily: `src` then contains a placeholder, and the image's URL is in another attribute, in a
`srcset`, in a `picture`, or in the `noscript` that follows.
"""

import re
from collections.abc import Iterator
from itertools import islice

from webquarry_convert.text import escape
from webquarry_convert.tree import Node, walk
from webquarry_convert.write.pieces import collapse_space

_LAZY = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-full-src", "data-url",
    "data-img-src", "data-hi-res-src", "data-actualsrc", "data-echo", "data-srcset", "data-lazy-srcset",
)  # fmt: skip
_SCHEMES = ("data:", "about:", "blob:", "javascript:", "#")
# Matches the last part of a lower-case URL.
_PLACEHOLDER = re.compile(
    r"(?:(?:.*[_.-])?(?:blank|spacer|place-?holder|transparent|1x1|lazy-?load(?:er|ing)?|loading|loader|dummy)"
    r"|pixel|clear|lazy|gr[ea]y|white|empty|trans)"
    r"(?:[\w.-]{0,12}\.(?:gif|svg)|(?:[._-]?+(?:image|img|pixel|bg|icon|gr[ea]y|white|[0-9x])){0,40}+\.(?:png|jpe?g|webp))"
    r"|(?:.*[_.-])?placeholder"
)
_ADDRESS = re.compile(r"[\s,]*+(\S++)")
_SIZE = re.compile(r"([0-9.]{1,12})([wx])")
_TRACKING = re.compile(r"(?:pixel|beacon|track(?:ing)?|tr|b)(?:\.gif|\.png)?$")
_SMALL = re.compile(r"[0-3](?:\.\d++)?\s*+(?:px)?")
_ZERO = re.compile(r"0(?:\.0++)?\s*+(?:px)?")
_EMOJI = re.compile(r"(?:^|[\s_-])(?:wp-)?(?:emoji|smiley|smilies|emoticon)s?(?:$|[\s_-])", re.IGNORECASE)
_PORTRAIT_CLASS = re.compile(r"(?:^|[\s_-])(?:user-?|author-?|profile-?)?avatars?(?:$|[\s_-])", re.IGNORECASE)
_PORTRAIT_FOLDER = re.compile(r"gravatar\.com/|/(?:user[_-]?)?avatars?/", re.IGNORECASE)
MAX_ALT = 1000


def read_description(node: Node) -> str:
    """Return an image's alternative text, escaped."""
    text = collapse_space(node.attributes.get("alt") or "")
    return escape.label(text[:MAX_ALT]) if text else ""


def find_emoji(node: Node) -> str | None:
    """Return the emoji that an inline image represents, or None for another image."""
    names = node.attributes.get("class")
    return node.attributes.get("alt") if names and _EMOJI.search(names) else None


def find_source(node: Node) -> str | None:
    """Return the URL of the visible image as written on the page, or None for placeholders and tracking pixels."""
    attributes = node.attributes
    if is_pixel(attributes) or is_portrait(attributes):
        return None
    source = attributes.get("src")
    if source and not is_placeholder(source):
        return source
    late = _find_late_source(attributes)
    if late:
        return late
    candidates = attributes.get("srcset")
    found = find_largest(candidates) if candidates else None
    return found if found and not is_placeholder(found) else None


def _find_late_source(attributes: dict[str, str | None]) -> str | None:
    """Return the URL of the image that a script loads, or None if there is no such URL."""
    for name in _LAZY:
        value = attributes.get(name)
        if value and value[0] not in "{[":
            found = find_largest(value) if name.endswith("srcset") else value
            if found and not found.startswith(_SCHEMES):
                return found
    return None


def is_placeholder(address: str) -> bool:
    """Return whether a URL belongs to a placeholder or a tracking pixel, or is only a fragment: `#`."""
    path = address.strip().partition("?")[0].lower()
    if not path or path.startswith(_SCHEMES):
        return True
    name = path[path.rfind("/") + 1 :]
    if not name:
        return False
    return _PLACEHOLDER.fullmatch(name) is not None or _TRACKING.fullmatch(name) is not None


def is_pixel(attributes: dict[str, str | None]) -> bool:
    """Return whether an image is too small to be visible.

    If one side is 0 and the other is large, the image is a photo that scripts resize, unless it is a GIF, which is a
    spacer.
    """
    sides = [side.strip() for side in (attributes.get("width"), attributes.get("height")) if side]
    small = [side for side in sides if _SMALL.fullmatch(side)]
    if not small or len(small) == len(sides) or any(_ZERO.fullmatch(side) is None for side in small):
        return bool(small)
    return (attributes.get("src") or "").partition("?")[0].lower().endswith(".gif")


def is_portrait(attributes: dict[str, str | None]) -> bool:
    """Return whether the class or folder of an image shows that it is a portrait of the adjacent text's author."""
    names, source = attributes.get("class"), attributes.get("src")
    if names and "avatar" in names.lower() and _PORTRAIT_CLASS.search(names) is not None:
        return True
    return source is not None and "avatar" in source and _PORTRAIT_FOLDER.search(source[:MAX_ALT]) is not None


def find_largest(candidates: str) -> str | None:
    """Return the URL of the widest image in a `srcset`."""
    best, widest = None, -1.0
    for address, sizes in _split_candidates(candidates):
        width = _parse_width(sizes)
        if width is not None and width > widest and not address.startswith("data:"):
            best, widest = address, width
    return best


def _split_candidates(candidates: str) -> Iterator[tuple[str, str]]:
    """Yield each URL of a `srcset` with its size descriptor, split as the HTML standard specifies.

    A URL ends at white space, or at commas followed by white space.
    """
    position = 0
    while (found := _ADDRESS.match(candidates, position)) is not None:
        position = found.end()
        address = found[1].rstrip(",")
        if len(address) < len(found[1]):
            yield address, ""
            continue
        comma = candidates.find(",", position)
        end = len(candidates) if comma < 0 else comma
        yield address, candidates[position:end]
        position = end


def _parse_width(sizes: str) -> float | None:
    """Return a candidate's width in pixels, which is used only for comparison, or None if it is invalid."""
    for size in sizes.split():
        if found := _SIZE.fullmatch(size):
            try:
                return float(found[1]) * (1000 if found[2] == "x" else 1)
            except ValueError:
                return None
    return 1000.0


def find_only_image(node: Node) -> Node | None:
    """Return the only image in a small element, such as a `noscript` for a lazy image."""
    elements = (current for current in walk([node]) if isinstance(current, Node))
    return next((element for element in islice(elements, 8) if element.tag == "img"), None)


def find_picture_source(node: Node) -> str | None:
    """Return the largest source of a `picture` whose `img` is a placeholder."""
    for child in node.children:
        if isinstance(child, Node) and child.tag == "source":
            for name in ("srcset", "data-srcset", "data-lazy-srcset", "src", "data-src"):
                value = child.attributes.get(name)
                found = find_largest(value) if value else None
                if found and not is_placeholder(found):
                    return found
    return None
