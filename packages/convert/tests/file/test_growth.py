"""No reader's work grows faster than the file. Every repeatable element of each format is doubled to check this."""

import random
from collections.abc import Callable
from functools import cache, partial
from pkgutil import resolve_name
from typing import Any

import pytest

from convert_support.effort import effort
from convert_support.grown import FILES
from convert_support.pumps import ATTEMPTS, DOUBLING, judge
from webquarry_convert.errors import ConversionError
from webquarry_convert.file.formats import FORMATS, PICTURES
from webquarry_convert.file.readers import convert

AMPLE = frozenset(
    {
        "xlsx one string of many cells",
        "xlsx one format of many numbers",
        "xlsx one format that says a text again",
        "xlsx rows of other columns",
        "numbers one string of many cells",
        "numbers tables that share cells",
        "pptx one note of many slides",
        "docx rows of other columns",
        "docx one label of many items",
        "docx one chart shown again",
        "docx series of a chart",
        "odt one label of many items",
        "odt one label of many headings",
        "odt one object shown again",
    }
)
"""Elements that a few bytes can repeat in many places. Their output grows faster than the file, up to limits."""
BOUNDED = frozenset(
    {
        "pdf frames within each other, S",
        "pdf frames within each other, f",
        "pdf frames within each other, B",
        "pdf frames that cross",
        "pdf frames of one path",
    }
)
"""Elements that a library compares pairwise, which takes up to about a second.

If there are more of them, the library is not called.
"""
BEYOND = 20_000
"""A number of such elements that exceeds this limit."""
_SIGNS = sorted(name for name in FILES if name.startswith("csv '") or " text of " in f" {name}")
_THINGS = sorted(set(FILES) - set(_SIGNS) - BOUNDED)
_LUCK = random.Random(7)
SHORT = [*_LUCK.sample(_THINGS, len(_THINGS) // 3), *_LUCK.sample(_SIGNS, 12)]
"""The sample for `make test`. `make proofs` runs all elements."""
SHORT_KINDS = sorted({name.split()[0] for name in SHORT})


@cache
def reader(kind: str) -> Callable[[bytes], Any]:
    """Return the reader of a format.

    Readers that also take a name, and files of no known format, go through detection.
    """
    known = FORMATS.get(kind)
    if known is None or "name" in known.options:
        return convert
    read: Callable[[bytes], Any] = resolve_name(known.reader)
    return read


def grows(name: str, size: int, largest: int, longest_s: float) -> str | None:
    """Return a description if the work for an element grows faster than the file.

    The work is measured twice, because the machine may be busy.
    """
    read = reader(name.split()[0])

    def prepare(number: int) -> Callable[[], None]:
        body = FILES[name](number)

        def work() -> None:
            try:
                read(body)
            except ConversionError:  # the file exceeds a limit, or is not of this format, which are also valid results
                return

        return work

    found = judge(prepare, name, size=size, largest=largest, longest_s=longest_s)
    if found is not None:
        found = judge(prepare, name, size=size, largest=4 * largest, longest_s=1.0)
    return None if found is None else str(found)


def test_every_format_has_a_builder_of_growing_files() -> None:
    """Picture formats are exempt, because their limit is the number of pixels."""
    assert set(FORMATS) - PICTURES - {name.split()[0] for name in FILES} == set()


@pytest.mark.parametrize("kind", SHORT_KINDS)
def test_work_grows_linearly_with_the_file(kind: str) -> None:
    names = [name for name in SHORT if name.split()[0] == kind and name not in AMPLE]
    assert [growth for name in names if (growth := grows(name, 200, 800, 0.03))] == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(set(FILES) - AMPLE - BOUNDED))
def test_work_grows_linearly_with_large_files(name: str) -> None:
    assert grows(name, 400, 12_800, 0.5) is None


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(BOUNDED))
def test_work_beyond_the_limit_grows_linearly_with_the_file(name: str) -> None:
    work = reader(name.split()[0])
    single, double = (partial(work, FILES[name](number)) for number in (BEYOND, 2 * BEYOND))
    ratios = []
    for _ in range(ATTEMPTS):
        ratios.append(effort(double) / effort(single))
        if ratios[-1] < DOUBLING:
            return
    raise AssertionError(f"{name}: {min(ratios):.1f} times as much for twice as many")


@pytest.mark.parametrize("name", sorted(AMPLE))
def test_content_repeated_in_many_places_is_limited(name: str) -> None:
    """A thousand times a thousand repetitions are accepted or rejected, and both take little time."""
    work = reader(name.split()[0])
    body = FILES[name](2_000)
    try:
        made = work(body)
    except ConversionError as refused:
        assert refused.reason == "limits"  # noqa: PT017
    else:
        assert len(made.markdown) <= 20_000_000
