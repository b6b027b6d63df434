import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from convert_support.kit import KIT
from support.clock import ManualClock
from webquarry.core.errors import Absent, EmptyResult, ProviderError
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline, Domain, Wire
from webquarry.extractors.domain_intel.sources import rdap
from webquarry.net import Door, Net
from webquarry.net.transport import Limits, Request, Response

SAMPLES = KIT / "upstreams/samples/registration"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
COM = "https://rdap.verisign.com/com/v1/domain/"
HANGS = object()


@dataclass(frozen=True)
class Question:
    domain: Domain


@dataclass
class World:
    """The simulated network: the response of each URL as (status, body, headers). `HANGS` never responds. Records the
    requests.
    """

    answers: dict[str, Any]
    clock: ManualClock = field(default_factory=lambda: ManualClock(NOW))
    asked: list[Request] = field(default_factory=list)

    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        self.asked.append(request)
        answer = self.answers.get(request.url)
        if answer is HANGS:
            await asyncio.Event().wait()
        if answer is None:
            raise ProviderError("Nobody there.", reason="down")
        status, body, headers = answer
        return Response(status, headers, body, self.clock.now(), len(body))

    async def close(self) -> None:
        pass

    def asked_for(self, url: str) -> list[Request]:
        return [request for request in self.asked if request.url == url]


def says(status: int, body: bytes = b"", **headers: str) -> tuple[int, bytes, Mapping[str, str]]:
    return status, body, {name.replace("_", "-"): value for name, value in headers.items()}


def table(*services: tuple[str, str], publication: str = "2026-11-19T00:00:00Z", padding: int = 1000) -> bytes:
    """Return IANA's table with these services, and enough others to be accepted."""
    padded = [*services, *((f"tld{i}", "https://registry.example/") for i in range(padding))]
    return json.dumps({"publication": publication, "services": [[[tld], [url]] for tld, url in padded]}).encode()


class Asker:
    """Looks up names as the pipeline does: with one shared door and a new `Net` for each attempt."""

    def __init__(self, world: World) -> None:
        self.door = Door(Settings(), world.clock, world)
        self.clock = world.clock

    def net(self) -> Net:
        return self.door.net(rdap.RDAP, Deadline.after(30, self.clock))

    async def lookup(self, name: str) -> Wire:
        with self.net() as net:
            return await rdap.lookup(Question(Domain.parse(name)), net)


@pytest.fixture
async def world() -> World:
    return World({rdap.TABLE_URL: says(304)})


@pytest.fixture
async def ask(world: World) -> Asker:
    return Asker(world)


class TestTable:
    def test_shipped_table_matches_the_iana_table(self) -> None:
        sample = SAMPLES / "iana_dns_bootstrap_2025-11-06.json"
        if not sample.exists():
            pytest.skip("the samples are not here")
        shipped = Path(rdap.__file__).parents[1] / "data/rdap_dns.json"
        assert json.loads(shipped.read_text()) == json.loads(sample.read_text())

    def test_overlay_fills_what_the_shipped_table_lacks(self) -> None:
        sample = SAMPLES / "supplemental_cctld_rdap_servers_2025-11.json"
        if not sample.exists():
            pytest.skip("the samples are not here")
        listed = {
            s["tld"]: s["rdapServer"].rstrip("/") + "/" for s in json.loads(sample.read_text())["ccTldRdapServers"]
        }
        assert {tld: base for tld, base in rdap.OVERLAY.items() if tld in listed and listed[tld] != base} == {}
        assert rdap.OVERLAY.keys() - listed.keys() == {"bh", "my", "us"}

    @pytest.mark.parametrize(
        ("name", "base"),
        [
            ("example.com", "https://rdap.verisign.com/com/v1/"),
            ("bbc.co.uk", "https://rdap.nominet.uk/uk/"),
            ("example.xn--p1acf", "https://api.rdap.nic.xn--p1acf/"),
            ("example.kg", "http://rdap.cctld.kg/"),
            ("example.io", "https://rdap.identitydigital.services/rdap/"),
            ("example.de", "https://rdap.denic.de/"),
            ("example.jp", None),
        ],
    )
    def test_service_is_found_for_a_name(self, name: str, base: str | None) -> None:
        assert rdap.load_shipped().base_of(name) == base

    def test_longest_suffix_decides(self) -> None:
        services = rdap.Services.read(
            json.loads(table(("uk", "https://uk.example/"), ("co.uk", "https://co-uk.example/")))
        )
        assert services.base_of("bbc.co.uk") == "https://co-uk.example/"
        assert services.base_of("nominet.uk") == "https://uk.example/"

    def test_iana_entry_takes_precedence_over_the_overlay(self) -> None:
        services = rdap.Services.read(json.loads(table(("de", "https://new.denic.example/"))))
        assert services.base_of("example.de") == "https://new.denic.example/"

    def test_https_is_preferred(self) -> None:
        document = {
            "services": [[["A", "b"], ["http://old.example/x", "https://new.example/x"]], [["c"], []], [], "odd"]
        }
        assert rdap.read_bases(document) == {"a": "https://new.example/x/", "b": "https://new.example/x/"}


