import asyncio
from collections.abc import Callable
from types import TracebackType

import pytest

from support.clock import ManualClock
from webquarry.core.errors import Absent, ConversionFailed, InvalidParams, ProviderError
from webquarry.core.types import Deadline
from webquarry.read.pages import Page, Pages, collect


class Attempt:
    def __init__(self, seconds: float = 30.0) -> None:
        self.clock = ManualClock()
        self.deadline = Deadline.after(seconds, self.clock)
        self.told: list[type[BaseException] | None] = []

    def __enter__(self) -> object:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.told.append(kind)


Answer = Page[int, str] | BaseException | Callable[[], Page[int, str]]


async def collected(
    *answers: Answer, max_pages: int = 10, net: Attempt | None = None, max_rows: int | None = None
) -> tuple[Pages[int, str], list[str | None]]:
    asked: list[str | None] = []

    async def fetch(place: str | None) -> Page[int, str]:
        asked.append(place)
        answer = answers[len(asked) - 1]
        if isinstance(answer, BaseException):
            raise answer
        return answer() if callable(answer) else answer

    pages = await collect(
        fetch, max_pages=max_pages, key=lambda row: row, net=net or Attempt(), source="The store", max_rows=max_rows
    )
    return pages, asked


async def test_pages_are_requested_until_the_last_one() -> None:
    pages, asked = await collected(Page([1, 2], "b"), Page([3], "c"), Page([4]))
    assert (pages.rows, pages.has_more, pages.pages_fetched, pages.next) == ([1, 2, 3, 4], False, 3, None)
    assert asked == [None, "b", "c"]
    assert pages.warnings == []


async def test_reaching_the_maximum_is_reported() -> None:
    pages, asked = await collected(Page([1], "b"), Page([2], "c"), max_pages=2)
    assert (pages.rows, pages.has_more, pages.next, len(asked)) == ([1, 2], True, "c", 2)
    assert pages.warnings == []


async def test_list_ends_after_enough_rows() -> None:
    pages, _ = await collected(Page([1, 2], "b"), max_rows=2)
    assert (pages.rows, pages.has_more) == ([1, 2], True)


async def test_each_row_is_returned_once() -> None:
    pages, _ = await collected(Page([1, 1, 2], "b"), Page([2, 3]))
    assert (pages.rows, pages.repeated) == ([1, 2, 3], 2)


@pytest.mark.parametrize("error", [ProviderError("Down.", reason="down"), Absent("Gone."), TimeoutError()])
async def test_failure_of_the_first_page_is_the_error(error: Exception) -> None:
    with pytest.raises(type(error)):
        await collected(error)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ProviderError("It refused.", reason="refused"), "The store did not return the next page: It refused."),
        (ConversionFailed("Too large.", reason="limits"), "The store did not return the next page: Too large."),
        (TimeoutError(), "The store did not return the next page in time."),
    ],
)
async def test_failure_of_a_further_page_keeps_the_earlier_pages(error: Exception, message: str) -> None:
    net = Attempt()
    pages, _ = await collected(Page([1], "b"), Page([2], "c"), error, net=net)
    assert (pages.rows, pages.has_more, pages.pages_fetched, pages.next) == ([1, 2], True, 2, "c")
    assert pages.warnings == [message]
    assert net.told == [None, type(error)]


@pytest.mark.parametrize("error", [InvalidParams("No."), ZeroDivisionError(), asyncio.CancelledError()])
async def test_errors_that_the_source_did_not_cause_are_raised(error: BaseException) -> None:
    with pytest.raises(type(error)):
        await collected(Page([1], "b"), error)


async def test_page_that_comes_too_late_keeps_the_earlier_pages() -> None:
    net = Attempt(1.7)

    async def fetch(place: str | None) -> Page[int, str]:
        if place is not None:
            await asyncio.sleep(30)
        return Page([1], "b")

    pages = await collect(fetch, max_pages=3, key=lambda row: row, net=net, source="The store")
    assert (pages.rows, pages.has_more) == ([1], True)
    assert pages.warnings == ["The store did not return the next page in time."]


async def test_no_page_is_requested_without_time() -> None:
    net = Attempt(5.0)

    def slow() -> Page[int, str]:
        net.clock.advance(4.0)
        return Page([1], "b")

    pages, asked = await collected(slow, net=net)
    assert (pages.rows, pages.has_more, asked) == ([1], True, [None])
    assert pages.warnings == ["The store had no time left for the next page."]


async def test_list_with_a_repeated_cursor_ends() -> None:
    pages, asked = await collected(Page([1], "b"), Page([2], "c"), Page([3], "b"))
    assert (pages.rows, pages.has_more, pages.next, len(asked)) == ([1, 2, 3], False, None, 3)
    assert pages.warnings == ["The store returned an earlier page again, so the list ends here."]


async def test_list_ends_at_a_page_without_new_rows() -> None:
    pages, asked = await collected(Page([1], "b"), Page([1], "c"))
    assert (pages.rows, pages.has_more, len(asked)) == ([1], True, 2)
    assert pages.warnings == ["The store reports more entries but returned a page without new entries."]
    pages, _ = await collected(Page([1], "b"), Page([]))
    assert (pages.has_more, pages.warnings) == (False, [])


async def test_empty_first_page_is_a_result() -> None:
    pages, _ = await collected(Page([]))
    assert (pages.rows, pages.has_more, pages.pages_fetched) == ([], False, 1)
