"""A complete sandbox and a real browser, for journeys through the sign-in pages."""

import asyncio
import base64
import hashlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.async_api import Browser, Page, async_playwright

from support.people import PASSWORD
from webquarry.api.server import server as make_server
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.net.browser.installed import find_chromium
from webquarry.service import Service

VERIFIER = "v" * 64


@dataclass
class Running:
    """A whole sandbox, served from this process."""

    url: str
    service: Service


@asynccontextmanager
async def serve_sandbox(
    folder: Path, host: str = "127.0.0.1", settings: Settings | None = None
) -> AsyncIterator[Running]:
    """Serve a sandbox on a free port. host: the host name in its URL. settings: others than the defaults."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        url = f"http://{host}:{port}"
        used = (settings or Settings(data_dir=folder)).model_copy(update={"base_url": url})
        async with assemble(used, sandbox=True, serving=True) as service:
            served = make_server(service.asgi(), host="127.0.0.1", port=port, drain=service.pipeline.close)
            serving = asyncio.create_task(served.serve(sockets=[listener]))
            yield Running(url, service)
            served.should_exit = True
            await serving


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with serve_sandbox(tmp_path) as running:
        yield running


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        path = find_chromium(Settings())
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        await browser.close()


async def sign_up(page: Page, url: str) -> None:
    await page.goto(f"{url}/signup")
    await page.get_by_label("Email address").fill("ada@example.com")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign up").press("Enter")
    await page.wait_for_url(lambda address: "/signup" not in address)


def question(url: str, client_id: object, redirect_uri: str) -> str:
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
    asked = {"response_type": "code", "client_id": client_id, "redirect_uri": redirect_uri, "state": "s"}
    asked |= {"code_challenge": challenge, "code_challenge_method": "S256", "resource": f"{url}/mcp"}
    return f"{url}/oauth/authorize?{urlencode(asked)}"
