"""All links of a page, including its navigation. The converter only lists links in the main content."""

from typing import Final, NamedTuple
from urllib.parse import urldefrag

from webquarry_convert.text.markup import parse

MAX_ANCHORS: Final = 10_000
MAX_TEXT: Final = 300


class Anchor(NamedTuple):
    """A link to an http or https URL, without its fragment."""

    url: str
    text: str


def list_anchors(html: str, page: str) -> list[Anchor]:
    """Return the links of a page in order, each URL once with its first text, at most `MAX_ANCHORS`."""
    from webquarry_convert.links import join_address  # the service imports this module for its limits

    tree = parse(html)
    base_element = tree.css_first("base[href]")
    base = (join_address(page, base_element.attributes.get("href")) if base_element is not None else None) or page
    found: dict[str, str] = {}
    for node in tree.css("a[href], area[href]"):
        address = join_address(base, node.attributes.get("href"))
        if address is None:
            continue
        url = urldefrag(address).url
        if len(found) == MAX_ANCHORS and url not in found:
            break
        if not found.get(url):
            label = node.attributes.get("aria-label") or node.attributes.get("title") or node.attributes.get("alt")
            found[url] = " ".join((node.text() or label or "").split())[:MAX_TEXT]
    return [Anchor(*pair) for pair in found.items()]
