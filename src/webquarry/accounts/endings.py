"""Access that an account's owner can revoke together with a password change, in addition to sessions."""

from dataclasses import dataclass
from datetime import datetime

from webquarry.accounts import passkey_records
from webquarry.core.clock import epoch_ms
from webquarry.storage import Operation

_KEYS = "UPDATE api_keys SET revoked_at = :now WHERE account_id = :id AND revoked_at IS NULL"
_APPS = (
    # otherwise an app could still connect with an authorization code that it received just before
    "DELETE FROM oauth_codes WHERE account_id = :id AND grant_id IS NULL",
    "DELETE FROM oauth_tokens WHERE grant_id IN (SELECT id FROM oauth_grants WHERE account_id = :id)",
)
_GRANTS = "UPDATE oauth_grants SET revoked_at = :now WHERE account_id = :id AND revoked_at IS NULL"


@dataclass(frozen=True, slots=True)
class Endings:
    """Access that a password change revokes: all API keys, all connected apps, all passkeys."""

    keys: bool = False
    apps: bool = False
    passkeys: bool = False

    @property
    def details(self) -> dict[str, str]:
        """Details for the event that records the new password."""
        flags = (("keys", self.keys), ("apps", self.apps), ("passkeys", self.passkeys))
        ended = [name for name, flag in flags if flag]
        if not ended:
            return {}
        rest = ", ".join(ended[:-1])
        return {"also_ended": f"{rest} and {ended[-1]}" if rest else ended[-1]}


def end_access(account_id: str, endings: Endings, now: datetime) -> Operation[None]:
    """Revoke the account's keys, apps and passkeys according to `endings`."""
    values = {"id": account_id, "now": epoch_ms(now)}
    if endings.keys:
        yield _KEYS, values
    if endings.apps:
        for sql in _APPS:
            yield sql, {"id": account_id}
        yield _GRANTS, values
    if endings.passkeys:
        yield from passkey_records.remove_all(account_id)
