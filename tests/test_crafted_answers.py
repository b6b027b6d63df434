"""A compromised child returns arbitrary data. None of it is stored, charged, shown, or raised as an internal error."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
import pytest_asyncio

from support.crafted import craft, craft_head
from support.made import PROVIDER, MadeParams, MadeResult, query
from support.processes import list_workers
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ConversionFailed, ProviderError, ServiceError
from webquarry.core.settings import Settings
from webquarry.core.types import File, Wire
from webquarry.endpoints import reading
from webquarry.endpoints.declare import Extractor, Source
from webquarry.endpoints.registry import Registry
from webquarry.extractors.web import markdown_file, markdown_url
from webquarry.extractors.web.model import document
from webquarry.net import Net
from webquarry.net.player import Player
from webquarry.net.tape import Exchange
from webquarry.net.transport import Request, Response
from webquarry.pipeline import Answer
from webquarry.service import Service
from webquarry.storage.database import query as statement
from webquarry.workers.workers import Workers

pytestmark = pytest.mark.asyncio(loop_scope="module")
CLOCK = SystemClock()
MOMENT = datetime(2026, 11, 1, 12, tzinfo=UTC)
URL = "https://example.com/page"
PAGE = b"<title>A page</title><article><h1>A page</h1><p>Enough words of a text to be read by somebody.</p></article>"
TABLE = b"a,b\n1,2\n"
SMUGGLED = b'{"a":1},"creditsCharged":0,"b":{"a":1}'
LONG = 100_000
"""Size in bytes of data that is checked in another child."""


@dataclass
class RequestRunner:
    """A service with an account of 100 credits and compromised converters."""

    service: Service
    workers: Workers
    served: dict[str, bytes]
    caller: Caller

    async def page(self, body: bytes) -> Answer:
        """Request a page with this body."""
        self.served["body"] = body
        return await self._ask("markdown_url", None, url=URL)

    async def file(self, body: bytes) -> Answer:
        """Upload a table whose job behaves as the body specifies."""
        return await self._ask("markdown_file", File("a.csv", body))

    async def reading(self, body: bytes) -> Answer:
        """Request a source whose large response has this body."""
        self.served["body"] = body + b" " * 40_000
        return await self._ask("made", None, key="a")

    async def count(self, table: str) -> int:
        rows = await self.service.database.read(lambda: statement(f"SELECT COUNT(*) FROM {table}", {}))
        return int(rows[0][0])

    async def balance(self) -> int:
        return await self.service.ledger.balance(self.caller.account_id)

    async def _ask(self, endpoint: str, file: File | None, **params: str) -> Answer:
        pipeline = self.service.pipeline
        call = pipeline.prepare(self.service.registry.by_name[endpoint], query(params), file)
        return await pipeline.answer(self.caller, call, request_id="req_1")


class Served(Player):
    """Responds with the current body."""

    def __init__(self, served: dict[str, bytes]) -> None:
        super().__init__([])
        self._served = served

    def _answer(self, request: Request) -> Response:
        body = self._served["body"]
        return Exchange(request, Response(200, {"content-type": "text/html"}, body, MOMENT, len(body))).answered()


def read_made(_wire: Wire, params: MadeParams) -> MadeResult:
    return MadeResult(key=params.key)


def render_made(result: MadeResult) -> str:
    return f"# {result.key}\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RequestRunner]:
    served = {"body": b""}

    async def fetch(_params: MadeParams, _net: Net) -> Wire:
        return Wire(served["body"], URL, URL, 200, {}, MOMENT)

    made = Extractor(
        name="made",
        path="/made",
        version=1,
        group="web",
        title="A made endpoint",
        description="Answers with its key.",
        params=MadeParams,
        result=MadeResult,
        credits=1,
        fresh=None,
        render=render_made,
        example={"key": "a"},
        sources=(Source(PROVIDER, fetch, read_made),),
    )
    registry = Registry((replace(markdown_url.extractor, fresh=None), markdown_file.extractor, made))
    workers = Workers(CLOCK, size=1, spares=0)
    folder: Path = tmp_path_factory.mktemp("crafted")
    with pytest.MonkeyPatch.context() as taken_over:
        taken_over.setattr(markdown_url, "JOB", "support.crafted:convert_page")
        taken_over.setattr(document, "JOB", replace(document.JOB, function="support.crafted:convert_file"))
        taken_over.setattr(reading, "JOB", "support.crafted:read")
        try:
            async with assemble(
                Settings(data_dir=folder), serving=True, transport=Served(served), registry=registry, workers=workers
            ) as service:
                account, _ = await service.accounts.create("owner@example.com", 100)
                yield RequestRunner(service, workers, served, Caller(account.id, "key_test"))
        finally:
            await workers.close()


async def wait_for_end_of_new(before: set[int]) -> None:
    """Return when all children started since `before` have ended."""
    async with asyncio.timeout(30):
        while list_workers() - before:  # noqa: ASYNC110  # other processes set no event
            await asyncio.sleep(0.01)


async def assert_refused(desk: RequestRunner, ask: Callable[[bytes], Any], body: bytes) -> ServiceError:
    """Assert that the result is refused, costs nothing, is not stored, and ends its child."""
    before = list_workers()
    stored, balance = await desk.count("conversions"), await desk.balance()
    with pytest.raises(ServiceError) as caught:
        await ask(body)
    await wait_for_end_of_new(before)
    assert await desk.count("conversions") == stored
    assert await desk.balance() == balance
    assert await desk.service.ledger.verify() == []
    return caught.value


# pages

FACTS = {"form": "page", "is_shell": False, "says_enough": False}
DATA: dict[str, Any] = {
    "object": "page",
    "url": URL,
    "final_url": URL,
    "canonical_url": None,
    "title": "A page",
    "description": None,
    "language": None,
    "site_name": None,
    "author": None,
    "published_at": None,
    "modified_at": None,
    "kind": None,
    "image_url": None,
    "favicon_url": None,
    "feeds": [],
    "read_at": "2026-11-01T12:00:00Z",
    "status": 200,
    "content_type": "text/html",
    "word_count": 3,
    "links": [{"url": "https://example.com/a", "text": "a"}],
    "images": [],
    "entities": [],
    "fetched_with": "static",
    "warnings": [],
    "sources": {},
}
MARKDOWN = b"# A page\n"


def data(**changes: Any) -> bytes:
    """Return a valid page's data with these fields changed."""
    return orjson.dumps({**DATA, **changes})


