"""Lists that come in pages: fetched one after the other, at most so many, each row once.

    pages = await collect(fetch, max_pages=params.max_pages, key=lambda row: row.id, net=net, source="The store")
    Catalog(rows=pages.rows, has_more=pages.has_more, pages_fetched=pages.pages_fetched, warnings=pages.warnings)

The first page is the answer: that it fails is the error. What a later one gives is more of it: one that fails or comes
too late leaves what there is, with a warning, and `has_more` true.
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
"""Left of an attempt's time for what it has already got, when a further page is late."""
LEAST_S: Final = 1.0
"""With less left a further page is not asked for: it would hardly come."""


class Attempt(Protocol):
    """As `net` is one: entered for each further page, so that its failure counts although it ends nothing."""

    @property
    def deadline(self) -> Deadline: ...

    def __enter__(self) -> object: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> object: ...


@dataclass(frozen=True, slots=True)
class Page(Generic[Row, Next]):
    """What one page holds. next: what the following one is asked for with; None when this is the last."""

    rows: Sequence[Row]
    next: Next | None = None


@dataclass(slots=True)
class Pages(Generic[Row, Next]):
    """What the pages held. next: what the page behind them is asked for with. repeated: rows that came again."""

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
    """The rows of at most `max_pages` pages, in their order, each key once.

    fetch(next): fetches and reads one page; start: what the first one is asked for with. source: who gives the pages,
    as the subject of a sentence. max_rows: from which on no further page is asked for. Raises what the first page does.

    A page that asks for itself or for an earlier one ends the list; so does a further one that holds nothing new: it is
    counted, and `has_more` says what it said.
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
            pages.warnings.append(f"{source} returned an earlier page again, so the list ends there.")
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
                pages.warnings.append(f"{source} returned a page without new entries but reports that there are more.")
            break
    return pages


def _add(pages: Pages[Row, Next], page: Page[Row, Next], seen: set[Hashable], key: Callable[[Row], Hashable]) -> int:
    """How many rows were new."""
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
