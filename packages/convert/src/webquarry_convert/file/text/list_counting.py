"""Counts list items as Word does. Each level has a counter, which an item on a higher level may reset."""

from typing import Final, Protocol

from webquarry_convert.file.text.labels import MAX_NUMBER

LEVELS: Final = 9


class Level(Protocol):
    """A level of a list.

    start: the first number. restart: the deepest level whose items reset the counter. With None, items on all higher
    levels reset it; with 0, no item does.
    """

    @property
    def start(self) -> int: ...

    @property
    def restart(self) -> int | None: ...


class Levels(Protocol):
    """The counters of a list.

    starts: first numbers of levels, which override `Level.start`. begun: levels that already have an item.
    """

    starts: dict[int, int]
    begun: set[int]

    def level(self, level: int, /) -> Level | None: ...


def count_item(counts: list[int | None], of: Levels, at: int, here: Level) -> int:
    """Return a new item's number.

    at, here: the index and the properties of the item's level. counts: the last displayed number on each of `LEVELS`,
    or None if there is no number yet. Several lists may share the counts. A list that restarts its numbers does so on
    each level with the level's first item. Until then, the numbers of higher levels continue.
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
    """Restart the counters of deeper levels that a new item on level `at` resets."""
    for level in range(at + 1, LEVELS):
        deeper = of.level(level)
        restart = None if deeper is None else deeper.restart
        if restart is None or at < restart:
            counts[level] = None
