"""The sandbox's pages, read by the endpoint's own run with the real parts of `net`."""

import json
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pkgutil import resolve_name
from typing import TypeVar

import orjson
import pytest

from support.contexts import RunContext
from webquarry.core.errors import EmptyResult, ProviderError, ServiceError
from webquarry.core.parsed_text import Url
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Artifacts
from webquarry.extractors.web.child.page_job import add_title, convert
from webquarry.extractors.web.markdown_url import JOB, SECOND_BEST, PageParams, extractor
from webquarry.extractors.web.model.page_data import PageData
from webquarry.net.player import Player
from webquarry.net.tape import Exchange, Fault
from webquarry.net.transport import Request, Response
from webquarry.sandbox.cases import Case, cases, expected_answer, expected_error
from webquarry_convert.fetched import Converted
from webquarry_convert.page import Head, Page

T = TypeVar("T")
CASES = cases("markdown_url")
URL = "https://example.com/page"
MOMENT = datetime(2026, 11, 1, 12, tzinfo=UTC)
SHELL = b"<title>App</title><body><div id=root></div><script src=app.js></script></body>"
TELLING_SHELL = (
    b"<title>App</title><body><p>Times of the ferries of the northern islands, for today and the days to come.</p>"
    b"<div id=root></div><script src=app.js></script></body>"
)
TEXT = b"<p>A text that only scripts have written, for whoever reads.</p>"
LOGIN = b"<title>Log in</title><form><input type=text><input type=password><button>Log in</button></form>"


@pytest.fixture
async def open_run() -> AsyncIterator[Callable[[list[Exchange]], RunContext]]:
    runs: list[RunContext] = []

    def opened(exchanges: list[Exchange]) -> RunContext:
        runs.append(RunContext(Player(exchanges)))
        return runs[-1]

    yield opened
    for run in runs:
        await run.door.close()


Open = Callable[[list[Exchange]], RunContext]


def served(body: bytes, content_type: str = "text/html", url: str = URL) -> Exchange:
    return Exchange(Request("GET", url, {}), Response(200, {"content-type": content_type}, body, MOMENT, len(body)))


def rendered(body: bytes, url: str = URL, *, at: str = URL) -> Exchange:
    return Exchange(Request("RENDER", url), Response(200, {"content-location": at}, body, MOMENT, len(body)))


async def read(run: RunContext, url: str = URL) -> PageData:
    assert extractor.run is not None
    made = await extractor.run(PageParams(url=Url.parse(url)), run)
    assert isinstance(made, Artifacts)
    return PageData(**json.loads(made.data), markdown=made.markdown.decode())


@pytest.mark.parametrize("case", [c for c in CASES if c.error is None], ids=lambda c: c.folder.name)
async def test_tape_gives_its_data_and_markdown(case: Case, open_run: Open) -> None:
    assert extractor.run is not None
    run = open_run(list(case.exchanges))
    made = await extractor.run(PageParams(url=Url.parse(case.params["url"])), run)
    assert isinstance(made, Artifacts)
    data = json.loads(made.data)
    assert expected_answer(data, case.rendering or "")["data.json"] == case.expected()["data.json"]
    assert made.markdown.decode() == case.rendering
    if "final_url" in data:
        assert run.kept[-1].url == data["final_url"]


@pytest.mark.parametrize("case", [c for c in CASES if c.error is not None], ids=lambda c: c.folder.name)
async def test_tape_gives_its_error(case: Case, open_run: Open) -> None:
    with pytest.raises(ServiceError) as caught:
        await read(open_run(list(case.exchanges)), case.params["url"])
    assert expected_error(caught.value) == case.expected()


def test_markdown_is_not_part_of_the_data() -> None:
    assert "markdown" not in PageData.model_json_schema(mode="serialization")["properties"]


