"""How long a query may be that is asked by an address."""

from collections.abc import Callable
from urllib.parse import quote_plus

from webquarry.extractors.search.model.params import SearchParams

LONGEST_IN_ADDRESS = 3800
"""Characters of a query as written in an address, of which all of it may have 4,096."""


def refuses_long(name: str) -> Callable[[SearchParams], str | None]:
    """What a source of this name refuses, that is asked by an address."""
    return lambda p: (
        f"{name} takes queries that have {LONGEST_IN_ADDRESS} characters in an address at most."
        if len(quote_plus(p.q)) > LONGEST_IN_ADDRESS
        else None
    )
