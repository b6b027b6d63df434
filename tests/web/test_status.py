"""The status page: for each endpoint and source, whether it is usable, and its recent success here."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from support.clock import ManualClock
from support.visits import Browser
from webquarry.app import assemble
from webquarry.core.errors import Overloaded
from webquarry.core.recent import KEPT, Recent
from webquarry.core.settings import Settings
from webquarry.endpoints.availability import list_standings
from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import example_path
from webquarry.jobs.standing import QueueStanding
from webquarry.logs.figures import Figure
from webquarry.net.breaker import CircuitState
from webquarry.web.bars import Runs, draw_bars, tell_share
from webquarry.web.site import Site
from webquarry.web.status import Status, Verdict, judge_all, judge_queue, tell_age

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def test_figures_cover_the_last_runs() -> None:
    recent = Recent()
    assert recent.figures("search") is None
    for second, (end, ms) in enumerate(
        [("ok", 100), ("empty_result", 300), ("blocked", 9), ("ok", 200), ("timeout", 1)]
    ):
        recent.note("search", end, ms, NOW + timedelta(seconds=second))
    found = recent.figures("search")
    assert found is not None
    assert (found.count, found.share, found.median_ms) == (5, 0.6, 200)
    assert (found.last_success_at, found.last_at) == (NOW + timedelta(seconds=3), NOW + timedelta(seconds=4))


@pytest.mark.parametrize("end", ["stopped", "unavailable"])
def test_unfinished_requests_are_not_counted(end: str) -> None:
    recent = Recent()
    recent.note("search", end, 1, NOW)
    assert recent.figures("search") is None


def test_the_number_of_stored_runs_is_limited() -> None:
    recent = Recent()
    for _ in range(KEPT):
        recent.note("search", "down", 1, NOW)
    for _ in range(KEPT):
        recent.note("search", "ok", 1, NOW)
    found = recent.figures("search")
    assert found is not None
    assert (found.count, found.share) == (KEPT, 1.0)


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 s ago"), (59, "59 s ago"), (60, "1 min ago"), (7300, "2 h ago"), (200000, "2 d ago")]
)
def test_ages_are_shown_in_their_largest_unit(seconds: int, words: str) -> None:
    assert tell_age(NOW - timedelta(seconds=seconds), NOW) == words


@pytest.fixture
def browser() -> Browser:
    """A browser for an instance without keys that has searched twice and was blocked by one host."""
    endpoints, sources = Recent(), Recent()
    endpoints.note("search", "ok", 420, NOW)
    endpoints.note("search", "blocked", 9, NOW)
    sources.note("duckduckgo_html", "blocked", 9, NOW)
    sources.note("mojeek", "ok", 400, NOW)
    circuit = CircuitState("duckduckgo_html", "https://html.example", "open", 3, "blocked", 600.0)
    site = Site("https://quarry.example.org", sandbox=False)
    registry, settings = load(), Settings()
    return Browser(
        site.app(
            Status(
                site,
                registry,
                ManualClock(),
                lambda: list_standings(registry, settings, endpoints, sources, [circuit]),
                read_figures,
                read_queue,
            )
        )
    )


async def read_queue() -> QueueStanding:
    """Return the standing of a queue with a job that waits for 20 minutes."""
    return QueueStanding(running=2, wait_s=1200)


async def read_figures(_days: int) -> list[Figure]:
    """Return the figures of two days: 8 of 10 runs succeeded on the first, and 1 of 10 on the second."""
    first, second = date(2025, 12, 30), date(2025, 12, 31)
    return [
        Figure(first, "search", "runs", 10),
        Figure(first, "search", "failures", 2),
        Figure(first, "search", "requests", 99),
        Figure(second, "search", "runs", 10),
        Figure(second, "search", "failures", 9),
        Figure(second, "maps", "runs", 80),
    ]


async def test_json_lists_endpoints_and_sources(browser: Browser) -> None:
    page = await browser.get("/status.json")
    assert (page.headers["content-type"], page.headers["cache-control"]) == ("application/json", "no-store")
    report = {each["name"]: each for each in json.loads(page.body)["endpoints"]}
    assert report.keys() == {extractor.name for extractor in load()}
    search = report["search"]
    assert (search["state"], search["count"], search["success_share"], search["median_ms"]) == ("shaky", 2, 0.5, 420)
    sources = {each["name"]: each for each in search["sources"]}
    assert (sources["serper"]["state"], sources["serper"]["available"]) == ("not set up", False)
    assert "WEBQUARRY_SERPER_KEY" in sources["serper"]["remedy"]
    assert (sources["mojeek"]["state"], sources["mojeek"]["last_success_at"]) == ("fine", "2026-11-22T12:00:00+00:00")
    assert (sources["duckduckgo_html"]["state"], sources["duckduckgo_html"]["circuits"]) == ("failing", {"open": 1})
    assert (sources["startpage"]["state"], sources["startpage"]["success_share"]) == ("no requests yet", None)
    assert "html.example" not in page.text


async def test_page_shows_the_same_data(browser: Browser) -> None:
    page = await browser.get("/status")
    assert (page.status, page.headers["cache-control"]) == (200, "no-store")
    tree = LexborHTMLParser(page.text)
    row = tree.css_first("tr#search")
    assert row is not None
    assert " ".join(row.text(separator=" ").split()).startswith("Web search shaky 50 % 420 ms")
    assert "no requests yet" in page.text
    assert "1 host paused" in page.text
    assert {node.attributes["id"] for node in tree.css("tr[id]")} == {extractor.name for extractor in load()}


async def test_markdown_shows_the_same_data(browser: Browser) -> None:
    page = await browser.get("/status.md")
    assert (page.status, page.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    assert page.headers["cache-control"] == "no-store"
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.text.splitlines() if "| " in line]
    assert {len(row) for row in rows} == {6}
    cells = {row[0]: row[1:] for row in rows}
    address = "https://quarry.example.org/docs/api/search.md"
    assert cells[f"[Web search]({address})"][:3] == ["shaky", "50 %", "420 ms"]
    assert cells["`duckduckgo_html`"][-1] == "1 host paused, often blocked"
    assert cells["`startpage`"][:2] == ["no requests yet", "-"]
    assert page.text == (await browser.get("/status", accept="text/markdown")).text


async def test_page_shows_live_traffic(tmp_path: Path) -> None:
    """A request through the real service, then the same one from the cache, which is not counted again."""
    async with assemble(Settings(data_dir=tmp_path), sandbox=True, serving=True) as service:
        visitor = Browser(service.asgi())
        _, key = await service.accounts.create("reader@example.org", 10)
        asked = example_path(service.registry.by_name["domain_registration"])
        for _ in range(2):
            answer = await visitor.send("GET", asked, headers={"authorization": f"Bearer {key}"})
            assert answer.status == 200
        report = json.loads((await visitor.get("/status.json")).body)["endpoints"]
    registration = next(each for each in report if each["name"] == "domain_registration")
    assert (registration["state"], registration["count"]) == ("fine", 1)
    assert [(each["name"], each["count"]) for each in registration["sources"]] == [("rdap", 1)]


async def test_one_verdict_is_on_top(browser: Browser) -> None:
    page = await browser.get("/status")
    assert page.words.startswith("Status One endpoint has failures: Web search")
    assert json.loads((await browser.get("/status.json")).body)["verdict"] == {
        "state": "warn",
        "text": "One endpoint has failures: Web search",
    }
    assert "**One endpoint has failures: Web search.**" in (await browser.get("/status.md")).text


def test_verdict_names_what_fails_before_what_has_failures() -> None:
    registry, endpoints = load(), Recent()
    assert judge_all(list_standings(registry, Settings(), endpoints, Recent(), [])).text == "All systems operational"
    ready = [each for each in list_standings(registry, Settings(), endpoints, Recent(), []) if each.remedy is None]
    names = [each.extractor.name for each in ready[:5]]
    endpoints.note(names[0], "ok", 1, NOW)
    endpoints.note(names[0], "down", 1, NOW)
    endpoints.note(names[1], "ok", 1, NOW)
    verdict = judge_all(list_standings(registry, Settings(), endpoints, Recent(), []))
    assert (verdict.kind, verdict.text) == ("warn", f"One endpoint has failures: {ready[0].extractor.title}")
    for name in names[1:]:
        endpoints.note(name, "down", 1, NOW)
        endpoints.note(name, "down", 1, NOW)
    verdict = judge_all(list_standings(registry, Settings(), endpoints, Recent(), []))
    titles = ", ".join(each.extractor.title for each in ready[1:4])
    assert (verdict.kind, verdict.text) == ("bad", f"4 endpoints are failing: {titles} and 1 more")


async def test_bars_cover_ninety_days_of_all_servers(browser: Browser) -> None:
    page = await browser.get("/status")
    tree = LexborHTMLParser(page.text)
    first = tree.css_first("svg.days")
    assert first is not None
    assert first.text().strip() == "89 % of 100 runs in 90 days succeeded, fewest on 2025-12-30 (80 %)."
    bars = {str(path.attributes["class"]): str(path.attributes["d"]) for path in first.css("path")}
    assert {level: path.count("M") for level, path in bars.items()} == {"good": 1, "warn": 1, "none": 88}
    assert (bars["warn"], bars["good"]) == (f"M{87 * 8} 0h6v28h-6z", f"M{88 * 8} 0h6v28h-6z")
    families = {node.css_first("h2").text(): node for node in tree.css("details.family")}  # type: ignore[union-attr]
    assert len(families) == len(load().groups)
    assert "45 % of 20 runs in 90 days succeeded, fewest on 2025-12-31 (10 %)." in families["Search"].text()
    assert [title for title, node in families.items() if "open" in node.attributes] == ["Search"]
    assert len(page.body) < 150_000


async def test_status_page_works_without_the_store() -> None:
    async def refuse(_days: int) -> list[Figure]:
        raise Overloaded

    async def refuse_queue() -> QueueStanding:
        raise Overloaded

    registry = load()
    site = Site("https://quarry.example.org", sandbox=False)
    status = Status(
        site,
        registry,
        ManualClock(),
        lambda: list_standings(registry, Settings(), Recent(), Recent(), []),
        refuse,
        refuse_queue,
    )
    page = await Browser(site.app(status)).get("/status")
    assert (page.status, "All systems operational" in page.words) == (200, True)
    assert "No runs in the last 90 days." in page.text
    assert "Jobs and crawls Unknown: the database is busy" in page.words


def test_the_queue_is_judged_by_its_longest_wait() -> None:
    assert judge_queue(QueueStanding(0, 0.0)).text == "Ready"
    assert judge_queue(QueueStanding(3, 700.0)) == Verdict("good", "Running")
    assert judge_queue(QueueStanding(3, 1200.0)) == Verdict("warn", "Some jobs have not made progress for 20 minutes")


async def test_each_form_of_the_page_tells_of_the_queue(browser: Browser) -> None:
    words = "Some jobs have not made progress for 20 minutes"
    assert words in (await browser.get("/status")).words
    assert words in (await browser.get("/status.md")).text
    assert json.loads((await browser.get("/status.json")).text)["jobs"] == {"state": "warn", "text": words}


@pytest.mark.parametrize(
    ("runs", "share"), [(Runs(), "no runs"), (Runs(10_000, 1), "99.9 %"), (Runs(3, 0), "100 %"), (Runs(3, 3), "0 %")]
)
def test_share_is_100_percent_only_without_failures(runs: Runs, share: str) -> None:
    assert tell_share(runs) == share


def test_bars_without_runs_say_so() -> None:
    bars = draw_bars({}, NOW.date(), 90)
    assert (bars.summary, [level for level, _ in bars.paths]) == ("No runs in the last 90 days.", ["none"])
