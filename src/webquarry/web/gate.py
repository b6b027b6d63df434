"""The gate of the rooms: lets signed-in visitors in, sends others to sign in, and takes only forms that are ours."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Visitor
from webquarry.core.errors import InvalidParams, NotFound, RequestError, ServiceError
from webquarry.web.reauthentication import CONTINUE, Reauthentication, take_given
from webquarry.web.session import Fields, Visitors
from webquarry.web.site import Site

LOGIN = "/login"
SECOND_STEP = "/login/code"
HOME = "/account"
"""Where people are led who came from nowhere."""
_OURS = re.compile(r"/(?![/\\])[!-\[\]-~]{0,4000}")
Handler = Callable[[Request], Awaitable[Response]]


class Gate:
    """What the rooms of signed-in visitors share."""

    def __init__(self, site: Site, visitors: Visitors, reauthentication: Reauthentication) -> None:
        self.site = site
        self.visitors = visitors
        self._reauthentication = reauthentication

    def routes(self) -> Sequence[BaseRoute]:
        return (Route(CONTINUE, self.form(_go_on, fresh=True), methods=["POST"]),)

    async def show(
        self,
        request: Request,
        template: str,
        *,
        status: int = 200,
        form_targets: Sequence[str] = (),
        **values: Any,
    ) -> Response:
        """A page whose template knows `visitor` and `csrf`, the token of its forms. No cache keeps it."""
        visitor, token = await self.visitors.find(request), await self.visitors.make_token(request)
        response = await self.site.page(
            request,
            template,
            status=status,
            headers={"cache-control": "private, no-store"},
            form_targets=form_targets,
            visitor=visitor,
            csrf=token,
            **values,
        )
        self.visitors.keep_form(request, response)
        return response

    async def enter(self, request: Request, cookie: str, wanted: str = HOME) -> Response:
        """Sign in with a new session, and go to the page that the visitor wanted; where the account has a second
        factor, by the page that asks for a code."""
        pending = await self.visitors.awaits_code(cookie)
        response = go_to(f"{SECOND_STEP}?{urlencode({'next': wanted})}" if pending else wanted)
        await self.visitors.enter(request, response, cookie)
        return response

    async def is_fresh(self, request: Request) -> bool:
        """Return whether the visitor gave password and code within the last 15 minutes."""
        return await self._reauthentication.is_fresh(request)

    def page(
        self,
        handler: Callable[[Request, Visitor], Awaitable[Response]],
        *,
        admin: bool = False,
        fresh: bool = False,
    ) -> Handler:
        """A page for who is signed in; others sign in first, and come back.

        admin: for administrators, of whose pages others do not learn that they exist. fresh: ask for the password
        first, unless it was given within the last 15 minutes.
        """

        async def answer(request: Request) -> Response:
            visitor = await self.visitors.find(request)
            if visitor is None:
                return lead_to_login(request)
            if admin and not visitor.is_admin:
                raise _make_missing_error()
            if fresh and not await self.is_fresh(request):
                return await self._ask_again(request, visitor, CONTINUE, {"next": _read_address(request)})
            return await handler(request, visitor)

        return self._show_errors(answer)

    def form(
        self,
        handler: Callable[[Request, Visitor, Fields], Awaitable[Response]],
        *,
        admin: bool = False,
        fresh: bool = False,
    ) -> Handler:
        """What a form of such a page does, once it is known to be ours. fresh: and once the password was given, by a
        page that carries the fields of the form."""

        async def answer(request: Request) -> Response:
            fields = await self.visitors.read_form(request)
            visitor = await self.visitors.find(request)
            if visitor is None:
                return lead_to_login(request)
            if admin and not visitor.is_admin:
                raise _make_missing_error()
            given = take_given(fields)
            if fresh and not await self.is_fresh(request):
                error = None if given is None else await self._reauthentication.check(request, visitor, given)
                if given is None or error is not None:
                    return await self._ask_again(request, visitor, request.scope["path"], fields, error)
            return await handler(request, await self.visitors.find(request) or visitor, fields)

        return self._show_errors(answer)

    def open_page(self, handler: Handler) -> Handler:
        """A page for everybody."""
        return self._show_errors(handler)

    def open_form(self, handler: Callable[[Request, Fields], Awaitable[Response]]) -> Handler:
        """What a form for everybody does, once it is known to be ours."""

        async def answer(request: Request) -> Response:
            return await handler(request, await self.visitors.read_form(request))

        return self._show_errors(answer)

    async def _ask_again(
        self,
        request: Request,
        visitor: Visitor,
        target: str,
        fields: Fields,
        error: RequestError | None = None,
    ) -> Response:
        """The page that asks for the password, with the form to be sent once more."""
        values = await self._reauthentication.describe(visitor, target, fields, error)
        status = error.status if error else 403
        return await self.show(request, "signin/reauthenticate.html", status=status, **values)

    def _show_errors(self, handler: Handler) -> Handler:
        """The handler, with errors told as pages."""

        async def answer(request: Request) -> Response:
            try:
                _check_address(request)
                return await handler(request)
            except ServiceError as error:
                return await self.site.refuse(request, error)

        return answer


def lead_to_login(request: Request) -> Response:
    """To the page for signing in, and from there back; after a form, to where people are led who came from nowhere."""
    return go_to(f"{LOGIN}?{urlencode({'next': _read_address(request)})}" if request.method == "GET" else LOGIN)


def go_to(path: str) -> Response:
    """To a path of ours, by GET."""
    return RedirectResponse(path, status_code=303, headers={"cache-control": "no-store"})


def read_next(value: str) -> str:
    """The path that a visitor wanted to go to: one of ours, whatever was given."""
    return value if _OURS.fullmatch(value) else HOME


def name_fault(error: ServiceError, fields: Sequence[str]) -> tuple[str, str]:
    """(field, sentence) of an error such as `email: must be …`; the field is "" when it names none of these."""
    name, colon, rest = error.message.partition(": ")
    if not colon or name not in fields:
        return "", error.message
    return name, rest[:1].upper() + rest[1:]


def _read_address(request: Request) -> str:
    """Return path and query of a request."""
    path = request.scope["path"]
    query = request.scope["query_string"].decode("latin-1")
    return f"{path}?{query}" if query else path


async def _go_on(_request: Request, _visitor: Visitor, fields: Fields) -> Response:
    """Go to the page before which the password was asked for."""
    return go_to(read_next(fields.get("next", "")))


def _check_address(request: Request) -> None:
    """InvalidParams for what no store takes as text."""
    if "\0" in request.scope["path"] or b"%00" in request.scope["query_string"]:
        raise InvalidParams("The URL must not contain the character U+0000.")


def _make_missing_error() -> NotFound:
    return NotFound("Page not found.")
