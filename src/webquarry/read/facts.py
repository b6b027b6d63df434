"""Facts by their places: the one table of a wire that its reader asks, by name and nowhere by position.

    NAME = Fact(to_line, "[2]", required=True)
    USERS = Fact(to_count, "[14]")
    PRICE = Fact(to_line, "[4][2]", guess("[4][9]"))

    NAME.of(array)

A fact has one way or several, best first. A `recorded` way was seen to hold it in a recorded answer; an `unproven` one
is known from the code of others. Ways may lead beyond the end of an array, which is how such wires leave things out:
that, and null, is a loss only where the fact is `required`. What lies at a place and is of another kind is always
counted, under its path, and is None: the place has shifted, and no reader ends for it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from webquarry.read.losses import lose
from webquarry.read.values import as_kind, reach, texts
from webquarry_convert.text.escape import clean_line

T = TypeVar("T")
Evidence = Literal["recorded", "unproven"]


@dataclass(frozen=True, slots=True)
class Way:
    """path: from the value that the fact is asked of, spelled as for `read.at`."""

    path: str
    evidence: Evidence = "recorded"


def guess(path: str) -> Way:
    return Way(path, "unproven")


class Fact(Generic[T]):
    """One fact. convert: what it is made of what lies there; None for what it cannot be (`fields` has the usual)."""

    def __init__(self, convert: Callable[[Any], T | None], *ways: str | Way, required: bool = False) -> None:
        self.convert = convert
        self.ways = tuple(Way(way) if isinstance(way, str) else way for way in ways)
        self.required = required

    @property
    def shown(self) -> str:
        """The ways for people."""
        return " or ".join(way.path for way in self.ways)

    def of(self, value: Any) -> T | None:
        """The fact of this value by the first way that leads to it; None when none does."""
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
    """Lines of text, at least one, of a path with `[]`; blank ones are left out."""

    def __init__(self, *ways: str | Way, required: bool = False) -> None:
        super().__init__(lambda _: None, *ways, required=required)

    def _found(self, value: Any, path: str) -> list[str] | None:
        if reach(value, path.partition("[]")[0]) is None:
            return None
        return list(filter(None, map(clean_line, texts(value, path)))) or None


class Rows(Fact[list[list[Any]]]):
    """The arrays of an array, at least one; null between them is nothing, anything else a loss."""

    def __init__(self, *ways: str | Way, required: bool = False) -> None:
        super().__init__(lambda there: there if isinstance(there, list) else None, *ways, required=required)

    def _found(self, value: Any, path: str) -> list[list[Any]] | None:
        found = [item for item in super()._found(value, path) or () if item is not None]
        rows = [item for item in found if isinstance(item, list)]
        if len(found) > len(rows):
            lose(path, len(found) - len(rows))
        return rows or None


def whole(value: Any) -> int | None:
    return as_kind(value, int)


def number(value: Any) -> float | None:
    return as_kind(value, float)


def array(value: Any) -> list[Any] | None:
    return value if isinstance(value, list) else None


def table(names: Mapping[str, Any]) -> Mapping[str, Fact[Any]]:
    """The facts of a module, by name: `TABLE = table(globals())`."""
    return {name: fact for name, fact in names.items() if isinstance(fact, Fact)}
