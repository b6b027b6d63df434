"""Counting of list items as in Word: each level has a counter, which an item on a higher level may reset."""

from typing import Final, Protocol

from webquarry_convert.file.text.labels import MAX_NUMBER

LEVELS: Final = 9


class Level(Protocol):
    """A level of a list.

    start: the first number. restart: the deepest level whose items reset the counter: None for all higher levels, 0 for
    none.
    """

    @property
    def start(self) -> int: ...

    @property
    def restart(self) -> int | None: ...


class Levels(Protocol):
    """The counters of a list.

    starts: first numbers of levels, which override `Level.start`. begun: levels with at least one item.
    """

    starts: dict[int, int]
    begun: set[int]

    def level(self, level: int, /) -> Level | None: ...


def count_item(counts: list[int | None], of: Levels, at: int, here: Level) -> int:
    """Return the number of a new item.

    at, here: index and properties of the item's level. counts: the last displayed number on each of `LEVELS`, None
    before the first; lists may share them. A list that restarts does so on each level with its first item there. Until
    then, the numbers of higher levels continue.
    """
    for level in range(at):
        if counts[level] is None:
            shallower = of.level(level)
            counts[level] = of.starts.get(level, 1 if shallower is None else shallower.start)
    begins = counts[at] is None or (at in of.starts and at not in of.begun)
    before = counts[at] or 0
    count = counts[at] = of.starts.get(at, here.start) if begins else min(before + 1, MAX_NUMBER)
    of.begun.add(at)
    _restart_deeper(counts, of, at)
    return count


def _restart_deeper(counts: list[int | None], of: Levels, at: int) -> None:
    """Restart the levels below `at` that a new item on `at` resets."""
    for level in range(at + 1, LEVELS):
        deeper = of.level(level)
        restart = None if deeper is None else deeper.restart
        if restart is None or at < restart:
            counts[level] = None
