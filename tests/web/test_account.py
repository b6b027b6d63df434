"""Pages of accounts and administrators, in this process: content, refusals, and separation of accounts."""

import csv
import io
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.apps import REDIRECT, RESOURCE, make_request
from support.clock import ManualClock
from support.direct import Direct
from support.made import Board
from support.people import PASSWORD, QuickHasher
from support.routes import list_pages
from support.visits import Browser, Page
from webquarry.accounts import Passwords
from webquarry.app import assemble
from webquarry.core.errors import Unauthorized
from webquarry.core.settings import Settings
from webquarry.service import Service

EMAIL = "ada@example.com"
KEY = re.compile(r"\bwq_live_\w{32}\b")


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
    async with assemble(Settings(data_dir=tmp_path), registry=board.registry(), clock=clock) as service:
        yield service


async def sign_up(service: Service, email: str = EMAIL) -> Browser:
    browser = Browser(service.asgi())
    entered = await browser.submit("/signup", email=email, password=PASSWORD)
    assert (entered.status, entered.location) == (303, "/account")
    return browser


async def make_key(browser: Browser, name: str = "batch", **fields: str) -> str:
    """Create a key. Return its text."""
    return shown_key(await follow(browser, await browser.submit("/account/keys", name=name, **fields)))


async def follow(browser: Browser, page: Page) -> Page:
    assert page.status == 303, page.words
    return await browser.get(page.location)


def shown_key(page: Page) -> str:
    found = KEY.search(page.text)
    assert found is not None
    return found[0]


async def account_of(service: Service, email: str = EMAIL) -> str:
    return (await service.directory.find(email)).id


async def test_guests_are_redirected_to_sign_in_and_back(service: Service) -> None:
    browser = Browser(service.asgi())
    paths = list_pages(service, "/account", "/admin")
    assert {"/account", "/account/keys", "/account/receipts/r", "/admin", "/admin/accounts/r"} <= {*paths}
    for path in paths:
        page = await browser.get(path)
        assert (page.status, page.location.partition("?")[0]) == (303, "/login"), path
        assert "next=%2F" in page.location


async def test_new_account_is_guided_to_its_first_key_and_request(service: Service) -> None:
    browser = await sign_up(service)
    page = await browser.get("/account")
    for found in ("10", "Create a key", "Send a request", "No paid requests"):
        assert found in page.words
    direct = Direct(service, await make_key(browser))
    assert "Done: you have 1 key." in (await browser.get("/account")).words
    assert (await direct.ask("/api/v1/made?key=a")).status == 200
    page = await browser.get("/account")
    assert "First steps" not in page.words
    assert "1 credit for 1 paid request." in page.words


async def test_key_is_shown_once_and_named_and_capped(service: Service, clock: ManualClock) -> None:
    browser = await sign_up(service)
    key = await make_key(browser, cap="2", expires="2026-01-05")
    page = await browser.get("/account/keys")
    assert key not in page.text
    for found in ("batch", key[:12], "0 of 2", "last day 2026-01-05", "never"):
        assert found in page.words
    direct = Direct(service, key)
    assert [(await direct.ask(f"/api/v1/made?key={n}")).status for n in range(3)] == [200, 200, 402]
    assert "cap reached" in (await browser.get("/account/keys")).words

    (made,) = await service.accounts.list_keys(await account_of(service))
    changed = await browser.submit("/account/keys", f"/account/keys/{made.id}/cap", cap="3")
    assert (changed.status, changed.location) == (303, f"/account/keys#{made.id}")
    assert (await direct.ask("/api/v1/made?key=3")).status == 200
    clock.advance(5 * 86_400)
    expired = await direct.ask("/api/v1/made?key=3")
    assert (expired.status, expired.code) == (401, "unauthorized")
    ended = (await browser.get("/account/keys")).words
    assert "Revoked and expired keys (1)" in ended
    assert "expired, last day 2026-01-05" in ended


async def test_new_key_shows_the_last_day_that_was_chosen(service: Service) -> None:
    browser = await sign_up(service)
    page = await follow(browser, await browser.submit("/account/keys", name="batch", expires="2026-01-05"))
    assert "2026-01-05 (UTC)" in page.words
    assert "2026-01-06" not in page.words


