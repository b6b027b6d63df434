"""The verification finds every fault: each case corrupts a correct ledger by hand."""

import pytest

from support.clock import ManualClock
from webquarry.accounts import Accounts
from webquarry.ledger import Ledger
from webquarry.storage import Database
from webquarry.storage.database import query

ROW = "INSERT INTO ledger (account_id, kind, amount, hold_id, created_at) VALUES"


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("UPDATE accounts SET balance = balance + 1", {("balance is 7, but the rows add up to 6", None)}),
        ("DELETE FROM ledger WHERE kind = 'settle'", {("balance is 6", None), ("0 closing or open", "closed")}),
        ("DELETE FROM open_holds", {("0 closing or open", "open")}),
        ("UPDATE ledger SET amount = 4 WHERE kind = 'settle'", {("add up to 7", None), ("returns 4 of 3", "closed")}),
        ("UPDATE ledger SET amount = -1 WHERE kind = 'settle'", {("add up to 2", None), ("returns -1", "closed")}),
        ("UPDATE open_holds SET amount = 2", {("open hold of 2 has no row", "open")}),
        (
            f"{ROW} ('{{account}}', 'refund', 0, 'nothing', 0)",
            {("closing row of 0 has no hold", "nothing")},
        ),
        (
            f"{ROW} ('{{account}}', 'refund', 1, '{{open}}', 0)",
            {("add up to 7", None), ("2 closing or open", "open"), ("returns 1 of 4 held", "open")},
        ),
        (
            f"{ROW} ('{{account}}', 'grant', 2, '{{open}}', 0)",
            {("add up to 8", None), ("correction returns 2, but 0 was charged", "open")},
        ),
        (
            "UPDATE ledger SET amount = CASE kind WHEN 'grant' THEN 0 ELSE amount END",
            {("add up to -4", None), ("was -3 after row", "closed"), ("was -4 after row", "open")},
        ),
    ],
)
async def test_damage_is_found(database: Database, damage: str, found: set[tuple[str, str | None]]) -> None:
    clock = ManualClock()
    names = iter(("closed", "open"))
    ledger = Ledger(database, clock, "i", random=lambda: next(names))
    account, _ = await Accounts(database, clock).create("someone@example.com", 10)
    hold = await ledger.hold(account.id, 3, request_id="r", endpoint="e")
    await ledger.settle(hold, 0, None)
    open_hold = await ledger.hold(account.id, 4, request_id="r", endpoint="e")
    assert await ledger.verify() == []
    await database.write(lambda: query(damage.format(account=account.id, open=open_hold.id), {}))
    differences = await ledger.verify()
    assert {difference.account_id for difference in differences} == {account.id}
    assert len(differences) == len(found)
    for text, name in found:
        # "closed" and "open" are the random ends of the two hold ids
        assert any(text in d.message and (d.hold_id or "-None").endswith(str(name)) for d in differences), text
