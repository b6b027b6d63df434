"""Crawls: jobs whose items are pages of a site, which are discovered during the crawl.

An item is a request to `markdown_url`. When its page is charged, the pages that it links to are added in the same
transaction, so after a crash, a page may be repeated, but its links are never lost. robots.txt is respected whatever
the operator's settings.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from webquarry.core.clock import Clock
from webquarry.core.errors import ProviderError, ServiceError
from webquarry.core.log import log
from webquarry.core.types import Deadline, Known, Wire
from webquarry.crawl.changes import compare
from webquarry.crawl.repeats import Seen
from webquarry.crawl.traps import Groups
from webquarry.endpoints.context import PartAnswer
from webquarry.endpoints.run import Run
from webquarry.extractors.web.child.crawl_reply import FOLLOW, FoundLink, FoundLinks, PageFollowed
from webquarry.extractors.web.sources.page import PROVIDER
from webquarry.jobs import pace
from webquarry.jobs.kinds import Found, freshness_of
from webquarry.jobs.records import NewItem, Taken
from webquarry.net import Rules
from webquarry.pipeline import Call, Freshness, Pipeline
from webquarry.storage import Database, Operation
from webquarry.storage.conversions import Conversion, Conversions

CRAWL: Final = "crawl"
ENDPOINT: Final = "markdown_url"
MAX_CRAWL_DELAY_S: Final = 30.0
"""Maximum time between two visits, in seconds, that robots.txt can request."""
ROBOTS_S: Final = 15.0
FOLLOW_S: Final = 30.0
MAP_LIMIT: Final = 10_000
MAX_KNOWN: Final = 32
"""Maximum number of crawls whose pages this process keeps in memory."""
MAX_HOSTS: Final = 50
"""Hosts of a crawl whose pages are compared for parts that repeat."""
_ROWS: Final = 2000

_PAGES = """
    SELECT n, digest, input, details FROM job_items WHERE job_id = :job_id AND n > :after ORDER BY n LIMIT :batch"""
_EARLIER = """
    SELECT e.details, e.conversion_id FROM job_items i JOIN job_items e ON e.job_id = :since AND e.digest = i.digest
    WHERE i.job_id = :job_id AND i.n = :n AND e.state = 'done'"""


@dataclass(slots=True)
class _Pages:
    """The stored pages of one crawl, by identity, and their counts per group that may be endless."""

    owners: dict[str, int] = field(default_factory=dict)
    groups: Groups = field(default_factory=Groups)
    counted: set[str] = field(default_factory=set)
    seen: dict[str, Seen] = field(default_factory=dict)
    compared: set[int] = field(default_factory=set)
    after: int = -1
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def find_copied(self, n: int, identities: Sequence[str]) -> int | None:
        """Return the earlier page that shares an identity, or None. If there is none, the page owns its identities."""
        owners = {self.owners[each] for each in identities if each in self.owners} - {n}
        if owners:
            return min(owners)
        self.owners.update(dict.fromkeys(identities, n))
        return None

    def list_known(self, host: str) -> list[str]:
        """Return the parts that repeat on the host's pages. What an earlier process has seen is not known."""
        return self.seen[host].list_known() if host in self.seen else []

    def compare(self, n: int, host: str, parts: Sequence[str]) -> None:
        """Count the parts of a page. Other attempts at the same page are not counted."""
        if n not in self.compared and (host in self.seen or len(self.seen) < MAX_HOSTS):
            self.compared.add(n)
            self.seen.setdefault(host, Seen()).add(parts)

    def take(self, link: FoundLink) -> str | None:
        """Count a page once. Return the trap that it belongs to, or None."""
        if link.digest in self.counted:
            return None
        trap = self.groups.take(link.url)
        if trap is None:
            self.counted.add(link.digest)
        return trap


@dataclass(frozen=True, slots=True)
class _Earlier:
    """A page of the crawl named in `since`: the hash of its text, and how to ask whether it has changed."""

    text: str | None = None
    known: Known | None = None

    @classmethod
    def read(cls, details: Mapping[str, Any], conversion_id: str) -> "_Earlier":
        known = details.get("known")
        return cls(details.get("text"), None if known is None else Known(conversion_id, **known))