def with_text(old: bytes, new: bytes) -> bytes:
    """Return a valid page's data with some bytes replaced."""
    assert old in data()
    return data().replace(old, new, 1)


PAGES = {
    "smuggled charge": craft(FACTS, SMUGGLED, MARKDOWN),
    "smuggled behind honest data": craft(FACTS, data() + b',"creditsCharged":0', MARKDOWN),
    "smuggled behind long data": craft(FACTS, data(title="x" * LONG) + b',"creditsCharged":0', MARKDOWN),
    "two values": craft(FACTS, data() + data(), MARKDOWN),
    "half a value": craft(FACTS, data()[:-1], MARKDOWN),
    "not JSON": craft(FACTS, b"<html>", MARKDOWN),
    "no bytes": craft(FACTS, b"", MARKDOWN),
    "data of no object": craft(FACTS, b"[]", MARKDOWN),
    "data null": craft(FACTS, b"null", MARKDOWN),
    "empty data": craft(FACTS, b"{}", MARKDOWN),
    "data not UTF-8": craft(FACTS, with_text(b"A page", b"\xff"), MARKDOWN),
    "a key twice": craft(FACTS, with_text(b'"word_count":3', b'"word_count":3,"word_count":9'), MARKDOWN),
    "a further key": craft(FACTS, with_text(b'"word_count":3', b'"word_count":3,"cached":true'), MARKDOWN),
    "not a number": craft(FACTS, with_text(b'"word_count":3', b'"word_count":NaN'), MARKDOWN),
    "a number beyond others' integers": craft(
        FACTS, with_text(b'"word_count":3', b'"word_count":1' + b"0" * 400), MARKDOWN
    ),
    "a number as text": craft(FACTS, data(word_count="3"), MARKDOWN),
    "half a surrogate pair": craft(FACTS, with_text(b"A page", rb"\ud800"), MARKDOWN),
    "deep": craft(FACTS, with_text(b'"sources":{}', b'"sources":' + b'{"a":' * 5000 + b"1" + b"}" * 5000), MARKDOWN),
    "many faults": craft(FACTS, with_text(b'"links":[', b'"links":[' + b"{}," * 100_000), MARKDOWN),
    "another host": craft(FACTS, data(final_url="https://bank.example/"), MARKDOWN),
    "another question": craft(FACTS, data(url="https://bank.example/"), MARKDOWN),
    "another host in long data": craft(FACTS, data(final_url="https://bank.example/", title="x" * LONG), MARKDOWN),
    "another status": craft(FACTS, data(status=418), MARKDOWN),
    "another instant": craft(FACTS, data(read_at="2099-01-01T00:00:00Z"), MARKDOWN),
    "claims a browser": craft(FACTS, data(fetched_with="browser"), MARKDOWN),
    "markdown not UTF-8": craft(FACTS, data(), b"# \xff\n"),
    "markdown half a character": craft(FACTS, data(), "# ж".encode()[:-1]),
    "markdown with NUL": craft(FACTS, data(), b"a\0b"),
    "no pieces": craft(FACTS),
    "a piece too few": craft(FACTS, data()),
    "a piece too many": craft(FACTS, data(), MARKDOWN, b"{}"),
    "pieces of a page that moved": craft({"form": "moved", "url": URL}, data(), MARKDOWN),
    "facts null": craft(None, data(), MARKDOWN),
    "facts a list": craft([1], data(), MARKDOWN),
    "facts of an unknown form": craft({"form": "cached"}),
    "facts without a field": craft({"form": "page", "is_shell": False}, data(), MARKDOWN),
    "facts of another type": craft({**FACTS, "is_shell": "no"}, data(), MARKDOWN),
    "facts that claim an owner": craft({**FACTS, "owner": "ac_1"}, data(), MARKDOWN),
    "a success that is refused": craft({"form": "refused"}),
    "moved to a file": craft({"form": "moved", "url": "file:///etc/passwd"}),
    "moved to nothing": craft({"form": "moved", "url": ""}),
    "moved to a list": craft({"form": "moved", "url": ["https://example.com/"]}),
    "moved with a line break": craft({"form": "moved", "url": "https://example.com/\r\nX: y"}),
    "moved beyond addresses": craft({"form": "moved", "url": "https://example.com/" + "a" * 200_000}),
    "a wall without end": craft({"form": "block_page", "kind": "login", "why": "x" * 100_000}),
    "a wall of two lines": craft({"form": "block_page", "kind": "login", "why": "x\r\nSet-Cookie: a=b"}),
    "foreign by a number": craft({"form": "foreign", "name": 5}),
    "a head that is not JSON": craft_head(b"{'ok': 1}"),
    "a head of a list": craft_head(b"[]"),
    "an empty head": craft_head(b"{}"),
    "a head with more": craft_head(b'{"ok":{"form":"refused"},"pieces":[],"creditsCharged":0}'),
    "a head with text for pieces": craft_head(b'{"ok":{"form":"refused"},"pieces":"ab"}', b"ab"),
    "a head with pieces below zero": craft_head(b'{"ok":{"form":"refused"},"pieces":[-1,3]}', b"ab"),
    "an error without a message": craft_head(b'{"error":"ConversionFailed"}'),
    "an error of wrong types": craft_head(b'{"error":["ConversionFailed"],"message":{"a":1},"reason":[]}'),
    "an error with pieces": craft_head(b'{"error":"EmptyResult","message":"x","reason":null,"pieces":[2]}', b"ab"),
    "an answer and an error": craft_head(b'{"ok":{"form":"refused"},"error":"EmptyResult"}'),
}


