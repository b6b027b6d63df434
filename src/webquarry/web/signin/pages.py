"""Pages for signing up, in and out."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import People, VerifiedPasskey
from webquarry.accounts.passwords import MAX_PASSWORD, MIN_PASSWORD
from webquarry.api.addresses import Addresses
from webquarry.core.errors import InvalidParams, RequestError, Unauthorized
from webquarry.web.gate import LOGIN, SECOND_STEP, Gate, go_to, name_fault, read_next
from webquarry.web.session import Fields
from webquarry.web.signin.throttle import Throttle, TooManyTries

SIGNUP = "/signup"
LOGOUT = "/logout"
BY_PASSKEY = "/login/passkey"
FIELDS = ("email", "password", "code")


class SignInPages:
    """Routes of `/login`, `/signup` and `/logout`. `first_credits` is the number of credits shown for a new account."""

    def __init__(
        self, gate: Gate, people: People, throttle: Throttle, addresses: Addresses, *, first_credits: int
    ) -> None:
        self._gate = gate
        self._people = people
        self._throttle = throttle
        self._addresses = addresses
        self._first_credits = first_credits

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        return (
            Route(LOGIN, gate.open_page(self.show_login), methods=["GET"]),
            Route(LOGIN, gate.open_form(self.sign_in), methods=["POST"]),
            Route(BY_PASSKEY, gate.open_form(self.sign_in_by_passkey), methods=["POST"]),
            Route(SIGNUP, gate.open_page(self.show_signup), methods=["GET"]),
            Route(SIGNUP, gate.open_form(self.register), methods=["POST"]),
            Route(LOGOUT, gate.open_form(self.sign_out), methods=["POST"]),
        )

    async def show_login(self, request: Request) -> Response:
        wanted = read_next(request.query_params.get("next", ""))
        if await self._gate.visitors.find(request) is not None:
            return go_to(wanted)
        if await self._gate.visitors.find_pending(request) is not None:
            return go_to(f"{SECOND_STEP}?{urlencode({'next': wanted})}")
        return await self._show_form(request, "login", {"next": wanted})

    async def sign_in(self, request: Request, fields: Fields) -> Response:
        email, wanted = fields.get("email", ""), read_next(fields.get("next", ""))
        try:
            network = self._addresses.network_of(request.scope)
            await self._throttle.sign_in(network, email)
            cookie = await self._people.sign_in(email, fields.get("password", ""), network=network)
        except (Unauthorized, TooManyTries) as error:
            return await self._show_form(request, "login", {"email": email, "next": wanted}, error)
        return await self._gate.enter(request, cookie, wanted)

    async def sign_in_by_passkey(self, request: Request, fields: Fields) -> Response:
        """Sign in with a passkey's signature, without an address and a password."""
        wanted = read_next(fields.get("next", ""))
        try:
            network = self._addresses.network_of(request.scope)
            await self._throttle.use_passkey(network)
            passkey = await self._gate.visitors.read_code(request, fields.get("code", ""))
            if not isinstance(passkey, VerifiedPasskey):
                raise InvalidParams("code: this is not a passkey. Sign in with your password.")
            cookie = await self._people.passkeys.sign_in(passkey, network=network)
        except (InvalidParams, Unauthorized, TooManyTries) as error:
            return await self._show_form(request, "login", {"next": wanted}, error)
        return await self._gate.enter(request, cookie, wanted)

    async def show_signup(self, request: Request) -> Response:
        wanted = read_next(request.query_params.get("next", ""))
        if await self._gate.visitors.find(request) is not None:
            return go_to(wanted)
        return await self._show_form(request, "signup", {"next": wanted})

    async def register(self, request: Request, fields: Fields) -> Response:
        email, wanted = fields.get("email", ""), read_next(fields.get("next", ""))
        try:
            network = self._addresses.network_of(request.scope)
            await self._throttle.register(network)
            if self._people.confirms_addresses:
                await self._throttle.send_email(network, email)
            cookie = await self._people.register(email, fields.get("password", ""))
        except (InvalidParams, TooManyTries) as error:
            return await self._show_form(request, "signup", {"email": email, "next": wanted}, error)
        if cookie is None:
            return await self._gate.show(request, "signin/sent.html", email=email.strip(), purpose="confirm")
        return await self._gate.enter(request, cookie, wanted)

    async def sign_out(self, request: Request, _fields: Fields) -> Response:
        if cookie := self._gate.visitors.cookie(request):
            await self._people.sign_out(cookie)
        response = go_to("/")
        self._gate.visitors.leave(response)
        return response

    async def _show_form(
        self, request: Request, name: str, values: Mapping[str, str], error: RequestError | None = None
    ) -> Response:
        field, fault = name_fault(error, FIELDS) if error else ("", "")
        return await self._gate.show(
            request,
            f"signin/{name}.html",
            status=error.status if error else 200,
            email=values.get("email", ""),
            wanted=values["next"],
            field=field,
            fault=fault,
            by_passkey=BY_PASSKEY if self._gate.visitors.site is not None else "",
            is_open=self._people.is_open,
            sends_mail=self._people.confirms_addresses,
            first_credits=self._first_credits,
            least=MIN_PASSWORD,
            most=MAX_PASSWORD,
        )