class Crawl:
    """The kind of crawls."""

    name = CRAWL

    def __init__(self, database: Database, conversions: Conversions, pipeline: Pipeline, clock: Clock) -> None:
        self._database = database
        self._conversions = conversions
        self._pipeline = pipeline
        self._clock = clock
        self._pages: OrderedDict[str, _Pages] = OrderedDict()

    async def prepare(self, item: Taken) -> tuple[Call, Freshness]:
        """Return the request of a page. Raises ProviderError "robots" if robots.txt disallows it."""
        url = item.input["url"]
        if not (await self.read_robots(url, item.job.account_id)).allows(url):
            raise ProviderError("robots.txt disallows this page.", reason="robots")
        extractor = self._pipeline.registry.by_name[ENDPOINT]
        freshness = replace(freshness_of(item.job.options), known=(await self._find_earlier(item)).known)
        return Call.of(extractor, (("url", url),)), freshness

    async def read_robots(self, url: str, account_id: str) -> Rules:
        """Return the rules of robots.txt at the URL's origin, and set the time between visits that robots.txt
        requests.
        """
        net = self._pipeline.runner.door.net(PROVIDER, Deadline.after(ROBOTS_S, self._clock), account_id)
        rules = await net.robots_rules(url)
        delay_s = min(MAX_CRAWL_DELAY_S, rules.crawl_delay_s or 0.0)
        lane = name_lane(url)
        spacing_ms = int(1000 * max(delay_s, PROVIDER.politeness.spacing_s))
        if spacing_ms and (await self._database.read(partial(pace.find, lane))).spacing_ms != spacing_ms:
            await self._database.write(partial(pace.space, lane, spacing_ms, self._clock.now()), admitted=True)
        return rules

    async def find(self, item: Taken, conversion: Conversion, wire: Wire | None) -> Found:
        """Return the pages that a page links to, and details about the page itself."""
        details = dict(item.details or {})
        wire = wire or await self._conversions.wire(conversion.id, self._clock.now())
        pages, host = await self._know(item.job.id), urlsplit(conversion.source_url or item.input["url"]).netloc
        known = [] if item.job.options.get("repeats") == "keep" else pages.list_known(host)
        followed, links = await self._follow(item, details, conversion, wire, known)
        copied = pages.find_copied(item.n, followed.identities)
        details |= {"text": followed.text, "ids": followed.identities}
        if copied is not None:
            details["copy_of"] = copied
        else:
            pages.compare(item.n, host, followed.parts)
        if followed.furniture:
            details["furniture"] = followed.furniture
        earlier = await self._find_earlier(item)
        if "since" in item.job.options:
            details["change"] = compare(earlier.text, followed.text)
        if validators := _list_known(conversion, wire, earlier):
            details["known"] = validators
        skipped = dict(followed.skipped)
        items = []
        for link in links if copied is None else ():
            trap = pages.take(link)
            if trap is not None:
                skipped[trap] = skipped.get(trap, 0) + 1
            else:
                items.append(make_item(link.url, link.digest, details["depth"] + 1, parent=item.n, place=link.place))
        if skipped:
            details["skipped"] = skipped
        own = name_lane(item.input["url"])
        await self.open_lanes((each.input["url"] for each in items if each.lane != own), item.job.account_id)
        return Found(items, details)

    async def _follow(
        self, item: Taken, details: Mapping[str, Any], conversion: Conversion, wire: Wire | None, known: Sequence[str]
    ) -> tuple[PageFollowed, Sequence[FoundLink]]:
        options, url = item.job.options, item.input["url"]
        rules = await self.read_robots(url, item.job.account_id)
        drawn = await self._draw_map(item) if details["depth"] == 0 and options["sitemap"] != "skip" else b""
        parts = (b"" if wire is None else wire.body, conversion.data, conversion.markdown, drawn)
        made = await self._pipeline.runner.workers.run(
            FOLLOW,
            b"".join(parts),
            {
                "lengths": [len(part) for part in parts],
                "wire": None if wire is None else wire.about(),
                "url": url,
                "depth": details["depth"],
                "scope": options["scope"],
                "dropped": options["dropped"],
                "rules": [(rule.allow, rule.pattern) for rule in rules.rules],
                "today": self._clock.now().date().isoformat(),
                "known": known,
            },
            deadline=Deadline.after(FOLLOW_S, self._clock),
            account=item.job.account_id,
            origin="" if wire is None else wire.origin,
            subject="page",
        )
        return made.facts, FoundLinks.model_validate_json(made.pieces[0]).links

    async def _draw_map(self, item: Taken) -> bytes:
        """Return the data of a map of the site, or nothing if the map can't be made. The map is free and not stored."""
        extractor = self._pipeline.registry.by_name["map"]
        query = {"url": item.input["url"], "limit": str(min(MAP_LIMIT, item.job.options["limit"])), "sitemap": "only"}
        if item.job.options["scope"]["domain"]:
            query["subdomains"] = "true"
        call = Call.of(extractor, tuple(query.items()))
        deadline = Deadline.after(extractor.deadline_s, self._clock)
        run = Run(self._pipeline.runner, extractor, call.params, deadline, _refuse_parts, None, item.job.account_id)
        try:
            return (await run.go()).data
        except ServiceError as error:
            log.info("crawl.no_map", job_id=item.job.id, code=error.code, reason=error.reason)
            return b""

    async def open_lanes(self, urls: Iterable[str], account_id: str) -> None:
        """Set the pace of the URLs' hosts before their first pages are visited. Takes at most 15 seconds.

        A host without robots.txt keeps its pace.
        """
        hosts = {name_lane(url): url for url in urls}
        try:
            async with asyncio.timeout(ROBOTS_S):
                await asyncio.gather(*(self._open_lane(url, account_id) for url in hosts.values()))
        except TimeoutError:
            log.info("crawl.slow_robots", hosts=len(hosts))

    async def _open_lane(self, url: str, account_id: str) -> None:
        try:
            await self.read_robots(url, account_id)
        except ServiceError as error:  # the request for the page will report the error
            log.info("crawl.no_robots", host=urlsplit(url).hostname, code=error.code, reason=error.reason)

    async def _know(self, job_id: str) -> _Pages:
        """Return the stored pages of a crawl. A process reads them once and then keeps them up to date in memory."""
        pages = self._pages.setdefault(job_id, _Pages())
        self._pages.move_to_end(job_id)
        if len(self._pages) > MAX_KNOWN:
            self._pages.popitem(last=False)
        async with pages.lock:
            if pages.after < 0:
                while rows := await self._database.read(partial(_list_pages, job_id, pages.after)):
                    for n, digest, text, details in rows:
                        _add_row(pages, n, digest, orjson.loads(text)["url"], orjson.loads(details or "{}"))
        return pages

    async def _find_earlier(self, item: Taken) -> _Earlier:
        """Return what is known about the page from the crawl named in `since`; nothing if it was not there."""
        if (since := item.job.options.get("since")) is None:
            return _Earlier()
        rows = await self._database.read(partial(_select_earlier, item, since))
        return _Earlier.read(orjson.loads(rows[0][0]), rows[0][1]) if rows and rows[0][0] else _Earlier()


