"""The rows that were asked for, cut out of the pages that a source has.

A caller's page p of n rows is the rows from (p - 1) * n on, over the whole query. A source pages in its own steps:
asked is the page of its that holds the first of those rows, what stands before it is dropped, and further pages are
asked while rows are missing: one, or two where the rows lie on three pages.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webquarry.declare import Source
from webquarry.errors import ProviderError
from webquarry.extractors.search.serp.guard import check
from webquarry.extractors.search.serp.params import SearchParams
from webquarry.extractors.search.serp.result import Organic, Page, Search
from webquarry.types import Provider, Wire

if TYPE_CHECKING:
    from webquarry.net import Net

SPARE_S = 0.3
"""Left of an attempt's time for what it has already got, when a further page is late."""


@dataclass(frozen=True, slots=True)
class Steps:
    """How a source pages. rows: of a page; first_rows: of its first page, where that has another number.

    origin: rows before its page 0, for a source that begins wherever it is told to. pages: how many it has at most.
    walked: its pages are of any length, so that they are read from the first one on.
    """

    rows: int
    first_rows: int | None = None
    origin: int = 0
    pages: int | None = None
    walked: bool = False

    def start(self, page: int) -> int:
        """Rows of the whole query before this page, which is counted from 0."""
        first = self.rows if self.first_rows is None else self.first_rows
        return self.origin + (first + (page - 1) * self.rows if page else 0)

    def page_of(self, row: int) -> int:
        """The page on which a row lies that has `row` others before it."""
        first = self.rows if self.first_rows is None else self.first_rows
        beyond = row - self.origin - first
        return 0 if beyond < 0 else 1 + beyond // self.rows


@dataclass(frozen=True, slots=True)
class PagedSource:
    """A source of search results, as its pages are asked for and read.

    fetch(net, params, page): a page of the source, counted from 0; read(wire): what it holds.
    steps(params): how it pages for this question. refuses(params): a sentence on what it cannot be asked; None when it
    can. notes(params): sentences on what it cannot honour although it answers.
    """

    provider: Provider
    name: str
    fetch: Callable[["Net", SearchParams, int], Awaitable[Wire]]
    read: Callable[[Wire], Page]
    steps: Callable[[SearchParams], Steps]
    refuses: Callable[[SearchParams], str | None] = lambda _: None
    notes: Callable[[SearchParams], list[str]] = lambda _: []

    def source(self) -> Source:
        return Source(self.provider, None, self.read_one, reads_params=True, ask=self.ask, skips=self.skips)

    def skips(self, params: SearchParams) -> str | None:
        steps = self.steps(params)
        if steps.pages is not None and steps.page_of(params.skipped) >= steps.pages:
            return f"{self.name} gives {steps.start(steps.pages)} results of a query at most."
        return self.refuses(params)

    def read_one(self, wire: Wire, params: SearchParams) -> Search:
        """The answer as far as one wire gives it: the first page of the source that is asked for these parameters."""
        return self._window(params).with_page(self._read(wire, params)).result()

    async def ask(self, params: SearchParams, net: "Net") -> tuple[Search, Wire]:
        """The answer, and its first wire. A further page that fails leaves what the earlier ones gave."""
        window = self._window(params)
        first = await self.fetch(net, params, window.next_page)
        window.with_page(self._read(first, params))
        while window.wants_more:
            try:
                with net:  # the breaker is told of a further page's failure too, although it does not end the attempt
                    async with asyncio.timeout(max(0.0, net.deadline.remaining_s - SPARE_S)):
                        further = await self.fetch(net, params, window.next_page)
                    window.with_page(self._read(further, params))
            except (ProviderError, TimeoutError) as error:
                if window.is_bare:
                    raise
                window.missed = f"{self.name} did not give its next page" + (
                    f": {error.message}" if isinstance(error, ProviderError) else " in time."
                )
        return window.result(), first

    def _read(self, wire: Wire, params: SearchParams) -> Page:
        page = self.read(wire)
        check(page.organic, params.q, self.name)
        return page

    def _window(self, params: SearchParams) -> "Window":
        return Window(params, self.provider.name, self.name, self.steps(params), self.notes(params))


@dataclass
class Window:
    """The rows asked for, while the pages come in. missed: why no further page came."""

    params: SearchParams
    provider: str
    name: str
    steps: Steps
    notes: list[str]
    pages: list[Page] = field(default_factory=list)
    missed: str | None = None

    @property
    def next_page(self) -> int:
        return self._first_page + len(self.pages)

    @property
    def rows(self) -> list[Organic]:
        """Those that have come, placed over the whole query."""
        chosen = self._all_rows()[self._dropped :][: self.params.num]
        return [row.model_copy(update={"position": self.params.skipped + i}) for i, row in enumerate(chosen, 1)]

    @property
    def is_bare(self) -> bool:
        """Whether nothing of what was asked for has come."""
        return not self.rows and not self.pages[0].videos

    @property
    def wants_more(self) -> bool:
        """Whether rows are missing that a further page may hold."""
        is_last = self.steps.pages is not None and self.next_page >= self.steps.pages
        may_go_on = self._is_open and not is_last and len(self.pages) < self._most_pages
        return may_go_on and self.missed is None and len(self.rows) < self.params.num

    def with_page(self, page: Page) -> "Window":
        self.pages.append(page)
        return self

    def result(self) -> Search:
        """ProviderError "unavailable" when the source ended its pages, or we ours, before the rows asked for."""
        rows, has_more = self.rows, self._has_more
        if self.is_bare and has_more:
            raise ProviderError(f"{self.name} did not come to the results of this page.", reason="unavailable")
        params, first = self.params, self.pages[0]
        is_short = len(rows) < params.num and has_more
        short = f"{self.name} gave {len(rows)} of the {params.num} results asked for."
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
            has_more=has_more,
            warnings=[*self.notes, *([short] if is_short else []), *([self.missed] if self.missed else [])],
        )

    @property
    def _first_page(self) -> int:
        return 0 if self.steps.walked else self.steps.page_of(self.params.skipped)

    @property
    def _most_pages(self) -> int:
        if self.steps.walked:
            return self.steps.pages or 2
        last = self.steps.page_of(self.params.skipped + self.params.num - 1)
        return max(2, last - self._first_page + 1)

    @property
    def _is_open(self) -> bool:
        """Whether there may be results behind the pages that came, though the source may not show them."""
        newest = self.pages[-1]
        return newest.has_more is not False and not newest.says_empty

    @property
    def _has_more(self) -> bool:
        return self._is_open or len(self._all_rows()) > self._dropped + self.params.num

    @property
    def _dropped(self) -> int:
        """Rows of the first page that stand before those asked for."""
        return self.params.skipped - self.steps.start(self._first_page)

    def _all_rows(self) -> list[Organic]:
        """The rows of all pages, each address once: sources repeat some where two of their pages meet."""
        rows: dict[str, Organic] = {}
        for page in self.pages:
            for row in page.organic:
                rows.setdefault(row.link, row)
        return list(rows.values())
