"""Where a page leads by itself."""

import re
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from webquarry_convert.links import join_address

MAX_REFRESH = 4200
_REFRESH = re.compile(
    r"""\s*+(\d{1,4})(?:\.\d*+)?+(?:\s*+[;,]|\s)\s*+(?:url\s*+=\s*+)?+(?:"([^"]*+)"?|'([^']*+)'?|(\S.*+))""",
    re.IGNORECASE | re.DOTALL,
)


def find_refresh(tree: LexborHTMLParser, url: str, max_delay_s: int) -> str | None:
    """Where `<meta http-equiv=refresh>` leads within `max_delay_s`, absolute; None when nowhere else."""
    base = tree.css_first("base[href]")
    own = join_address(url, None if base is None else base.attributes.get("href")) or url
    for node in tree.css("meta[http-equiv=refresh i][content]"):
        if node.parent is not None and node.parent.tag == "noscript":
            continue  # the way out for readers without scripts mostly ends at a page that asks for them
        if found := _REFRESH.fullmatch((node.attributes.get("content") or "")[:MAX_REFRESH]):
            target = join_address(own, found[2] or found[3] or found[4])
            if int(found[1]) <= max_delay_s and target is not None and urljoin(target, "#") != urljoin(url, "#"):
                return target
    return None
