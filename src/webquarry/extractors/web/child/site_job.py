"""The child process's work on a site: it reads the site's sitemaps, feeds and pages, and makes a map of the addresses
that they list.

A site's addresses may take up megabytes, so the service does not read them. Each job writes the addresses that it found
as lines of JSON, which `draw` reads in another child.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import orjson

from webquarry.core.types import Wire
from webquarry.crawl.addresses import canonical, clean, sort_query
from webquarry.crawl.files import is_page
from webquarry.crawl.site import Site
from webquarry.excerpts.ranking import rank_texts
from webquarry.extractors.web.child.anchors import list_anchors
from webquarry.extractors.web.child.page_job import open_page
from webquarry.extractors.web.child.site_reply import (
    MAX_FEEDS,
    MAX_FILES,
    LinksFacts,
    LinksReply,
    ListingFacts,
    ListingReply,
    NoListingFacts,
)
from webquarry.extractors.web.child.sitemap import Entry, NoListing, read_listing
from webquarry.extractors.web.model.site_map import SiteMap, SiteSource, SiteUrl, render
from webquarry.workers.job import MAX_LINE, to_line
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import MAX_PIECE
from webquarry_convert.fetched import Converted
from webquarry_convert.media import HTML_TYPES
from webquarry_convert.text.charset import decode

MAX_TITLE: Final = 300


def read_file(body: bytes, *, url: str, most: int, site: Mapping[str, Any]) -> Parcel[ListingReply]:
    """Return the addresses that a sitemap or a feed lists.

    url: the file's URL. most: maximum number of addresses. site: the fields of the `Site` whose addresses are kept.
    """
    try:
        listing = read_listing(body, url)
    except NoListing:
        return Parcel(NoListingFacts())
    fault = None if listing.fault is None else to_line(listing.fault)
    if listing.form == "index":
        files = [entry.url for entry in listing.entries if len(entry.url) <= MAX_LINE and entry.url.isprintable()]
        is_cut = listing.is_cut or len(files) > MAX_FILES
        files = files[:MAX_FILES]
        facts = ListingFacts(form="index", files=files, count=len(files), is_cut=is_cut, fault=fault)
        return Parcel(facts, (b"",))
    gathered = _Gathered(most)
    gathered.add(_keep(listing.entries, _make_site(site)))
    facts = ListingFacts(
        form=listing.form, files=[], count=gathered.count, is_cut=listing.is_cut or gathered.is_cut, fault=fault
    )
    return Parcel(facts, (gathered.piece,))


def read_page(
    body: bytes, *, wire: Mapping[str, Any], asked: str, is_success: bool, most: int, site: Mapping[str, Any]
) -> Parcel[LinksReply]:
    """Return the links and feeds of a response. The options are the same as for `page_job.convert` and `read_file`."""
    answer = Wire.of(wire, body)
    made = open_page(answer, asked, is_success=is_success)
    if not isinstance(made, Converted):
        return Parcel(made)
    gathered, head = _Gathered(most), made.page.head
    if made.media_type in HTML_TYPES:
        html = decode(body, answer.headers.get("content-type", "")).text
        links = [Entry(anchor.url, title=anchor.text or None) for anchor in list_anchors(html, answer.url)]
    else:
        links = [Entry(link.url, title=link.text or None) for link in made.page.links]
    gathered.add(entry for entry in _keep(links, _make_site(site)) if is_page(entry.url))
    feeds = [feed.url for feed in head.feeds if feed.form != "json" and len(feed.url) <= MAX_LINE]
    facts = LinksFacts(
        count=gathered.count,
        is_cut=gathered.is_cut,
        title=to_line((head.title or "")[:MAX_TITLE]),
        feeds=feeds[:MAX_FEEDS],
        is_shell=made.shell is not None,
    )
    return Parcel(facts, (gathered.piece,))


def draw(
    body: bytes,
    *,
    pieces: Sequence[tuple[SiteSource, int]],
    start: Mapping[str, Any],
    search: str | None,
    limit: int,
    most: int,
    is_cut: bool,
    known: Mapping[str, Any],
) -> Parcel[None]:
    """Return the map as JSON and as markdown.

    body: all pieces, joined. pieces: source and length of each piece. start: `url`, `final_url` and `title` of the
    start page. most: maximum number of addresses before `search` and `limit`. known: the fields of the map that do not
    come from pieces.
    """
    pages = _Pages(most, **start)
    at = 0
    for source, length in pieces:
        for line in body[at : at + length].splitlines():
            pages.add(Entry(*orjson.loads(line)), source)
        at += length
    chosen = pages.choose(search)
    drawn = SiteMap(
        **known,
        final_url=start["final_url"],
        urls=_put_start_in(chosen[:limit], pages.start, limit, is_first=not search),
        found=len(pages.found),
        truncated=is_cut or pages.is_cut or len(chosen) > limit,
    )
    return Parcel(None, (drawn.model_dump_json().encode(), render(drawn).encode()))


def _put_start_in(chosen: list[SiteUrl], start: SiteUrl, limit: int, *, is_first: bool) -> list[SiteUrl]:
    if start in chosen:
        return chosen
    return [start, *chosen][:limit] if is_first else [*chosen[: limit - 1], start]


class _Gathered:
    """Entries as lines of JSON, within the limits of a piece."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lines: list[bytes] = []
        self._size = 0
        self.is_cut = False

    @property
    def count(self) -> int:
        return len(self._lines)

    @property
    def piece(self) -> bytes:
        return b"\n".join(self._lines)

    def add(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            line = orjson.dumps([*entry._replace(title=entry.title and to_line(entry.title))])
            if len(self._lines) == self._most or self._size + len(line) >= MAX_PIECE:
                self.is_cut = True
                return
            self._lines.append(line)
            self._size += len(line) + 1


class _Pages:
    """The pages of a site by canonical address, in the order in which they were found."""

    def __init__(self, most: int, url: str, final_url: str | None, title: str | None) -> None:
        self.found: dict[str, Entry] = {}
        self.is_cut = False
        self._most = most
        self._sources: dict[str, SiteSource] = {}
        self._start = canonical(url)
        self._final = self._start if final_url is None else canonical(final_url)
        self.add(Entry(clean(url), title=title), "start")

    @property
    def start(self) -> SiteUrl:
        return self._show(self._start)

    def add(self, entry: Entry, source: SiteSource) -> None:
        """Add a page, or add this entry's details to a page that is already known."""
        key = sort_query(entry.url)
        key = self._start if key == self._final else key
        old = self.found.get(key)
        if old is None and len(self.found) == self._most:
            self.is_cut = True
        elif old is None:
            self.found[key], self._sources[key] = entry, source
        elif (old.title is None and entry.title) or (old.lastmod is None and entry.lastmod):
            self.found[key] = old._replace(title=old.title or entry.title, lastmod=old.lastmod or entry.lastmod)

    def choose(self, search: str | None) -> list[SiteUrl]:
        """Return all pages, or only pages that contain a word of the search, best first."""
        keys = list(self.found)
        if search:
            ranking = rank_texts([_list_words(entry) for entry in self.found.values()], search)
            keys = [keys[number] for number in ranking.best_first()]
        return [self._show(key) for key in keys]

    def _show(self, key: str) -> SiteUrl:
        entry = self.found[key]
        return SiteUrl(url=entry.url, title=entry.title, lastmod=entry.lastmod, source=self._sources[key])


def _list_words(entry: Entry) -> str:
    """Return the words of a page's path, query and title."""
    parts = urlsplit(entry.url)
    return f"{unquote(f'{parts.path} {parts.query}', errors='replace').replace('_', ' ')} {entry.title or ''}"


def _keep(entries: Iterable[Entry], site: Site) -> Iterator[Entry]:
    """Yield the entries of the site, with clean addresses."""
    for entry in entries:
        try:
            url = clean(entry.url)
        except ValueError:
            continue
        if site.has(url):
            yield entry._replace(url=url)


def _make_site(fields: Mapping[str, Any]) -> Site:
    return Site(frozenset(fields["hosts"]), fields["domain"])
