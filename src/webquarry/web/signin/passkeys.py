"""`/account/security/passkeys`: add and remove passkeys.

`/passkeys/options`: return options for signing with a passkey.
"""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import People, Visitor
from webquarry.accounts.ceremonies import RelyingParty
from webquarry.accounts.passkeys import MAX_NAME
from webquarry.api.addresses import Addresses
from webquarry.core.errors import InvalidParams, NotFound, RequestError
from webquarry.web.gate import Gate, go_to, name_fault
from webquarry.web.session import Fields
from webquarry.web.signin.security import SECURITY
from webquarry.web.signin.throttle import Throttle, TooManyTries

PASSKEYS = f"{SECURITY}/passkeys"
REMOVE = f"{PASSKEYS}/remove"
OPTIONS = "/passkeys/options"


class PasskeyPages:
    """Routes of passkeys. The form for signing in with a passkey is on the sign-in page."""

    def __init__(self, gate: Gate, people: People, throttle: Throttle, addresses: Addresses) -> None:
        self._gate = gate
        self._passkeys = people.passkeys
        self._throttle = throttle
        self._addresses = addresses

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        return (
            Route(OPTIONS, gate.open_form(self.give_options), methods=["POST"]),
            Route(PASSKEYS, gate.page(self.show, fresh=True), methods=["GET"]),
            Route(PASSKEYS, gate.form(self.add, fresh=True), methods=["POST"]),
            Route(REMOVE, gate.form(self.remove, fresh=True), methods=["POST"]),
        )

    async def give_options(self, request: Request, _fields: Fields) -> Response:
        """Return the options for a signature with any passkey of this site, as JSON.

        Raises NotFound if the site does not support passkeys.
        """
        await self._throttle.use_passkey(self._addresses.network_of(request.scope))
        options = await self._passkeys.begin_use(self._find_site(), await self._gate.visitors.find_browser(request))
        return Response(options, media_type="application/json", headers={"cache-control": "no-store"})

    async def show(self, request: Request, visitor: Visitor) -> Response:
        return await self._show(request, visitor)

    async def add(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        """Store the passkey that the browser created."""
        try:
            await self._throttle.change(visitor.account_id)
            browser = await self._gate.visitors.find_browser(request)
            name, answer = fields.get("name", ""), fields.get("credential", "")
            await self._passkeys.add(self._find_site(), browser, visitor, name, answer)
        except (InvalidParams, TooManyTries) as error:
            return await self._show(request, visitor, error, fields.get("name", ""))
        return go_to(f"{SECURITY}?done=passkey-added")

    async def remove(self, _request: Request, visitor: Visitor, fields: Fields) -> Response:
        await self._passkeys.remove(visitor, fields.get("id", ""))
        return go_to(f"{SECURITY}?done=passkey-removed")

    def _find_site(self) -> RelyingParty:
        if (site := self._gate.visitors.site) is None:
            raise NotFound("Passkeys require HTTPS and a host name. Open the service at such an address.")
        return site

    async def _show(
        self, request: Request, visitor: Visitor, error: RequestError | None = None, name: str = ""
    ) -> Response:
        browser = await self._gate.visitors.find_browser(request)
        field, fault = name_fault(error, ("name", "code")) if error else ("", "")
        return await self._gate.show(
            request,
            "signin/passkey.html",
            status=error.status if error else 200,
            options=await self._passkeys.begin_adding(self._find_site(), browser, visitor),
            action=PASSKEYS,
            back=SECURITY,
            name=name,
            most=MAX_NAME,
            field=field,
            fault=fault,
        )
