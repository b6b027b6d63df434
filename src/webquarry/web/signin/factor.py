"""`/account/security/two-factor`: turn the second factor on and off, and create recovery codes."""

from collections.abc import Sequence
from urllib.parse import urlsplit

import segno
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import People, Visitor, totp
from webquarry.accounts.passwords import MAX_PASSWORD
from webquarry.core.errors import InvalidParams, RequestError
from webquarry.web.gate import Gate, go_to, name_fault
from webquarry.web.session import Fields
from webquarry.web.signin.security import SECURITY
from webquarry.web.signin.throttle import Throttle, TooManyTries

FACTOR = f"{SECURITY}/two-factor"
ENABLE = f"{FACTOR}/on"
DISABLE = f"{FACTOR}/off"
CODES = f"{SECURITY}/recovery-codes"


class FactorPages:
    """Routes of two-factor authentication."""

    def __init__(self, gate: Gate, people: People, throttle: Throttle) -> None:
        self._gate = gate
        self._people = people
        self._factors = people.factors
        self._throttle = throttle
        self._issuer = f"Webquarry ({urlsplit(gate.site.base_url).hostname})"

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        return (
            Route(FACTOR, gate.form(self.begin, fresh=True), methods=["POST"]),
            Route(FACTOR, gate.page(self.show, fresh=True), methods=["GET"]),
            Route(ENABLE, gate.form(self.enable, fresh=True), methods=["POST"]),
            Route(DISABLE, gate.page(self.show_disable), methods=["GET"]),
            Route(DISABLE, gate.form(self.disable), methods=["POST"]),
            Route(CODES, gate.form(self.renew_codes, fresh=True), methods=["POST"]),
            Route(CODES, gate.page(self.show_codes), methods=["GET"]),
        )

    async def begin(self, _request: Request, visitor: Visitor, _fields: Fields) -> Response:
        """Create a secret and redirect to the page that shows it."""
        await self._factors.begin(visitor.account_id)
        return go_to(FACTOR)

    async def show(self, request: Request, visitor: Visitor) -> Response:
        """Show the QR code of the secret that the user has to confirm."""
        return await self._show_secret(request, visitor)

    async def enable(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        try:
            await self._throttle.change(visitor.account_id)
            codes = await self._factors.enable(visitor, fields.get("code", ""))
        except (InvalidParams, TooManyTries) as error:
            return await self._show_secret(request, visitor, error)
        return self._lead_to_codes(codes)

    async def renew_codes(self, _request: Request, visitor: Visitor, _fields: Fields) -> Response:
        factor = await self._factors.find(visitor.account_id)
        if factor is None or factor.enabled_at is None:
            return go_to(SECURITY)
        return self._lead_to_codes(await self._factors.renew_codes(visitor))

    async def show_codes(self, request: Request, visitor: Visitor) -> Response:
        """Show new recovery codes once. Later requests are redirected to the security page."""
        codes = self._gate.visitors.find_secret(request).split(".")
        if not await self._factors.own_codes(visitor.account_id, codes):
            return go_to(SECURITY)
        response = await self._gate.show(
            request, "signin/recovery_codes.html", codes=codes, text="\n".join(codes), back=SECURITY
        )
        self._gate.visitors.drop_secret(response)
        return response

    async def show_disable(self, request: Request, visitor: Visitor) -> Response:
        return await self._show_disable(request, visitor)

    async def disable(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        """Turn off the second factor after checking the password and a code."""
        code = fields.get("code", "")
        try:
            await self._throttle.change(visitor.account_id)
            await self._throttle.enter_code("", visitor.account_id)
            given = await self._gate.visitors.read_code(request, code)
            await self._people.reauthenticate(visitor, fields.get("current", ""), given, with_code=True)
            await self._factors.disable(visitor)
        except (InvalidParams, TooManyTries) as error:
            return await self._show_disable(request, visitor, error)
        return go_to(f"{SECURITY}?done=factor-off")

    def _lead_to_codes(self, codes: Sequence[str]) -> Response:
        response = go_to(CODES)
        self._gate.visitors.hand_over(response, ".".join(codes))
        return response

    async def _show_secret(self, request: Request, visitor: Visitor, error: RequestError | None = None) -> Response:
        factor = await self._factors.find(visitor.account_id)
        if factor is None or factor.enabled_at is not None:
            return go_to(SECURITY)
        secret = self._factors.open_secret(factor)
        address = totp.write_address(secret, visitor.email, self._issuer)
        field, fault = name_fault(error, ("code",)) if error else ("", "")
        return await self._gate.show(
            request,
            "signin/two_factor_on.html",
            status=error.status if error else 200,
            picture=segno.make(address, error="m", micro=False).svg_data_uri(scale=5, border=4, light="#fff"),
            address=address,
            secret=" ".join(secret[start : start + 4] for start in range(0, len(secret), 4)),
            action=ENABLE,
            back=SECURITY,
            field=field,
            fault=fault,
        )

    async def _show_disable(self, request: Request, visitor: Visitor, error: RequestError | None = None) -> Response:
        factor = await self._factors.find(visitor.account_id)
        if factor is None or factor.enabled_at is None:
            return go_to(SECURITY)
        field, fault = name_fault(error, ("current", "code")) if error else ("", "")
        return await self._gate.show(
            request,
            "signin/two_factor_off.html",
            status=error.status if error else 200,
            action=DISABLE,
            back=SECURITY,
            most=MAX_PASSWORD,
            most_code=totp.MAX_CODE,
            offers_passkey=await self._gate.visitors.offers_passkey(visitor.account_id),
            field=field,
            fault=fault,
        )
