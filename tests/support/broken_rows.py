"""Responses with a row that cannot be read among good ones."""

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from webquarry.read import counting


def add_row(data: Any, place: str, row: Any) -> Any:
    """Return a copy of the data with `row` at the start of a list. place: names and indexes, separated by dots."""
    copied = deepcopy(data)
    found = copied
    for step in place.split(".") if place else ():
        found = found[int(step)] if isinstance(found, list) else found[step]
    found.insert(0, row)
    return copied


def count_losses(read: Callable[[Any], Any], data: Any, place: str, row: Any) -> Counter[str]:
    """Return the additional losses of reading the data with a broken row, which must not change the result."""
    with counting() as before:
        whole = read(data)
    with counting() as losses:
        found = read(add_row(data, place, row))
    assert found == whole
    return losses - before
