"""Names of an account's callers, by their ids in the ledger and the request log."""

from collections.abc import Mapping

from webquarry.accounts import Accounts, Visitor
from webquarry.oauth import Grants


class CallerNames:
    """Reads the names of an account's keys, connected apps and sessions."""

    def __init__(self, accounts: Accounts, grants: Grants) -> None:
        self._accounts = accounts
        self._grants = grants

    async def read(self, visitor: Visitor) -> Mapping[str, str]:
        """Return the names of keys, connected apps and this session, by id."""
        keys = await self._accounts.list_keys(visitor.account_id)
        apps = await self._grants.list_grants(visitor.account_id)
        return {
            visitor.caller.key_id: "this session",
            **{f"grant:{app.id}": app.name for app in apps},
            **{key.id: key.name for key in keys},
        }
