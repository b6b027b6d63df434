"""A dossier of test parts: its price for every combination of outcomes, its duration, and its report."""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from pydantic import ConfigDict

from support.clock import ManualClock
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core.errors import EmptyResult, InsufficientCredits, InvalidParams, ProviderError, ServiceError
from webquarry.core.parsed_text import Url
from webquarry.core.settings import Settings
from webquarry.core.types import Domain, Provider
from webquarry.endpoints.context import Context
from webquarry.endpoints.declare import Extractor, Params, Result, hours, param
from webquarry.endpoints.declare import field as told
from webquarry.endpoints.registry import Registry
from webquarry.extractors.brand import dossier as dossier_module
from webquarry.extractors.brand.dossier import HOMEPAGE_CHARACTERS
from webquarry.extractors.brand.dossier import extractor as dossier
from webquarry.extractors.brand.model.parts import DEFAULT, KINDS
from webquarry.pipeline import ANY_FRESH, Answer, Freshness
from webquarry.service import Service

PRICES = {"ads_searchengine": 2}
PROVIDER = Provider(name="made", title="Made")
FIGURES: dict[str, dict[str, Any]] = {
    "brand_logo": {"url": "https://webquarry.example/logos/a.png"},
    "traffic": {"visits": {"monthly": 1234567}, "rank": {"global": 42}, "engagement": {"bounce_rate": 0.4}},
    "seo_authority": {
        "domain_rating": 71.5,
        "license": "https://index.example/license",
        "attribution": {"text": "Rating by Index", "url": "https://index.example/"},
    },
    "ads_searchengine": {"total_estimate": {"min": 100, "max": 200}, "count": 40},
    "markdown_url": {"title": "Shop", "links": [{"url": "https://a.example"}] * 500, "images": []},
}


class ByDomain(Params):
    domain: Domain = param("Which.", example="example.com")


class ByUrl(Params):
    url: Url = param("Which.", example="https://example.com/")


class Made(Result):
    model_config = ConfigDict(frozen=True, extra="allow")

    fields: dict[str, Any] = told("Anything.")


@dataclass
class Parts:
    """Test endpoints for all parts. fates: the outcome of an endpoint for a host."""

    fates: dict[tuple[str, str], Callable[[], Awaitable[None]]] = field(default_factory=dict)
    runs: Counter[tuple[str, str]] = field(default_factory=Counter)
    delay_s: float = 0.0
    markdown: dict[str, str] = field(default_factory=dict)

    def extractor(self, name: str) -> Extractor:
        async def run(params: Any, ctx: Context) -> Made:
            host = params.domain.host if isinstance(params, ByDomain) else params.url.split("/")[2]
            ctx.net(PROVIDER)
            self.runs[name, host] += 1
            await asyncio.sleep(self.delay_s)
            if (name, host) in self.fates:
                await self.fates[name, host]()
            return Made(fields={"host": host}, **FIGURES.get(name, {}))

        is_page = name == "markdown_url"
        return Extractor(
            name=name,
            path="/" + name.replace("_", "/"),
            version=1,
            group="web",
            title=name,
            description=name,
            params=ByUrl if is_page else ByDomain,
            result=Made,
            credits=PRICES.get(name, 1),
            fresh=hours(6),
            render=lambda _: self.markdown.get(name, f"# {name}\n\n## Facts\n\n- {name} known\n"),
            example={"url": "https://example.com/"} if is_page else {"domain": "example.com"},
            run=run,
            providers=(PROVIDER,),
        )

    def fail(self, name: str, host: str, error: ServiceError | None = None) -> None:
        async def fate() -> None:
            raise error or ProviderError("The upstream is down.", reason="down")

        self.fates[name, host] = fate

    def hang(self, name: str, host: str, until: asyncio.Event | None = None) -> None:
        async def fate() -> None:
            await (until or asyncio.Event()).wait()

        self.fates[name, host] = fate


@dataclass
class RequestRunner:
    service: Service
    parts: Parts
    caller: Caller
    clock: ManualClock

    async def ask(
        self, domain: str, parts: str = DEFAULT, caller: Caller | None = None, freshness: Freshness = ANY_FRESH
    ) -> Answer:
        return await self.call("brand", caller, freshness, domain=domain, parts=parts)

    async def call(
        self, endpoint: str, caller: Caller | None = None, freshness: Freshness = ANY_FRESH, **params: str
    ) -> Answer:
        call = self.service.pipeline.prepare(self.service.registry.by_name[endpoint], tuple(params.items()))
        return await self.service.pipeline.answer(caller or self.caller, call, request_id="req_1", freshness=freshness)

    async def part(self, name: str, host: str, caller: Caller | None = None) -> Answer:
        return await self.call(KINDS[name].endpoint, caller, ANY_FRESH, **KINDS[name].asks(Domain.parse(host)))

    async def new_caller(self, credits: int) -> Caller:
        account, _ = await self.service.accounts.create(f"c{time.monotonic_ns()}@example.com", credits)
        return Caller(account.id, "key_test")

    async def balance(self, caller: Caller) -> int:
        return await self.service.ledger.balance(caller.account_id)


