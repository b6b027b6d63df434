"""Paginated lists: fetching pages one after the other, up to a maximum, and returning each row once.

    pages = await collect(fetch, max_pages=params.max_pages, key=lambda row: row.id, net=net, source="The store")
    Catalog(rows=pages.rows, has_more=pages.has_more, pages_fetched=pages.pages_fetched, warnings=pages.warnings)

If the first page fails, the request fails. If a later page fails or is late, the rows so far are returned with a
warning and `has_more` set to True.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Generic, Protocol, TypeVar

from webquarry.core.errors import ExtractionError, UnsafeTarget
from webquarry.core.types import Deadline

Row = TypeVar("Row")
Next = TypeVar("Next")

SPARE_S: Final = 0.5
"""Seconds of an attempt reserved for the rows already fetched, in case a further page is late."""
LEAST_S: Final = 1.0
"""Minimum number of seconds left for requesting another page. With less time, the page would hardly arrive in time."""


class Attempt(Protocol):
    """Interface of `net` that `collect` enters for each further page, so that a failure does not end the attempt."""

    @property
    def deadline(self) -> Deadline: ...

    def __enter__(self) -> object: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> object: ...


@dataclass(frozen=True, slots=True)
class Page(Generic[Row, Next]):
    """A page's rows. `next` identifies the following page, or is None for the last page."""

    rows: Sequence[Row]
    next: Next | None = None


@dataclass(slots=True)
class Pages(Generic[Row, Next]):
    """The collected rows. `next` identifies the following page. `repeated` counts rows that had occurred before."""

    rows: list[Row] = field(default_factory=list)
    next: Next | None = None
    pages_fetched: int = 0
    has_more: bool = False
    repeated: int = 0
    warnings: list[str] = field(default_factory=list)


async def collect(
    fetch: Callable[[Next | None], Awaitable[Page[Row, Next]]],
    *,
    max_pages: int,
    key: Callable[[Row], Hashable],
    net: Attempt,
    source: str,
    start: Next | None = None,
    max_rows: int | None = None,
) -> Pages[Row, Next]:
    """Return the rows of at most `max_pages` pages, in order, with each key once.

    `fetch(next)` fetches and reads one page; `start` identifies the first page. `source` names the source, as the
    subject of a sentence. After `max_rows` rows, no further page is requested. Raises the errors of fetching the first
    page.

    The list ends at a page whose `next` is itself or an earlier page. It also ends at a page without new rows, which is
    counted and whose own report determines `has_more`.
    """
    pages: Pages[Row, Next] = Pages()
    seen: set[Hashable] = set()
    asked: list[Next | None] = [start]
    _add(pages, await fetch(start), seen, key)
    while pages.next is not None and pages.pages_fetched < max_pages:
        if max_rows is not None and len(pages.rows) >= max_rows:
            break
        if pages.next in asked:
            pages.next = None
            pages.has_more = False
            pages.warnings.append(f"{source} returned an earlier page again, so the list ends here.")
            break
        if net.deadline.remaining_s < SPARE_S + LEAST_S:
            pages.warnings.append(f"{source} had no time left for the next page.")
            break
        asked.append(pages.next)
        try:
            with net:
                async with asyncio.timeout(max(0.0, net.deadline.remaining_s - SPARE_S)):
                    page = await fetch(pages.next)
        except TimeoutError:
            pages.warnings.append(f"{source} did not return the next page in time.")
            break
        except (ExtractionError, UnsafeTarget) as error:
            pages.warnings.append(f"{source} did not return the next page: {error.message}")
            break
        if not _add(pages, page, seen, key):
            if pages.has_more:
                pages.warnings.append(f"{source} reports more entries but returned a page without new entries.")
            break
    return pages


def _add(pages: Pages[Row, Next], page: Page[Row, Next], seen: set[Hashable], key: Callable[[Row], Hashable]) -> int:
    """Add a page's rows. Return how many were new."""
    before = len(pages.rows)
    for row in page.rows:
        name = key(row)
        if name in seen:
            pages.repeated += 1
        else:
            seen.add(name)
            pages.rows.append(row)
    pages.pages_fetched += 1
    pages.next, pages.has_more = page.next, page.next is not None
    return len(pages.rows) - before
