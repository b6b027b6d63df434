"""The requested rows, selected from a source's pages.

A caller's page p of n rows consists of n rows of the whole query, starting at row (p - 1) * n. A source has its own
page size. The first request is for the source's page that contains the first of these rows; earlier rows on that page
are dropped. If rows are missing, one further page is requested, or two if the rows are on three pages. A row's position
is the start of its page plus its position in the page, so that each row is on exactly one of the caller's pages. Rows
that fill up short pages appear again on the caller's next page, and a warning announces this.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webquarry.core.errors import ConversionFailed, ProviderError, UnsafeTarget
from webquarry.core.types import Provider, Wire
from webquarry.endpoints.declare import Source
from webquarry.extractors.search.model.guard import check
from webquarry.extractors.search.model.params import MAX_PAGE, SearchParams
from webquarry.extractors.search.model.result import Organic, Page, Search

if TYPE_CHECKING:
    from webquarry.net import Net

SPARE_S = 0.3
"""Seconds reserved for returning the rows of earlier pages if a further page is late."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The page sizes of a source.

    rows: per page; first_rows: on the first page, if different. origin: number of rows before page 0, for a source that
    can start at any row. pages: maximum number of pages. walked: whether page lengths vary, so that all pages must be
    read in order.
    """

    rows: int
    first_rows: int | None = None
    origin: int = 0
    pages: int | None = None
    walked: bool = False

    def start(self, page: int) -> int:
        """Return the number of rows of the whole query before this page. Pages are counted from 0."""
        first = self.rows if self.first_rows is None else self.first_rows
        return self.origin + (first + (page - 1) * self.rows if page else 0)

    def page_of(self, row: int) -> int:
        """Return the page that contains the row with `row` rows before it. Pages are counted from 0."""
        first = self.rows if self.first_rows is None else self.first_rows
        beyond = row - self.origin - first
        return 0 if beyond < 0 else 1 + beyond // self.rows


@dataclass(frozen=True, slots=True)
class PagedSource:
    """A source of search results with pages.

    fetch(params, net, page): requests a page, counted from 0; read(wire): parses it. steps(params): page sizes for this
    query. refuses(params): the reason why the source can't run the query, as a sentence, or None if it can.
    notes(params): warnings about parameters that the source ignores. keyed: whether it uses the operator's key. A
    source with a key sends no unrelated rows and charges per page, so no additional page is requested to fill up a
    short page.
    """

    provider: Provider
    name: str
    fetch: Callable[[SearchParams, "Net", int], Awaitable[Wire]]
    read: Callable[[Wire], Page]
    steps: Callable[[SearchParams], Steps]
    refuses: Callable[[SearchParams], str | None] = lambda _: None
    notes: Callable[[SearchParams], list[str]] = lambda _: []
    keyed: bool = False

    def source(self) -> Source:
        return Source(self.provider, None, self.read_one, ask=self.ask, skips=self.skips)

    def skips(self, params: SearchParams) -> str | None:
        steps = self.steps(params)
        if steps.pages is not None and steps.page_of(params.skipped) >= steps.pages:
            return f"{self.name} returns at most {steps.start(steps.pages)} results per query."
        return self.refuses(params)

    def read_one(self, wire: Wire, params: SearchParams) -> Search:
        """Return the result that one response gives: the first page requested for these parameters."""
        return self._window(params).with_page(self._check(self.read(wire).dated(wire.fetched_at), params)).result()

    async def ask(self, params: SearchParams, net: "Net") -> tuple[Search, Wire]:
        """Return the result and the first response.

        If a further page fails, the rows of the earlier pages are kept.
        """
        window = self._window(params)
        first = await self.fetch(params, net, window.next_page)
        window.with_page(await self._read(net, first, params))
        while window.wants_more:
            try:
                with net:  # the circuit breaker counts a further page's failure although the request continues
                    async with asyncio.timeout(max(0.0, net.deadline.remaining_s - SPARE_S)):
                        further = await self.fetch(params, net, window.next_page)
                    window.with_page(await self._read(net, further, params))
            except (ProviderError, ConversionFailed, UnsafeTarget, TimeoutError) as error:
                if window.is_bare:
                    raise
                why = " in time." if isinstance(error, TimeoutError) else f": {error.message}"
                window.missed = f"{self.name} did not return its next page{why}"
        return window.result(), first

    async def _read(self, net: "Net", wire: Wire, params: SearchParams) -> Page:
        return self._check((await net.read(self.read, wire)).dated(wire.fetched_at), params)

    def _check(self, page: Page, params: SearchParams) -> Page:
        if not self.keyed:
            check(page.organic, params.q, self.name)
        return page

    def _window(self, params: SearchParams) -> "Window":
        return Window(
            params, self.provider.name, self.name, self.steps(params), self.notes(params), fills_up=not self.keyed
        )


@dataclass
class Window:
    """The requested rows, collected while pages arrive.

    fills_up: whether to request a page after the pages with the requested rows, to fill up short pages. missed: the
    reason why a further page is missing.
    """

    params: SearchParams
    provider: str
    name: str
    steps: Steps
    notes: list[str]
    fills_up: bool = True
    pages: list[Page] = field(default_factory=list)
    missed: str | None = None

    @property
    def next_page(self) -> int:
        return self._first_page + len(self.pages)

    @property
    def rows(self) -> list[Organic]:
        """The requested rows so far, with their positions in the whole query."""
        first = self.params.skipped + 1
        chosen = self._requested_rows[: self.params.num]
        return [row.model_copy(update={"position": position}) for position, (_, row) in enumerate(chosen, first)]

    @property
    def is_bare(self) -> bool:
        """Whether no requested content has arrived."""
        return not self.rows and not self.pages[0].videos

    @property
    def wants_more(self) -> bool:
        """Whether rows are missing that a further page may have."""
        is_last = self.steps.pages is not None and self.next_page >= self.steps.pages
        may_go_on = self._is_open and not is_last and len(self.pages) < self._most_pages
        return may_go_on and self.missed is None and len(self.rows) < self.params.num

    def with_page(self, page: Page) -> "Window":
        self.pages.append(page)
        return self

    def result(self) -> Search:
        """Return the result.

        Raises ProviderError "unavailable" if the source's pages end before the requested rows, or if the rows are on
        more pages than may be requested.
        """
        rows, has_more = self.rows, self._has_more
        if self.is_bare and has_more:
            raise ProviderError(f"{self.name} did not return the results of this page.", reason="unavailable")
        params, first = self.params, self.pages[0]
        return Search(
            query=params.q,
            gl=params.gl,
            hl=params.hl,
            page=params.page,
            num=params.num,
            provider=self.provider,
            organic_results=rows,
            answer_box=first.answer_box,
            knowledge_graph=first.knowledge_graph,
            videos=first.videos,
            related_questions=first.related_questions,
            related_searches=first.related_searches,
            total_results=first.total_results,
            has_more=has_more and params.page < MAX_PAGE,
            warnings=[*self.notes, *self._shortages(len(rows), has_more=has_more)],
        )

    def _shortages(self, rows: int, *, has_more: bool) -> list[str]:
        """Return warnings about missing and repeated rows."""
        shortages = []
        if rows < self.params.num and has_more:
            shortages.append(f"{self.name} returned {rows} of the {self.params.num} requested results.")
        behind = self.params.skipped + self.params.num
        repeated = sum(place >= behind for place, _ in self._requested_rows[: self.params.num])
        if repeated and self.params.page < MAX_PAGE:
            those = "the last one" if repeated == 1 else f"the last {repeated}"
            shortages.append(
                f"{self.name}'s pages are shorter than usual, so {those} of these results may be repeated on "
                f"page {self.params.page + 1}."
            )
        return [*shortages, self.missed] if self.missed else shortages

    @property
    def _first_page(self) -> int:
        return 0 if self.steps.walked else self.steps.page_of(self.params.skipped)

    @property
    def _most_pages(self) -> int:
        if self.steps.walked:
            return self.steps.pages or 2
        last = self.steps.page_of(self.params.skipped + self.params.num - 1)
        return max(2 if self.fills_up else 1, last - self._first_page + 1)

    @property
    def _is_open(self) -> bool:
        """Whether there may be results after the last page, even if the source does not show any."""
        newest = self.pages[-1]
        return newest.has_more is not False and not newest.says_empty

    @property
    def _has_more(self) -> bool:
        return self._is_open or len(self._requested_rows) > self.params.num

    @property
    def _requested_rows(self) -> list[tuple[int, Organic]]:
        """The rows from the first requested row on, each with the number of rows before it in the whole query."""
        return [(place, row) for place, row in self._place_rows() if place >= self.params.skipped]

    def _place_rows(self) -> list[tuple[int, Organic]]:
        """Return the rows of all pages, with each URL once. Some sources repeat rows on adjacent pages."""
        placed: dict[str, tuple[int, Organic]] = {}
        for number, page in enumerate(self.pages, self._first_page):
            for index, row in enumerate(page.organic):
                place = len(placed) if self.steps.walked else self.steps.start(number) + index
                placed.setdefault(row.link, (place, row))
        return list(placed.values())
