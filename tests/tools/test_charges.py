"""The reported charge equals the ledger's, whatever fails after the settle; and long results arrive completely."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import orjson
import pytest
import pytest_asyncio

from support.direct import Direct
from support.made import Board, MadeResult
from support.tools import ToolClient, ToolReply
from webquarry.accounts import Caller, History, Shares
from webquarry.app import assemble
from webquarry.core.clock import SystemClock
from webquarry.core.errors import Overloaded
from webquarry.core.settings import Settings
from webquarry.endpoints.registry import Registry
from webquarry.engine import PRELOADED
from webquarry.mcp import results
from webquarry.mcp.prepared import PART_CHARACTERS
from webquarry.pipeline import answer as answers
from webquarry.pipeline.flights import Lead
from webquarry.service import Service
from webquarry.web.playground.runner import RequestRunner
from webquarry.workers.job import Job
from webquarry.workers.workers import Workers

pytestmark = pytest.mark.asyncio(loop_scope="module")
F = TypeVar("F")
LENGTHS = {"long": 2_000_000, "middling": 150_000, "short": 200}
WORDS = "A sentence number {} of a text that has many of them. "
CHARGE = re.compile(r"(\d+) credits? (?:was|were) charged\.|(Nothing) was charged\.")
CREDITS = 1000
PRICE = 3


def write_text(key: str) -> str:
    """Return the markdown of a result: numbered sentences in paragraphs, with the length that its key specifies."""
    length = LENGTHS[key.partition("-")[0]]
    sentences = [WORDS.format(n) for n in range(length // len(WORDS.format(10_000)) + 1)]
    return "\n\n".join("".join(sentences[at : at + 20]) for at in range(0, len(sentences), 20))


@dataclass
class Counter:
    """A service of one test endpoint with long results, and one account."""

    service: Service
    board: Board
    client: ToolClient
    direct: Direct
    account_id: str

    async def balance(self) -> int:
        return await self.service.ledger.balance(self.account_id)

    @property
    def results(self) -> results.Results:
        return self.service.tools.calls._results

    def ask_child(self, function: str, **given: Any) -> None:
        """Replace the job that the child for results executes."""
        run, instead = self.service.workers.run, f"support.jobs:{function}"

        async def ask(job: Job[F], body: bytes, options: dict[str, Any], *, deadline: Any, account: str = "") -> Any:
            return await run(replace(job, function=instead), body, given, deadline=deadline, account=account)

        self.results._isolated = ask


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def workers() -> AsyncIterator[Workers]:
    """Children for all tests: starting the first one takes longer than a test."""
    # on a busy machine a positive nice value gets too little time in 20 s
    workers = Workers(SystemClock(), PRELOADED, size=1, nice=0)
    yield workers
    await workers.close()


@pytest_asyncio.fixture(loop_scope="module")
async def counter(workers: Workers, tmp_path: Path) -> AsyncIterator[Counter]:
    board = Board()

    def render(result: MadeResult) -> str:
        return write_text(result.key)

    registry = Registry((board.extractor("made", credits=PRICE, render=render),))
    settings = Settings(data_dir=tmp_path, rate_limit_per_minute=100_000)
    async with assemble(settings, serving=True, registry=registry, workers=workers) as service:
        account, key = await service.accounts.create("payer@example.com", CREDITS)
        yield Counter(service, board, ToolClient(service.asgi(), key), Direct(service, key), account.id)


def read_charge(text: str) -> int:
    """Return the charge in a text, which occurs once."""
    (found,) = CHARGE.finditer(text)
    return int(found[1] or 0)


def read_body(reply: ToolReply) -> str:
    found = re.search(r"<(fetched-\w+)>\n(.*)\n</\1>", reply.text, re.DOTALL)
    assert found is not None
    return found[2].partition("\n\n(All headings:")[0]


# results of any length


@pytest.mark.parametrize("uses_sdk", [False, True])
async def test_two_million_characters_are_served_in_all_parts(counter: Counter, uses_sdk: bool) -> None:
    client = replace(counter.client, uses_sdk=uses_sdk)
    first = await client.call("made", {"key": "long"})
    assert not first.result["isError"], first.text
    parts = first.structured["parts"]
    assert parts >= LENGTHS["long"] // PART_CHARACTERS
    assert (first.structured["creditsCharged"], await counter.balance()) == (PRICE, CREDITS - PRICE)
    asked = {"id": first.structured["id"]}
    replies = [first, *[await client.call("get_result", {**asked, "part": n}) for n in range(2, parts + 1)]]
    assert [reply.structured["part"] for reply in replies] == list(range(1, parts + 1))
    assert " ".join(" ".join(map(read_body, replies)).split()) == " ".join(write_text("long").split())
    assert [read_charge(reply.text) for reply in replies] == [PRICE, *[0] * (parts - 1)]
    assert await counter.balance() == CREDITS - PRICE


async def test_data_of_two_million_characters_is_one_json_text_in_all_parts(counter: Counter) -> None:
    data = {"rows": [{"n": n, "text": f"row {n}, with words"} for n in range(50_000)]}
    answer = await _answer(counter, "short-data")
    conversion = replace(answer.conversion, id=f"cv_{'5' * 32}", cache_key=None, data=orjson.dumps(data))
    assert len(conversion.data) > LENGTHS["long"]
    await counter.service.conversions.keep(conversion)
    asked = {"id": conversion.id, "format": "json"}
    parts = (await counter.client.call("get_result", asked)).structured["parts"]
    texts = [
        (await counter.client.call("get_result", {**asked, "part": n})).structured["json"] for n in range(1, parts + 1)
    ]
    assert json.loads("".join(texts)) == data


async def _answer(counter: Counter, key: str) -> Any:
    call = counter.service.pipeline.prepare(counter.service.registry.by_name["made"], [("key", key)])
    return await counter.service.pipeline.answer(Caller(counter.account_id, "k"), call, request_id="req_1")


# failures after the settle


MALFORMED: dict[str, tuple[Any, list[str]]] = {
    "no facts": (None, ["text"]),
    "no lengths": ({"removed": 0, "headings": []}, ["text"]),
    "lengths that are too short": ({"removed": 0, "headings": [], "lengths": [3]}, ["text"]),
    "a negative length": ({"removed": 0, "headings": [], "lengths": [5, -1]}, ["text"]),
    "a length that is no number": ({"removed": 0, "headings": [], "lengths": ["4"]}, ["text"]),
    "no piece": ({"removed": 0, "headings": [], "lengths": []}, []),
    "two pieces": ({"removed": 0, "headings": [], "lengths": [1, 1]}, ["a", "b"]),
    "nine pieces": ({"removed": 0, "headings": [], "lengths": [1] * 9}, list("ninebytes")),
    "not UTF-8": ({"removed": 0, "headings": [], "lengths": [2]}, ["\xff\xfe"]),
    "long headings": ({"removed": 0, "headings": ["x" * 5000], "lengths": [4]}, ["text"]),
    "more than it may say": ({"removed": 0, "headings": [], "lengths": [4], "creditsCharged": 0}, ["text"]),
}
CHILDREN: dict[str, tuple[str, dict[str, Any]]] = {
    "the child is killed": ("crash", {"how": "abort"}),
    "the child takes too much memory": ("memory", {}),
    "the child has a fault": ("raising", {"what": "fault"}),
    "the child writes what is no answer": ("writing", {"what": "other"}),
    "the child gives what is no parcel": ("printing", {}),
    **{f"the child gives {what}": ("packing", {"facts": f, "pieces": p}) for what, (f, p) in MALFORMED.items()},
}


@pytest.mark.parametrize("child", CHILDREN.values(), ids=CHILDREN)
async def test_a_result_that_cannot_be_split_is_stored_and_its_charge_reported(
    counter: Counter, child: tuple[str, dict[str, Any]]
) -> None:
    isolated = counter.results._isolated
    counter.ask_child(child[0], **child[1])
    await _assert_stored_and_told(counter)
    counter.results._isolated = isolated
    await _assert_shown_free(counter)


async def test_a_result_without_a_free_child_is_stored_and_its_charge_reported(counter: Counter) -> None:
    isolated = counter.results._isolated

    async def refuse(*_: Any, **__: Any) -> Any:
        raise Overloaded

    counter.results._isolated = refuse
    await _assert_stored_and_told(counter)
    counter.results._isolated = isolated
    await _assert_shown_free(counter)


async def test_a_result_not_split_in_time_is_stored_and_its_charge_reported(
    counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolated = counter.results._isolated
    monkeypatch.setattr("webquarry.mcp.calls._READ_S", 1.0)
    counter.ask_child("hang")
    await _assert_stored_and_told(counter)
    monkeypatch.undo()
    counter.results._isolated = isolated
    await _assert_shown_free(counter)


async def _assert_stored_and_told(counter: Counter) -> None:
    reply = await counter.client.call("made", {"key": "middling"})
    assert not reply.result["isError"]
    assert (read_charge(reply.text), reply.structured["creditsCharged"]) == (PRICE, PRICE)
    assert await counter.balance() == CREDITS - PRICE
    assert f'get_result with id "{reply.structured["id"]}" to show it for free.' in reply.text
    again = await counter.client.call("made", {"key": "middling"})  # a hit, without a job that reads it
    assert (again.result["isError"], read_charge(again.text)) == (True, 0)
    assert (await counter.balance(), await counter.service.ledger.verify()) == (CREDITS - PRICE, [])


async def _assert_shown_free(counter: Counter) -> None:
    (conversion_id,) = [entry[0].conversion.id for entry in counter.service.pipeline._entries._cache._entries.values()]
    result_id = results.make_result_id(conversion_id, counter.account_id)
    shown = await counter.client.call("get_result", {"id": result_id})
    assert not shown.result["isError"], shown.text
    assert (read_charge(shown.text), await counter.balance()) == (0, CREDITS - PRICE)


async def test_a_caller_that_disconnects_during_splitting_is_charged_once(counter: Counter) -> None:
    isolated, began = counter.results._isolated, asyncio.Event()

    async def wait(*_: Any, **__: Any) -> Any:
        began.set()
        await asyncio.Event().wait()

    counter.results._isolated = wait
    call = asyncio.create_task(counter.client.call("made", {"key": "middling"}))
    await began.wait()
    call.cancel()
    await asyncio.wait({call})
    counter.results._isolated = isolated
    again = await counter.client.call("made", {"key": "middling"})
    assert (read_charge(again.text), await counter.balance()) == (0, CREDITS - PRICE)


Break = Callable[[pytest.MonkeyPatch], None]


def _raise(*_: Any, **__: Any) -> Any:
    raise MemoryError


async def _raise_late(*_: Any, **__: Any) -> Any:
    raise MemoryError


FAULTS: dict[str, Break] = {
    "the body is put together": lambda patch: patch.setattr(answers.Answer, "put_together", _raise_late),
    "the flight lands": lambda patch: patch.setattr(Lead, "land", _raise_late),
}
TOOL_FAULTS: dict[str, Break] = {
    **FAULTS,
    "the frame is written": lambda patch: patch.setattr(results, "frame", _raise),
    "the result is written": lambda patch: patch.setattr(results.Results, "_write_part", _raise),
    "the leading result is written": lambda patch: (
        patch.setattr(results.Results, "_read_sheet", _refuse_sheet),
        patch.setattr(results.Results, "write_stored", _raise),
    )[0],
}
API_FAULTS: dict[str, Break] = {
    **FAULTS,
    "the answer is compressed": lambda patch: patch.setattr("webquarry.api.endpoint.compress", _raise_late),
    "the body is read": lambda patch: patch.setattr(answers.Answer, "body", property(_raise)),
}


async def _refuse_sheet(*_: Any, **__: Any) -> Any:
    raise Overloaded


@pytest.mark.parametrize("fault", TOOL_FAULTS.values(), ids=TOOL_FAULTS)
@pytest.mark.parametrize("key", ["middling", "short"])
async def test_a_tool_error_after_the_settle_is_refunded(
    counter: Counter, monkeypatch: pytest.MonkeyPatch, fault: Break, key: str
) -> None:
    fault(monkeypatch)
    reply = await counter.client.call("made", {"key": key})
    assert reply.structured["error"]["code"] in ("internal_error", "overloaded")
    assert (read_charge(reply.text), await counter.balance()) == (0, CREDITS)
    receipts = await counter.service.ledger.receipts(counter.account_id, reply.structured["error"]["requestId"])
    assert (len(receipts), await counter.service.ledger.verify()) == (1, [])


@pytest.mark.parametrize("fault", API_FAULTS.values(), ids=API_FAULTS)
async def test_an_api_error_after_the_settle_is_refunded(
    counter: Counter, monkeypatch: pytest.MonkeyPatch, fault: Break
) -> None:
    fault(monkeypatch)
    reply = await counter.direct.ask("/api/v1/made?key=middling", accept_encoding="gzip")
    assert (reply.status, reply.code, reply.headers["x-credits-charged"]) == (500, "internal_error", "0")
    assert (await counter.balance(), await counter.service.ledger.verify()) == (CREDITS, [])


async def test_a_charge_that_cannot_be_refunded_is_reported(counter: Counter, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last resort: an error while the ledger cannot store the refund. The remaining charge is reported."""
    monkeypatch.setattr(counter.service.ledger, "refund_surely", _raise_late)
    monkeypatch.setattr(results.Results, "_write_part", _raise)
    monkeypatch.setattr("webquarry.api.endpoint.compress", _raise_late)
    reply = await counter.client.call("made", {"key": "short-1"})
    assert (read_charge(reply.text), await counter.balance()) == (PRICE, CREDITS - PRICE)
    refused = await counter.direct.ask("/api/v1/made?key=middling-2", accept_encoding="gzip")
    assert (refused.status, refused.headers["x-credits-charged"]) == (500, str(PRICE))
    assert await counter.balance() == CREDITS - 2 * PRICE