async def test_reloading_the_page_of_a_new_key_neither_makes_nor_shows_one(service: Service) -> None:
    ada, eve = await sign_up(service), await sign_up(service, "eve@example.com")
    made = await ada.submit("/account/keys", name="batch")
    eve.cookies["wq_once"] = ada.cookies["wq_once"]
    assert (await eve.get(made.location)).location == "/account/keys"
    shown = await ada.get(made.location)
    assert shown.headers["cache-control"] == "private, no-store"
    assert shown_key(shown) not in str(ada.cookies)
    again = await ada.get(made.location)
    assert (again.status, again.location) == (303, "/account/keys")
    assert len(await service.accounts.list_keys(await account_of(service))) == 1


@pytest.mark.parametrize(
    ("fields", "given"),
    [
        ({"name": " "}, "Must be 1 to 100 printable characters."),
        ({"name": "a", "cap": "-1"}, "Must be a whole number from 0"),
        ({"name": "a", "cap": "1" * 500}, "Must be a whole number from 0"),
        ({"name": "a", "cap": "٣"}, "Must be a whole number from 0"),
        ({"name": "a", "expires": "tomorrow"}, "Must be a date such as 2027-12-31"),
        ({"name": "a", "expires": "9999-12-31"}, "Must be a date before 9999-01-01"),
        ({"name": "a", "expires": "2025-12-31"}, "Must be in the future"),
    ],
)
async def test_form_of_a_key_explains_next_to_the_field_what_to_do(
    service: Service, fields: dict[str, str], given: str
) -> None:
    browser = await sign_up(service)
    page = await browser.submit("/account/keys", **fields)
    assert page.status == 400
    assert given in page.words
    assert 'aria-invalid="true"' in page.text
    assert await service.accounts.list_keys(await account_of(service)) == []


async def test_last_day_of_a_key_may_be_today(service: Service) -> None:
    browser = await sign_up(service)
    assert 'min="2026-01-01"' in (await browser.get("/account/keys")).text
    direct = Direct(service, await make_key(browser, expires="2026-01-01"))
    assert (await direct.ask("/api/v1/made?key=a")).status == 200


async def test_changes_of_keys_and_apps_work_without_scripts(service: Service) -> None:
    browser, eve = await sign_up(service), await sign_up(service, "eve@example.com")
    await make_key(browser, cap="7")
    (made,) = await service.accounts.list_keys(await account_of(service))
    page = await browser.get("/account/keys")
    for change in ("cap", "revoke"):
        path = f"/account/keys/{made.id}/{change}"
        assert f'href="{path}"' in page.text
        alone = await browser.get(path)
        assert (alone.status, "batch" in alone.words) == (200, True)
        assert (await eve.get(path)).status == 404
    changed = await browser.submit(f"/account/keys/{made.id}/cap", cap="")
    assert (changed.status, changed.location) == (303, f"/account/keys#{made.id}")
    (made,) = await service.accounts.list_keys(await account_of(service))
    assert made.monthly_cap is None
    assert (await browser.submit(f"/account/keys/{made.id}/revoke")).status == 303
    assert (await browser.get(f"/account/keys/{made.id}/revoke")).status == 404
    assert (await browser.get("/account/apps/gr_none/revoke")).status == 404


async def test_wrong_cap_of_a_key_is_reported_next_to_that_key(service: Service) -> None:
    browser = await sign_up(service)
    await make_key(browser)
    (made,) = await service.accounts.list_keys(await account_of(service))
    page = await browser.submit("/account/keys", f"/account/keys/{made.id}/cap", cap="many")
    assert page.status == 400
    assert f'id="cap-{made.id}-error"' in page.text
    assert 'value="many"' in page.text


async def test_revoked_key_is_refused_and_listed_as_ended(service: Service) -> None:
    browser = await sign_up(service)
    direct = Direct(service, await make_key(browser))
    assert (await direct.ask("/api/v1/account")).status == 200
    (made,) = await service.accounts.list_keys(await account_of(service))
    revoked = await browser.submit("/account/keys", f"/account/keys/{made.id}/revoke")
    assert (revoked.status, revoked.location) == (303, "/account/keys")
    assert (await direct.ask("/api/v1/account")).status == 401
    page = await browser.get("/account/keys")
    assert "No active keys" in page.words
    assert "Revoked and expired keys (1)" in page.words


async def test_key_of_another_account_is_not_changed(service: Service) -> None:
    ada, eve = await sign_up(service), await sign_up(service, "eve@example.com")
    await make_key(ada)
    await make_key(eve)
    (made,) = await service.accounts.list_keys(await account_of(service))
    token = (await eve.get("/account/keys")).fields("/account/keys")["csrf"]
    for action in ("revoke", "cap"):
        page = await eve.post(f"/account/keys/{made.id}/{action}", {"csrf": token, "cap": "1"})
        assert page.status == 404
    assert await service.accounts.list_keys(await account_of(service)) == [made]


