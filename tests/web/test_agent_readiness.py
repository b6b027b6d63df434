"""The service passes its own check: its own probe finds the files that it serves for agents."""

from datetime import UTC, datetime
from pathlib import Path

import orjson

from support.client import Client
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.engine import INTERNAL
from webquarry.net.player import Player
from webquarry.net.tape import Exchange
from webquarry.net.transport import Request, Response

FILES = ("/llms.txt", "/agents.md", "/.well-known/ucp")


async def test_instance_passes_its_own_probe(client: Client, tmp_path: Path) -> None:
    """The running service's responses under a public name. It is not a shop, so it has no commerce profile."""
    async with assemble(Settings(data_dir=tmp_path), transport=Player(map(exchange, FILES, [client] * 3))) as service:
        call = service.pipeline.prepare(service.registry.by_name["agent_ready"], [("domain", "quarry.example.com")])
        answer = await service.pipeline.answer(INTERNAL, call, request_id="probe")
    data = orjson.loads(answer.body)["data"]
    assert [data[name]["present"] for name in ("llms_txt", "agents_md", "ucp")] == [True, True, False]
    assert (data["agent_ready"], data["llms_txt"]["title"]) == (True, "Webquarry")


def exchange(path: str, client: Client) -> Exchange:
    reply = client.ask(path, key=None)
    body = reply.body
    found = Response(reply.status, reply.headers, body, datetime(2026, 11, 1, tzinfo=UTC), len(body))
    return Exchange(Request("GET", f"https://quarry.example.com{path}"), found)
