"""`/oauth/authorize`: a signed-in person decides whether an app may act for the account.

For users who are not signed in, nothing is fetched or redirected. Errors in a request are shown on a page that only
links to the app, because redirects to URLs that anybody can register could be abused.
"""

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Visitor
from webquarry.core.errors import InvalidParams
from webquarry.oauth import Client, Clients, Grants, OAuthError, redirects, requests
from webquarry.web.gate import Gate, go_to
from webquarry.web.session import MAX_FIELDS, Fields
from webquarry.web.signin.throttle import Throttle

AUTHORIZE = "/oauth/authorize"
Query = Mapping[str, Sequence[str]]


class ConsentPages:
    """Routes of the consent pages. `resource` identifies the resource to which apps get access."""

    def __init__(self, gate: Gate, clients: Clients, grants: Grants, throttle: Throttle, *, resource: str) -> None:
        self._gate = gate
        self._clients = clients
        self._grants = grants
        self._throttle = throttle
        self._resource = resource
        self._issuer = gate.site.base_url

    def routes(self) -> Sequence[BaseRoute]:
        return (
            Route(AUTHORIZE, self._gate.page(self.ask, fresh=True), methods=["GET"]),
            Route(AUTHORIZE, self._gate.form(self.decide), methods=["POST"]),
        )

    async def ask(self, request: Request, visitor: Visitor) -> Response:
        """Show the page that asks for consent: the app's name, its redirect target, and the requested access."""
        text = request.scope["query_string"].decode("latin-1")
        query = _read_query(text)
        try:
            client, redirect_uri = await self._introduce(query, visitor)
        except OAuthError as error:
            return await self._refuse(request, error)
        try:
            asked = requests.read_request(client, redirect_uri, query, self._resource)
        except OAuthError as error:
            return await self._refuse(request, error, client, self._make_error_address(redirect_uri, query, error))
        return await self._gate.show(
            request,
            "signin/consent.html",
            form_targets=(redirects.form_target(redirect_uri),),
            app=client,
            leads_to=redirects.describe(redirect_uri),
            question=text,
            action=AUTHORIZE,
            redirect_uri=asked.redirect_uri,
        )

    async def decide(self, request: Request, visitor: Visitor, fields: Fields) -> Response:
        """Redirect the browser to the app, with a code or a refusal."""
        query = _read_query(fields.get("question", ""))
        try:
            client, redirect_uri = await self._introduce(query, visitor)
            asked = requests.read_request(client, redirect_uri, query, self._resource)
        except OAuthError as error:
            raise InvalidParams(f"{error.description} Start again from the app.") from error
        if fields.get("decision") != "allow":
            refusal = "The user denied the request."
            return _send(asked.answer(self._issuer, error="access_denied", error_description=refusal))
        # ask on a separate page, because the response to its form cannot redirect to another host
        if not await self._gate.is_fresh(request):
            return go_to(f"{AUTHORIZE}?{fields.get('question', '')}")
        return _send(asked.answer(self._issuer, code=await self._grants.approve(visitor.account_id, asked)))

    async def _introduce(self, query: Query, visitor: Visitor) -> tuple[Client, str]:
        """Return the app and its redirect URI.

        Raises OAuthError if either cannot be verified. These errors must not be sent to the app.
        """
        ids = query.get("client_id", ())
        if len(ids) != 1:
            raise OAuthError("invalid_request", "client_id: must be sent exactly once.")
        if ids[0].startswith("https://"):
            await self._throttle.fetch_document(visitor.account_id)
        client = await self._clients.introduce(ids[0])
        return client, requests.find_redirect(client, query)

    def _make_error_address(self, redirect_uri: str, query: Query, error: OAuthError) -> str:
        state = {"state": state} if (state := requests.read_state(query)) else {}
        fields = {"error": error.code, "error_description": error.description}
        return redirects.add_query(redirect_uri, **fields, **state, iss=self._issuer)

    async def _refuse(
        self, request: Request, error: OAuthError, client: Client | None = None, back: str = ""
    ) -> Response:
        return await self._gate.show(
            request, "signin/no_consent.html", status=error.status, fault=error.description, app=client, back=back
        )


def _read_query(text: str) -> Query:
    """Parse a query. Raises InvalidParams if there are too many parameters."""
    try:
        return parse_qs(text, keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
    except ValueError as exc:
        raise InvalidParams("The query can't be parsed: it must be UTF-8 and have few parameters.") from exc


def _send(address: str) -> Response:
    """Redirect to an app's URL, which is sent unchanged, because it is registered."""
    response = RedirectResponse("/", status_code=303, headers={"cache-control": "no-store"})
    response.headers["location"] = address
    return response
