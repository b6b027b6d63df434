"""Pages that links in emails open, on which users confirm an address or set a password."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Endings, People
from webquarry.accounts.passwords import MAX_PASSWORD, MIN_PASSWORD
from webquarry.api.addresses import Addresses
from webquarry.core.errors import InvalidParams, RequestError
from webquarry.web.gate import Gate, name_fault
from webquarry.web.session import Fields
from webquarry.web.signin.throttle import Throttle, TooManyTries

FORGOT = "/forgot"
RESET = "/reset"
CONFIRM = "/confirm"


def read_endings(fields: Fields) -> Endings:
    """Return the access that the form revokes together with the old password."""
    return Endings(keys="end_keys" in fields, apps="end_apps" in fields, passkeys="end_passkeys" in fields)


class RecoveryPages:
    """Routes of `/reset` and, if the service sends email, of `/forgot` and `/confirm`."""

    def __init__(self, gate: Gate, people: People, throttle: Throttle, addresses: Addresses) -> None:
        self._gate = gate
        self._people = people
        self._throttle = throttle
        self._addresses = addresses

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        by_hand = (
            Route(RESET, gate.open_page(self.show_reset), methods=["GET"]),
            Route(RESET, gate.open_form(self.reset), methods=["POST"]),
        )
        if not self._people.confirms_addresses:
            return by_hand
        return (
            *by_hand,
            Route(FORGOT, gate.open_page(self.show_forgot), methods=["GET"]),
            Route(FORGOT, gate.open_form(self.ask_reset), methods=["POST"]),
            Route(CONFIRM, gate.open_page(self.show_confirm), methods=["GET"]),
            Route(CONFIRM, gate.open_form(self.confirm), methods=["POST"]),
        )

    async def show_forgot(self, request: Request) -> Response:
        return await self._show(request, "forgot")

    async def ask_reset(self, request: Request, fields: Fields) -> Response:
        """Send a reset email. The response is the same for every address."""
        email = fields.get("email", "")
        try:
            await self._throttle.send_email(self._addresses.network_of(request.scope), email)
        except TooManyTries as error:
            return await self._show(request, "forgot", error=error, email=email)
        self._people.ask_reset(email)
        return await self._gate.show(request, "signin/sent.html", email=email.strip(), purpose="reset")

    async def show_reset(self, request: Request) -> Response:
        return await self._show(request, "reset", code=request.query_params.get("code", ""))

    async def reset(self, request: Request, fields: Fields) -> Response:
        code = fields.get("code", "")
        try:
            network, factor_code = self._addresses.network_of(request.scope), fields.get("factor_code", "")
            await self._throttle.use_code(network)
            if factor_code and (found := await self._people.find_reset(code)):
                await self._throttle.enter_code(network, found.account_id)
            endings = read_endings(fields)
            given = await self._gate.visitors.read_code(request, factor_code)
            cookie = await self._people.reset_password(code, fields.get("password", ""), given, endings)
        except (InvalidParams, TooManyTries) as error:
            return await self._show(request, "reset", error=error, code=code, fields=fields)
        return await self._gate.enter(request, cookie)

    async def show_confirm(self, request: Request) -> Response:
        return await self._show(request, "confirm", code=request.query_params.get("code", ""))

    async def confirm(self, request: Request, fields: Fields) -> Response:
        code = fields.get("code", "")
        try:
            await self._throttle.use_code(self._addresses.network_of(request.scope))
            cookie = await self._people.confirm_address(code, fields.get("password", ""))
        except (InvalidParams, TooManyTries) as error:
            return await self._show(request, "confirm", error=error, code=code)
        return await self._gate.enter(request, cookie)

    async def _show(
        self,
        request: Request,
        name: str,
        *,
        error: RequestError | None = None,
        email: str = "",
        code: str = "",
        fields: Fields | None = None,
    ) -> Response:
        field, fault = name_fault(error, ("email", "password", "code")) if error else ("", "")
        found = await self._people.find_reset(code) if name == "reset" else None
        account_id = found.account_id if found else None
        factor = await self._people.factors.find(account_id) if account_id else None
        return await self._gate.show(
            request,
            f"signin/{name}.html",
            status=error.status if error else 200,
            field=field,
            fault=fault,
            email=email,
            code=code,
            asks_factor=factor is not None and factor.enabled_at is not None,
            offers_passkey=account_id is not None and await self._gate.visitors.offers_passkey(account_id),
            endings=read_endings(fields or {}),
            account=found.email if found else "",
            is_first=found is not None and found.password_hash is None,
            sends_mail=self._people.confirms_addresses,
            least=MIN_PASSWORD,
            most=MAX_PASSWORD,
        )