@pytest.mark.parametrize(
    ("markdown", "content_type", "given"),
    [
        ("The dough rests.\n", "text/html", "# Bread & *time*\n\nThe dough rests.\n"),
        ("By Ada\n\n# Bread\n\nThe dough rests.\n", "text/html", "By Ada\n\n# Bread\n\nThe dough rests.\n"),
        ("The dough rests.\n", "text/plain", "The dough rests.\n"),
    ],
    ids=["without its title", "with a heading of its own", "no page"],
)
def test_markdown_of_a_page_begins_with_its_title(markdown: str, content_type: str, given: str) -> None:
    page = Page(markdown, Head(title="Bread & *time*"), 3, (), ())
    assert add_title(Converted(page, content_type)).replace("\\", "") == given


def test_job_of_a_page_can_be_imported_by_name() -> None:
    assert resolve_name(JOB) is convert


async def test_page_that_refreshes_endlessly_is_refused(open_run: Open) -> None:
    pages = [
        served(f'<meta http-equiv="refresh" content="0;url=/page{i + 1}">'.encode(), url=f"https://example.com/page{i}")
        for i in range(6)
    ]
    with pytest.raises(ProviderError) as caught:
        await read(open_run(pages), "https://example.com/page0")
    assert caught.value.reason == "refused"


async def test_page_that_refreshes_later_is_read(open_run: Open) -> None:
    refresh = b'<meta http-equiv="refresh" content="300;url=/other">'
    body = refresh + b"<p>Scores of all games are updated every five minutes.</p>"
    assert "five minutes" in (await read(open_run([served(body)]))).markdown


async def test_address_in_noscript_is_not_followed(open_run: Open) -> None:
    refresh = b'<noscript><meta http-equiv="refresh" content="0;url=/no"></noscript>'
    body = refresh + b"<p>A page for everybody who reads, with scripts or without.</p>"
    assert "everybody" in (await read(open_run([served(body)]))).markdown


async def test_page_without_text_and_scripts_is_an_empty_result(open_run: Open) -> None:
    with pytest.raises(EmptyResult):
        await read(open_run([served(b"<html><body><div></div></body></html>")]))


async def test_shell_without_a_browser_states_that_scripts_are_needed() -> None:
    wire = Wire(SHELL, URL, URL, 200, {"content-type": "text/html"}, MOMENT)
    assert extractor.read is not None
    with pytest.raises(ProviderError, match="no readable text without JavaScript") as caught:
        extractor.read(wire, PageParams(url=Url.parse(URL)))
    assert caught.value.reason == "blocked"


async def test_shell_is_rendered_at_its_final_url(open_run: Open) -> None:
    moved = Exchange(Request("GET", URL), Response(302, {"location": "/app"}, b"", MOMENT, 0))
    app = "https://example.com/app"
    run = open_run([moved, served(SHELL, url=app), rendered(TEXT, app, at=f"{app}#/today")])
    result = await read(run)
    assert (result.fetched_with, result.final_url) == ("browser", app)
    assert result.markdown == "A text that only scripts have written, for whoever reads.\n"
    assert [(wire.rendered, wire.fetched_at) for wire in run.kept] == [(True, MOMENT)]


async def test_page_that_is_complete_without_scripts_is_not_rendered(open_run: Open) -> None:
    assert (await read(open_run([served(TEXT), rendered(b"<p>never")]))).fetched_with == "static"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Response(200, {}, LOGIN, MOMENT, 1), "blocked"),
        (Response(200, {}, SHELL, MOMENT, 1), "blocked"),
        (Response(403, {"cf-mitigated": "challenge"}, TEXT, MOMENT, 1), "blocked"),
        (Response(503, {}, TEXT, MOMENT, 1), "refused"),
        (Fault("timeout"), "timeout"),
        (Fault("down"), "down"),
    ],
)
async def test_rendering_without_content_is_reported(open_run: Open, answer: Response | Fault, reason: str) -> None:
    with pytest.raises(ProviderError) as caught:
        await read(open_run([served(SHELL), Exchange(Request("RENDER", URL), answer)]))
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    "answer",
    [
        Response(200, {}, SHELL, MOMENT, 1),
        Response(200, {}, b"<p></p>", MOMENT, 1),
        Response(404, {}, TEXT, MOMENT, 1),
        Response(503, {}, TEXT, MOMENT, 1),
        Fault("timeout"),
        Fault("down"),
    ],
)
async def test_static_text_is_kept_when_rendering_gives_none(open_run: Open, answer: Response | Fault) -> None:
    run = open_run([served(TELLING_SHELL), Exchange(Request("RENDER", URL), answer)])
    result = await read(run)
    assert (result.fetched_with, result.status, run.fresh) == ("static", 200, SECOND_BEST)
    assert "ferries of the northern islands" in result.markdown


