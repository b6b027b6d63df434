"""Redirects by `<meta http-equiv=refresh>`."""

import re
from urllib.parse import urljoin

from webquarry_convert.links import join_address
from webquarry_convert.tree import Tree

MAX_REFRESH = 4200
_REFRESH = re.compile(
    r"""\s*+(\d{1,4})(?:\.\d*+)?+(?:\s*+[;,]|\s)\s*+(?:url\s*+=\s*+)?+(?:"([^"]*+)"?|'([^']*+)'?|(\S.*+))""",
    re.IGNORECASE | re.DOTALL,
)


def find_refresh(tree: Tree, url: str, max_delay_s: int) -> str | None:
    """Return the absolute target of a redirect that takes effect within `max_delay_s`, or None.

    A page that refreshes itself doesn't redirect.
    """
    for content in _list_refreshes(tree):
        if found := _REFRESH.fullmatch(content[:MAX_REFRESH]):
            target = join_address(_find_base(tree, url), found[2] or found[3] or found[4])
            if int(found[1]) <= max_delay_s and target is not None and urljoin(target, "#") != urljoin(url, "#"):
                return target
    return None


def _list_refreshes(tree: Tree) -> list[str]:
    """Return the contents of refreshes outside `noscript`.

    Inside `noscript`, a refresh usually leads to a page that asks visitors to enable scripts.
    """
    metas = [node for node in tree if node.tag == "meta" and tree[node.up].tag != "noscript"]
    return [
        node.attributes.get("content") or ""
        for node in metas
        if (node.attributes.get("http-equiv") or "").lower() == "refresh"
    ]


def _find_base(tree: Tree, url: str) -> str:
    """Return the base for relative URLs: the URL of the first `base` element that has one, or the page's URL."""
    written = next((node.attributes["href"] for node in tree if node.tag == "base" and "href" in node.attributes), None)
    return join_address(url, written) or url
