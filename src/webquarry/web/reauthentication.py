"""Reauthentication: asking for the password, and a second-factor code if enabled, before sensitive actions.

The page carries the fields of the interrupted form and is sent to the same URL, so that nothing has to be typed twice,
with or without scripts.
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
"""Target of the form if the request for a page was interrupted. On success, it redirects to that page."""
PASSWORD = "reauth_password"  # noqa: S105  # a field's name, not a secret
CODE = "reauth_code"
_NAMES = {"current": PASSWORD, "code": CODE}
"""Names of the form's fields, by the names that errors of `People.reauthenticate` use."""


@dataclass(frozen=True, slots=True)
class Given:
    """Input on the reauthentication page."""

    password: str
    code: str


class Reauthentication:
    """Checks for `Gate` before sensitive actions."""

    def __init__(self, people: People, visitors: Visitors, throttle: Throttle, clock: Clock) -> None:
        self._people = people
        self._visitors = visitors
        self._throttle = throttle
        self._clock = clock

    async def is_fresh(self, request: Request) -> bool:
        """Return whether the user entered everything required within the last 15 minutes, on any replica."""
        for look in (self._visitors.find, self._visitors.find_anew):
            visitor = await look(request)
            if visitor is not None and visitor.times.are_fresh(self._clock.now()):
                return True
        return False

    async def check(self, request: Request, visitor: Visitor, given: Given) -> RequestError | None:
        """Check the input of the reauthentication page. Return the error, or None."""
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
        """Return the values for the template.

        `target` and `fields` belong to the form to be sent again. `error` belongs to the last attempt.
        """
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
    """Remove this page's fields from a form and return them, or None if the page was not shown before."""
    password, code = fields.pop(PASSWORD, None), fields.pop(CODE, "")
    return None if password is None else Given(password, code)
