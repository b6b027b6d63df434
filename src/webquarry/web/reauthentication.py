"""Asking for the password again before an action that matters, and for a code where the account has a second factor.

The page that asks carries the fields of the form that it interrupts and is sent to the same address, so that nothing
has to be typed twice, with or without scripts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from webquarry.accounts import People, Visitor
from webquarry.accounts.passwords import MAX_PASSWORD
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams, RequestError
from webquarry.web.session import Fields, Visitors
from webquarry.web.signin.throttle import Throttle, TooManyTries

CONTINUE = "/reauthenticate"
"""Where the page leads that asks in the place of a page: on success, on to that page."""
PASSWORD = "reauth_password"  # noqa: S105  # a name, no secret
CODE = "reauth_code"
_NAMES = {"current": PASSWORD, "code": CODE}
"""Our fields, by the names that `People.reauthenticate` has for them."""


@dataclass(frozen=True, slots=True)
class Given:
    """What was typed on the page that asks."""

    password: str
    code: str


class Reauthentication:
    """What `Gate` asks before an action that matters."""

    def __init__(self, people: People, visitors: Visitors, throttle: Throttle, clock: Clock) -> None:
        self._people = people
        self._visitors = visitors
        self._throttle = throttle
        self._clock = clock

    async def is_fresh(self, request: Request) -> bool:
        """Return whether the visitor gave all that is asked for within the last 15 minutes, here or on another
        replica."""
        for look in (self._visitors.find, self._visitors.find_anew):
            visitor = await look(request)
            if visitor is not None and visitor.times.are_fresh(self._clock.now()):
                return True
        return False

    async def check(self, request: Request, visitor: Visitor, given: Given) -> RequestError | None:
        """Check what was typed on the page that asks; return what is wrong with it, None where nothing is."""
        try:
            await self._throttle.change(visitor.account_id)
            if given.code:
                await self._throttle.enter_code("", visitor.account_id)
            code = await self._visitors.read_code(request, given.code)
            await self._people.reauthenticate(visitor, given.password, code)
        except (InvalidParams, TooManyTries) as error:
            return error
        await self._visitors.find_anew(request)
        return None

    async def describe(
        self, visitor: Visitor, target: str, fields: Mapping[str, str], error: RequestError | None
    ) -> Mapping[str, Any]:
        """Return what the template shows. target, fields: of the form to be sent once more; error: of the last try."""
        name, colon, rest = error.message.partition(": ") if error else ("", "", "")
        is_of_field = bool(colon) and name in _NAMES
        return {
            "target": target,
            "carried": fields,
            "asks_code": visitor.times.needs_code(self._clock.now()),
            "offers_passkey": await self._visitors.offers_passkey(visitor.account_id),
            "field": _NAMES[name] if is_of_field else "",
            "fault": rest[:1].upper() + rest[1:] if is_of_field else error.message if error else "",
            "password_field": PASSWORD,
            "code_field": CODE,
            "most": MAX_PASSWORD,
        }


def take_given(fields: Fields) -> Given | None:
    """Take our fields out of a form; None where the page that asks was not shown before."""
    password, code = fields.pop(PASSWORD, None), fields.pop(CODE, "")
    return None if password is None else Given(password, code)
