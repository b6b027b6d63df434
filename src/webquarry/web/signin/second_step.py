"""`/login/code`: the second step of signing in, for accounts with a second factor."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import People
from webquarry.accounts.sessions import PendingSignIn
from webquarry.accounts.totp import MAX_CODE
from webquarry.api.addresses import Addresses
from webquarry.core.errors import InvalidParams, RequestError, Unauthorized
from webquarry.web.gate import LOGIN, SECOND_STEP, Gate, go_to, name_fault, read_next
from webquarry.web.session import Fields
from webquarry.web.signin.throttle import Throttle, TooManyTries

RECOVERY = "recovery"


class SecondStepPages:
    """Routes of `/login/code`."""

    def __init__(self, gate: Gate, people: People, throttle: Throttle, addresses: Addresses) -> None:
        self._gate = gate
        self._people = people
        self._throttle = throttle
        self._addresses = addresses

    def routes(self) -> Sequence[BaseRoute]:
        return (
            Route(SECOND_STEP, self._gate.open_page(self.show), methods=["GET"]),
            Route(SECOND_STEP, self._gate.open_form(self.finish), methods=["POST"]),
        )

    async def show(self, request: Request) -> Response:
        query = request.query_params
        wanted = read_next(query.get("next", ""))
        if await self._gate.visitors.find(request) is not None:
            return go_to(wanted)
        pending = await self._gate.visitors.find_pending(request)
        if pending is None:
            return go_to(LOGIN)
        return await self._show(request, pending, wanted, query.get("with", ""))

    async def finish(self, request: Request, fields: Fields) -> Response:
        """Verify the code of an authenticator app, a recovery code or a passkey, and sign in."""
        wanted = read_next(fields.get("next", ""))
        pending = await self._gate.visitors.find_pending(request)
        if pending is None:
            return go_to(LOGIN)
        network = self._addresses.network_of(request.scope)
        try:
            await self._throttle.enter_code(network, pending.account_id)
            code = await self._gate.visitors.read_code(request, fields.get("code", ""))
            cookie = await self._people.factors.finish_sign_in(pending, code, network=network)
        except (InvalidParams, Unauthorized, TooManyTries) as error:
            return await self._show(request, pending, wanted, fields.get("with", ""), error)
        return await self._gate.enter(request, cookie, wanted)

    async def _show(
        self, request: Request, pending: PendingSignIn, wanted: str, kind: str, error: RequestError | None = None
    ) -> Response:
        field, fault = name_fault(error, ("code",)) if error else ("", "")
        return await self._gate.show(
            request,
            "signin/second_step.html",
            status=error.status if error else 200,
            wanted=wanted,
            is_recovery=kind == RECOVERY,
            most=MAX_CODE,
            offers_passkey=await self._gate.visitors.offers_passkey(pending.account_id),
            field=field,
            fault=fault,
        )
