"""No reader's work grows faster than the answer of its source, whatever part of it grows."""

import random
from collections.abc import Callable, Iterator
from functools import cache, partial

import pytest

from support.pumps import judge
from support.wires import Read, WirePump, chosen, reads
from webquarry.registry import load

SHORT, LONG = 10, 150
"""Parts of an answer, by luck."""


@cache
def all_reads() -> tuple[Read, ...]:
    return tuple(reads())


def one_of_each_source() -> Iterator[Read]:
    """The longest answer of each source that each endpoint reads."""
    best: dict[tuple[str, str], Read] = {}
    for read in all_reads():
        key = read.extractor.name, read.source.provider.name
        if key not in best or len(best[key].wire.body) < len(read.wire.body):
            best[key] = read
    yield from best.values()


def grows(read: Read, pump: WirePump, size: int, largest: int, longest_s: float) -> str | None:
    """What is said of a part for which the work grows faster than the wire; twice: what is refused up to a size and
    read from it on, or read up to it, grows once."""

    def prepare(number: int) -> Callable[[], object]:
        return partial(read.work, pump.sized(number))

    found = judge(prepare, f"{read} {pump.name}", size=size, largest=largest, longest_s=longest_s)
    if found is not None:
        found = judge(prepare, found.pump, size=found.size, largest=8 * found.size, longest_s=8 * longest_s)
    return None if found is None else str(found)


READS_NO_WIRE = {"open_pagerank_list"}
"""Sources that answer from what is kept here."""


def test_each_source_that_has_a_tape_is_among_them() -> None:
    """Of a source without a tape that it can read nothing would be proved."""
    known = {(read.extractor.name, read.source.provider.name) for read in all_reads()}
    asked = {(extractor.name, source.provider.name) for extractor in load() for source in extractor.sources}
    assert {name for _, name in asked} - READS_NO_WIRE == {name for _, name in known}


@pytest.mark.parametrize("read", list(one_of_each_source()), ids=str)
def test_work_grows_with_the_answer(read: Read) -> None:
    luck = random.Random(str(read))
    pumps = chosen(read.wire.body, luck, 1, SHORT)
    assert [growth for pump in pumps if (growth := grows(read, pump, 8_000, 64_000, 0.05))] == []


@pytest.mark.long
@pytest.mark.parametrize("read", list(all_reads()), ids=str)
def test_work_grows_with_large_answers(read: Read) -> None:
    luck = random.Random(f"long {read}")
    pumps = chosen(read.wire.body, luck, 3, LONG)
    assert [growth for pump in pumps if (growth := grows(read, pump, 16_000, 256_000, 0.5))] == []
