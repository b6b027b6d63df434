"""Endings: what a new password ends beside the sessions, as its owner chooses."""

from dataclasses import dataclass
from datetime import datetime

from webquarry.core.clock import epoch_ms
from webquarry.storage import Operation

_KEYS = "UPDATE api_keys SET revoked_at = :now WHERE account_id = :id AND revoked_at IS NULL"
_APPS = (
    # a code that was given to an app just now would connect it in a minute
    "DELETE FROM oauth_codes WHERE account_id = :id AND grant_id IS NULL",
    "DELETE FROM oauth_tokens WHERE grant_id IN (SELECT id FROM oauth_grants WHERE account_id = :id)",
)
_GRANTS = "UPDATE oauth_grants SET revoked_at = :now WHERE account_id = :id AND revoked_at IS NULL"


@dataclass(frozen=True, slots=True)
class Endings:
    """What ends with the old password. keys: all API keys; apps: all connected apps."""

    keys: bool = False
    apps: bool = False

    @property
    def details(self) -> dict[str, str]:
        """What an event of the new password says about it."""
        ended = [name for name, flag in (("keys", self.keys), ("apps", self.apps)) if flag]
        return {"also_ended": " and ".join(ended)} if ended else {}


def end_access(account_id: str, endings: Endings, now: datetime) -> Operation[None]:
    """End the keys and apps of the account that `endings` names."""
    values = {"id": account_id, "now": epoch_ms(now)}
    if endings.keys:
        yield _KEYS, values
    if endings.apps:
        for sql in _APPS:
            yield sql, {"id": account_id}
        yield _GRANTS, values
