"""Changes of a site between two crawls, page by page."""

from collections.abc import Mapping
from typing import Literal

Change = Literal["new", "changed", "same", "gone"]


def compare(before: str | None, after: str | None) -> Change:
    """Return what happened to a page: `before` and `after` are hashes of its markdown, or None if it was not there.

    Raises ValueError if it was in neither crawl.
    """
    if before is None and after is None:
        raise ValueError("a page that was in neither crawl")
    if before is None:
        return "new"
    if after is None:
        return "gone"
    return "same" if before == after else "changed"


def compare_all(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, Change]:
    """Return the change of each page of two crawls, by canonical address: first those of the later crawl."""
    return {address: compare(before.get(address), after.get(address)) for address in dict.fromkeys((*after, *before))}
