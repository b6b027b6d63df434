"""Users of pages: session cookies, and the tokens that protect forms.

A form is accepted if the browser confirms that a page of this site sent it (`Sec-Fetch-Site`, `Origin`) and if the form
carries the token of the user's cookie, which is the session cookie or, before signing in, the form cookie.
"""

import hmac
import secrets
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import Response

from webquarry.accounts import People, Use, Visitor
from webquarry.accounts.ceremonies import find_relying_party
from webquarry.accounts.credentials import digest
from webquarry.accounts.factor_records import Code
from webquarry.accounts.sessions import LASTS, PendingSignIn
from webquarry.api.addresses import Addresses
from webquarry.api.body import read_body
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams, RequestError

SESSION = "wq_session"
FORM = "wq_form"
ONCE = "wq_once"
SECURE = "__Host-"
"""Prefix of cookies over TLS. Browsers do not let other hosts or plain connections set a cookie with this prefix."""
SESSION_S = int(LASTS.total_seconds())
ONCE_S = 60
FORM_COOKIE_BYTES = 32
TOKEN_FIELD = "csrf"  # noqa: S105  # a field's name, not a secret
TOKEN_HEADER = "x-csrf-token"  # noqa: S105  # a header's name, not a secret
MAX_FORM_BYTES = 64 * 1024
MAX_FIELDS = 200
MAX_AGENT = 400
"""Maximum number of characters of a User-Agent that are kept in memory."""
Fields = dict[str, str]


class ForeignForm(RequestError):
    """A form that was not sent by a page of this site, or that has expired."""

    status, code = 403, "invalid_params"


