"""Pages of administrators: figures over all accounts, the order of the list, and administrator rights."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from support.clock import ManualClock
from support.direct import Direct
from support.made import Board
from support.people import PASSWORD, QuickHasher
from support.visits import Browser
from webquarry.accounts import Passwords
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.service import Service

ROOT, ADA = "root@example.com", "ada@example.com"


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def service(
    board: Board, clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Service]:
    monkeypatch.setattr("webquarry.app.Passwords", lambda: Passwords(QuickHasher()))
    settings = Settings(data_dir=tmp_path)
    async with assemble(settings, registry=board.registry(), clock=clock) as service:
        yield service


async def sign_up(service: Service, email: str, *, admin: bool = False) -> Browser:
    browser = Browser(service.asgi())
    await browser.submit("/signup", email=email, password=PASSWORD)
    if admin:
        await service.people.set_admin((await service.directory.find(email)).id, True)
    return browser


async def test_overview_sums_up_all_accounts(service: Service, board: Board) -> None:
    root, _ = await sign_up(service, ROOT, admin=True), await sign_up(service, ADA)
    board.fail("bad")
    for email in (ROOT, ADA):
        account = await service.directory.find(email)
        direct = Direct(service, (await service.accounts.create_key(account.id, "batch"))[1])
        for key in ("a", "b", "bad"):
            await direct.ask(f"/api/v1/made?key={key}")
        await direct.ask("/api/v1/part_traffic?key=a")
    assert "No requests yet" in (await root.get("/admin/overview")).words
    await service.figures.store()
    page = await root.get("/admin/overview")
    main = LexborHTMLParser(page.text).css_first("main")
    assert main is not None
    words = " ".join(main.text(separator=" ").split())
    for found in (
        "Accounts 2 0 disabled, 1 administrator",
        "Balances 16 credits left",
        "Credits 4 charged",
        "Requests 8 37.5 % cached, 25.0 % errors",
        "made 6 33.3 % 33.3 % 4 50.0 % 2",
        "part_traffic 2 50.0 % 0.0 % 1 0.0 % 2",
        "provider_error 2 25.0 %",
    ):
        assert found in words, (found, words)
    assert words.index("made 6") < words.index("part_traffic 2")
    assert re.search(r"4 credits spent from .* to 2026-01-01", page.text)


async def test_overview_is_for_administrators(service: Service) -> None:
    assert (await (await sign_up(service, ADA)).get("/admin/overview")).status == 404


async def test_list_is_sorted_by_the_column_that_was_clicked(service: Service, clock: ManualClock) -> None:
    root = await sign_up(service, ROOT, admin=True)
    for name, credits in (("cleo", 30), ("bob", 10), ("dora", 20)):
        clock.advance(1)
        await service.accounts.create(f"{name}@example.com", credits)

    async def names(path: str) -> list[str]:
        return re.findall(r'<a href="/admin/accounts/[^"]+">(\w+)@', (await root.get(path)).text)

    page = await root.get("/admin")
    assert 'aria-sort="ascending"' in page.text
    (link,) = re.findall(r'href="([^"]+)">Balance', page.text)
    assert (await names(link))[:2] == ["cleo", "dora"]
    (back,) = re.findall(r'href="([^"]+)">Balance', (await root.get(link)).text)
    assert (await names(back))[-2:] == ["dora", "cleo"]
    assert await names("/admin?sort=-email") == ["root", "dora", "cleo", "bob"]
    assert await names("/admin?sort=created_at") == ["root", "cleo", "bob", "dora"]
    assert await names("/admin?sort=password_hash") == await names("/admin")
    found = await root.get("/admin?q=o&sort=-balance")
    assert 'name="sort" value="-balance"' in found.text


async def test_pages_of_the_list_follow_its_order(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry.web.account.admin.PAGE", 2)
    root = await sign_up(service, ROOT, admin=True)
    for name, credits in (("cleo", 30), ("bob", 15), ("dora", 20)):
        await service.accounts.create(f"{name}@example.com", credits)
    page = await root.get("/admin?sort=-balance")
    (older,) = re.findall(r'rel="next" href="([^"]+)"', page.text)
    last = await root.get(older.replace("&amp;", "&"))
    assert ("bob@" in last.words, "root@" in last.words, "cleo@" in last.words) == (True, True, False)


async def test_last_administrator_cannot_lose_the_rights(service: Service) -> None:
    root, ada = await sign_up(service, ROOT, admin=True), await sign_up(service, ADA)
    accounts = {email: (await service.directory.find(email)).id for email in (ROOT, ADA)}
    page = f"/admin/accounts/{accounts[ADA]}"
    assert (await ada.get("/admin")).status == 404
    assert (await root.submit(page, f"{page}/admin")).status == 303
    assert (await ada.get("/admin")).status == 200
    own = f"/admin/accounts/{accounts[ROOT]}"
    ended = await root.submit(own, f"{own}/admin")
    assert (ended.status, ended.location) == (303, "/account")
    assert (await root.get("/admin")).status == 404
    last = await ada.submit(page, f"{page}/admin")
    assert (last.status, "This is the last administrator." in last.words) == (400, True)
    assert (await service.directory.find(ADA)).is_admin
    log = await ada.get("/admin/audit")
    for found in ("Administrator rights granted", "Administrator rights removed"):
        assert found in log.words
    token = (await root.get("/account/keys")).fields("/account/keys")["csrf"]
    assert (await root.post(f"{page}/admin", {"csrf": token, "admin": "off"})).status == 404