@pytest.fixture
def deadline_s() -> float:
    return 60.0


@pytest.fixture
async def desk(tmp_path: Path, deadline_s: float) -> AsyncIterator[RequestRunner]:
    parts = Parts()
    made = [parts.extractor(kind.endpoint) for kind in KINDS.values()]
    registry = Registry((replace(dossier, deadline_s=deadline_s), *made))
    clock = ManualClock()
    async with assemble(Settings(data_dir=tmp_path), serving=True, registry=registry, clock=clock) as service:
        account, _ = await service.accounts.create("owner@example.com", 10_000)
        yield RequestRunner(service, parts, Caller(account.id, "key_test"), clock)


def data_of(answer: Answer) -> dict[str, Any]:
    data: dict[str, Any] = orjson.loads(answer.body)["data"]
    return data


FATES = ("success", "failure", "hit", "join", "timeout")
MIXED = ("logo", "ads", "homepage")


@pytest.mark.flaky(reruns=2, reruns_delay=1)  # real time, on a machine that may be busy
async def test_price_is_the_sum_of_parts_that_ran_and_succeeded(
    desk: RequestRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dossier_module, "PARTS_SHARE", 0.1)  # parts are stopped after six of sixty seconds
    released = asyncio.Event()
    joined: list[asyncio.Task[Answer]] = []
    mixes = {f"m{n}.example.com": fates for n, fates in enumerate(itertools.product(FATES, repeat=len(MIXED)))}
    prices = [PRICES.get(KINDS[name].endpoint, 1) for name in MIXED]

    async def prepare(host: str, fates: tuple[str, ...]) -> None:
        """Set the parts' outcomes, and check that a dossier with one credit too little neither runs nor holds any."""
        other = await desk.new_caller(100)
        for name, fate in zip(MIXED, fates, strict=True):
            endpoint = KINDS[name].endpoint
            if fate == "failure":
                desk.parts.fail(endpoint, host)
            elif fate == "hit":
                await desk.part(name, host, other)
            elif fate == "timeout":
                desk.parts.hang(endpoint, host)
            elif fate == "join":
                desk.parts.hang(endpoint, host, released)
                joined.append(asyncio.create_task(desk.part(name, host, other)))
                while not desk.parts.runs[endpoint, host]:  # noqa: ASYNC110  # what is waited for has no event
                    await asyncio.sleep(0.01)
        held = sum(price for price, fate in zip(prices, fates, strict=True) if fate != "hit")
        if held:
            poor, runs = await desk.new_caller(held - 1), desk.parts.runs.copy()
            with pytest.raises(InsufficientCredits) as caught:
                await desk.ask(host, ",".join(MIXED), poor)
            assert (caught.value.price, await desk.balance(poor)) == (held, held - 1)
            assert not any(key[1] == host for key in desk.parts.runs - runs)

    async def settle(host: str, fates: tuple[str, ...]) -> None:
        caller = await desk.new_caller(100)
        if set(fates) <= {"failure", "timeout"}:
            with pytest.raises(ProviderError):
                await desk.ask(host, ",".join(MIXED), caller)
            assert await desk.balance(caller) == 100
            return
        answer = await desk.ask(host, ",".join(MIXED), caller)
        parts = data_of(answer)["parts"]
        for name, fate in zip(MIXED, fates, strict=True):
            part = parts[name]
            assert part["ok"] == (fate not in ("failure", "timeout")), (fates, name)
            assert part["cached"] == (fate in ("hit", "join"))
            assert (part["code"] == "provider_error") == (not part["ok"])
            assert ("The part was stopped." in (part["error"] or "")) == (fate == "timeout")
        due = sum(price for price, fate in zip(prices, fates, strict=True) if fate == "success")
        assert sum(part["credits"] for part in parts.values()) == answer.charged == due, fates
        assert await desk.balance(caller) == 100 - due

    for host, fates in mixes.items():
        await prepare(host, fates)
    dossiers = [asyncio.create_task(settle(host, fates)) for host, fates in mixes.items()]
    await asyncio.sleep(2)  # by then, the requests have joined the flight; parts are stopped after six seconds
    released.set()
    await asyncio.gather(*dossiers)
    await asyncio.gather(*joined)
    assert not await desk.service.ledger.verify()


