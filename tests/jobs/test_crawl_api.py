"""`/api/v1/crawl` over HTTP: the real command crawls a test site on loopback."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from support.made_site import MadeSite
from support.server import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass
class Crawler:
    """A client of a server that may visit the test site. `other` is the key of another account."""

    site: MadeSite
    session: aiohttp.ClientSession
    url: str
    key: str
    other: str

    async def send(self, method: str, path: str, *, key: str | None = None, **sent: Any) -> Any:
        """Return (status, body), with a JSON body parsed."""
        headers = {"authorization": f"Bearer {key or self.key}", **sent.pop("headers", {})}
        async with self.session.request(method, f"{self.url}/api/v1{path}", headers=headers, **sent) as response:
            body = await response.read()
            return response.status, json.loads(body) if response.content_type == "application/json" else body

    async def start(self, key: str | None = None, headers: dict[str, str] | None = None, **body: Any) -> Any:
        whole = {"url": self.site.url("/"), "sitemap": "skip", **body}
        return await self.send("POST", "/crawl", key=key, json=whole, headers=headers or {})

    async def end(self, job_id: str) -> Any:
        async with asyncio.timeout(120):
            while True:
                _, job = await self.send("GET", f"/jobs/{job_id}")
                if job["state"] in ("done", "cancelled"):
                    return job
                await asyncio.sleep(0.1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Crawler]:
    """A server for all tests: starting one takes longer than a test."""
    async with (
        MadeSite(sections=2, pages=4) as site,
        Server(
            tmp_path_factory.mktemp("crawl"),
            egress_allow=site.target,
            rate_limit_per_minute=6000,
            account_rate_limit_per_minute=6000,
        ) as server,
        aiohttp.ClientSession() as session,
    ):
        made = await server.command("account", "create", "other@example.com", "--credits", "10")
        found = re.search(r"\bwq_\w+", made.out)
        assert found is not None
        yield Crawler(site, session, server.url, await server.first_key(), found[0])


@pytest.fixture
def crawler(served: Crawler) -> Crawler:
    """The server's client, with the site as it was before any test."""
    served.site.changed, served.site.gone = set(), set()
    return served


async def test_a_crawl_reports_parents_and_changes(crawler: Crawler) -> None:
    scope: dict[str, Any] = {"include": ["/s0/*"], "exclude": ["/s0/p3"], "limit": 20}
    status, started = await crawler.start(fresh={"no_cache": True}, **scope)
    assert (status, started["kind"], started["worst_case_credits"]) == (202, "crawl", 20)
    job = await crawler.end(started["id"])
    assert job["charged"] == job["counts"]["done"] == 5
    _, page = await crawler.send("GET", f"/jobs/{job['id']}/items")
    items = {item["input"]["url"].removeprefix(crawler.site.url("")): item for item in page["items"]}
    assert (items["/"]["depth"], items["/"]["parent"]) == (0, None)
    assert (items["/s0/"]["depth"], items["/s0/"]["parent"]) == (1, items["/"]["n"])
    assert items["/s0/p1"]["skipped"]["not_included"] > 0
    assert {item["change"] for item in items.values()} == {None}

    crawler.site.changed, crawler.site.gone = {"/s0/p1"}, {"/s0/p2"}
    _, started = await crawler.start(since=job["id"], fresh={"no_cache": True}, **scope)
    await crawler.end(started["id"])
    _, lines = await crawler.send("GET", f"/jobs/{started['id']}/results.ndjson?format=markdown")
    changes = {line["input"]["url"]: line["change"] for line in map(json.loads, lines.splitlines())}
    told = {path: changes[crawler.site.url(path)] for path in ("/", "/s0/p1", "/s0/p2")}
    assert told == {"/": "same", "/s0/p1": "changed", "/s0/p2": "gone"}


async def test_a_crawl_belongs_to_its_account(crawler: Crawler) -> None:
    _, started = await crawler.start(limit=1)
    for path in (f"/jobs/{started['id']}", f"/jobs/{started['id']}/items"):
        status, error = await crawler.send("GET", path, key=crawler.other)
        assert (status, error["code"]) == (404, "not_found")
    status, error = await crawler.start(crawler.other, since=started["id"])
    assert (status, error["code"]) == (404, "not_found")


async def test_the_same_key_and_body_give_the_same_crawl(crawler: Crawler) -> None:
    key = {"idempotency-key": "c1"}
    _, one = await crawler.start(headers=key, limit=1)
    _, two = await crawler.start(headers=key, limit=1)
    assert one["id"] == two["id"]
    status, error = await crawler.start(headers=key, limit=2)
    assert (status, error["code"]) == (409, "idempotency_conflict")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"include": ["^/docs"]}, "Field 'include.0' must be a glob"),
        ({"exclude": ["/a", "(/b)+"]}, "Field 'exclude.1' must be a glob"),
        ({"limits": 3}, "Unknown field 'limits'; did you mean 'limit'?"),
        ({"url": "example.com"}, "Field 'url' must start with http"),
    ],
)
async def test_an_invalid_crawl_is_refused(crawler: Crawler, body: Any, message: str) -> None:
    status, error = await crawler.start(**body)
    assert (status, error["code"]) == (400, "invalid_params")
    assert message in error["error"]


async def test_other_methods_and_media_types_are_refused(crawler: Crawler) -> None:
    assert (await crawler.send("GET", "/crawl"))[0] == 405
    status, error = await crawler.send("POST", "/crawl", data="{}", headers={"content-type": "application/x-ndjson"})
    assert (status, error["code"]) == (415, "unsupported_type")