async def test_usage_shows_chart_tables_and_the_ledger(service: Service, board: Board, clock: ManualClock) -> None:
    browser = await sign_up(service)
    direct = Direct(service, await make_key(browser))
    board.fail("bad")
    await direct.ask("/api/v1/made?key=a", x_request_id="first")
    clock.advance(86_400)
    await direct.ask("/api/v1/made?key=bad", x_request_id="second")
    page = await browser.get("/account/usage")
    for answer in (
        "1 credit spent from 2025-12-04 to 2026-01-02. The busiest day was 2026-01-01 (1).",
        "made",
        "failed, refunded",
        "batch",
    ):
        assert answer in page.words, answer
    assert 'Paid requests</h2><p class="figure">1</p>' in page.text
    assert "1 credit for 1 paid request; 1 failed and was refunded." in (await browser.get("/account")).words
    assert 'role="img"' in page.text
    assert page.text.count("<rect") == 2  # a bar, and its color in the legend
    assert 'href="/account/receipts/second"' in page.text
    receipt = await browser.get("/account/receipts/second")
    for answer in ("provider_error", "down", "The upstream is down.", "1 credit", "Providers that were tried"):
        assert answer in receipt.words, answer
    found = await browser.get("/account/receipts?request_id=second")
    assert (found.status, found.location) == (303, "/account/receipts/second")


async def test_page_of_a_missing_receipt_links_on(service: Service) -> None:
    browser = await sign_up(service)
    page = await browser.get("/account/receipts/none")
    assert page.status == 404
    assert "No receipt for this request ID" in page.words
    assert (await browser.get("/account/receipts?request_id=")).location == "/account/usage"
    outward = await browser.get("/account/receipts?request_id=//evil.example/")
    assert outward.location == "/account/receipts/%2F%2Fevil.example%2F"


async def test_ledger_is_filtered_and_paged(service: Service, board: Board) -> None:
    browser = await sign_up(service)
    await service.ledger.grant(await account_of(service), 100, "given")
    board.fail("bad")
    direct = Direct(service, await make_key(browser))
    for n in range(54):
        await direct.ask(f"/api/v1/made?key={'bad' if n == 20 else n}", x_request_id=f"r{n}")
    page = await browser.get("/account/usage")
    older = page.text.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    assert "r53" in page.words
    assert "new account" not in page.words
    last = await browser.get(older)
    assert "new account" in last.words
    assert "r53" not in last.words
    filtered = await browser.get("/account/usage?status=refunded")
    assert "r20" in filtered.words
    assert "r21" not in filtered.words
    assert "No entries match this filter" in (await browser.get("/account/usage?status=open")).words
    wrong = await browser.get("/account/usage?since=never")
    assert wrong.status == 400
    assert "Parameter 'since' must be a date" in wrong.words
    assert "r53" in wrong.words


async def test_filter_shows_whom_it_asks_for(service: Service) -> None:
    browser = await sign_up(service)
    await make_key(browser, "batch")
    (key,) = await service.accounts.list_keys(await account_of(service))
    page = await browser.get("/account/usage")
    (session,) = re.findall(r'<option value="(session:[^"]+)">this session<', page.text)
    for asked, name in (
        (key.id, "batch ("),
        (session, "this session<"),
        ("session:ended", "an app or another session<"),
    ):
        page = await browser.get(f"/account/usage?key_id={asked}")
        assert f'<option value="{asked}" selected>{name}' in page.text
    wrong = await browser.get("/account/usage?key_id=key_nobody")
    assert (wrong.status, "another session" in wrong.words) == (400, False)


