"""Maximum length of a query that is sent in a URL."""

from collections.abc import Callable
from urllib.parse import quote_plus

from webquarry.extractors.search.model.params import SearchParams

LONGEST_IN_ADDRESS = 3800
"""Maximum length of a URL-encoded query in characters; a whole URL may have 4,096."""


def refuses_long(name: str) -> Callable[[SearchParams], str | None]:
    """Return a function for `PagedSource.refuses` that refuses queries too long for a URL."""
    return lambda p: (
        f"{name} accepts queries of at most {LONGEST_IN_ADDRESS} URL-encoded characters."
        if len(quote_plus(p.q)) > LONGEST_IN_ADDRESS
        else None
    )
