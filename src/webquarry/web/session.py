"""Who looks at a page: the session's cookie, and the tokens by which forms are known to be ours.

A form is accepted when the browser says that one of our pages sent it (`Sec-Fetch-Site`, `Origin`) and when it carries
the token that belongs to the visitor's cookie: of the session, or, before signing in, of the form.
"""

import hmac
import secrets
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import Response

from webquarry.accounts import People, Visitor
from webquarry.accounts.ceremonies import find_relying_party
from webquarry.accounts.credentials import digest
from webquarry.accounts.factor_records import Code
from webquarry.accounts.sessions import LASTS, PendingSignIn
from webquarry.api.body import read_body
from webquarry.core.errors import InvalidParams, RequestError

SESSION = "wq_session"
FORM = "wq_form"
ONCE = "wq_once"
SECURE = "__Host-"
"""How cookies begin where all goes over TLS: no other host, and no plain connection, can set one like it."""
SESSION_S = int(LASTS.total_seconds())
ONCE_S = 60
FORM_COOKIE_BYTES = 32
TOKEN_FIELD = "csrf"  # noqa: S105  # a name, no secret
TOKEN_HEADER = "x-csrf-token"  # noqa: S105  # a name, no secret
MAX_FORM_BYTES = 64 * 1024
MAX_FIELDS = 200
Fields = dict[str, str]


class ForeignForm(RequestError):
    """A form that none of our pages sent, or one that has grown old."""

    status, code = 403, "invalid_params"


class Visitors:
    """The visitors of the site at base_url. site: what passkeys are made for; None where browsers offer no passkeys."""

    def __init__(self, people: People, base_url: str) -> None:
        self._people = people
        parts = urlsplit(base_url)
        self._origin = f"{parts.scheme}://{parts.netloc}".lower()
        self._is_secure = parts.scheme == "https"
        self.site = find_relying_party(base_url)
        prefix = SECURE if self._is_secure else ""
        self._session, self._form, self._once = prefix + SESSION, prefix + FORM, prefix + ONCE

    async def find(self, request: Request) -> Visitor | None:
        """Who is signed in; None for nobody."""
        if not hasattr(request.state, "visitor"):
            cookie = self.cookie(request)
            request.state.visitor = await self._people.identify_session(cookie) if cookie else None
        visitor: Visitor | None = request.state.visitor
        return visitor

    async def find_anew(self, request: Request) -> Visitor | None:
        """Who is signed in, asked of the store: what is remembered may be some seconds old."""
        if (visitor := await self.find(request)) is not None:
            self._people.sessions.forget(visitor.account_id)
            del request.state.visitor
        return await self.find(request)

    async def awaits_code(self, cookie: str) -> bool:
        """Whether a session that was just made has to show the second factor before it counts."""
        return await self._people.sessions.find_pending(cookie) is not None

    async def find_pending(self, request: Request) -> PendingSignIn | None:
        """The sign-in of this browser that waits for the code of the second factor; None for none."""
        cookie = self.cookie(request)
        return await self._people.sessions.find_pending(cookie) if cookie else None

    def cookie(self, request: Request) -> str:
        """The session's cookie, "" for none."""
        return request.cookies.get(self._session, "")

    async def enter(self, request: Request, response: Response, cookie: str) -> None:
        """Sign in with this answer. The session that this browser had before ends, and the form's cookie: what it
        vouched for was another visitor."""
        if before := self.cookie(request):
            await self._people.sign_out(before)
        self._set(response, self._session, cookie, SESSION_S)
        self._set(response, self._form, "", 0)

    def leave(self, response: Response) -> None:
        """Sign out with this answer."""
        self._set(response, self._session, "", 0)

    def hand_over(self, response: Response, secret: str) -> None:
        """Have the page to which this answer leads show a secret, which is kept nowhere else."""
        self._set(response, self._once, secret, ONCE_S)

    def find_secret(self, request: Request) -> str:
        """What was handed over within the last minute, "" for nothing."""
        return request.cookies.get(self._once, "")

    def drop_secret(self, response: Response) -> None:
        """It was shown with this answer, and no page shows it again."""
        self._set(response, self._once, "", 0)

    async def make_token(self, request: Request) -> str:
        """What the forms of this page carry. Before signing in, `keep_form` goes with the answer."""
        return _derive(await self._find_form_secret(request, make=True))

    def keep_form(self, request: Request, response: Response) -> None:
        """Set the form's cookie when `make_token` has made one."""
        if made := getattr(request.state, "form_cookie", None):
            self._set(response, self._form, made, None)

    async def read_form(self, request: Request) -> Fields:
        """The fields of a form that was sent from one of our pages; of several of one name the last.

        ForeignForm when it was not; InvalidParams and FileTooLarge when it is no form.
        """
        self.check_origin(request)
        fields = await read_fields(request)
        await self.check_token(request, fields.pop(TOKEN_FIELD, ""))
        return fields

    def check_origin(self, request: Request) -> None:
        """ForeignForm when a page of another origin sent this request."""
        site = request.headers.get("sec-fetch-site")
        if site is not None and site != "same-origin":
            raise _make_foreign_error()
        origin = request.headers.get("origin")
        if origin is None or (origin == "null" and site == "same-origin"):
            return
        if origin.lower() != self._origin:
            raise ForeignForm(f"This form was not submitted from {self._origin}. Open the service at that address.")

    async def check_token(self, request: Request, token: str) -> None:
        """ForeignForm unless the token is that of this visitor; of requests by script it may be in the header."""
        secret = await self._find_form_secret(request, make=False)
        given = token or request.headers.get(TOKEN_HEADER, "")
        if not secret or not hmac.compare_digest(_derive(secret).encode(), given.encode()):
            raise _make_foreign_error()

    async def find_browser(self, request: Request) -> str:
        """Return what challenges for passkeys are bound to: a digest of the cookie that the form's token belongs to."""
        return digest(f"passkey {await self._find_form_secret(request, make=False)}")

    async def offers_passkey(self, account_id: str) -> bool:
        """Return whether the account can use a passkey in place of a code."""
        return self.site is not None and bool(await self._people.passkeys.list(account_id))

    async def read_code(self, request: Request, text: str) -> Code:
        """Return what was sent in a field for a code, where a script may put the signature of a passkey.

        InvalidParams (`code: …`) for a signature that does not count.
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


async def read_fields(request: Request) -> Fields:
    """Return the fields of a form of any origin. InvalidParams when the body is no form, FileTooLarge when it is too
    long."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise InvalidParams("The body must be a form (application/x-www-form-urlencoded).")
    body = await read_body(request.scope["headers"], request.receive, MAX_FORM_BYTES)
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
    except ValueError as exc:
        raise InvalidParams("The form can't be parsed: it must be UTF-8 and have few fields.") from exc
    if any("\0" in part for pair in pairs for part in pair):
        raise InvalidParams("The form must not contain the character U+0000.")
    return dict(pairs)


def _derive(secret: str) -> str:
    """The token of a cookie, which does not tell the cookie."""
    return hmac.digest(secret.encode(), b"form", "sha256").hex()


def _make_foreign_error() -> ForeignForm:
    return ForeignForm(
        "This form has expired or was submitted from another site. Go back, reload the page and try again."
    )
