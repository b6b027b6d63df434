"""How Word counts the items of a list: one count for each level, which a shallower item may set back."""

from typing import Final, Protocol

from webquarry_convert.file.text.labels import MAX_NUMBER

LEVELS: Final = 9


class Level(Protocol):
    """start: the first number. restart: the depth down to which items set the count back: None for all that are less
    deep, 0 for none."""

    @property
    def start(self) -> int: ...

    @property
    def restart(self) -> int | None: ...


class Levels(Protocol):
    """A list. starts: numbers with which levels begin in it, whatever their own is. begun: those levels of which it has
    an item already."""

    starts: dict[int, int]
    begun: set[int]

    def level(self, level: int, /) -> Level | None: ...


def count_item(counts: list[int | None], of: Levels, at: int, here: Level) -> int:
    """The number of one more item on the level `at`, which is `here`.

    counts: the numbers shown last on each of `LEVELS`, None where counting begins; lists may share them. A list that
    begins anew does so on each level with its first item there: until then, what is above goes on.
    """
    for level in range(at):
        if counts[level] is None:
            shallower = of.level(level)
            counts[level] = of.starts.get(level, 1 if shallower is None else shallower.start)
    begins = counts[at] is None or (at in of.starts and at not in of.begun)
    before = counts[at] or 0
    count = counts[at] = of.starts.get(at, here.start) if begins else min(before + 1, MAX_NUMBER)
    of.begun.add(at)
    for level in range(at + 1, LEVELS):
        deeper = of.level(level)
        restart = None if deeper is None else deeper.restart
        if restart is None or at < restart:
            counts[level] = None
    return count
