"""Access control for pages.

It admits signed-in users, sends other users to the sign-in page, and only accepts the site's own forms.
"""

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
"""Destination after signing in if no page was requested."""
_OURS = re.compile(r"/(?![/\\])[!-\[\]-~]{0,4000}")
Handler = Callable[[Request], Awaitable[Response]]


class Gate:
    """Access control that is shared by all pages for signed-in users."""

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
        """Render a page that must not be cached.

        The page's template gets `visitor`, and `csrf`, the token for the page's forms.
        """
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
        """Set the cookie of a new session and redirect to the requested page.

        If the account has a second factor, redirect to the page that asks for a code first.
        """
        pending = await self.visitors.awaits_code(cookie)
        response = go_to(f"{SECOND_STEP}?{urlencode({'next': wanted})}" if pending else wanted)
        await self.visitors.enter(request, response, cookie)
        return response

    async def is_fresh(self, request: Request) -> bool:
        """Return whether the user entered the password and the code within the last 15 minutes."""
        return await self._reauthentication.is_fresh(request)

    def page(
        self,
        handler: Callable[[Request, Visitor], Awaitable[Response]],
        *,
        admin: bool = False,
        fresh: bool = False,
    ) -> Handler:
        """Return a handler for a page for signed-in users.

        Other users are sent to the sign-in page and then back. `admin` restricts the page to administrators; other
        users get a 404. `fresh` asks for the password first, unless it was entered within the last 15 minutes.
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
        """Return a handler for a form of a signed-in user. It verifies the form's token.

        `fresh` asks for the password first, on a page that carries the form's fields.
        """

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
        """Return a handler for a public page."""
        return self._show_errors(handler)

    def open_form(self, handler: Callable[[Request, Fields], Awaitable[Response]]) -> Handler:
        """Return a handler for a public form. It verifies the form's token."""

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
        """Show the page that asks for the password and contains the form to be sent again."""
        values = await self._reauthentication.describe(visitor, target, fields, error)
        status = error.status if error else 403
        return await self.show(request, "signin/reauthenticate.html", status=status, **values)

    def _show_errors(self, handler: Handler) -> Handler:
        """Wrap the handler so that errors are shown as pages."""

        async def answer(request: Request) -> Response:
            try:
                _check_address(request)
                return await handler(request)
            except ServiceError as error:
                return await self.site.refuse(request, error)

        return answer


def lead_to_login(request: Request) -> Response:
    """Redirect to the sign-in page, and from there back. After a form submission, the default page is used instead."""
    return go_to(f"{LOGIN}?{urlencode({'next': _read_address(request)})}" if request.method == "GET" else LOGIN)


def go_to(path: str) -> Response:
    """Redirect to a path of this site, with GET."""
    return RedirectResponse(path, status_code=303, headers={"cache-control": "no-store"})


def read_next(value: str) -> str:
    """Return the requested path if it belongs to this site, otherwise the default path."""
    return value if _OURS.fullmatch(value) else HOME


def name_fault(error: ServiceError, fields: Sequence[str]) -> tuple[str, str]:
    """Return (field, sentence) of an error such as `email: must be …`. The field is "" if it is not in `fields`."""
    name, colon, rest = error.message.partition(": ")
    if not colon or name not in fields:
        return "", error.message
    return name, rest[:1].upper() + rest[1:]


def _read_address(request: Request) -> str:
    """Return the path and query of a request."""
    path = request.scope["path"]
    query = request.scope["query_string"].decode("latin-1")
    return f"{path}?{query}" if query else path


async def _go_on(_request: Request, _visitor: Visitor, fields: Fields) -> Response:
    """Redirect to the page for which the password was requested."""
    return go_to(read_next(fields.get("next", "")))


def _check_address(request: Request) -> None:
    """Raise InvalidParams if the address contains characters that databases reject."""
    if "\0" in request.scope["path"] or b"%00" in request.scope["query_string"]:
        raise InvalidParams("The URL must not contain the character U+0000.")


def _make_missing_error() -> NotFound:
    return NotFound("Page not found.")
