"""The pages of jobs: the list, a job with its items, progress, actions and downloads, for its owner only."""

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from support.made import Board
from support.people import PASSWORD, QuickHasher
from support.visits import Browser
from webquarry.accounts import Caller, Passwords
from webquarry.app import assemble
from webquarry.core.errors import NotFound, ProviderError
from webquarry.core.settings import Settings
from webquarry.jobs.records import Item, Job, NewItem, NewJob, new_job_id
from webquarry.service import Service
from webquarry.web.account.job_words import MAX_SHOWN, advise, may_retry, shorten, tell_skipped

JOBS = "/account/jobs"
HOSTILE = '</td><script>alert("x")</script>&amp;'


@dataclass
class Desk:
    """A service that works on jobs, and the browser of an account."""

    service: Service
    board: Board
    browser: Browser
    caller: Caller

    async def start(self, keys: Sequence[str], **changes: Any) -> Job:
        now = self.service.clock.now()
        fields = {"kind": "batch", "endpoint": "made", "shared": {}, **changes}
        new = NewJob(
            new_job_id(now),
            self.caller.account_id,
            self.caller.key_id,
            created_at=now,
            expires_at=now + timedelta(days=1),
            **fields,
        )

        async def inputs() -> AsyncIterator[Sequence[NewItem]]:
            yield [NewItem({"key": key}, f"host:h{n % 3}.example") for n, key in enumerate(keys)]

        return await self.service.workshop.jobs.start(new, inputs())

    async def end(self, job: Job) -> Job:
        async with asyncio.timeout(30):
            while not (found := await self.service.workshop.jobs.find(self.caller, job.id)).is_over:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        return found

    async def act(self, job: Job, action: str) -> Any:
        """Submit the form of an action, from the page that asks for it without scripts."""
        page = f"{JOBS}/{job.id}" if action == "pause" else f"{JOBS}/{job.id}/{action}"
        return await self.browser.submit(page, f"{JOBS}/{job.id}/{action}")


async def sign_up(service: Service, email: str) -> Browser:
    browser = Browser(service.asgi())
    await browser.submit("/signup", email=email, password=PASSWORD)
    return browser


@pytest.fixture
async def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    monkeypatch.setattr("webquarry.app.Passwords", lambda: Passwords(QuickHasher()))
    board = Board()
    async with assemble(Settings(data_dir=tmp_path), registry=board.registry(), serving=True) as service:
        browser = await sign_up(service, "ada@example.com")
        account = await service.directory.find("ada@example.com")
        yield Desk(service, board, browser, Caller(account.id, "key_test"))


async def test_a_job_is_listed_with_its_progress_and_its_items(desk: Desk) -> None:
    desk.board.fail("bad", NotFound("There is no such thing."))
    job = await desk.end(await desk.start(["a", "b", "bad"], name="Nightly", max_credits=50))
    listed = await desk.browser.get(JOBS)
    for word in ("Nightly", "done", "3 of 3", "2 of 50"):
        assert word in listed.words, word
    assert "Nightly" not in (await desk.browser.get(f"{JOBS}?state=running")).words
    page = await desk.browser.get(f"{JOBS}/{job.id}")
    bar = LexborHTMLParser(page.text).css_first("[role=progressbar]")
    assert bar is not None
    assert bar.attributes["aria-valuenow"] == "100"
    assert [part.attributes["class"] for part in bar.css("rect")] == ["done", "failed"]
    for word in ("3 of 3 items ended", "There is no such thing.", "Check the address or ID", "2 of 50"):
        assert word in page.words, word
    failed = await desk.browser.get(f"{JOBS}/{job.id}?items=failed")
    rows = [row.id for row in LexborHTMLParser(failed.text).css("tbody tr")]
    assert rows == ["item-2"]
    view = LexborHTMLParser(page.text).css_first("#item-0 a")
    assert view is not None
    shown = await desk.browser.get(str(view.attributes["href"]))
    assert (shown.status, '"key"' in shown.text or "key" in shown.words) == (200, True)


async def test_items_are_paged(desk: Desk) -> None:
    job = await desk.start([str(n) for n in range(60)])
    page = await desk.browser.get(f"{JOBS}/{job.id}")
    assert page.text.count('id="item-') == 50
    further = page.text.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    last = await desk.browser.get(further)
    assert [f'id="item-{n}"' in last.text for n in (49, 50, 59)] == [False, True, True]
    for odd in ("x", "-5", "1" * 40, "²"):
        assert (await desk.browser.get(f"{JOBS}/{job.id}?after={odd}")).text.count('id="item-') == 50


async def test_actions_follow_the_state_and_ask_where_they_cost_or_destroy(desk: Desk) -> None:
    held = desk.board.hold_until("a")
    job = await desk.start(["a", "b", "c"])
    page = await desk.browser.get(f"{JOBS}/{job.id}")
    assert (">Pause<" in page.text, "Cancel job" in page.text, "Retry failed" in page.text) == (True, True, False)
    assert 'data-events="' in page.text
    assert (await desk.act(job, "pause")).location == f"{JOBS}/{job.id}?done=pause"
    page = await desk.browser.get(f"{JOBS}/{job.id}")
    assert "You paused this job" in page.words
    asked = await desk.browser.get(f"{JOBS}/{job.id}/resume")
    assert "can cost up to" in asked.words
    await desk.act(job, "resume")
    assert (await desk.service.workshop.jobs.find(desk.caller, job.id)).state == "running"
    asked = await desk.browser.get(f"{JOBS}/{job.id}/cancel")
    assert "You can't undo this" in asked.words
    await desk.act(job, "cancel")
    held.set()
    page = await desk.browser.get(f"{JOBS}/{job.id}")
    assert "You cancelled this job" in page.words
    assert "data-events" not in page.text
    assert 'action="/account/jobs/' not in page.text.replace('method="get"', "").partition("<h2>Items")[0]


