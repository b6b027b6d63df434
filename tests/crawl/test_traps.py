from datetime import date

import pytest

from convert_support.effort import effort
from webquarry.crawl.traps import MAX_DATES, MAX_PARAMETER_SETS, Groups, find_trap

TODAY = date(2026, 11, 1)


@pytest.mark.parametrize(
    ("path", "trap"),
    [
        ("/docs/a/b", None),
        ("/a/b/a/b", None),
        ("/a/b/a/b/a/b", "repeats"),
        ("/x/x/x", "repeats"),
        ("/1/1/1", None),
        ("/" + "/".join(f"s{n}" for n in range(25)), "deep"),
        ("/calendar/2026/11", None),
        ("/calendar/2031/01", "calendar"),
        ("/calendar/1890/01/02", "calendar"),
        ("/news/2031/01", None),
        ("/events?month=2035-07", "calendar"),
        ("/list?year=2040", "calendar"),
        ("/list?id=2040", None),
        ("/blog/2026/11/01/title", None),
    ],
)
def test_trap_is_recognized_from_an_address(path: str, trap: str | None) -> None:
    assert find_trap(f"https://example.com{path}", TODAY) == trap


@pytest.mark.parametrize(
    ("address", "most", "trap"),
    [
        ("https://example.com/list?filter={n}", MAX_PARAMETER_SETS, "parameters"),
        ("https://example.com/archive/{y}/{m}/{d}", MAX_DATES, "calendar"),
        ("https://example.com/user/{n}", 500, "prefix"),
        ("https://example.com/{n}", None, None),
        ("https://example.com/blog/{y}-{m}-{d}-title", 500, "prefix"),
    ],
)
def test_full_group_of_pages_is_a_trap(address: str, most: int | None, trap: str | None) -> None:
    groups = Groups(max_per_prefix=500)
    taken = [groups.take(address.format(n=n, y=2000 + n // 300, m=n // 25 % 12 + 1, d=n % 25 + 1)) for n in range(900)]
    assert taken.count(None) == (most or 900)
    assert set(taken) == {None, *([trap] if trap else [])}


def test_hostile_address_costs_little() -> None:
    address = "https://example.com" + "/2026" * 800 + "?" + "date=2026-11-01&" * 20
    assert effort(lambda: [find_trap(address, TODAY) for _ in range(100)]) < 1
