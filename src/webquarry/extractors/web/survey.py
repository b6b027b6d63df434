"""A survey of a site: requests its page, robots.txt, sitemaps and feeds, and gathers the addresses that they list."""

import asyncio
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar
from urllib.parse import urljoin, urlsplit

from webquarry.core.errors import Absent, ConversionFailed, ExtractionError, ProviderError, UnsafeTarget
from webquarry.core.types import Wire
from webquarry.core.urls import normalise_url
from webquarry.crawl.site import Site
from webquarry.endpoints.context import Context
from webquarry.endpoints.declare import Artifacts
from webquarry.extractors.web.child.page_reply import BlockPageFacts, ForeignFacts, MovedFacts, RefusedFacts
from webquarry.extractors.web.child.site_reply import (
    LINKS,
    LISTING,
    LinksFacts,
    LinksReply,
    ListingFacts,
    ListingReply,
    make_drawing,
)
from webquarry.extractors.web.model.site_map import MAX_LISTED, SiteFile, SiteRobots, SiteSource
from webquarry.extractors.web.sources import page, site
from webquarry.workers.parcel import Parcel

T = TypeVar("T")
MAX_ADDRESSES: Final = 50_000
"""Maximum number of addresses in a map before `search` and `limit` are applied."""
MAX_GATHERED: Final = 24_000_000
"""Maximum total size in bytes of all addresses and titles, which the service keeps in memory until the map is drawn."""
MAX_FILES: Final = 300
MAX_DEPTH: Final = 3
"""Maximum depth of indexes of sitemaps that list further indexes."""
MAX_FEEDS: Final = 5
MAX_PAGE_REDIRECTS: Final = 3
FILES_AT_ONCE: Final = 4
FILE_S: Final = 15.0
READING_SHARE: Final = 0.7
"""Share of the deadline after which no further file is requested. The rest is reserved for drawing the map."""


@dataclass(frozen=True, slots=True)
class _File:
    """A sitemap or a feed to request. depth: the number of indexes that led to it. is_guess: no other file names it."""

    url: str
    depth: int = 0
    is_named: bool = False
    is_guess: bool = False


