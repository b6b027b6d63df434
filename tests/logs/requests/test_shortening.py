"""Parameters as they are logged: useful, short, and without secrets."""

import time

import pytest

from webquarry.logs.requests.shortening import MAX_QUERY, MAX_SHOWN, shorten_query

KNOWN = frozenset(("q", "url", "limit", "format"))


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        (b"q=coffee+beans&limit=10", "q=coffee beans&limit=10"),
        (b"q=caf%C3%A9", "q=café"),
        (b"", ""),
        (b"url=https://example.com/a/b?page=2#part", "url=https://example.com/a/b?page=2"),
        (b"q=%40webquarry", "q=@webquarry"),
        (b"q=a%00b%0Ac%E2%80%A8d", "q=a b c d"),
        (b"q=%FF", "q=\ufffd"),
        (b"limt=10", "limt=…"),
    ],
)
def test_parameters_are_shown_on_one_line(query: bytes, shown: str) -> None:
    assert shorten_query(query, KNOWN) == shown


SECRET = "hunter2hunter2"
KEY = "wq_live_" + "0aZ9" * 8


@pytest.mark.parametrize(
    "query",
    [
        f"api_key={SECRET}",
        f"{SECRET}=1&q=a",
        f"q={KEY}",
        f"q=my+key+is+{KEY}.",
        f"{KEY}=q",
        f"q=wq%5Flive%5F{KEY[8:]}",
        f"url=https://ada:{SECRET}@example.com/",
        f"url=https%3A%2F%2Fada%3A{SECRET}%40example.com%2F",
        f"url=ada:{SECRET}@example.com",
        f"url=//ada:{SECRET}@example.com/a",
        f"url=https://example.com/https://ada:{SECRET}@example.org/",
        f"url=https://ada:{SECRET}/x@example.com/",
        f"url=https://[ada:{SECRET}@example.com/",
        f"url=https://example.com/%3Ftoken={SECRET}%26page=2",
        f"url=https://example.com/?X-Amz-Signature={SECRET}",
        f"url=https://example.com/?next=https://ada:{SECRET}@example.org/",
        f"url=https://example.com/%23access_token={SECRET}",
        f"url=https://example.com/?x={SECRET * 4}",
        f"url=https://example.com/?{SECRET * 4}",
        f"url=https://{'a' * (MAX_QUERY - 22)}:{SECRET}@example.com/",
    ],
)
def test_secrets_are_left_out(query: str) -> None:
    shown = shorten_query(query.encode(), KNOWN)
    assert SECRET not in shown
    assert SECRET[:4] not in shown
    assert KEY[8:] not in shown


def test_values_of_tools_are_shown_like_a_query() -> None:
    assert shorten_query((("q", "coffee"), ("secret", "x")), KNOWN) == "q=coffee&secret=…"


@pytest.mark.parametrize("part", ["&", "q=a&", "//", "@", "url=https://a@", "%", "?", "q=//", "wq_live_", "\u00a0"])
def test_shortening_any_query_is_quick_and_short(part: str) -> None:
    query = (b"url=" + part.encode()) * 20_000
    began = time.perf_counter()
    for _ in range(10):
        assert len(shorten_query(query, KNOWN)) <= MAX_SHOWN
    assert time.perf_counter() - began < 1
