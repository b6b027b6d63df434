"""A response has exactly the requested rows, whatever page size the source has."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from support.results import Sources, html, page
from support.world import Told, redirect
from webquarry.core.errors import ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.search.model.params import MAX_PAGE, SearchParams
from webquarry.extractors.search.model.result import Organic, Page, Search
from webquarry.extractors.search.model.window import PagedSource, Steps
from webquarry.net import Net

PROVIDER = Provider("made", "A made source", politeness=Politeness(spacing_s=2.0, concurrency=1))
HOST = "made.example"


def asked(**params: Any) -> SearchParams:
    return SearchParams.model_validate({"q": "rows", **params})


def rows(*numbers: int) -> list[Organic]:
    return [
        Organic(position=i, title=f"rows {number}", link=f"https://site{number}.example/")
        for i, number in enumerate(numbers, 1)
    ]


async def fetch(params: SearchParams, net: Net, number: int) -> Wire:
    return await net.get(f"https://{HOST}/{number}")


def read(wire: Wire) -> Page:
    """Parse a page that is written as `numbers of its rows[|end]`. `wall` is a block page."""
    numbers, _, ends = wire.body.decode().partition("|")
    if numbers == "wall":
        raise ProviderError("A person?", reason="blocked", retry_after_s=600)
    return Page(organic=rows(*map(int, numbers.split())), has_more=False if ends else None)


def source(steps: Steps | Callable[[SearchParams], Steps], *, keyed: bool = False) -> PagedSource:
    return PagedSource(PROVIDER, "Made", fetch, read, steps if callable(steps) else lambda _: steps, keyed=keyed)


def told(first: int, last: int, *, ends: bool = False) -> Told:
    return html(" ".join(map(str, range(first, last + 1))) + ("|end" if ends else ""))


class Asked:
    """One request to a test source."""

    def __init__(self, *answers: Told, seconds: float = 30) -> None:
        self.world = Sources({HOST: list(answers)})
        self.seconds = seconds

    async def __call__(
        self, steps: Steps | Callable[[SearchParams], Steps], *, keyed: bool = False, **params: Any
    ) -> Search:
        with self.world.net(PROVIDER, self.seconds) as net:
            result, _ = await source(steps, keyed=keyed).ask(asked(**params), net)
        return result

    @property
    def pages(self) -> list[int]:
        return [int(request.url.rpartition("/")[2]) for request in self.world.asked]


def numbers(result: Search) -> list[int]:
    return [int(row.title.removeprefix("rows ")) for row in result.organic_results]


@pytest.mark.parametrize("steps", [Steps(rows=10), Steps(rows=20), Steps(rows=15, first_rows=10), Steps(rows=7)])
@pytest.mark.parametrize("num", [1, 5, 10, 13, 19, 20])
@pytest.mark.parametrize("number", [1, 2, 3, 7, 10])
async def test_row_n_of_page_p_is_that_row_of_the_query(steps: Steps, num: int, number: int) -> None:
    first = (number - 1) * num + 1
    start = steps.page_of(first - 1)
    ask = Asked(*(told(steps.start(page) + 1, steps.start(page + 1)) for page in range(start, start + 4)))
    result = await ask(steps, num=num, page=number)
    assert numbers(result) == list(range(first, first + num))
    assert [row.position for row in result.organic_results] == numbers(result)
    assert ask.pages == list(range(start, steps.page_of(first + num - 2) + 1))
    assert (result.has_more, result.warnings) == (number < MAX_PAGE, [])


def test_page_and_start_agree() -> None:
    for steps in (Steps(rows=10), Steps(rows=15, first_rows=10), Steps(rows=4, origin=12)):
        for row in range(steps.origin, 120):
            number = steps.page_of(row)
            assert steps.start(number) <= row < steps.start(number + 1)


async def test_a_single_page_is_read_separately() -> None:
    result = source(Steps(rows=10)).read_one(page("1 2 3 4 5 6 7 8 9 10"), asked(num=5, page=2))
    assert [(row.position, row.title) for row in result.organic_results] == [(n, f"rows {n}") for n in range(6, 11)]


async def test_short_page_is_filled_up_from_one_further_page() -> None:
    ask = Asked(told(1, 8), told(8, 17), told(18, 27))
    result = await ask(Steps(rows=10), num=10)
    assert (numbers(result), ask.pages) == (list(range(1, 11)), [0, 1])  # row 8 is on both pages
    assert result.warnings == [
        "Made's pages are shorter than usual, so the last 2 of these results may be repeated on page 2."
    ]


async def test_paid_page_is_not_requested_to_fill_up_another() -> None:
    ask = Asked(told(1, 8), told(9, 17))
    result = await ask(Steps(rows=10), keyed=True, num=10)
    assert (numbers(result), ask.pages) == (list(range(1, 9)), [0])
    assert result.warnings == ["Made returned 8 of the 10 requested results."]
    assert (await ask(Steps(rows=10), keyed=True, num=11, page=2)).organic_results[0].title == "rows 10"


@pytest.mark.parametrize("lengths", [(10, 10, 10), (8, 9, 10), (7, 7, 7), (10, 6, 10), (3, 10, 10)])
@pytest.mark.parametrize("num", [4, 5, 7, 10, 15])
async def test_no_row_is_missed_between_pages_and_repeated_rows_cause_a_warning(
    lengths: tuple[int, ...], num: int
) -> None:
    starts = [sum(lengths[:i]) for i in range(4)]
    pages = [told(start + 1, start + length) for start, length in zip(starts, lengths, strict=False)]
    seen: list[int] = []
    again = 0
    for number in range(1, 20 // num + 1):
        steps = Steps(rows=10)
        ask = Asked(*pages[steps.page_of((number - 1) * num) :])
        with suppress(ProviderError):  # for a page that lacks some rows, if all of its rows are at the end
            result = await ask(steps, num=num, page=number)
            assert len(set(numbers(result)) & set(seen)) <= again
            text = "".join(warning for warning in result.warnings if "may be repeated" in warning)
            again = 1 if "the last one" in text else int(text.split("the last ")[1].split()[0]) if text else 0
            seen += numbers(result)
    assert set(range(1, max(seen) + 1)) == set(seen)


async def test_position_counts_from_its_source_page_even_after_a_short_page() -> None:
    result = await Asked(told(1, 18), told(19, 38))(Steps(rows=20), num=19, page=2)
    assert numbers(result) == list(range(19, 38))
    assert result.warnings == [
        "Made's pages are shorter than usual, so the last one of these results may be repeated on page 3."
    ]


async def test_there_is_no_page_after_the_last_that_can_be_requested() -> None:
    ask = Asked(told(91, 98), told(101, 110))
    result = await ask(Steps(rows=10), num=10, page=10)
    assert (len(result.organic_results), result.has_more, result.warnings) == (10, False, [])


async def test_source_without_further_pages_is_not_requested_again() -> None:
    ask = Asked(told(1, 3, ends=True))
    result = await ask(Steps(rows=10), num=10)
    assert (numbers(result), result.has_more, result.warnings, ask.pages) == ([1, 2, 3], False, [], [0])


async def test_page_after_the_last_row_is_empty() -> None:
    result = await Asked(told(1, 3, ends=True))(Steps(rows=10), num=5, page=2)
    assert (result.organic_results, result.has_more) == ([], False)


async def test_result_that_is_short_after_a_further_page_has_a_warning() -> None:
    result = await Asked(told(1, 3), told(4, 6))(Steps(rows=10), num=10)
    assert (numbers(result), result.has_more) == ([1, 2, 3, 4, 5, 6], True)
    assert result.warnings == [
        "Made returned 6 of the 10 requested results.",
        "Made's pages are shorter than usual, so the last 3 of these results may be repeated on page 2.",
    ]


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        (Told(status=429), "made.example refused the request (status 429)."),
        (html("wall"), "A person?"),
        (redirect("https://elsewhere.example/"), "Nobody there."),
        (redirect("http://127.0.0.1/"), None),
        (html("1 " * 5_300_000), None),
    ],
)
async def test_further_page_that_fails_leaves_the_earlier_rows(failure: Told, why: str | None) -> None:
    result = await Asked(told(1, 10), failure)(Steps(rows=10), num=20)
    assert (len(result.organic_results), result.has_more) == (10, True)
    assert result.warnings[0] == "Made returned 10 of the 20 requested results."
    assert result.warnings[1].startswith(f"Made did not return its next page: {why or ''}")


async def test_further_page_that_would_be_late_is_not_waited_for() -> None:
    ask = Asked(told(1, 10), told(11, 20), seconds=1.5)  # two seconds apart
    result = await ask(Steps(rows=10), num=20)
    assert (len(result.organic_results), ask.pages) == (10, [0])
    assert "rate-limited by this service" in result.warnings[1]


async def test_block_page_instead_of_a_further_page_pauses_the_source() -> None:
    ask = Asked(told(1, 10), html("wall"), told(1, 10))
    await ask(Steps(rows=10), num=20)
    ask.world.clock.advance(599)
    with pytest.raises(ProviderError) as caught:
        await ask(Steps(rows=10), num=10)
    assert (caught.value.reason, len(ask.pages)) == ("blocked", 2)
    ask.world.clock.advance(2)
    assert len((await ask(Steps(rows=10), num=10)).organic_results) == 10


async def test_rows_of_a_source_with_a_key_are_not_judged() -> None:
    ask = Asked(told(1, 10), told(1, 10))
    with pytest.raises(ProviderError, match="no result has a word"):
        await ask(Steps(rows=10), q="something else")
    assert len((await ask(Steps(rows=10), keyed=True, q="something else")).organic_results) == 10


async def test_failure_without_any_row_is_raised() -> None:
    with pytest.raises(ProviderError) as caught:
        await Asked(html("wall"))(Steps(rows=10))
    assert caught.value.reason == "blocked"
    with pytest.raises(ProviderError) as caught:
        await Asked(told(1, 2), Told(status=503))(Steps(rows=10), num=5, page=2)
    assert caught.value.reason == "refused"


async def test_pages_of_varying_length_are_read_from_the_first() -> None:
    walked = Steps(rows=25, pages=3, walked=True)
    ask = Asked(told(1, 4), told(5, 13), told(14, 18))
    result = await ask(walked, num=5, page=3)
    assert (numbers(result), ask.pages) == ([11, 12, 13, 14, 15], [0, 1, 2])
    ask = Asked(told(1, 3), told(4, 6), told(7, 9))
    with pytest.raises(ProviderError) as caught:
        await ask(walked, num=10, page=2)
    assert caught.value.reason == "unavailable"


async def test_source_that_starts_at_any_row_is_requested_for_just_these_rows() -> None:
    ask = Asked(told(27, 36), told(37, 46))
    result = await ask(lambda p: Steps(rows=min(p.num, 10), origin=p.skipped), num=13, page=3)
    assert numbers(result) == list(range(27, 40))


@pytest.mark.parametrize(("num", "number", "skipped"), [(10, 2, False), (10, 3, True), (20, 2, True), (19, 2, False)])
def test_source_with_too_few_pages_is_skipped(num: int, number: int, skipped: bool) -> None:
    why = source(Steps(rows=10, pages=2)).skips(asked(num=num, page=number))
    assert why == ("Made returns at most 20 results per query." if skipped else None)


async def test_short_last_page_of_a_source_has_a_warning() -> None:
    ask = Asked(told(1, 10), told(11, 20))
    result = await ask(Steps(rows=10, pages=1), num=20)
    assert (len(result.organic_results), result.has_more, ask.pages) == (10, True, [0])
    assert result.warnings == ["Made returned 10 of the 20 requested results."]