class Survey:
    """The data about a site that a request has gathered."""

    def __init__(self, url: str, ctx: Context, *, subdomains: bool) -> None:
        self._url = url
        self._ctx = ctx
        self._net = ctx.net(page.PROVIDER)
        self._site = Site.of([url], subdomains=subdomains)
        self._until = ctx.deadline.within(ctx.deadline.remaining_s * READING_SHARE)
        self._pieces: list[tuple[SiteSource, bytes]] = []
        self._count = 0
        self._files: list[SiteFile] = []
        self._requested: set[str] = set()
        self._warnings: list[str] = []
        self._final_url: str | None = None
        self._title: str | None = None
        self._robots = SiteRobots(allowed=None, crawl_delay=None, sitemaps=[])
        self._is_cut = False
        self._failure: ExtractionError | None = None
        self._is_down = False

    @property
    def _room(self) -> int:
        """Number of further addresses that may be gathered."""
        full = self._is_full or self._until.passed
        return 0 if full else MAX_ADDRESSES - self._count

    @property
    def _is_full(self) -> bool:
        return self._count >= MAX_ADDRESSES or sum(len(piece) for _, piece in self._pieces) >= MAX_GATHERED

    async def read_page(self) -> list[str]:
        """Read the links of the page.

        Return the feeds that the page names. If the page can't be read, record the failure.
        """
        try:
            facts, wire, piece = await self._fetch_page()
        except ExtractionError as exc:
            self._failure = exc
            self._warnings.append(f"The page could not be read: {exc.message}")
            return []
        self._ctx.keep_wire(wire)
        self._final_url, self._title = wire.url, facts.title or None
        self._add("link", facts.count, piece, is_cut=facts.is_cut)
        return facts.feeds

    async def read_robots(self) -> list[str]:
        """Read robots.txt. Return the sitemaps that it names."""
        base = self._final_url or self._url
        try:
            rules = await self._in_time(self._net.robots_rules(base))
        except ExtractionError as exc:
            self._failure = self._failure or exc
            self._is_down = exc.reason == "down"
            self._warnings.append(f"robots.txt could not be read: {exc.message}")
            return []
        named = _join_all(base, rules.sitemaps)
        self._robots = SiteRobots(
            allowed=rules.allows(base), crawl_delay=rules.crawl_delay_s, sitemaps=named[:MAX_LISTED]
        )
        return named

    async def read_sitemaps(self, named: list[str]) -> None:
        """Read the named sitemaps and the sitemaps that they list. If no sitemap is usable, try known names."""
        await self._read_all([_File(url, is_named=True) for url in named], "sitemap")
        if self._is_down or any(file.form is not None for file in self._files):
            return
        base = self._final_url or self._url
        for name in site.KNOWN_NAMES:
            await self._read_all([_File(urljoin(base, name), is_guess=True)], "sitemap")
            if self._files and self._files[-1].form is not None:
                return

    async def read_feeds(self, feeds: list[str]) -> None:
        await self._read_all([_File(url) for url in feeds[:MAX_FEEDS]], "feed")

    async def draw(self, search: str | None, limit: int) -> Artifacts:
        """Return the map. If no addresses were found, raises the error of the page or of robots.txt."""
        if self._count == 0 and self._failure is not None:
            raise self._failure
        known: dict[str, Any] = {
            "url": self._url,
            "sitemaps": [file.model_dump() for file in self._files[:MAX_LISTED]],
            "robots": self._robots.model_dump(),
            "warnings": self._warnings,
        }
        ordered = sorted(self._pieces, key=lambda piece: ("sitemap", "feed", "link").index(piece[0]))
        options = {
            "pieces": [(source, len(piece)) for source, piece in ordered],
            "start": {"url": self._url, "final_url": self._final_url, "title": self._title},
            "search": search,
            "limit": limit,
            "most": MAX_ADDRESSES,
            "is_cut": self._is_cut,
            "known": known,
        }
        body = b"".join(piece for _, piece in ordered)
        drawn = await self._ctx.isolated(make_drawing({"url": self._url}), body, options, subject="page")
        data, markdown = drawn.pieces
        return Artifacts(data, markdown)

    async def _fetch_page(self) -> tuple[LinksFacts, Wire, bytes]:
        address = self._url
        for _ in range(MAX_PAGE_REDIRECTS + 1):
            wire = await self._in_time(page.fetch(address, self._net))
            self._site = replace(self._site, hosts=self._site.hosts | Site.of([wire.url]).hosts)
            made = await self._list_links(wire)
            if isinstance(made.facts, MovedFacts):
                address = made.facts.url
                continue
            return _accept(wire, made.facts), wire, made.pieces[0] if made.pieces else b""
        raise ProviderError(f"{_host(self._url)} redirects from page to page endlessly.", reason="refused")

    async def _list_links(self, wire: Wire) -> Parcel[LinksReply]:
        options = {
            "wire": wire.about(),
            "asked": self._url,
            "is_success": wire.status in page.SUCCESS,
            "most": self._room,
            "site": self._describe_site(),
        }
        return await self._ctx.isolated(LINKS, wire.body, options, origin=wire.origin, subject="page")

    async def _read_all(self, files: list[_File], source: SiteSource) -> None:
        """Read files, and the files that indexes list, in order, a few at a time."""
        waiting = files
        while waiting:
            batch: list[_File] = []
            while waiting and len(batch) < FILES_AT_ONCE:
                first, *waiting = waiting
                if first.url not in self._requested:
                    self._requested.add(first.url)
                    batch.append(first)
            if batch and (not self._room or len(self._requested) > MAX_FILES):
                self._is_cut = True
                return
            async with asyncio.TaskGroup() as group:
                reading = [group.create_task(self._read_file(file)) for file in batch]
            listed: list[_File] = []
            for file, task in zip(batch, reading, strict=True):
                listed += self._take_file(file, source, task.result())
            waiting = [*listed, *waiting]

    async def _read_file(self, file: _File) -> Parcel[ListingReply] | str:
        """Return the reply about a file, or the reason why the file could not be read."""
        try:
            wire = await self._in_time(site.fetch_file(file.url, self._net, is_named=file.is_named), FILE_S)
            if wire.status not in page.SUCCESS:
                return f"The server responded with status {wire.status}."
            options = {"url": wire.url, "most": max(1, self._room), "site": self._describe_site()}
            return await self._ctx.isolated(LISTING, wire.body, options, origin=wire.origin, subject="page")
        except Absent:
            return "It does not exist."
        except (ProviderError, UnsafeTarget, ConversionFailed) as exc:
            return exc.message

    def _take_file(self, file: _File, source: SiteSource, made: Parcel[ListingReply] | str) -> list[_File]:
        """Record the addresses that a file lists. Return the files that it lists, if it is an index."""
        facts = None if isinstance(made, str) else made.facts
        if not isinstance(facts, ListingFacts):
            if not file.is_guess:
                reason = made if isinstance(made, str) else "It is neither a sitemap nor a feed."
                self._files.append(SiteFile(url=file.url, form=None, count=0, error=reason))
            return []
        error = None if facts.fault is None else f"Only its beginning could be read, because {facts.fault}."
        self._is_cut = self._is_cut or error is not None
        self._files.append(SiteFile(url=file.url, form=facts.form, count=facts.count, error=error))
        if facts.form != "index":
            piece = b"" if isinstance(made, str) else made.pieces[0]
            self._add(source, facts.count, piece, is_cut=facts.is_cut)
            return []
        if file.depth + 1 > MAX_DEPTH:
            self._is_cut = True
            return []
        return [_File(url, file.depth + 1) for url in _join_all(file.url, facts.files)]

    def _add(self, source: SiteSource, count: int, piece: bytes, *, is_cut: bool) -> None:
        self._is_cut = self._is_cut or is_cut
        if count:
            self._count += count
            self._pieces.append((source, piece))

    def _describe_site(self) -> dict[str, Any]:
        return {"hosts": sorted(self._site.hosts), "domain": self._site.domain}

    async def _in_time(self, work: Coroutine[Any, Any, T], most_s: float | None = None) -> T:
        """Return the result of the work. Raises ProviderError "timeout" if it takes too long."""
        until = self._until if most_s is None else self._until.within(most_s)
        try:
            async with until.bound():
                return await work
        except TimeoutError as exc:
            raise ProviderError("The server did not respond in time.", reason="timeout") from exc


def _accept(wire: Wire, facts: Any) -> LinksFacts:
    """Return the reply about a page's links.

    Raises ProviderError "blocked" for a block page, and "refused" for an error.
    """
    match facts:
        case LinksFacts():
            return facts
        case BlockPageFacts():
            raise page.make_blocked_error(wire, f"{_host(wire.url)} {facts.why}")
        case RefusedFacts():
            page.accept(wire)
            raise ConversionFailed("The page could not be read.", reason="corrupt")
        case ForeignFacts():
            return LinksFacts(count=0, is_cut=False, title="", feeds=[], is_shell=False)
    raise TypeError(f"{type(facts).__name__} is no reply about a page")


def _join_all(base: str, written: Iterable[str]) -> list[str]:
    """Return the valid addresses as absolute URLs."""
    found = []
    for text in written:
        with suppress(ValueError):
            found.append(normalise_url(urljoin(base, text)))
    return found


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""