@pytest.mark.parametrize("name", PAGES)
async def test_crafted_page_reply_is_refused(desk: RequestRunner, name: str) -> None:
    error = await assert_refused(desk, desk.page, PAGES[name])
    assert (type(error), error.reason) == (ConversionFailed, "corrupt")


@pytest.mark.parametrize(
    "url",
    ["http://[::1", "https://127.0.0.1/", "https://user:pass@example.com/", "https://:99999/", "https://\U0001f600/"],
)
async def test_redirect_target_of_a_page_is_checked(desk: RequestRunner, url: str) -> None:
    stored, balance = await desk.count("conversions"), await desk.balance()
    with pytest.raises(ServiceError) as caught:
        await desk.page(craft({"form": "moved", "url": url}))
    assert caught.value.status < 500
    assert (await desk.count("conversions"), await desk.balance()) == (stored, balance)


async def test_honest_replies_are_stored_and_charged(desk: RequestRunner) -> None:
    for ask, body, expected in (
        (desk.page, craft(FACTS, data(), MARKDOWN), DATA),
        (desk.page, craft(FACTS, data(title="x" * LONG), MARKDOWN), {**DATA, "title": "x" * LONG}),
        (desk.page, PAGE, None),
        (desk.file, TABLE, None),
        (desk.reading, craft(READ, RESULT, b"# a\n"), {"key": "a"}),
        (desk.reading, b"{}", {"key": "a"}),
    ):
        balance = await desk.balance()
        answer = await ask(body)
        assert answer.charged == 1
        assert await desk.balance() == balance - 1
        assert expected in (None, orjson.loads(answer.body)["data"])