async def test_block_page_behind_a_shell_with_text_is_a_block_page(open_run: Open) -> None:
    with pytest.raises(ProviderError) as caught:
        await read(open_run([served(TELLING_SHELL), rendered(LOGIN)]))
    assert caught.value.reason == "blocked"


async def test_block_page_is_reported_before_its_refresh_is_followed(open_run: Open) -> None:
    body = b'<title>Just a moment...</title><meta http-equiv="refresh" content="1;url=/again"><p>Checking your browser'
    with pytest.raises(ProviderError, match="checks the browser before it responds") as caught:
        await read(open_run([served(body)]))
    assert caught.value.reason == "blocked"


async def test_block_page_error_states_its_kind_and_advice(open_run: Open) -> None:
    with pytest.raises(ProviderError) as caught:
        await read(open_run([served(LOGIN)]))
    assert caught.value.message == (
        "example.com asks its visitors to log in. Only public pages can be read. Use the URL of a public page."
    )


@pytest.mark.parametrize("status", [400, 403, 500, 503])
async def test_refusal_that_is_not_a_block_page_is_refused(open_run: Open, status: int) -> None:
    refusal = Response(status, {"content-type": "text/html"}, TEXT, MOMENT, 1)
    with pytest.raises(ProviderError, match=f"status {status}") as caught:
        await read(open_run([Exchange(Request("GET", URL), refusal)]))
    assert caught.value.reason == "refused"


@pytest.mark.parametrize("content_type", ["application/pdf", "image/png"])
async def test_refusal_with_a_document_is_refused_and_not_converted(open_run: Open, content_type: str) -> None:
    refusal = Response(500, {"content-type": content_type}, b"%PDF-1.7", MOMENT, 1)
    with pytest.raises(ProviderError, match="status 500"):
        await read(open_run([Exchange(Request("GET", URL), refusal)]))


@pytest.mark.parametrize("content_type", ["text/csv", "text/tab-separated-values"])
async def test_small_response_served_as_a_table_is_a_table(open_run: Open, content_type: str) -> None:
    run = open_run([served(b"Comment\nLate, but well\n", content_type)])
    assert extractor.run is not None
    made = await extractor.run(PageParams(url=Url.parse(URL)), run)
    assert isinstance(made, Artifacts)
    assert made.markdown.startswith(b"| Comment |")
    data = orjson.loads(made.data)
    assert data["type"] == "csv"
    assert (data["url"], data["final_url"], data["status"], data["content_type"]) == (URL, URL, 200, content_type)
    assert (data["file_name"], data["file_size"]) == (None, 23)


async def test_declared_encoding_of_the_header_is_used(open_run: Open) -> None:
    result = await read(open_run([served("<p>Привет, мир!</p>".encode("koi8-r"), "text/html; charset=koi8-r")]))
    assert result.markdown == "Привет, мир!\n"


async def test_half_a_character_in_structured_data_is_answered(open_run: Open) -> None:
    text = rb'{"@type":"Article","headline":"Big news \ud83d","author":{"name":"A\udc00"},"publisher":"\ud83dS"}'
    body = b'<script type="application/ld+json">' + text + b"</script><p>A page for everybody who reads.</p>"
    data = json.loads((await read(open_run([served(body)]))).model_dump_json())
    assert (data["title"], data["author"], data["site_name"]) == ("Big news \ufffd", "A\ufffd", "\ufffdS")
