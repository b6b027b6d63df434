import random

from webquarry.crawl.frontier import find_place


def test_near_preferred_and_plain_pages_come_first() -> None:
    ordered = [
        find_place("https://example.com/far?x=1", 1, priority=1.0),
        find_place("https://example.com/", 1),
        find_place("https://example.com/docs", 1),
        find_place("https://example.com/docs/a", 1),
        find_place("https://example.com/docs/7", 1),
        find_place("https://example.com/docs?page=2", 1),
        find_place("https://example.com/docs?page=2", 1, priority=0.1),
        find_place("https://example.com/", 2, priority=1.0),
    ]
    shuffled = random.Random(1).sample(ordered, len(ordered))
    assert sorted(shuffled) == ordered
    assert len(set(ordered)) == len(ordered)


def test_rank_is_bounded() -> None:
    assert find_place("https://example.com/" + "9/" * 500 + "?x=1", 10**9, priority=-5) < 10**7
