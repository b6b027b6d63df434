"""The playground's forms for jobs and crawls: the price is shown first, and a form sent twice starts once."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.made import Board
from support.people import PASSWORD, QuickHasher
from support.visits import Browser, Page
from webquarry.accounts import Passwords
from webquarry.app import assemble
from webquarry.core.errors import InvalidParams
from webquarry.core.settings import Settings
from webquarry.endpoints.registry import load
from webquarry.jobs.inputs import MAX_INPUTS, JobHead, make_judge
from webquarry.service import Service
from webquarry.web.playground.job_inputs import find_main, judge_lines, read_lines
from webquarry.web.playground.job_snippets import write_body_snippets

JOBS = "/playground/jobs"
CRAWL = "/playground/crawl"
HOSTILE = "</textarea><script>alert(1)</script>'; rm -rf /"


@pytest.fixture
async def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    monkeypatch.setattr("webquarry.app.Passwords", lambda: Passwords(QuickHasher()))
    async with assemble(Settings(data_dir=tmp_path), registry=Board().registry()) as service:
        yield service


@pytest.fixture
async def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    """A service with all endpoints."""
    monkeypatch.setattr("webquarry.app.Passwords", lambda: Passwords(QuickHasher()))
    async with assemble(Settings(data_dir=tmp_path)) as service:
        yield service


async def sign_up(service: Service, email: str = "ada@example.com") -> Browser:
    browser = Browser(service.asgi())
    await browser.submit("/signup", email=email, password=PASSWORD)
    return browser


async def send(browser: Browser, path: str = JOBS, do: str = "check", **fields: str) -> Page:
    page = await browser.get(path)
    given = {f"job.{name}": text for name, text in fields.items()} if path.startswith(JOBS) else fields
    return await browser.post(path.partition("?")[0], {**page.fields(path.partition("?")[0]), "do": do, **given})


async def list_jobs(service: Service, browser: Browser) -> int:
    return (await browser.get("/account/jobs")).text.count('<a class="wrap" href="/account/jobs/job_')


async def test_the_price_is_shown_before_the_start(service: Service) -> None:
    browser = await sign_up(service)
    page = await send(browser, f"{JOBS}?operation=made", inputs="a\nb\n\nc\n")
    assert "up to 3 credits 3 inputs, 1 credit each" in page.words
    assert "Balance" in page.words
    page = await send(browser, f"{JOBS}?operation=made", inputs="\n".join("abc"), max_credits="2")
    assert "up to 2 credits 3 inputs" in page.words
    page = await send(browser, f"{JOBS}?operation=made", inputs="\n".join(map(str, range(200))))
    assert "Balance too low" in page.words
    assert "It shows the first 10 of 200 inputs" in page.words
    assert await list_jobs(service, browser) == 0


async def test_a_form_that_is_sent_twice_starts_one_job(service: Service) -> None:
    browser = await sign_up(service)
    page = await browser.get(f"{JOBS}?operation=made")
    fields = {**page.fields(JOBS), "do": "run", "job.inputs": "a\nb"}
    first, second = await browser.post(JOBS, fields), await browser.post(JOBS, fields)
    assert (first.status, first.location) == (303, second.location)
    changed = await browser.post(JOBS, {**fields, "job.inputs": "a\nb\nc"})
    assert changed.location not in ("", first.location)
    assert await list_jobs(service, browser) == 2
    started = await browser.get(first.location)
    assert "0 of 2 items ended" in started.words
    assert f'href="/account/jobs/{first.location.rpartition("/")[2]}"' in started.text
    other = await sign_up(service, "eve@example.com")
    assert (await other.get(first.location)).status == 404


async def test_faults_name_their_lines_and_nothing_starts(real: Service) -> None:
    browser = await sign_up(real)
    page = await send(browser, do="run", inputs="https://example.com/\n\nnot an address\nhttps://example.org/")
    assert page.status == 400
    assert "1 line can't be used. Line 3: " in page.words
    page = await send(browser, do="run", inputs="")
    assert "at least one input" in page.words
    page = await send(browser, do="run", inputs="a", max_credits="lots")
    assert (page.status, "max_credits" in page.words) == (400, True)
    page = await send(browser, do="run", layout="csv", inputs="address\nhttps://example.com/")
    assert "It has no parameter 'address', only" in page.words
    assert await list_jobs(real, browser) == 0
    page = await send(browser, do="run", inputs="https://example.com/\nnot an address", skip="true")
    assert page.status == 303


async def test_csv_shares_and_the_code_for_the_request(real: Service) -> None:
    browser = await sign_up(real)
    csv = 'q;gl\n"cats; dogs";de\nbirds;\n'
    page = await send(browser, f"{JOBS}?operation=search", layout="csv", inputs=csv, name="Pets")
    assert "2 inputs" in page.words
    for part in ("cats; dogs", "birds", "Pets", "/api/v1/jobs", "Content-Type: application/json", "import requests"):
        assert part in page.words, part


async def test_guests_see_prices_and_sign_in_to_start(service: Service) -> None:
    guest = Browser(service.asgi())
    page = await send(guest, f"{JOBS}?operation=made", inputs="a\nb")
    assert ("2 inputs" in page.words, "Sign in to start" in page.words) == (True, True)
    assert (await send(guest, f"{JOBS}?operation=made", do="run", inputs="a")).location.startswith("/login?next=")
    large = await send(guest, f"{JOBS}?operation=made", inputs="a" * 70_000)
    assert (large.status, "larger than 65,536 bytes" in large.words) == (400, True)
    assert (await guest.post(JOBS, {"do": "run", "job.inputs": "a"})).status == 403


async def test_too_much_is_refused_in_words(service: Service) -> None:
    browser = await sign_up(service)
    page = await send(browser, f"{JOBS}?operation=made", inputs="\n" * 20_000 + "a\n" * (MAX_INPUTS + 1))
    assert "There are 10,001 inputs" in page.words
    page = await send(browser, f"{JOBS}?operation=made", inputs="a" * 1_100_000)
    assert (page.status, "as JSON lines" in page.words) == (400, True)
    for name in ("nothing", "uploads", "<script>"):
        assert (await browser.get(f"{JOBS}?operation={name}")).status == 404


async def test_hostile_inputs_are_text_everywhere(service: Service) -> None:
    browser = await sign_up(service)
    page = await send(browser, f"{JOBS}?operation=made", inputs=HOSTILE, name=HOSTILE)
    assert "<script>alert" not in page.text
    assert "</textarea><script" not in page.text


async def test_a_crawl_is_estimated_checked_and_started(real: Service) -> None:
    browser = await sign_up(real)
    page = await send(browser, CRAWL, url="https://example.com/", limit="30", include="/docs/*\n/blog/*")
    assert "up to 30 credits 30 pages, 1 credit each" in page.words
    assert '"/blog/*"' in page.words
    for field, wrong in (("url", "nonsense"), ("limit", "0"), ("include", "[" * 300)):
        page = await send(browser, CRAWL, "run", **{"url": "https://example.com/", field: wrong})
        assert page.status == 400, field
        assert f'id="{field}-error"' in page.text, field
    assert "Compare with an earlier crawl" not in (await browser.get(CRAWL)).words
    fields = {**(await browser.get(CRAWL)).fields(CRAWL), "do": "run", "url": "https://example.invalid/", "limit": "3"}
    first = await browser.post(CRAWL, fields)
    assert (first.status, (await browser.post(CRAWL, fields)).location) == (303, first.location)
    assert "Crawl of example.invalid" in (await browser.get(first.location)).words
    assert "Compare with an earlier crawl" in (await browser.get(CRAWL)).words
    foreign = await send(browser, CRAWL, "run", url="https://example.com/", since="job_" + "0" * 32)
    assert foreign.status == 404


def test_each_endpoint_has_a_parameter_that_a_line_can_be() -> None:
    for extractor in load():
        if extractor.upload is None:
            assert find_main(extractor).name in extractor.fields


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("q\nhttps://a.example/\n", [(2, {"q": "https://a.example/"})]),
        ("\nq,gl\r\n\r\ncats,de\r\nbirds\r\n", [(4, {"q": "cats", "gl": "de"}), (5, {"q": "birds"})]),
        ('q\n"a\nb"\nc', [(3, {"q": "a\nb"}), (4, {"q": "c"})]),
    ],
)
def test_csv_has_a_heading(text: str, found: list[tuple[int, dict[str, str]]]) -> None:
    lines = read_lines(text, "csv", load().by_name["search"])
    assert [(line.number, line.input) for line in lines] == found


@pytest.mark.parametrize("text", ['url\n"open', 'url\n"a"b', f"url\n{'x' * 200_000}", "url,url\na,b", "url\tage\na\tb"])
def test_broken_csv_is_a_clear_error(text: str) -> None:
    with pytest.raises(InvalidParams, match=r"(not valid CSV|names a parameter twice|has no parameter).*\.$"):
        read_lines(text, "csv", load().by_name["markdown_url"])


async def test_a_row_may_not_be_longer_than_the_heading() -> None:
    registry = load()
    lines = read_lines("url\nhttps://a.example/,b\n", "csv", registry.by_name["markdown_url"])
    judged = await judge_lines(make_judge(registry, JobHead(operation="markdown_url")), lines)
    assert judged.faults == ["Line 2: It has 2 cells, and the heading 1."]


async def test_json_lines_are_read_line_by_line() -> None:
    registry = load()
    lines = read_lines('{"url": "https://a.example/"}\n[1]\n{', "json", registry.by_name["markdown_url"])
    judged = await judge_lines(make_judge(registry, JobHead(operation="markdown_url")), lines)
    assert ([len(judged.items)], [fault[:7] for fault in judged.faults]) == ([1], ["Line 2:", "Line 3:"])


def test_snippets_quote_hostile_texts() -> None:
    body = {"operation": "search", "inputs": [{"query": "it's $(id) \u202e\n\"'''"}]}
    curl, python = write_body_snippets("https://example.com/api/v1/jobs", body)
    assert "'\"'\"'" in curl.text
    assert "\u202e" not in curl.text + python.text
    compile(python.text, "snippet", "exec")
