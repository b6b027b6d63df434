"""Facts: named values at known positions of a wire's arrays, so that readers use names instead of positions.

    NAME = Fact(to_line, "[2]", required=True)
    USERS = Fact(to_count, "[14]")
    PRICE = Fact(to_line, "[4][2]", guess("[4][9]"))
    NAME.of(array)

A fact has one or more paths, best first. A `recorded` path held the value in a recorded response; an `unproven` path is
known from other people's code. Paths may exceed an array's length, because such wires omit trailing values. A missing
value or null is a loss only if the fact is `required`. A value of the wrong type means that positions have shifted. It
is always counted as a loss under its path, becomes None, and never aborts a reader.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from webquarry.read.losses import lose, read_rows
from webquarry.read.values import as_kind, reach, texts
from webquarry_convert.text.escape import clean_line

T = TypeVar("T")
Evidence = Literal["recorded", "unproven"]


@dataclass(frozen=True, slots=True)
class Way:
    """A path from the value that contains the fact, in the syntax of `read.at`."""

    path: str
    evidence: Evidence = "recorded"


def guess(path: str) -> Way:
    return Way(path, "unproven")


class Fact(Generic[T]):
    """One fact. `convert` turns the value at its path into the result, or None if that is impossible (see `fields`)."""

    def __init__(self, convert: Callable[[Any], T | None], *ways: str | Way, required: bool = False) -> None:
        self.convert = convert
        self.ways = tuple(Way(way) if isinstance(way, str) else way for way in ways)
        self.required = required

    @property
    def shown(self) -> str:
        """The paths, for display."""
        return " or ".join(way.path for way in self.ways)

    def of(self, value: Any) -> T | None:
        """Return the fact's value from the first of its paths that has a value, or None."""
        for way in self.ways:
            found = self._found(value, way.path)
            if found is not None:
                return found
        if self.required:
            lose(self.ways[0].path)
        return None

    def _found(self, value: Any, path: str) -> T | None:
        there = reach(value, path)
        if there is None:
            return None
        found = self.convert(there)
        if found is None:
            lose(path)
        return found


class Texts(Fact[list[str]]):
    """At least one line of text from a path with `[]`. Blank lines are dropped and counted."""

    def __init__(self, *ways: str | Way, required: bool = False) -> None:
        super().__init__(lambda _: None, *ways, required=required)

    def _found(self, value: Any, path: str) -> list[str] | None:
        if reach(value, path.partition("[]")[0]) is None:
            return None
        return read_rows(texts(value, path), lambda text: clean_line(text) or None, path) or None


class Rows(Fact[list[list[Any]]]):
    """At least one array within an array. Nulls between the arrays are ignored; any other value counts as a loss."""

    def __init__(self, *ways: str | Way, required: bool = False) -> None:
        super().__init__(lambda there: there if isinstance(there, list) else None, *ways, required=required)

    def _found(self, value: Any, path: str) -> list[list[Any]] | None:
        found = [item for item in super()._found(value, path) or () if item is not None]
        return read_rows(found, array, path) or None


def whole(value: Any) -> int | None:
    return as_kind(value, int)


def number(value: Any) -> float | None:
    return as_kind(value, float)


def array(value: Any) -> list[Any] | None:
    return value if isinstance(value, list) else None


def table(names: Mapping[str, Any]) -> Mapping[str, Fact[Any]]:
    """Return the facts of a module by name: `TABLE = table(globals())`."""
    return {name: fact for name, fact in names.items() if isinstance(fact, Fact)}