class Visitors:
    """Identifies the users of the site at `base_url`.

    `site` is the relying party for passkeys, or None if browsers don't offer passkeys for this site.
    """

    def __init__(self, people: People, base_url: str, addresses: Addresses, clock: Clock) -> None:
        self._people = people
        self._addresses = addresses
        self._clock = clock
        parts = urlsplit(base_url)
        self._origin = f"{parts.scheme}://{parts.netloc}".lower()
        self._is_secure = parts.scheme == "https"
        self.site = find_relying_party(base_url)
        prefix = SECURE if self._is_secure else ""
        self._session, self._form, self._once = prefix + SESSION, prefix + FORM, prefix + ONCE

    async def find(self, request: Request) -> Visitor | None:
        """Return the signed-in user, or None."""
        if not hasattr(request.state, "visitor"):
            cookie = self.cookie(request)
            request.state.visitor = await self._people.identify_session(cookie) if cookie else None
            self._note_use(request)
        visitor: Visitor | None = request.state.visitor
        return visitor

    def _note_use(self, request: Request) -> None:
        visitor: Visitor | None = request.state.visitor
        if visitor is not None:
            agent = request.headers.get("user-agent", "")[:MAX_AGENT]
            use = Use(self._clock.now(), agent, self._addresses.network_of(request.scope))
            self._people.session_uses.note(visitor.session_id, use)

    async def find_anew(self, request: Request) -> Visitor | None:
        """Return the signed-in user from the store, because the cache may be seconds old."""
        if (visitor := await self.find(request)) is not None:
            self._people.sessions.forget(visitor.account_id)
            del request.state.visitor
        return await self.find(request)

    async def awaits_code(self, cookie: str) -> bool:
        """Return whether a new session must verify the second factor before it is valid."""
        return await self._people.sessions.find_pending(cookie) is not None

    async def find_pending(self, request: Request) -> PendingSignIn | None:
        """Return this browser's sign-in that waits for a second-factor code, or None."""
        cookie = self.cookie(request)
        return await self._people.sessions.find_pending(cookie) if cookie else None

    def cookie(self, request: Request) -> str:
        """Return the session cookie, or ""."""
        return request.cookies.get(self._session, "")

    async def enter(self, request: Request, response: Response, cookie: str) -> None:
        """Set the session cookie on this response.

        Also end this browser's previous session, and remove the form cookie, which belonged to another user.
        """
        if before := self.cookie(request):
            await self._people.sign_out(before)
        self._set(response, self._session, cookie, SESSION_S)
        self._set(response, self._form, "", 0)

    def leave(self, response: Response) -> None:
        """Remove the session cookie with this response."""
        self._set(response, self._session, "", 0)

    def hand_over(self, response: Response, secret: str) -> None:
        """Pass a secret to the page that this response redirects to, in a cookie. It is not stored anywhere else."""
        self._set(response, self._once, secret, ONCE_S)

    def find_secret(self, request: Request) -> str:
        """Return the secret passed within the last minute, or ""."""
        return request.cookies.get(self._once, "")

    def drop_secret(self, response: Response) -> None:
        """Remove the secret after it was shown, so that no page shows it again."""
        self._set(response, self._once, "", 0)

    async def make_token(self, request: Request) -> str:
        """Return the token for forms on this page. Before signing in, `keep_form` must be called on the response."""
        return _derive(await self._find_form_secret(request, make=True))

    def keep_form(self, request: Request, response: Response) -> None:
        """Set the form cookie if `make_token` created one."""
        if made := getattr(request.state, "form_cookie", None):
            self._set(response, self._form, made, None)

    async def read_form(self, request: Request, max_bytes: int = MAX_FORM_BYTES) -> Fields:
        """Return the fields of a form sent by a page of this site. If a field is repeated, the last value counts.

        Raises ForeignForm if another site sent the form, and InvalidParams or FileTooLarge if the form is not valid.
        """
        self.check_origin(request)
        fields = await read_fields(request, max_bytes)
        await self.check_token(request, fields.pop(TOKEN_FIELD, ""))
        return fields

    def check_origin(self, request: Request) -> None:
        """Raise ForeignForm if a page of another origin sent this request."""
        site = request.headers.get("sec-fetch-site")
        if site is not None and site != "same-origin":
            raise _make_foreign_error()
        origin = request.headers.get("origin")
        if origin is None or (origin == "null" and site == "same-origin"):
            return
        if origin.lower() != self._origin:
            raise ForeignForm(f"This form was not submitted from {self._origin}. Open the service at that address.")

    async def check_token(self, request: Request, token: str) -> None:
        """Raise ForeignForm unless the token belongs to this user. Scripts may send it in the header."""
        secret = await self._find_form_secret(request, make=False)
        given = token or request.headers.get(TOKEN_HEADER, "")
        if not secret or not hmac.compare_digest(_derive(secret).encode(), given.encode()):
            raise _make_foreign_error()

    async def find_browser(self, request: Request) -> str:
        """Return the digest of the user's cookie. Challenges for passkeys are bound to this digest."""
        return digest(f"passkey {await self._find_form_secret(request, make=False)}")

    async def offers_passkey(self, account_id: str) -> bool:
        """Return whether the account can use a passkey instead of a code."""
        return self.site is not None and bool(await self._people.passkeys.list(account_id))

    async def read_code(self, request: Request, text: str) -> Code:
        """Return the content of a code field, in which a script may put a passkey's signature.

        Raises InvalidParams (`code: …`) for an invalid signature.
        """
        if self.site is None or not text.startswith("{"):
            return text
        return await self._people.passkeys.verify(self.site, await self.find_browser(request), text)

    async def _find_form_secret(self, request: Request, *, make: bool) -> str:
        if await self.find(request) is not None:
            return self.cookie(request)
        known = request.cookies.get(self._form, "")
        if len(known) == 2 * FORM_COOKIE_BYTES or not make:
            return known
        if not hasattr(request.state, "form_cookie"):
            request.state.form_cookie = secrets.token_hex(FORM_COOKIE_BYTES)
        made: str = request.state.form_cookie
        return made

    def _set(self, response: Response, name: str, value: str, max_age: int | None) -> None:
        response.set_cookie(name, value, max_age, path="/", secure=self._is_secure, httponly=True, samesite="lax")


async def read_fields(request: Request, max_bytes: int = MAX_FORM_BYTES) -> Fields:
    """Return the fields of a form from any origin.

    Raises InvalidParams if the body is not a form, FileTooLarge if it is too long.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise InvalidParams("The body must be a form (application/x-www-form-urlencoded).")
    body = await read_body(request.scope["headers"], request.receive, max_bytes)
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
    except ValueError as exc:
        raise InvalidParams("The form can't be parsed: it must be UTF-8 and have few fields.") from exc
    if any("\0" in part for pair in pairs for part in pair):
        raise InvalidParams("The form must not contain the character U+0000.")
    return dict(pairs)


def _derive(secret: str) -> str:
    """Return the token for a cookie. The token does not reveal the cookie."""
    return hmac.digest(secret.encode(), b"form", "sha256").hex()


def _make_foreign_error() -> ForeignForm:
    return ForeignForm(
        "This form has expired or was submitted from another site. Go back, reload the page and try again."
    )
