"""Crawls of a test site by a complete service."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import orjson
import pytest
import pytest_asyncio

from conftest import Store
from support.made_site import REPEATED, MadeSite
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core.clock import SystemClock
from webquarry.core.errors import InvalidParams, NotFound
from webquarry.core.settings import Settings
from webquarry.endpoints.json_body import parse_json
from webquarry.engine import make_workers
from webquarry.jobs.crawl import Crawl
from webquarry.jobs.crawl_request import CrawlRequest, make_crawl
from webquarry.jobs.records import Item, Job
from webquarry.jobs.results import Results
from webquarry.service import Service
from webquarry.storage.conversions import Conversions
from webquarry.workers.workers import Workers

in_one_loop = pytest.mark.asyncio(loop_scope="module")

WAIT_S = 120.0


@dataclass
class Surveyor:
    """A service that crawls a test site, and an account with 10,000 credits."""

    service: Service
    site: MadeSite
    caller: Caller

    async def start(self, **body: Any) -> Job:
        request = CrawlRequest(**{"url": self.site.url("/"), **body})
        return await self.service.workshop.crawls.start(self.caller, request, "digest")

    async def end(self, job: Job) -> Job:
        async with asyncio.timeout(WAIT_S):
            while not (found := await self.service.workshop.jobs.find(self.caller, job.id)).is_over:  # noqa: ASYNC110  # rows have no event
                await asyncio.sleep(0.1)
        return found

    async def until_ended(self, job: Job, least: int) -> None:
        """Wait until at least `least` items have ended."""
        async with asyncio.timeout(WAIT_S):
            while (await self.service.workshop.jobs.find(self.caller, job.id)).counts.ended < least:  # noqa: ASYNC110  # rows have no event
                await asyncio.sleep(0.02)

    async def items(self, job: Job) -> list[Item]:
        return await self.service.workshop.jobs.list_items(job)

    async def results(self, job: Job) -> dict[int, Any]:
        """Return the lines of a job's results by number of the item."""
        results = Results(self.service.workshop.jobs, self.service.pipeline, self.service.clock)
        lines = results.lines(self.caller, job, after=0, follow=False, form="both", asked=())
        found = [orjson.loads(line) async for line in lines if line]
        return {line["n"]: line for line in found if "copy_of" not in line}

    async def pages(self, job: Job) -> list[Item]:
        """Return the items that are pages, without copies."""
        return [
            each for each in await self.items(job) if each.state == "done" and "copy_of" not in (each.details or {})
        ]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def workers(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Workers]:
    """Children for all crawls: starting the first one takes longer than a crawl of a few pages."""
    workers = make_workers(Settings(data_dir=tmp_path_factory.mktemp("data")), SystemClock())
    yield workers
    await workers.close()


@pytest_asyncio.fixture(loop_scope="module")
async def surveyor(store: Store, workers: Workers, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Surveyor]:
    monkeypatch.setattr("webquarry.jobs.lanes.RETRY_S", 0.5)
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(MadeSite())
        settings = store.settings.model_copy(update={"egress_allow": (site.target,)})
        service = await stack.enter_async_context(
            assemble(settings, serving=True, clock=SystemClock(), workers=workers)
        )
        account, _ = await service.accounts.create("owner@example.com", 10_000)
        yield Surveyor(service, site, Caller(account.id, "key_test"))
        assert await service.ledger.verify() == []


def traps(items: Sequence[Item]) -> list[str]:
    """Return the paths of items that are not pages of the site."""
    return [each.input["url"] for each in items if "/s" not in each.input["url"]]


@in_one_loop
async def test_each_page_of_a_site_is_visited_once(surveyor: Surveyor) -> None:
    job = await surveyor.end(await surveyor.start(limit=1000))
    items = await surveyor.items(job)
    found = [each.input["url"] for each in await surveyor.pages(job)]
    assert surveyor.site.addresses <= set(found)
    assert len(found) == len(set(found))
    counts = surveyor.site.counts
    assert {target: count for target, count in counts.items() if count > 1 and target.startswith("/s")} == {
        target: counts[target] for target in counts if target == "/s1/p1" or _is_redirected(target, counts)
    }
    assert not any(target.startswith("/private/") for target in counts)
    copies = [each.input["url"] for each in items if "copy_of" in (each.details or {})]
    assert {url for url in copies if "/missing/" in url or "/print/" in url}
    assert job.charged == sum(each.charged for each in items)
    by_number = {each.n: each for each in items}
    for each in items:
        details = each.details or {}
        if "parent" in details:
            assert details["depth"] == (by_number[details["parent"]].details or {})["depth"] + 1


