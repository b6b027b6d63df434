"""Pages of the audit log: administrators see every action, owners see the events of their accounts."""

import re

from support.people import PASSWORD
from support.visits import Browser
from webquarry.logs.audit import Filter
from webquarry.service import Service

from .test_account import EMAIL, account_of, board, clock, make_admin, make_key, service, sign_up

__all__ = ["board", "clock", "service"]
AUDIT = "/admin/audit"


async def list_actions(service: Service) -> list[tuple[str, str]]:
    """Return role and action of all events except the owners', oldest first."""
    entries = await service.audit.list_all(Filter())
    return [(entry.event.actor.role, entry.event.action) for entry in reversed(entries)]


async def test_every_form_of_administrators_is_recorded_with_the_administrator(service: Service) -> None:
    admin = await make_admin(service)
    before = len(await list_actions(service))
    await admin.submit("/admin", "/admin/accounts", email=EMAIL, credits="1")
    page = f"/admin/accounts/{await account_of(service)}"
    sent = {
        "grant": {"credits": "5", "note": "trial"},
        "password": {"password": PASSWORD},
        "admin": {"admin": "on"},
        "state": {},
        "delete": {"confirm": EMAIL},
    }
    routes = set(re.findall(r'action="(/admin/accounts[^"]*)"', (await admin.get(page)).text))
    assert routes >= {f"{page}/{name}" for name in sent}
    for name, fields in sent.items():
        assert (await admin.submit(page, f"{page}/{name}", **fields)).status == 303
    root = await account_of(service, "root@example.com")
    events = (await list_actions(service))[before:]
    assert events == [
        ("admin", "account.created"),
        ("admin", "credits.granted"),
        ("admin", "password.set"),
        ("admin", "account.made_admin"),
        ("admin", "account.disabled"),
        ("admin", "account.deleted"),
    ]
    entries = await service.audit.list_all(Filter(actor_id=root))
    assert len(entries) == len(events)
    assert len(routes) == len(events) - 1, "a form of an account's page is not tried here"


async def test_the_log_is_filtered_and_paged(service: Service) -> None:
    admin, ada = await make_admin(service), await sign_up(service)
    await make_key(ada, "<b>batch</b>")
    page = f"/admin/accounts/{await account_of(service)}"
    for number in range(51):
        await admin.submit(page, f"{page}/grant", credits="1", note=f"grant {number}.")
    shown = await admin.get(AUDIT)
    assert "grant 50." in shown.words
    assert "grant 0." not in shown.words
    older = shown.text.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    assert "grant 0." in (await admin.get(older)).words
    assert "batch" not in (await admin.get(f"{AUDIT}?account={EMAIL}&action=key.created")).words
    keys = await admin.get(f"{AUDIT}?account={EMAIL}&action=key.created&owners=true")
    assert "<b>batch</b>" in keys.words
    assert "<b>batch" not in keys.text
    assert "command line" in (await admin.get(f"{AUDIT}?account=root%40example.com")).words
    assert "No events match this filter" in (await admin.get(f"{AUDIT}?actor={EMAIL}")).words
    for wrong in ("account=nobody%40example.com", "action=nonsense", "actor=nobody"):
        assert (await admin.get(f"{AUDIT}?{wrong}")).status == 400
    for odd in ("before=x", "before=%C2%B2", f"before={'9' * 400}", "before=-1"):
        assert (await admin.get(f"{AUDIT}?{odd}")).status == 200


async def test_the_log_of_all_accounts_is_404_for_others(service: Service) -> None:
    assert (await (await sign_up(service)).get(AUDIT)).status == 404
    assert (await Browser(service.asgi()).get(AUDIT)).location.startswith("/login")


async def test_an_owner_sees_sign_ins_and_changes_of_this_account_only(service: Service) -> None:
    admin, ada = await make_admin(service), await sign_up(service)
    await sign_up(service, "eve@example.com")
    again = Browser(service.asgi(), address="2001:db8:0:1::7")
    await again.submit("/login", email=EMAIL, password=PASSWORD)
    await make_key(again, "batch")
    page = f"/admin/accounts/{await account_of(service)}"
    await admin.submit(page, f"{page}/grant", credits="1", note="trial")
    shown = await ada.get("/account/security/events")
    for found in ("Account created", "Signed in", "network: 2001:db8:0:1::/64", "name: batch", "an administrator"):
        assert found in shown.words, found
    assert "eve@" not in shown.words
    assert "root@" not in shown.words