async def test_csv_holds_every_entry_and_no_formula(service: Service, board: Board) -> None:
    browser = await sign_up(service)
    account = await account_of(service)
    await service.ledger.grant(account, 5, '=HYPERLINK("https://evil.example")')
    direct = Direct(service, await make_key(browser, "@SUM(1+1)*cmd|' /C calc'!A0"))
    assert (await direct.ask("/api/v1/made?key=a", x_request_id="-1-1")).status == 200
    export = await browser.get("/account/usage.csv?status=charged")
    assert export.headers["content-type"] == "text/csv; charset=utf-8"
    assert export.headers["content-disposition"].startswith("attachment")
    (row,) = csv.DictReader(io.StringIO(export.text))
    assert (row["credits"], row["request_id"], row["called_by"][:5]) == ("-1", "'-1-1", "'@SUM")
    everything = list(csv.DictReader(io.StringIO((await browser.get("/account/usage.csv")).text)))
    assert sum(int(row["credits"]) for row in everything) == await service.ledger.balance(account)
    assert {row["note"][:2] for row in everything} == {"'=", "ne", ""}
    assert (await browser.get("/account/usage.csv?since=never")).status == 400


async def test_name_of_a_key_is_text_on_every_page(service: Service) -> None:
    browser = await sign_up(service)
    name = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    direct = Direct(service, await make_key(browser, name))
    await direct.ask("/api/v1/made?key=a")
    for path in ("/account", "/account/keys", "/account/usage"):
        shown = await browser.get(path)
        assert "<script>alert" not in shown.text
        assert "<img" not in shown.text
        assert shown.headers["content-security-policy"].startswith("default-src 'none'")


async def test_connected_app_is_listed_with_its_spending_and_can_be_disconnected(service: Service) -> None:
    browser = await sign_up(service)
    assert "No connected apps" in (await browser.get("/account/apps")).words
    account = await account_of(service)
    client, _ = await service.clients.register({"client_name": "The <App>", "redirect_uris": [REDIRECT]})
    code = await service.grants.approve(account, make_request(client))
    issued = await service.grants.exchange(client, code, "a" * 43, REDIRECT)
    caller = await service.tokens.identify_token(issued.access_token, RESOURCE)
    call = service.pipeline.prepare(service.registry.by_name["made"], [("key", "a")])
    await service.pipeline.answer(caller, call, request_id="by-app")
    page = await browser.get("/account/apps")
    assert "The <App>" in page.words
    assert "1 credit" in page.words
    assert "The <App>" in (await browser.get("/account/usage")).words
    eve = await sign_up(service, "eve@example.com")
    token = (await eve.get("/account/keys")).fields("/account/keys")["csrf"]
    target = f"/account/apps/{caller.key_id.removeprefix('grant:')}/revoke"
    assert (await eve.post(target, {"csrf": token})).status == 404
    ended = await browser.submit("/account/apps", target)
    assert (ended.status, ended.location) == (303, "/account/apps")
    with pytest.raises(Unauthorized):
        await service.tokens.identify_token(issued.access_token, RESOURCE)
    assert "No connected apps" in (await browser.get("/account/apps")).words


# administrators


async def make_admin(service: Service) -> Browser:
    admin = await sign_up(service, "root@example.com")
    await service.people.set_admin(await account_of(service, "root@example.com"), True)
    return admin


async def test_pages_of_administrators_are_404_for_others(service: Service) -> None:
    browser = await sign_up(service)
    own = await account_of(service)
    for path in ("/admin", f"/admin/accounts/{own}"):
        assert (await browser.get(path)).status == 404
    token = (await browser.get("/account/keys")).fields("/account/keys")["csrf"]
    for action in ("grant", "state", "password", "delete"):
        page = await browser.post(f"/admin/accounts/{own}/{action}", {"csrf": token, "credits": "5", "confirm": EMAIL})
        assert page.status == 404
    assert (await service.directory.find(own)).balance == 10


async def test_administrator_creates_an_account_with_a_working_key(service: Service) -> None:
    admin = await make_admin(service)
    made = await admin.submit("/admin", "/admin/accounts", email="new@example.com", credits="25")
    key = shown_key(await follow(admin, made))
    assert (await admin.get(made.location)).location == "/admin"
    assert (await Direct(service, key).ask("/api/v1/account")).json["credits"] == 25
    listed = await admin.get("/admin?q=NEW@")
    assert "new@example.com" in listed.words
    assert "root@example.com" not in listed.words
    assert "No account has this email address" in (await admin.get("/admin?q=%25")).words
    for fields, found in (
        ({"email": "new@example.com", "credits": "1"}, "An account with the address new@example.com already exists"),
        ({"email": "other@example.com", "credits": "some"}, "Must be a whole number from 0"),
        ({"email": "other@example.com", "credits": "0" * 5000}, "Must be a whole number from 0"),
    ):
        refused = await admin.submit("/admin", "/admin/accounts", **fields)
        assert refused.status == 400
        assert found in refused.words


