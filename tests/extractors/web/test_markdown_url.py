"""The pages of the sandbox, read by the endpoint's own run over real `net` parts."""

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest

from support.clock import ManualClock
from webquarry.declare import PartAnswer
from webquarry.errors import EmptyResult, ProviderError, ServiceError
from webquarry.extractors.web.markdown_url import PageData, PageParams, extractor
from webquarry.net import Door, Net
from webquarry.net.tape import Exchange, Player
from webquarry.net.transport import Request, Response
from webquarry.sandbox.cases import Case, cases, expected_answer, expected_error
from webquarry.settings import Settings
from webquarry.types import Deadline, Provider, Url, Wire

T = TypeVar("T")
CASES = cases("markdown_url")
URL = "https://example.com/page"


@dataclass
class Run:
    """What the pipeline gives to a run, without money and storage."""

    door: Door
    deadline: Deadline
    clock: ManualClock
    settings: Settings
    kept: list[Wire] = field(default_factory=list)

    def net(self, provider: Provider) -> Net:
        return self.door.net(provider, self.deadline)

    async def compute(self, function: Callable[..., T], *args: Any) -> T:
        return function(*args)

    async def part(self, name: str) -> PartAnswer:
        raise LookupError(name)

    def keep_wire(self, wire: Wire) -> None:
        self.kept.append(wire)


@pytest.fixture
async def open_run() -> AsyncIterator[Callable[[list[Exchange]], Run]]:
    doors: list[Door] = []

    def opened(exchanges: list[Exchange]) -> Run:
        clock, settings = ManualClock(), Settings()
        doors.append(Door(settings, clock, Player(exchanges)))
        return Run(doors[-1], Deadline.after(60, clock), clock, settings)

    yield opened
    for door in doors:
        await door.close()


Open = Callable[[list[Exchange]], Run]


def served(body: bytes, content_type: str = "text/html", url: str = URL) -> Exchange:
    moment = datetime(2026, 11, 1, 12, tzinfo=UTC)
    return Exchange(Request("GET", url, {}), Response(200, {"content-type": content_type}, body, moment, len(body)))


async def read(run: Run, url: str = URL) -> PageData:
    assert extractor.run is not None
    result = await extractor.run(PageParams(url=Url.parse(url)), run)
    assert isinstance(result, PageData)
    return result


@pytest.mark.parametrize("case", [c for c in CASES if c.error is None], ids=lambda c: c.folder.name)
async def test_tape_gives_its_data_and_markdown(case: Case, open_run: Open) -> None:
    run = open_run(list(case.exchanges))
    result = await read(run, case.params["url"])
    assert expected_answer(json.loads(result.model_dump_json()), extractor.render(result)) == case.expected()
    assert run.kept[-1].url == result.final_url


@pytest.mark.parametrize("case", [c for c in CASES if c.error is not None], ids=lambda c: c.folder.name)
async def test_tape_gives_its_error(case: Case, open_run: Open) -> None:
    with pytest.raises(ServiceError) as caught:
        await read(open_run(list(case.exchanges)), case.params["url"])
    assert expected_error(caught.value) == case.expected()


def test_markdown_is_not_part_of_the_data() -> None:
    assert "markdown" not in PageData.model_json_schema(mode="serialization")["properties"]


async def test_page_refreshing_itself_for_ever_is_refused(open_run: Open) -> None:
    pages = [
        served(f'<meta http-equiv="refresh" content="0;url=/page{i + 1}">'.encode(), url=f"https://example.com/page{i}")
        for i in range(6)
    ]
    with pytest.raises(ProviderError) as caught:
        await read(open_run(pages), "https://example.com/page0")
    assert caught.value.reason == "refused"


async def test_page_that_refreshes_later_is_read(open_run: Open) -> None:
    body = b'<meta http-equiv="refresh" content="300;url=/other"><p>Scores are updated every five minutes.</p>'
    assert "five minutes" in (await read(open_run([served(body)]))).markdown


async def test_address_in_noscript_is_not_followed(open_run: Open) -> None:
    body = b'<noscript><meta http-equiv="refresh" content="0;url=/no"></noscript><p>A page for everybody who reads.</p>'
    assert "everybody" in (await read(open_run([served(body)]))).markdown


async def test_page_without_text_and_scripts_is_an_empty_result(open_run: Open) -> None:
    with pytest.raises(EmptyResult):
        await read(open_run([served(b"<html><body><div></div></body></html>")]))


async def test_shell_says_that_scripts_are_needed(open_run: Open) -> None:
    with pytest.raises(ProviderError, match="without running its scripts"):
        await read(open_run([served(b"<body><div id=root></div><script src=app.js></script></body>")]))


async def test_declared_encoding_of_the_header_is_used(open_run: Open) -> None:
    result = await read(open_run([served("<p>Привет, мир!</p>".encode("koi8-r"), "text/html; charset=koi8-r")]))
    assert result.markdown == "Привет, мир!\n"


async def test_half_a_character_in_structured_data_is_answered(open_run: Open) -> None:
    said = rb'{"@type":"Article","headline":"Big news \ud83d","author":{"name":"A\udc00"},"publisher":"\ud83dS"}'
    body = b'<script type="application/ld+json">' + said + b"</script><p>A page for everybody who reads.</p>"
    data = json.loads((await read(open_run([served(body)]))).model_dump_json())
    assert (data["title"], data["author"], data["site_name"]) == ("Big news \ufffd", "A\ufffd", "\ufffdS")