async def test_a_retry_tells_when_nothing_can_be_retried(desk: Desk) -> None:
    desk.board.fail("gone", NotFound("It is gone."))
    job = await desk.end(await desk.start(["gone"]))
    answer = await desk.act(job, "retry")
    assert answer.location.endswith("?done=none")
    assert "Nothing to retry" in (await desk.browser.get(answer.location)).words


async def test_progress_is_streamed_as_escaped_html_on_one_line(desk: Desk) -> None:
    job = await desk.start(["a", "b"], name=f"{HOSTILE}\r\ndata: other")
    answer = await desk.browser.get(f"{JOBS}/{job.id}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = [part for part in answer.text.split("\n\n") if part]
    assert all(len(event.splitlines()) == 3 for event in events)
    assert "event: end" in events[-1]
    assert 'data-state="done"' in events[-1]
    assert "2 of 2 items ended" in events[-1]


async def test_results_are_downloads(desk: Desk) -> None:
    job = await desk.end(await desk.start(["a", "b"]))
    lines = await desk.browser.get(f"{JOBS}/{job.id}/results.ndjson")
    assert lines.headers["content-disposition"] == f'attachment; filename="{job.id}.ndjson"'
    assert sorted(json.loads(line)["input"]["key"] for line in lines.text.splitlines()) == ["a", "b"]
    packed = await desk.browser.get(f"{JOBS}/{job.id}/results.zip")
    with zipfile.ZipFile(io.BytesIO(packed.body)) as archive:
        assert "items.ndjson" in archive.namelist()
        assert len(archive.namelist()) == 5


async def test_hostile_inputs_and_names_are_text(desk: Desk) -> None:
    desk.board.fail(HOSTILE, ProviderError(HOSTILE, reason="down"))
    long = "https://example.com/" + "a" * 15_000
    job = await desk.end(await desk.start([HOSTILE, long], name=HOSTILE))
    for path in (JOBS, f"{JOBS}/{job.id}", f"{JOBS}/{job.id}/retry"):
        page = await desk.browser.get(path)
        assert page.status == 200
        assert "<script>alert" not in page.text
        assert "</td><script" not in page.text
        assert len(page.body) < 150_000


async def test_a_foreign_job_looks_like_none(desk: Desk) -> None:
    job = await desk.end(await desk.start(["a"], name="Secret work"))
    other = await sign_up(desk.service, "eve@example.com")
    paths = ("", "/events", "/results.ndjson", "/results.zip", "/cancel", "/resume", "/retry")
    for path in paths:
        for id in (job.id, "job_none"):
            page = await other.get(f"{JOBS}/{id}{path}")
            assert (page.status, "Secret" in page.text) == (404, False), path
    token = (await other.get("/account/keys")).fields("/account/keys")["csrf"]
    for action in ("pause", "resume", "cancel", "retry", "explode"):
        assert (await other.post(f"{JOBS}/{job.id}/{action}", {"csrf": token})).status == 404
    assert "Secret" not in (await other.get(JOBS)).text
    assert (await desk.browser.get(f"{JOBS}/{job.id}/explode")).status == 404


async def test_actions_need_the_token_of_the_form(desk: Desk) -> None:
    held = desk.board.hold_until("a")
    job = await desk.start(["a"])
    for fields, headers in (({}, {}), ({"csrf": "x"}, {}), ({}, {"origin": "https://evil.example"})):
        answer = await desk.browser.post(f"{JOBS}/{job.id}/cancel", fields, **headers)
        assert answer.status == 403
    assert (await desk.service.workshop.jobs.find(desk.caller, job.id)).state == "running"
    held.set()
    guest = Browser(desk.service.asgi())
    assert (await guest.get(f"{JOBS}/{job.id}")).location.startswith("/login?next=")


def make_item(state: Any = "failed", code: str | None = None, reason: str | None = None) -> Item:
    return Item(0, {}, state, 1, None, code, reason, None, None, 0, False, None, None)


@pytest.mark.parametrize(
    ("code", "reason", "words", "retried"),
    [
        ("provider_error", "timeout", "Retry it later", True),
        ("provider_error", "blocked", "Don't retry it soon", False),
        ("provider_error", "robots", "Use another page", False),
        ("conversion_failed", "encrypted", "Remove the password", False),
        ("invalid_params", None, "Correct this input", False),
        ("internal_error", None, "Retry it once", True),
        ("unheard_of", None, "", False),
    ],
)
def test_errors_of_items_tell_what_to_do(code: str, reason: str | None, words: str, retried: bool) -> None:
    item = make_item(code=code, reason=reason)
    assert words in advise(item)
    assert may_retry(item) == retried


def test_stopped_items_tell_why() -> None:
    assert "higher maximum" in advise(make_item("stopped", "insufficient_credits", "max_credits"))
    assert "cancelled" in advise(make_item("stopped"))
    assert advise(make_item("done")) == ""


def test_long_inputs_are_shortened() -> None:
    assert shorten({"url": "https://example.com/"}) == "https://example.com/"
    assert shorten({"query": "a\n\tb", "country": "de"}) == "query = a b; country = de"
    assert len(shorten({f"p{n}": "x" * 9000 for n in range(40)})) == MAX_SHOWN + 1


def test_skipped_links_are_told_in_words() -> None:
    assert tell_skipped({"site": 3, "excluded": 1, "odd": 2}) == "3 on other sites, 1 excluded, 2 odd"
    assert tell_skipped(None) == ""