async def test_an_answer_of_the_api_does_not_need_the_balance_after_the_settle(
    counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_account: str) -> int:
        raise Overloaded

    monkeypatch.setattr(counter.service.ledger, "recent_balance", lambda _account: None)
    monkeypatch.setattr(counter.service.ledger, "balance", refuse)
    reply = await counter.direct.ask("/api/v1/made?key=short")
    assert reply.status == 200
    assert (reply.headers["x-credits-charged"], reply.headers["x-credits-remaining"]) == ("3", str(CREDITS - PRICE))


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_the_playground_shows_the_charge_in_the_ledger(
    counter: Counter, monkeypatch: pytest.MonkeyPatch, fault: Break
) -> None:
    service = counter.service
    history = History(service.database)
    desk = RequestRunner(
        service.pipeline,
        None,
        service.ledger,
        history,
        Shares(service.database),
        service.limiter,
        service.limiter,
        service.clock,
        service.metrics,
        service.requests,
    )
    caller = Caller(counter.account_id, "session:1")
    paid = await desk.run(caller, service.registry.by_name["made"], [("key", "short-1")])
    fault(monkeypatch)
    failed = await desk.run(caller, service.registry.by_name["made"], [("key", "short-2")])
    assert failed.error is not None
    assert [paid.charged, failed.charged] == [PRICE, 0]
    listed = await desk.history.newest(counter.account_id, 2)
    assert [call.charged for call in listed] == [0, PRICE]
    assert await counter.balance() == CREDITS - PRICE
