"""Two-factor authentication in a real browser without scripts: set up by QR code, sign-in, and a later request.

Its pages fit phones and screens in both themes, and axe has no serious finding.
"""

import asyncio
import re
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Browser, Page

from support.axe import axe_script, find_faults
from support.people import PASSWORD
from webquarry.accounts import totp
from webquarry.storage.database import query

from .journeys import Running, browser, server, sign_up

__all__ = ["browser", "server"]
pytestmark = pytest.mark.long
READ_QR = "import cv2, sys; print(cv2.QRCodeDetector().detectAndDecode(cv2.imread(sys.argv[1]))[0])"


async def read_picture(page: Page, folder: Path) -> str:
    """Return the decoded QR code of a page."""
    path = folder / "qr.png"
    await page.locator("img.qr").screenshot(path=path)
    # in a separate process: the library's threads do not end with its work
    reader = await asyncio.create_subprocess_exec(sys.executable, "-c", READ_QR, path, stdout=asyncio.subprocess.PIPE)
    out, _ = await reader.communicate()
    return out.decode().strip()


def code_of(secret: str, *, steps: int = 0) -> str:
    return totp.make_code(secret, totp.step_of(datetime.now(UTC)) + steps)


async def sign_in(page: Page, url: str, wanted: str) -> None:
    await page.goto(f"{url}{wanted}")
    await page.get_by_label("Email address").fill("ada@example.com")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()


async def test_second_factor_is_set_up_by_qr_code_and_requested_without_scripts(
    server: Running, browser: Browser, tmp_path: Path
) -> None:
    context = await browser.new_context(java_script_enabled=False)
    page = await context.new_page()
    await sign_up(page, server.url)
    await page.goto(f"{server.url}/account/security")
    await page.get_by_role("button", name="Set up").click()
    address = urlsplit(await read_picture(page, tmp_path))
    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    assert address.path.endswith("ada%40example.com")
    secret = parse_qs(address.query)["secret"][0]
    await page.get_by_label("Code").fill(code_of(secret))
    await page.get_by_role("button", name="Turn on").click()
    codes = re.findall(r"(?:[a-z2-7]{4}-){3}[a-z2-7]{4}", await page.inner_text("main"))
    assert len(codes) == totp.RECOVERY_CODES
    await page.get_by_role("link", name="I have saved them").click()

    other = await (await browser.new_context(java_script_enabled=False)).new_page()
    await sign_in(other, server.url, "/account/keys")
    await other.get_by_label("Code").fill(code_of(secret, steps=1))  # the current one was used
    await other.get_by_role("button", name="Sign in", exact=True).click()
    assert other.url == f"{server.url}/account/keys"
    await age_sessions(server)
    await other.get_by_label("Name").fill("nightly index")
    await other.get_by_role("button", name="Create key").click()
    await other.get_by_label("Password").fill(PASSWORD)
    await other.get_by_label("Code").fill(codes[0])
    await other.get_by_role("button", name="Continue").click()
    assert "Your new key" in await other.inner_text("h1")
    assert "nightly index" in await other.inner_text("main")


async def age_sessions(server: Running) -> None:
    """Date all passwords and codes of sessions far back."""
    await server.service.database.write(
        partial(query, "UPDATE sessions SET password_at = 1, factor_at = factor_at - factor_at + 1", {})
    )
    account = await server.service.accounts.by_email("ada@example.com")
    assert account is not None
    server.service.people.sessions.forget(account.id)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
async def test_pages_are_accessible_and_not_cut_off(server: Running, browser: Browser, scheme: str, width: int) -> None:
    script = axe_script()
    context = await browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True
    )
    page = await context.new_page()
    faults: list[str] = []

    async def look(name: str) -> None:
        faults.extend(f"{name}: {fault}" for fault in await find_faults(page, script))
        if await page.evaluate("document.documentElement.scrollWidth") > width:
            faults.append(f"{name}: wider than the screen")

    await sign_up(page, server.url)
    account = await server.service.accounts.by_email("ada@example.com")
    assert account is not None
    await server.service.people.set_admin(account.id, True)
    await page.goto(f"{server.url}/account/security")
    await look("security, off")
    await page.get_by_role("button", name="Set up").click()
    await page.wait_for_selector("img.qr")
    await look("set up")
    factor = await server.service.people.factors.find(account.id)
    assert factor is not None
    await page.get_by_label("Code").fill(code_of(factor.secret))
    await page.get_by_role("button", name="Turn on").click()
    await page.get_by_role("link", name="I have saved them").wait_for()
    await look("recovery codes")
    for path in (
        *("/account/security", "/account/security/two-factor/off", "/account/security/events"),
        *("/admin", "/admin/audit?owners=true", f"/admin/accounts/{account.id}"),
    ):
        await page.goto(f"{server.url}{path}")
        await look(path)
    await age_sessions(server)
    await page.goto(f"{server.url}/account/security")
    await look("security, with codes")
    await page.get_by_role("button", name="Generate new recovery codes").click()
    await page.get_by_role("heading", name="Confirm it's you").wait_for()
    await look("the password again")
    await page.get_by_role("button", name="Continue").evaluate("button => button.form.noValidate = true")
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_text("This is not your password").wait_for()
    await look("a wrong password")
    await context.clear_cookies()
    await sign_in(page, server.url, "/account")
    await page.get_by_label("Code").wait_for()
    await look("the code")
    await page.get_by_role("link", name="Use a recovery code").click()
    await page.get_by_label("Recovery code").fill("wrong")
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await page.locator("#code-error").wait_for()
    await look("a wrong recovery code")
    assert faults == []