def make_item(url: str, digest: str, depth: int, *, parent: int | None = None, place: int = 0) -> NewItem:
    details = {"depth": depth} if parent is None else {"depth": depth, "parent": parent}
    return NewItem({"url": url}, name_lane(url), digest, place, details=details)


def name_lane(url: str) -> str:
    return f"host:{urlsplit(url).hostname}"


def _add_row(pages: _Pages, n: int, digest: str, url: str, details: Mapping[str, Any]) -> None:
    pages.after = n
    if digest not in pages.counted and pages.groups.take(url) is None:
        pages.counted.add(digest)
    if "copy_of" not in details:
        for identity in details.get("ids", ()):
            pages.owners.setdefault(identity, n)


def _list_pages(job_id: str, after: int) -> Operation[list[Sequence[Any]]]:
    rows = yield _PAGES, {"job_id": job_id, "after": after, "batch": _ROWS}
    return [*rows]


def _select_earlier(item: Taken, since: str) -> Operation[list[Sequence[Any]]]:
    rows = yield _EARLIER, {"job_id": item.job.id, "n": item.n, "since": since}
    return [*rows]


def _list_known(conversion: Conversion, wire: Wire | None, earlier: _Earlier) -> Mapping[str, str] | None:
    """Return the values of `Known` for a page, without the id of its result. None if its source states no version.

    Responses are kept for hours and results for weeks, so those of an unchanged page may only be known from earlier.
    """
    if wire is not None:
        validators = Known.list_validators(wire)
        return {"url": wire.url, **validators} if validators else None
    known = earlier.known
    if known is None or known.conversion_id != conversion.id:
        return None
    return {"url": known.url, "etag": known.etag, "last_modified": known.last_modified}


async def _refuse_parts(_name: str) -> PartAnswer:
    raise LookupError("a map has no parts")