async def test_second_call_for_a_domain_is_free(desk: RequestRunner) -> None:
    first, second = await desk.ask("example.com"), await desk.ask("https://EXAMPLE.com/about")
    assert (first.charged, second.charged, second.cache) == (6, 0, "hit")
    assert all(part["cached"] for part in data_of(second)["parts"].values())
    exact = await desk.new_caller(0)
    assert (await desk.ask("example.com", caller=exact)).charged == 0


async def test_all_nine_parts_cost_ten_and_default_is_five(desk: RequestRunner) -> None:
    nine = await desk.ask("example.com", ", ".join(reversed(list(KINDS))))
    assert (nine.charged, list(data_of(nine)["parts"])) == (10, list(KINDS))
    default = await desk.ask("example.org")
    assert (default.charged, list(data_of(default)["parts"])) == (6, DEFAULT.split(","))


@pytest.mark.parametrize("parts", ["logo,nonsense", ",", "logo;traffic"])
async def test_parts_that_do_not_exist_are_refused_and_the_known_ones_named(desk: RequestRunner, parts: str) -> None:
    with pytest.raises(InvalidParams, match="agent_ready"):
        await desk.ask("example.com", parts)


@pytest.mark.flaky(reruns=2, reruns_delay=1)  # real time, on a machine that may be busy
async def test_parts_run_at_the_same_time(desk: RequestRunner) -> None:
    desk.parts.delay_s = 1.0
    began = time.monotonic()
    await desk.ask("example.com")
    assert time.monotonic() - began < 1.3


@pytest.mark.parametrize("deadline_s", [1.0])
async def test_slow_part_is_stopped_and_reported_and_the_others_are_kept(desk: RequestRunner) -> None:
    desk.parts.hang("traffic", "example.com")
    answer = await desk.ask("example.com")
    parts = data_of(answer)["parts"]
    assert [name for name, part in parts.items() if not part["ok"]] == ["traffic"]
    assert "The part was stopped." in parts["traffic"]["error"]
    assert answer.charged == 5
    desk.parts.fates.clear()  # its flight has ended, so the next request runs it again
    assert (await desk.part("traffic", "example.com")).cache == "miss"


async def test_failure_of_every_part_is_an_error_and_free(desk: RequestRunner) -> None:
    for name in DEFAULT.split(","):
        desk.parts.fail(KINDS[name].endpoint, "example.com", EmptyResult("It is not known."))
        desk.parts.fail(KINDS[name].endpoint, "example.org")
    with pytest.raises(EmptyResult):
        await desk.ask("example.com")
    with pytest.raises(ProviderError):
        await desk.ask("example.org")
    assert await desk.balance(desk.caller) == 10_000


async def test_report_puts_figures_first_and_names_source_and_age_of_each_part(desk: RequestRunner) -> None:
    long = "# Shop\n\n" + "\n\n".join(f"Paragraph {n}" + " word" * 40 for n in range(60)) + "\n"
    desk.parts.markdown["markdown_url"] = long
    desk.parts.fail("ads_searchengine", "example.com")
    answer = await desk.ask("example.com")
    text = orjson.loads(answer.body)["markdown"]
    lines = text.splitlines()
    headings = [line for line in lines if line.startswith("#")]
    assert headings[:4] == ["# example.com: brand report", "## Key figures", "## Contents", "## Logo"]
    assert headings.count("# example.com: brand report") == 1
    assert "### Facts" in headings
    assert headings[-1] == "## Not available"
    assert "![example.com logo](https://webquarry.example/logos/a.png)" in text
    assert any(line.startswith("| Visits per month | 1,234,567 | Traffic | 20") for line in lines)
    assert "[License of the domain rating](https://index.example/license)" in text
    assert text.count("Source: made, fetched ") == 4
    assert "| Search ads | provider_error | The upstream is down. |" in lines
    assert "- Search ads: not available (provider_error)" in text.replace("\\", "")
    assert len(text) < HOMEPAGE_CHARACTERS + 3000
    assert "word\n\nThe page is truncated" in text
    assert "links" not in data_of(answer)["parts"]["homepage"]["data"]


async def test_age_of_a_cached_part_is_shown(desk: RequestRunner) -> None:
    await desk.part("logo", "example.com")
    desk.clock.advance(7200)
    answer = await desk.ask("example.com", "logo,traffic")
    parts = data_of(answer)["parts"]
    assert [(parts[name]["cached"], parts[name]["age_s"]) for name in parts] == [(True, 7200), (False, 0)]
    assert "cached, 2 hours old" in orjson.loads(answer.body)["markdown"]
