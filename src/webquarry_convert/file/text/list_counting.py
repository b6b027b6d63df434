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
    """A list. starts: numbers with which its levels begin anew. is_begun: whether it has an item already."""

    starts: dict[int, int]
    is_begun: bool

    def level(self, level: int, /) -> Level | None: ...


def count_item(counts: list[int | None], of: Levels, at: int, here: Level) -> int:
    """The number of one more item on the level `at`, which is `here`.

    counts: the numbers shown last on each of `LEVELS`, None where counting begins; lists may share them.
    """
    if not of.is_begun:
        of.is_begun = True
        for level, start in of.starts.items():
            counts[level] = start - 1
    for level in range(at):
        if counts[level] is None:
            shallower = of.level(level)
            counts[level] = 1 if shallower is None else shallower.start
    before = counts[at]
    count = counts[at] = here.start if before is None else min(before + 1, MAX_NUMBER)
    for level in range(at + 1, LEVELS):
        deeper = of.level(level)
        restart = None if deeper is None else deeper.restart
        if restart is None or at < restart:
            counts[level] = None
    return count