# files

ORIGIN = {"url": None, "final_url": None, "status": None, "content_type": None, "file_name": "a.csv"}
DOCUMENT: dict[str, Any] = {
    "object": "document",
    **ORIGIN,
    "file_size": 0,
    "sha256": "0" * 64,
    "type": "csv",
    "title": None,
    "title_source": None,
    "author": None,
    "language": None,
    "pages": None,
    "sheets": None,
    "word_count": 1,
    "ocr_used": False,
    "recognised": [],
    "warnings": [],
}
FILES = {
    "smuggled charge": craft({"unread": []}, SMUGGLED, MARKDOWN),
    "of another file": craft({"unread": []}, orjson.dumps(DOCUMENT), MARKDOWN),
    "facts of another type": craft({"unread": 0}, orjson.dumps(DOCUMENT), MARKDOWN),
    "no facts": craft({}, orjson.dumps(DOCUMENT), MARKDOWN),
    "further facts": craft({"unread": [], "owner": None}, orjson.dumps(DOCUMENT), MARKDOWN),
    "markdown alone": craft({"unread": []}, MARKDOWN),
    "not UTF-8": craft({"unread": []}, b"\xff", b"\xff"),
    "a page's data": craft({"unread": []}, data(), MARKDOWN),
    "a head that is not JSON": craft_head(b"\0"),
}


@pytest.mark.parametrize("name", FILES)
async def test_crafted_file_reply_is_refused(desk: RequestRunner, name: str) -> None:
    error = await assert_refused(desk, desk.file, FILES[name])
    assert (type(error), error.reason) == (ConversionFailed, "corrupt")


# responses of sources

READ: dict[str, Any] = {"losses": {}, "faults": [], "error": None}
RESULT = b'{"key":"a"}'


def raised(kind: str, **changes: Any) -> dict[str, Any]:
    return {
        "losses": {},
        "faults": [],
        "error": {
            "kind": f"webquarry.core.errors:{kind}",
            "message": "x",
            "reason": None,
            "retry_after_s": None,
            **changes,
        },
    }


READINGS = {
    "smuggled charge": craft(READ, SMUGGLED, MARKDOWN),
    "another model": craft(READ, data(), MARKDOWN),
    "a further key": craft(READ, b'{"key":"a","cached":true}', MARKDOWN),
    "spaces": craft(READ, b'{"key": "a"}', MARKDOWN),
    "markdown not UTF-8": craft(READ, RESULT, b"\xff"),
    "no markdown": craft(READ, RESULT),
    "losses by a list": craft({**READ, "losses": [["a", 1]]}, RESULT, MARKDOWN),
    "losses of a number below zero": craft({**READ, "losses": {"a": -1}}, RESULT, MARKDOWN),
    "losses without end": craft({**READ, "losses": {str(at): 1 for at in range(5000)}}, RESULT, MARKDOWN),
    "a loss of a long name": craft({**READ, "losses": {"a" * 100_000: 1}}, RESULT, MARKDOWN),
    "faults of two lines": craft({**READ, "faults": ["a\nb"]}, RESULT, MARKDOWN),
    "an error of the service": craft(raised("InternalError")),
    "an error of a limit": craft(raised("RateLimited")),
    "an error of a method": craft(raised("MethodNotAllowed")),
    "an error of a balance": craft(raised("InsufficientCredits")),
    "an error of a key": craft(raised("Unauthorized")),
    "an error that nobody knows": craft(raised("Made")),
    "a reason that nobody knows": craft(raised("ProviderError", reason="free")),
    "a reason of two lines": craft(raised("EmptyResult", reason="a\r\nX: y")),
    "a wait below zero": craft(raised("ProviderError", reason="down", retry_after_s=-1)),
    "a wait in words": craft(raised("ProviderError", reason="down", retry_after_s="soon")),
    "an error and a result": craft(raised("EmptyResult"), RESULT, MARKDOWN),
}


@pytest.mark.parametrize("name", READINGS)
async def test_crafted_source_reply_is_refused(desk: RequestRunner, name: str) -> None:
    error = await assert_refused(desk, desk.reading, READINGS[name])
    assert (type(error), error.reason) == (ProviderError, "changed")
    assert "damaged" in error.message
