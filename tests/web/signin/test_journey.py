"""In a real browser: a person signs up, connects an app, and disconnects it; attacks by hostile pages fail."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

import pytest
from playwright.async_api import Browser

from support.people import PASSWORD

from .journeys import VERIFIER, Running, browser, question, server, sign_up

__all__ = ["browser", "server"]


@dataclass
class Loopback:
    """An app on this device that receives its response at a local port."""

    port: int = 0
    answers: list[dict[str, str]] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
        parts = urlsplit(path)
        if parts.path == "/callback":
            self.answers.append({name: values[0] for name, values in parse_qs(parts.query).items()})
        body = self.pages.get(parts.path, "<title>done</title>").encode()
        head = f"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        writer.close()


@pytest.fixture
async def app() -> AsyncIterator[Loopback]:
    app = Loopback()
    server = await asyncio.start_server(app.handle, "127.0.0.1", 0)
    app.port = server.sockets[0].getsockname()[1]
    yield app
    server.close()


async def post(url: str, fields: Mapping[str, object], *, as_json: bool = False, token: str = "") -> dict[str, object]:
    """Return the JSON response to an app; {"status": …} for an error."""
    body = json.dumps(fields).encode() if as_json else urlencode(fields).encode()
    headers = {"content-type": "application/json"} if as_json else {}
    if token:
        headers |= {"authorization": f"Bearer {token}", "accept": "application/json, text/event-stream"}

    def send() -> dict[str, object]:
        try:
            with urlopen(Request(url, body, headers), timeout=20) as answer:
                return dict(json.loads(answer.read() or b"{}"))
        except HTTPError as error:
            return {"status": error.code}

    return await asyncio.to_thread(send)


@pytest.mark.long
async def test_an_app_is_connected_calls_and_is_disconnected(server: Running, browser: Browser, app: Loopback) -> None:
    page = await (await browser.new_context()).new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    metadata = {"client_name": "The App", "redirect_uris": ["http://127.0.0.1/callback"]}
    client_id = (await post(f"{server.url}/oauth/register", metadata, as_json=True))["client_id"]
    redirect_uri = f"http://127.0.0.1:{app.port}/callback"
    await page.goto(question(server.url, client_id, redirect_uri))
    await page.get_by_role("link", name="Sign up", exact=True).click()
    await page.get_by_label("Email address").fill("ada@example.com")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign up").click()
    await page.get_by_role("heading", name="Connect The App?").wait_for()
    await page.get_by_role("button", name="Connect", exact=True).click()
    await page.wait_for_url(f"{redirect_uri}*")
    assert faults == []
    (answer,) = app.answers
    assert (answer["state"], answer["iss"]) == ("s", server.url)
    fields = {"grant_type": "authorization_code", "code": answer["code"], "code_verifier": VERIFIER}
    tokens = await post(f"{server.url}/oauth/token", {**fields, "client_id": client_id, "redirect_uri": redirect_uri})
    token = str(tokens["access_token"])
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    assert "result" in await post(f"{server.url}/mcp", call, as_json=True, token=token)
    account = await server.service.accounts.by_email("ada@example.com")
    assert account is not None
    (grant,) = await server.service.grants.list_grants(account.id)
    await server.service.grants.revoke_grant(account.id, grant.id)
    assert await post(f"{server.url}/mcp", call, as_json=True, token=token) == {"status": 401}


@pytest.mark.long
async def test_a_hostile_page_cannot_frame_or_send_forms(server: Running, browser: Browser, app: Loopback) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    await sign_up(page, server.url)
    (session,) = [cookie for cookie in await context.cookies(server.url) if cookie["name"] == "wq_session"]
    # another site than the server's for browsers
    evil = f"http://localhost:{app.port}"
    app.pages["/frame"] = f'<title>done</title><iframe src="{server.url}/account/security"></iframe>'
    app.pages["/send"] = (
        f'<title>done</title><form method="post" action="{server.url}/account/security/sign-out"></form>'
        "<script>document.forms[0].submit()</script>"
    )
    await page.goto(f"{evil}/frame")
    framed = page.frames[1]
    assert await framed.locator("form").count() == 0
    await page.goto(f"{evil}/send", wait_until="commit")
    await page.wait_for_url(f"{server.url}/**")
    await page.goto(f"{server.url}/account/security")
    assert await page.get_by_role("heading", name="Security", exact=True).count() == 1
    assert session["httpOnly"]
    assert await page.evaluate("document.cookie") == ""