async def test_disabled_account_is_refused_by_key_and_session_until_it_is_enabled(
    service: Service, clock: ManualClock
) -> None:
    admin, ada = await make_admin(service), await sign_up(service)
    direct = Direct(service, await make_key(ada))
    page, action = f"/admin/accounts/{await account_of(service)}", "state"
    assert (await direct.ask("/api/v1/account")).status == 200
    disabled = await admin.submit(page, f"{page}/{action}")
    assert (disabled.status, disabled.location) == (303, page)
    assert (await direct.ask("/api/v1/account")).status == 401
    assert (await ada.get("/account")).location.startswith("/login")
    assert "disabled" in (await admin.get(page)).words
    await admin.submit(page, f"{page}/{action}")
    clock.advance(1)  # an unknown key is cached as unknown for this time
    assert (await direct.ask("/api/v1/account")).status == 200


async def test_administrator_cannot_disable_or_delete_their_own_account(service: Service) -> None:
    admin = await make_admin(service)
    page = f"/admin/accounts/{await account_of(service, 'root@example.com')}"
    for action, fields in (("state", {}), ("delete", {"confirm": "root@example.com"})):
        refused = await admin.submit(page, f"{page}/{action}", **fields)
        assert refused.status == 400
        assert "your own account" in refused.words
    assert (await admin.get("/admin")).status == 200


async def test_grant_is_given_once_however_often_its_form_is_sent(service: Service) -> None:
    admin, _ = await make_admin(service), await sign_up(service)
    page = f"/admin/accounts/{await account_of(service)}"
    fields = {**(await admin.get(page)).fields(f"{page}/grant"), "credits": "1,000", "note": "for the trial"}
    for _ in range(2):
        assert (await admin.post(f"{page}/grant", fields)).location == page
    assert (await service.directory.find(EMAIL)).balance == 1010
    assert "for the trial" in (await admin.get(page)).words
    for wrong in ({"credits": "0"}, {"credits": "5", "note": "x" * 201}):
        assert (await admin.submit(page, f"{page}/grant", **wrong)).status == 400
    assert await service.ledger.verify() == []


async def test_password_set_by_the_administrator_signs_in(service: Service) -> None:
    admin = await make_admin(service)
    await admin.submit("/admin", "/admin/accounts", email=EMAIL, credits="1")
    page = f"/admin/accounts/{await account_of(service)}"
    short = await admin.submit(page, f"{page}/password", password="short")
    assert short.status == 400
    assert "Must be at least" in short.words
    await admin.submit(page, f"{page}/password", password=PASSWORD)
    entered = await Browser(service.asgi()).submit("/login", email=EMAIL, password=PASSWORD)
    assert (entered.status, entered.location) == (303, "/account")


async def test_deleted_account_leaves_only_its_rows_in_the_ledger(service: Service, board: Board) -> None:
    admin, ada = await make_admin(service), await sign_up(service)
    direct = Direct(service, await make_key(ada))
    board.fail("bad")
    await direct.ask("/api/v1/made?key=a")
    await direct.ask("/api/v1/made?key=bad", x_request_id="failed")
    account = await account_of(service)
    page = f"/admin/accounts/{account}"
    wrong = await admin.submit(page, f"{page}/delete", confirm="eve@example.com")
    assert wrong.status == 400
    assert f"Enter {EMAIL} to delete this account" in wrong.words
    assert (await admin.submit(page, f"{page}/delete", confirm=EMAIL)).location == "/admin"
    assert (await direct.ask("/api/v1/account")).status == 401
    assert (await ada.get("/account")).location.startswith("/login")
    assert (await admin.get(page)).status == 404
    assert EMAIL not in (await admin.get("/admin")).words
    assert await service.ledger.receipts(account, "failed") == []
    assert [key.name for key in await service.accounts.list_keys(account)] == ["deleted"]
    assert await service.ledger.balance(account) == 9
    assert await service.ledger.verify() == []
    again = await sign_up(service)  # the address may be used again, by a new account
    assert "10" in (await again.get("/account")).words
    assert await account_of(service) != account


@pytest.mark.parametrize(
    "path", ["/admin?q=%00", "/account/receipts/a\0", "/admin/accounts/\0", "/account/usage?key_id=%00"]
)
async def test_address_with_an_invalid_character_is_refused(service: Service, path: str) -> None:
    page = await (await make_admin(service)).get(path)
    assert page.status == 400
    assert "U+0000" in page.words or "control characters" in page.words