class TestLookup:
    async def test_registry_is_requested_for_the_registrable_name(self, ask: Asker, world: World) -> None:
        world.answers[f"{COM}example.com"] = says(200, b"{}")
        wire = await ask.lookup("https://www.shop.Example.com/x")
        assert wire.url == f"{COM}example.com"
        assert world.asked[-1].headers["Accept"].startswith("application/rdap+json")

    async def test_redirect_is_followed(self, ask: Asker, world: World) -> None:
        world.answers[f"{COM}example.com"] = says(302, location="https://other.example/domain/example.com")
        world.answers["https://other.example/domain/example.com"] = says(200, b"{}")
        assert (await ask.lookup("example.com")).url == "https://other.example/domain/example.com"

    @pytest.mark.parametrize(
        "answer", [says(404), says(404, b'{"errorCode": 404}', content_type="application/rdap+json")]
    )
    async def test_404_of_the_registry_is_an_unregistered_name(self, ask: Asker, world: World, answer: Any) -> None:
        world.answers[f"{COM}example.com"] = answer
        with pytest.raises(Absent, match=r"^example\.com is not registered\.$"):
            await ask.lookup("www.example.com")

    async def test_404_page_of_a_web_server_is_a_changed_response(self, ask: Asker, world: World) -> None:
        world.answers[f"{COM}example.com"] = says(404, b"<html>", content_type="text/html; charset=utf-8")
        with pytest.raises(ProviderError) as caught:
            await ask.lookup("example.com")
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize("status", [400, 403, 410, 422, 429, 500, 501, 503])
    async def test_other_statuses_are_refusals(self, ask: Asker, world: World, status: int) -> None:
        world.answers[f"{COM}example.com"] = says(status, retry_after="30")
        with pytest.raises(ProviderError) as caught:
            await ask.lookup("example.com")
        assert (caught.value.reason, caught.value.retry_after_s) == ("refused", 30.0)

    async def test_tld_without_service_is_empty(self, ask: Asker, world: World) -> None:
        with pytest.raises(EmptyResult, match=r"\.jp has no RDAP service"):
            await ask.lookup("example.jp")
        assert [request.url for request in world.asked] == [rdap.TABLE_URL]


class TestRefresh:
    @pytest.fixture(autouse=True)
    def registered(self, world: World) -> None:
        world.answers[f"{COM}example.com"] = says(200, b"{}")

    async def test_table_is_requested_once_a_day(self, ask: Asker, world: World) -> None:
        for hours, times in ((0, 1), (23.9, 1), (0.2, 2)):
            world.clock.advance(hours * 3600)
            await ask.lookup("example.com")
            assert len(world.asked_for(rdap.TABLE_URL)) == times

    async def test_concurrent_requests_share_one_refresh(self, ask: Asker, world: World) -> None:
        await asyncio.gather(*(ask.lookup("example.com") for _ in range(5)))
        assert len(world.asked_for(rdap.TABLE_URL)) == 1

    async def test_new_table_is_used(self, ask: Asker, world: World) -> None:
        world.answers[rdap.TABLE_URL] = says(200, table(("jp", "https://rdap.registry.example/jp")))
        world.answers["https://rdap.registry.example/jp/domain/example.jp"] = says(200, b"{}")
        assert (await ask.lookup("example.jp")).status == 200

    async def test_only_a_changed_table_is_sent(self, ask: Asker, world: World) -> None:
        await ask.lookup("example.com")
        world.answers[rdap.TABLE_URL] = says(200, table(("com", COM.removesuffix("domain/"))), etag='"v2"')
        for _ in range(2):
            world.clock.advance(86_400)
            await ask.lookup("example.com")
        first, second, third = (request.headers for request in world.asked_for(rdap.TABLE_URL))
        assert first["If-Modified-Since"] == second["If-Modified-Since"] == "Thu, 06 Nov 2025 23:00:01 GMT"
        assert third["If-None-Match"] == '"v2"'

    @pytest.mark.parametrize(
        "answer",
        [None, says(503), says(404), says(200, b"<html>"), says(200, b"{}"), says(200, table(padding=3)), HANGS],
    )
    async def test_failed_refresh_leaves_the_table_for_an_hour(
        self, ask: Asker, world: World, answer: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rdap, "REFRESH_TIMEOUT_S", 0.01)
        world.answers[rdap.TABLE_URL] = answer
        for minutes, times in ((0, 1), (59, 1), (2, 2)):
            world.clock.advance(minutes * 60)
            assert (await ask.lookup("example.com")).status == 200
            assert len(world.asked_for(rdap.TABLE_URL)) == times


class TestRedirector:
    """rdap.org is requested if IANA can't be reached and our copy lacks the TLD."""

    URL = "https://rdap.org/domain/example.jp"
    REGISTRY_URL = "https://rdap.registry.example/domain/example.jp"

    @pytest.fixture(autouse=True)
    def iana_is_away(self, world: World) -> None:
        del world.answers[rdap.TABLE_URL]

    async def test_registry_behind_the_redirect_answers(self, ask: Asker, world: World) -> None:
        world.answers |= {self.URL: says(302, location=self.REGISTRY_URL), self.REGISTRY_URL: says(200, b"{}")}
        assert (await ask.lookup("example.jp")).url == self.REGISTRY_URL

    async def test_its_own_404_is_a_tld_without_service(self, ask: Asker, world: World) -> None:
        world.answers[self.URL] = says(404)
        with pytest.raises(EmptyResult):
            await ask.lookup("example.jp")

    async def test_404_of_its_registry_is_an_unregistered_name(self, ask: Asker, world: World) -> None:
        world.answers |= {self.URL: says(302, location=self.REGISTRY_URL), self.REGISTRY_URL: says(404)}
        with pytest.raises(Absent):
            await ask.lookup("example.jp")
