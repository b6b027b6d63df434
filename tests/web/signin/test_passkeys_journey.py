"""In a real browser with a virtual authenticator: a passkey is added, signs in, replaces a code, and is removed.

A copy of it is refused. All pages have the site's content security policy; axe has no serious finding.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, CDPSession, Page

from support.axe import axe_script, find_faults
from support.people import PASSWORD
from webquarry.accounts import totp

from .journeys import Running, browser, serve_sandbox, sign_up

__all__ = ["browser"]
SECURITY = "/account/security"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    """A sandbox at a host name: numeric addresses have no passkeys."""
    async with serve_sandbox(tmp_path, "localhost") as running:
        yield running


async def plug_in(page: Page) -> tuple[CDPSession, str]:
    """Add to a page an authenticator that counts signatures and verifies the user without a prompt."""
    session = await page.context.new_cdp_session(page)
    await session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = await session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session, made["authenticatorId"]


async def list_credentials(session: CDPSession, device: str) -> list[dict[str, Any]]:
    found = await session.send("WebAuthn.getCredentials", {"authenticatorId": device})
    return list(found["credentials"])


async def add_passkey(page: Page, url: str, name: str) -> None:
    await page.goto(f"{url}{SECURITY}/passkeys")
    await page.get_by_label("Name").fill(name)
    await page.get_by_role("button", name="Add a passkey").click()
    await page.get_by_text("Your passkey was added").wait_for()


async def sign_out(page: Page, url: str) -> None:
    await page.goto(f"{url}/account")
    await page.get_by_role("button", name="Sign out").click()
    await page.wait_for_url(f"{url}/")


async def test_a_passkey_signs_in_until_it_is_removed(server: Running, browser: Browser) -> None:
    page = await (await browser.new_context()).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    session, device = await plug_in(page)
    await sign_up(page, server.url)
    await add_passkey(page, server.url, "Work laptop")
    kept = await list_credentials(session, device)
    assert [(each["rpId"], each["isResidentCredential"]) for each in kept] == [("localhost", True)]
    await page.goto(f"{server.url}{SECURITY}/passkeys")
    await page.get_by_role("button", name="Add a passkey").click()
    await page.get_by_text("has a passkey for your account already").wait_for()

    await sign_out(page, server.url)
    await page.goto(f"{server.url}/account/keys")
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await page.wait_for_url(f"{server.url}/account/keys")
    await page.get_by_label("Name").fill("nightly index")
    await page.get_by_role("button", name="Create key").click()
    await page.get_by_role("heading", name="Confirm it's you").wait_for()  # a passkey is no password
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_role("heading", name="Your new key").wait_for()

    page.on("dialog", lambda dialog: asyncio.ensure_future(dialog.accept()))
    await page.goto(f"{server.url}{SECURITY}")
    assert "Work laptop" in await page.inner_text("main")
    await page.get_by_role("button", name="Remove Work laptop").click()
    await page.get_by_text("The passkey was removed").wait_for()
    await sign_out(page, server.url)
    await page.goto(f"{server.url}/login")
    assert [fault for fault in faults if "403" not in fault] == []  # 403: the page that asked for the password
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await page.get_by_text("unknown or was removed").wait_for()


async def test_a_passkey_replaces_a_code_and_a_copy_is_refused(server: Running, browser: Browser) -> None:
    page = await (await browser.new_context()).new_page()
    session, device = await plug_in(page)
    await sign_up(page, server.url)
    account = await server.service.accounts.by_email("ada@example.com")
    assert account is not None
    await page.goto(f"{server.url}{SECURITY}")
    await page.get_by_role("button", name="Set up").click()
    await page.wait_for_selector("img.qr")
    factor = await server.service.people.factors.find(account.id)
    assert factor is not None
    await page.get_by_label("Code").fill(totp.make_code(factor.secret, totp.step_of(datetime.now(UTC))))
    await page.get_by_role("button", name="Turn on").click()
    await page.get_by_role("link", name="I have saved them").click()
    await add_passkey(page, server.url, "Phone")
    (copy,) = await list_credentials(session, device)

    async def enter_password() -> None:
        await sign_out(page, server.url)
        await page.goto(f"{server.url}/login")
        await page.get_by_label("Email address").fill("ada@example.com")
        await page.get_by_label("Password").fill(PASSWORD)
        await page.get_by_role("button", name="Sign in", exact=True).click()
        await page.get_by_role("button", name="Use a passkey").click()

    await enter_password()
    await page.wait_for_url(f"{server.url}/account")
    await enter_password()
    await page.wait_for_url(f"{server.url}/account")
    await session.send("WebAuthn.clearCredentials", {"authenticatorId": device})
    await session.send("WebAuthn.addCredential", {"authenticatorId": device, "credential": copy})
    await enter_password()
    await page.get_by_text("may have been copied").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
async def test_pages_are_accessible_and_not_cut_off(server: Running, browser: Browser, scheme: str, width: int) -> None:
    context = await browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True
    )
    page = await context.new_page()
    await plug_in(page)
    await sign_up(page, server.url)
    await add_passkey(page, server.url, "A name as long as names may be, as some people like " + "it" * 4)
    faults = []
    for path in (f"{SECURITY}/passkeys", SECURITY, "/login"):
        if path == "/login":
            await context.clear_cookies()
        await page.goto(f"{server.url}{path}")
        faults += [f"{path}: {fault}" for fault in await find_faults(page, axe_script())]
        if await page.evaluate("document.documentElement.scrollWidth") > width:
            faults.append(f"{path}: wider than the screen")
    assert faults == []


async def test_without_script_nothing_is_offered_and_the_password_signs_in(server: Running, browser: Browser) -> None:
    page = await (await browser.new_context(java_script_enabled=False)).new_page()
    await sign_up(page, server.url)
    await page.goto(f"{server.url}{SECURITY}/passkeys")
    assert "Passkeys need JavaScript" in await page.inner_text("main")
    assert not await page.get_by_role("button", name="Add a passkey").is_visible()
