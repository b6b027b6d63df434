"""Events: who did what to which account, and when."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["owner", "admin", "cli"]
Details = Mapping[str, str | int | bool]

ACTIONS: Mapping[str, str] = {
    "account.created": "Account created",
    "account.disabled": "Account disabled",
    "account.enabled": "Account enabled",
    "account.deleted": "Account deleted",
    "account.made_admin": "Administrator rights granted",
    "account.ended_admin": "Administrator rights removed",
    "address.changed": "Email address changed",
    "app.connected": "App connected",
    "app.disconnected": "App disconnected",
    "credits.granted": "Credits granted",
    "key.created": "Key created",
    "key.cap_set": "Monthly cap of a key changed",
    "key.revoked": "Key revoked",
    "passkey.added": "Passkey added",
    "passkey.refused": "Passkey refused: its counter has not increased, so it may have been copied",
    "passkey.removed": "Passkey removed",
    "password.changed": "Password changed",
    "password.reset": "Password set with a link",
    "password.set": "Password set by an administrator",
    "recovery_code.used": "Recovery code used",
    "recovery_codes.renewed": "Recovery codes renewed",
    "second_factor.disabled": "Two-factor authentication turned off",
    "second_factor.enabled": "Two-factor authentication turned on",
    "second_factor.refused": "Correct password, wrong code",
    "second_factor.reset": "Two-factor authentication reset",
    "session.ended": "Session ended",
    "sessions.ended": "Signed out everywhere",
    "sign_in_link.created": "Link to set the password created",
    "sessions.others_ended": "All other sessions ended",
    "signed_in": "Signed in",
    "webhook.created": "Webhook created",
    "webhook.deleted": "Webhook deleted",
    "webhook.rotated": "Secret of a webhook replaced",
}
"""Titles of actions, by the action's name."""


@dataclass(frozen=True, slots=True)
class Actor:
    """The actor of an event: the account's owner, an administrator on the pages below /admin, or the command line.

    `account_id` is None for the command line, which belongs to the operator.
    """

    role: Role
    account_id: str | None


CLI = Actor("cli", None)


def act_as_owner(account_id: str) -> Actor:
    """Return the actor for an account's owner."""
    return Actor("owner", account_id)


def act_as_admin(account_id: str) -> Actor:
    """Return the actor for an administrator."""
    return Actor("admin", account_id)


@dataclass(frozen=True, slots=True)
class Event:
    """An entry of the log. `account_id` is the changed account. `details` never contain secrets."""

    id: str
    at: datetime
    actor: Actor
    account_id: str
    action: str
    details: Details


def make_event(
    actor: Actor, account_id: str, action: str, now: datetime, *, id: str | None = None, **details: str | int | bool
) -> Event:
    """Return an event to be written with its action.

    `id` identifies an action that may be retried, so that it is recorded once; it is random by default. `details` are
    values such as the name of a key. Raises KeyError for an action without a title.
    """
    ACTIONS[action]
    return Event(id or f"ev_{secrets.token_hex(12)}", now, actor, account_id, action, details)
