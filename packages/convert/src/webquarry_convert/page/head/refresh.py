"""Where a page leads by itself."""

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
    """Where `<meta http-equiv=refresh>` leads within `max_delay_s`, absolute; None when nowhere else."""
    for content in _list_refreshes(tree):
        if found := _REFRESH.fullmatch(content[:MAX_REFRESH]):
            target = join_address(_find_base(tree, url), found[2] or found[3] or found[4])
            if int(found[1]) <= max_delay_s and target is not None and urljoin(target, "#") != urljoin(url, "#"):
                return target
    return None


def _list_refreshes(tree: Tree) -> list[str]:
    """Contents of the refreshes outside of `noscript`: the way out for readers without scripts mostly ends at a page
    that asks for them."""
    metas = [node for node in tree if node.tag == "meta" and tree[node.up].tag != "noscript"]
    return [
        node.attributes.get("content") or ""
        for node in metas
        if (node.attributes.get("http-equiv") or "").lower() == "refresh"
    ]


def _find_base(tree: Tree, url: str) -> str:
    """What relative addresses of a page are relative to: its first `base` with an address, else its own address."""
    written = next((node.attributes["href"] for node in tree if node.tag == "base" and "href" in node.attributes), None)
    return join_address(url, written) or url
