"""`/account/security`: settings for signing in."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Endings, People, Visitor
from webquarry.accounts.factor_records import Code
from webquarry.accounts.passwords import MAX_PASSWORD, MIN_PASSWORD
from webquarry.accounts.people import NOTHING_ELSE
from webquarry.api.addresses import show_network
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams, RequestError
from webquarry.web.gate import Gate, go_to, name_fault
from webquarry.web.session import Fields
from webquarry.web.signin.recovery import read_endings
from webquarry.web.signin.throttle import Throttle, TooManyTries

SECURITY = "/account/security"
PASSWORD = f"{SECURITY}/password"
EMAIL = f"{SECURITY}/email"
SIGN_OUT = f"{SECURITY}/sign-out"
SESSIONS = f"{SECURITY}/sessions"
END_SESSION = f"{SESSIONS}/end"
END_OTHERS = f"{SESSIONS}/end-others"
DONE = {
    "password": "Your password was changed. You were signed out of all other sessions.",
    "email": "Your email address was changed. Use it the next time you sign in.",
    "factor-on": "Two-factor authentication is on.",
    "factor-off": "Two-factor authentication is off.",
    "passkey-added": "Your passkey was added. You can now sign in with it.",
    "passkey-removed": "The passkey was removed. To end sessions that were started with it, sign out everywhere.",
    "session": "The session was ended.",
    "sessions": "All other sessions were ended.",
    "sent": "We sent a confirmation link to the new address. The change takes effect when you open the link.",
}


class SecurityPages:
    """Routes for an account's security."""

    def __init__(self, gate: Gate, people: People, throttle: Throttle, clock: Clock) -> None:
        self._gate = gate
        self._people = people
        self._throttle = throttle
        self._clock = clock

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        return (
            Route(SECURITY, gate.page(self.show), methods=["GET"]),
            Route(PASSWORD, gate.form(self.change_password), methods=["POST"]),
            Route(EMAIL, gate.form(self.change_email), methods=["POST"]),
            Route(SIGN_OUT, gate.form(self.sign_out_everywhere), methods=["POST"]),
            Route(END_SESSION, gate.form(self.end_session), methods=["POST"]),
            Route(END_OTHERS, gate.form(self.end_others), methods=["POST"]),
        )

    async def show(self, request: Request, visitor: Visitor) -> Response:
        return await self._show(request, done=DONE.get(request.query_params.get("done", ""), ""))

    async def change_password(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        try:
            await self._throttle.change(visitor.account_id)
            current, new = fields.get("current", ""), fields.get("password", "")
            code = await self._read_code(request, visitor, fields)
            cookie = await self._people.change_password(visitor, current, new, code, read_endings(fields))
        except (InvalidParams, TooManyTries) as error:
            return await self._show(request, form=PASSWORD, error=error, endings=read_endings(fields))
        response = go_to(f"{SECURITY}?done=password")
        await self._gate.visitors.enter(request, response, cookie)
        return response

    async def change_email(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        email = fields.get("email", "")
        try:
            await self._throttle.change(visitor.account_id)
            if self._people.confirms_addresses:
                await self._throttle.send_email_to(email)
            code = await self._read_code(request, visitor, fields)
            is_done = await self._people.change_email(visitor, fields.get("current", ""), email, code)
        except (InvalidParams, TooManyTries) as error:
            return await self._show(request, form=EMAIL, error=error, email=email)
        return go_to(f"{SECURITY}?done={'email' if is_done else 'sent'}")

    async def sign_out_everywhere(self, _request: Request, visitor: Visitor, _fields: Fields) -> Response:
        await self._people.sign_out_everywhere(visitor.account_id)
        response = go_to("/")
        self._gate.visitors.leave(response)
        return response

    async def end_session(self, _request: Request, visitor: Visitor, fields: Fields) -> Response:
        await self._people.session_list.end(visitor.account_id, fields.get("id", ""))
        return go_to(f"{SECURITY}?done=session#sessions")

    async def end_others(self, _request: Request, visitor: Visitor, _fields: Fields) -> Response:
        await self._people.session_list.end_others(visitor)
        return go_to(f"{SECURITY}?done=sessions#sessions")

    async def _read_code(self, request: Request, visitor: Visitor, fields: Fields) -> Code:
        text = fields.get("code", "")
        if text:
            await self._throttle.enter_code("", visitor.account_id)
        return await self._gate.visitors.read_code(request, text)

    async def _show(
        self,
        request: Request,
        *,
        form: str = "",
        error: RequestError | None = None,
        email: str = "",
        done: str = "",
        endings: Endings = NOTHING_ELSE,
    ) -> Response:
        field, fault = name_fault(error, ("current", "password", "email", "code")) if error else ("", "")
        visitor = await self._gate.visitors.find_anew(request)
        await self._people.session_uses.keep()  # so that the list includes this use
        factor = None if visitor is None else await self._people.factors.find(visitor.account_id)
        return await self._gate.show(
            request,
            "signin/security.html",
            status=error.status if error else 200,
            form=form,
            field=field,
            fault=fault,
            email=email,
            done=done,
            factor=factor if factor is not None and factor.enabled_at is not None else None,
            asks_code=visitor is not None and visitor.times.needs_code(self._clock.now()),
            passkeys=[] if visitor is None else await self._people.passkeys.list(visitor.account_id),
            has_site=self._gate.visitors.site is not None,
            sessions=[] if visitor is None else await self._people.session_list.read(visitor.account_id),
            show_network=show_network,
            endings=endings,
            sends_mail=self._people.confirms_addresses,
            least=MIN_PASSWORD,
            most=MAX_PASSWORD,
            password_form=PASSWORD,
            email_form=EMAIL,
            sign_out_form=SIGN_OUT,
            end_form=END_SESSION,
            end_others_form=END_OTHERS,
        )
