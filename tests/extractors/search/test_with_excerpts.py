"""A search with excerpts on test endpoints: its price for every outcome of the pages, slow pages, and its markdown."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ConversionFailed, EmptyResult, ProviderError, ServiceError
from webquarry.core.parsed_text import Url
from webquarry.core.settings import Settings
from webquarry.core.types import Provider
from webquarry.endpoints.context import Context
from webquarry.endpoints.declare import Artifacts, Extractor, Params, Result, hours, param
from webquarry.endpoints.registry import Registry
from webquarry.extractors.search import with_excerpts
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import Organic, Search
from webquarry.extractors.search.search import NAMES
from webquarry.extractors.search.search import extractor as search_extractor
from webquarry.pipeline import Answer, Quote
from webquarry.service import Service

PROVIDER = Provider(name="made", title="Made")
PAGE = "# Oven\n\nHeat the oven to 230 degrees.\n\n## Other\n\nNothing about it.\n"
FATES = ("read", "cached", "failed", "slow", "refused")


class ByUrl(Params):
    url: Url = param("Which.", example="https://example.com/")


class Empty(Result):
    pass


@dataclass
class World:
    """Test endpoints. `links` are the links that a search finds; `fates` are the errors of pages, or None for a page
    that hangs.
    """

    service: Service
    caller: Caller
    links: list[str] = field(default_factory=list)
    fates: dict[str, ServiceError | None] = field(default_factory=dict)
    search_error: ServiceError | None = None

    async def ask(self, **params: str) -> Answer:
        return await self.call("search", **{"q": "oven degrees", "with": "excerpts", **params})

    async def call(self, name: str, **params: str) -> Answer:
        call = self.service.pipeline.prepare(self.service.registry.by_name[name], tuple(params.items()))
        return await self.service.pipeline.answer(self.caller, call, request_id="req_1")

    async def quote(self, **params: str) -> Quote:
        query = {"q": "oven degrees", "with": "excerpts", **params}
        call = self.service.pipeline.prepare(self.service.registry.by_name["search"], tuple(query.items()))
        return await self.service.pipeline.quote(call)

    async def balance(self) -> int:
        return await self.service.ledger.balance(self.caller.account_id)


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    monkeypatch.setattr(with_excerpts, "PAGES_S", 0.6)
    made: list[World] = []

    async def search(params: SearchParams, ctx: Context) -> Search:
        if made[0].search_error is not None:
            raise made[0].search_error
        rows = [Organic(position=n, title=f"Row {n}", link=link) for n, link in enumerate(made[0].links, 1)]
        return Search(
            query=params.q,
            gl=params.gl,
            hl=params.hl,
            page=params.page,
            num=params.num,
            provider=next(iter(NAMES)),
            organic_results=rows[: params.num],
            answer_box=None,
            knowledge_graph=None,
            videos=[],
            related_questions=[],
            related_searches=[],
            total_results=None,
            has_more=False,
            warnings=[],
        )

    async def page(params: ByUrl, ctx: Context) -> Artifacts:
        fate = made[0].fates.get(params.url, ...)
        if isinstance(fate, ServiceError):
            raise fate
        if fate is None:
            await asyncio.Event().wait()
        return Artifacts(b"{}", PAGE.encode(), (0, PAGE.index("## Other")))

    pages = Extractor(
        name="markdown_url",
        path="/markdown/url",
        version=1,
        group="web",
        title="Page",
        description="Page",
        params=ByUrl,
        result=Empty,
        credits=1,
        fresh=hours(1),
        render=lambda _: "",
        example={"url": "https://example.com/"},
        run=page,
        providers=(PROVIDER,),
    )
    registry = Registry((replace(search_extractor, sources=(), run=search), pages))
    async with assemble(Settings(data_dir=tmp_path), serving=True, registry=registry, clock=SystemClock()) as service:
        account, _ = await service.accounts.create("owner@example.com", 10_000)
        made.append(World(service, Caller(account.id, "key_test")))
        yield made[0]


def rows_of(answer: Answer) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = orjson.loads(answer.body)["data"]["organic_results"]
    return rows


def warnings_of(answer: Answer) -> list[str]:
    warnings: list[str] = orjson.loads(answer.body)["data"]["warnings"]
    return warnings


async def test_only_pages_that_ran_and_succeeded_are_charged(world: World) -> None:
    for number, fates in enumerate(itertools.combinations_with_replacement(FATES, 2)):
        links = [f"https://site{number}-{n}.example/" for n in range(len(fates))]
        for link, fate in zip(links, fates, strict=True):
            if fate == "cached":
                await world.call("markdown_url", url=link)
            elif fate == "failed":
                world.fates[link] = ProviderError("The site is down.", reason="down")
            elif fate == "slow":
                world.fates[link] = None
        shown = [fate in ("read", "cached") for fate in fates]
        world.links = [
            "ftp://a.example/" if fate == "refused" else link for link, fate in zip(links, fates, strict=True)
        ]
        before = await world.balance()
        answer = await world.ask(num="2", q=f"oven degrees {number}")
        assert before - await world.balance() == answer.charged == 1 + fates.count("read"), fates
        assert ["excerpts" in row for row in rows_of(answer)] == shown, fates
        assert len(warnings_of(answer)) == shown.count(False), fates


async def test_a_slow_page_is_named_and_the_others_are_kept(world: World) -> None:
    world.links = ["https://fast.example/", "https://slow.example/a"]
    world.fates["https://slow.example/a"] = None
    answer = await world.ask()
    assert warnings_of(answer) == ["Result 2 (slow.example) was not read: No response within 1 seconds."]
    assert rows_of(answer)[0]["excerpts"][0]["text"] == "Heat the oven to 230 degrees."


async def test_at_most_the_requested_number_of_pages_is_read(world: World) -> None:
    world.links = [f"https://site{n}.example/" for n in range(10)]
    assert (await world.quote()).price == 6
    answer = await world.ask()
    assert answer.charged == 6
    assert ["excerpts" in row for row in rows_of(answer)] == [True] * 5 + [False] * 5
    assert (await world.quote(num="3")).price == 4
    assert (await world.ask(num="3")).charged == 1
    assert (await world.quote()).price == 0


async def test_an_excerpt_names_its_page_and_conversion(world: World) -> None:
    world.links = ["https://one.example/"]
    (row,) = rows_of(await world.ask())
    assert row["conversion_id"] == (await world.call("markdown_url", url=world.links[0])).conversion_id
    assert [excerpt["page"] for excerpt in row["excerpts"]] == [1]


async def test_one_page_in_two_results_is_charged_once(world: World) -> None:
    world.links = ["https://one.example/", "https://one.example/"]
    answer = await world.ask()
    assert answer.charged == 2
    assert all("excerpts" in row for row in rows_of(answer))


async def test_nothing_found_costs_only_the_search(world: World) -> None:
    answer = await world.ask()
    assert (answer.charged, rows_of(answer)) == (1, [])


@pytest.mark.parametrize("error", [EmptyResult("Nothing."), ProviderError("It is down.", reason="down")])
async def test_the_error_of_the_search_is_raised_and_free(world: World, error: ServiceError) -> None:
    world.search_error = error
    with pytest.raises(type(error), match=error.message):
        await world.ask()
    assert await world.balance() == 10_000


async def test_the_markdown_has_the_excerpts_under_their_result(world: World) -> None:
    world.links = ["https://one.example/", "https://two.example/"]
    world.fates["https://two.example/"] = ConversionFailed("It is broken.", reason="corrupt")
    text = (await world.ask()).markdown.decode()
    assert (
        "## Excerpts\n\n### 1. Row 1\n\n[https://one.example/](https://one.example/)\n\nOven\n\nHeat the oven" in text
    )
    assert "### 2." not in text
    assert "- Result 2 (two.example) was not read: It is broken." in text.replace("\\", "")
