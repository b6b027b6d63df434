"""Changes to the pages of a site between two crawls."""

from collections.abc import Mapping
from typing import Literal

Change = Literal["new", "changed", "same", "gone"]


def compare(before: str | None, after: str | None) -> Change:
    """Return how a page changed. `before` and `after` are hashes of its markdown, or None if it was not in that crawl.

    Raises ValueError if the page was in neither crawl.
    """
    if before is None and after is None:
        raise ValueError("a page that was in neither crawl")
    if before is None:
        return "new"
    if after is None:
        return "gone"
    return "same" if before == after else "changed"


def compare_all(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, Change]:
    """Return the change of each page by canonical URL. Pages of the later crawl come first."""
    return {address: compare(before.get(address), after.get(address)) for address in dict.fromkeys((*after, *before))}
