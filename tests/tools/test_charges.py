"""What is said of a charge is what the ledger holds, whatever fails after the settle; and long results come whole."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from support.direct import Direct
from support.made import Board, MadeResult
from support.tools import ToolClient, ToolReply
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.mcp.sheets import PART_CHARACTERS
from webquarry.registry import Registry
from webquarry.service import Service
from webquarry.settings import Settings

LENGTHS = {"long": 2_000_000, "middling": 150_000, "short": 200}
WORDS = "A sentence number {} of a text that has many of them. "
CHARGE = re.compile(r"(\d+) credits? (?:was|were) charged\.|(Nothing) was charged\.")
CREDITS = 1000
PRICE = 3


def write_text(key: str) -> str:
    """The markdown of an answer: numbered sentences in paragraphs, as long as its key says."""
    length = LENGTHS[key.partition("-")[0]]
    sentences = [WORDS.format(n) for n in range(length // len(WORDS.format(10_000)) + 1)]
    return "\n\n".join("".join(sentences[at : at + 20]) for at in range(0, len(sentences), 20))


@dataclass
class Counter:
    """A service of one made endpoint whose answers are long, and one account."""

    service: Service
    board: Board
    client: ToolClient
    direct: Direct
    account_id: str

    async def balance(self) -> int:
        return await self.service.ledger.balance(self.account_id)


@pytest.fixture
async def counter(tmp_path: Path) -> AsyncIterator[Counter]:
    board = Board()

    def render(result: MadeResult) -> str:
        return write_text(result.key)

    registry = Registry((board.extractor("made", credits=PRICE, render=render),))
    settings = Settings(data_dir=tmp_path, rate_limit_per_minute=100_000, workers=1)
    async with assemble(settings, serving=True, registry=registry) as service:
        account, key = await service.accounts.create("payer@example.com", CREDITS)
        yield Counter(service, board, ToolClient(service.asgi(), key), Direct(service, key), account.id)


def read_body(reply: ToolReply) -> str:
    found = re.search(r"<(fetched-\w+)>\n(.*)\n</\1>", reply.text, re.DOTALL)
    assert found is not None
    return found[2].partition("\n\n(Headings of the whole:")[0]


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
    assert [reply.structured["creditsCharged"] for reply in replies] == [PRICE, *[0] * (parts - 1)]
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