def _is_redirected(target: str, counts: dict[str, int]) -> bool:
    """Return whether a page was also reached at its old address."""
    return f"/old{target}" in counts


@in_one_loop
async def test_robots_are_respected(surveyor: Surveyor) -> None:
    job = await surveyor.end(await surveyor.start(url=surveyor.site.url("/private/1"), limit=5))
    (item,) = await surveyor.items(job)
    assert (item.state, item.code, item.reason, item.charged) == ("failed", "provider_error", "robots", 0)
    assert list(surveyor.site.counts) == ["/robots.txt"]


@in_one_loop
async def test_scope_and_limit_are_respected(surveyor: Surveyor) -> None:
    job = await surveyor.end(await surveyor.start(include=["/s1/*"], exclude=["*/p3"], limit=6, sitemap="skip"))
    items = await surveyor.items(job)
    assert len(items) == 6
    assert all(each.input["url"].startswith(surveyor.site.url("/s1/")) for each in items[1:])
    assert job.reason == "limit"
    shallow = await surveyor.end(await surveyor.start(depth=1, sitemap="skip", exclude=["/calendar/*", "/deeper*"]))
    assert max((each.details or {})["depth"] for each in await surveyor.items(shallow)) == 1


@in_one_loop
@pytest.mark.parametrize("is_known", [True, False])
async def test_crawl_delay_is_the_time_between_visits(
    surveyor: Surveyor, is_known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The delay also applies if it is only known once the first page's worker reads robots.txt."""
    if not is_known:
        monkeypatch.setattr(Crawl, "open_lanes", lambda *_: asyncio.sleep(0))
    surveyor.site.delay_s = 0.4
    await surveyor.end(await surveyor.start(include=["/s1/*"], limit=8, sitemap="skip"))
    starts = [at for at, target in surveyor.site.visits if target.startswith("/s1/") and target != "/s1/p1"]
    assert len(starts) > 3
    spaced = [later - sooner > 0.35 for sooner, later in pairwise(starts)]
    # Turns are exact. A busy machine may delay one request after its turn, so that the next one follows closely.
    assert sum(spaced) >= len(spaced) - 1
    assert starts[-1] - starts[0] > 0.4 * (len(starts) - 2)


@in_one_loop
async def test_since_reports_changes(surveyor: Surveyor) -> None:
    scope: dict[str, Any] = {"include": ["/s*"], "exclude": ["/s1/p1"], "limit": 200}
    first = await surveyor.end(await surveyor.start(**scope))
    surveyor.site.changed = {"/s0/p1", "/s2/p7"}
    surveyor.site.gone = {"/s3/p3"}
    second = await surveyor.end(await surveyor.start(since=first.id, **scope))
    changes: dict[str, list[str]] = {}
    for each in await surveyor.items(second):
        change = "gone" if each.code == "not_found" else (each.details or {}).get("change")
        changes.setdefault(str(change), []).append(each.input["url"])
    assert sorted(changes["changed"]) == [surveyor.site.url("/s0/p1"), surveyor.site.url("/s2/p7")]
    assert changes["gone"] == [surveyor.site.url("/s3/p3")]
    assert "new" not in changes
    assert len(changes["same"]) == len(await surveyor.pages(first)) - 3
    assert (second.charged, len(surveyor.site.unchanged)) == (2, len(changes["same"]))
    results = {each.input["url"]: each.conversion_id for each in await surveyor.pages(first)}
    assert all(
        each.conversion_id == results[each.input["url"]] and each.charged == 0 and each.cached
        for each in await surveyor.pages(second)
        if (each.details or {})["change"] == "same"
    )
    third = await surveyor.end(await surveyor.start(since=second.id, **scope))
    assert (third.charged, {(each.details or {})["change"] for each in await surveyor.pages(third)}) == (0, {"same"})


@in_one_loop
async def test_since_reads_a_page_again_whose_result_was_deleted(surveyor: Surveyor) -> None:
    scope: dict[str, Any] = {"include": ["/s0/p1"], "url": surveyor.site.url("/s0/p1"), "limit": 1, "sitemap": "skip"}
    [page] = await surveyor.items(first := await surveyor.end(await surveyor.start(**scope)))
    assert page.conversion_id is not None
    assert await Conversions(surveyor.service.database).delete(page.conversion_id)
    second = await surveyor.end(await surveyor.start(since=first.id, **scope))
    assert (second.charged, surveyor.site.unchanged) == (1, [])
    assert [(each.details or {})["change"] for each in await surveyor.items(second)] == ["same"]


@in_one_loop
async def test_since_does_not_believe_an_unchanged_page_at_another_address(surveyor: Surveyor) -> None:
    scope: dict[str, Any] = {"url": surveyor.site.url("/old/s0/p1"), "limit": 1, "sitemap": "skip"}
    first = await surveyor.end(await surveyor.start(**scope))
    surveyor.site.moved, surveyor.site.careless = {"/s0/p1": "/s0/p2"}, True
    second = await surveyor.end(await surveyor.start(since=first.id, **scope))
    assert (second.charged, surveyor.site.unchanged) == (1, ["/s0/p2"])
    assert [(each.details or {})["change"] for each in await surveyor.items(second)] == ["changed"]


@in_one_loop
async def test_crawl_continues_after_its_server_has_stopped(store: Store, workers: Workers) -> None:
    async with MadeSite(sections=3, pages=8) as site:
        settings = store.settings.model_copy(update={"egress_allow": (site.target,)})
        job: Job | None = None
        for least in (3, 10, 18, 0):
            async with assemble(settings, serving=True, clock=SystemClock(), workers=workers) as service:
                if job is None:
                    account, _ = await service.accounts.create("owner@example.com", 10_000)
                    surveyor = Surveyor(service, site, Caller(account.id, "key_test"))
                    job = await surveyor.start(limit=500, include=["/s*", "/orphan"])
                surveyor = Surveyor(service, site, surveyor.caller)
                await (surveyor.until_ended(job, least) if least else surveyor.end(job))
                found = [each.input["url"] for each in await surveyor.pages(job)]
                assert await service.ledger.verify() == []
        assert site.addresses == set(found)
        assert len(found) == len(set(found))


@in_one_loop
async def test_parts_that_repeat_are_left_out_of_later_pages(surveyor: Surveyor) -> None:
    job = await surveyor.end(await surveyor.start(include=["/s0/*"], sitemap="skip"))
    results, whole = await surveyor.results(job), surveyor.service.pipeline
    repeating = [n for n, result in results.items() if REPEATED in result["result"]["markdown"]]
    assert 2 <= len(repeating) < len(results) - 1  # those that began before two pages had ended
    assert {n for n, result in results.items() if "left_out" not in result} == {*repeating}
    for result in results.values():
        page = await whole.conversion(surveyor.caller, result["id"], "markdown")
        assert REPEATED.encode() in page.markdown
        assert len(page.markdown.decode()) == len(result["result"]["markdown"]) + result.get("left_out", 0)
    assert results == await surveyor.results(job)
    kept = await surveyor.end(await surveyor.start(include=["/s0/*"], sitemap="skip", repeats="keep"))
    assert all(REPEATED in result["result"]["markdown"] for result in (await surveyor.results(kept)).values())


@in_one_loop
async def test_since_must_be_a_crawl_of_the_account(surveyor: Surveyor) -> None:
    with pytest.raises(NotFound):
        await surveyor.start(since=f"job_{'0' * 32}")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "not valid JSON"),
        (b"{}", "Exactly one of 'url' and 'urls'"),
        (b'{"url": "https://example.com/", "urls": ["https://example.com/"]}', "Exactly one"),
        (b'{"url": "https://example.com/", "limits": 3}', "did you mean 'limit'"),
        (b'{"url": "https://example.com/", "limit": 0}', "'limit' is not valid"),
        (b'{"url": "https://example.com/", "external": true}', "Unknown field 'external'"),
        (b'{"url": "example.com"}', "Field 'url' must start with http"),
        (b'{"urls": ["https://example.com/", "ftp://example.com/"]}', "Field 'urls.1' must be an http"),
        (b'{"url": "https://example.com/", "include": ["^/docs"]}', "Field 'include.0' must be a glob"),
        (b'{"url": "https://example.com/", "since": "job_1"}', "'since' is not valid"),
    ],
)
def test_invalid_request_names_its_field(body: bytes, message: str) -> None:
    with pytest.raises(InvalidParams, match=message.replace("^", r"\^")):
        make_crawl(parse_json(CrawlRequest, body), Caller("a", "k"), SystemClock())
