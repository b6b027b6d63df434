"""`/oauth/authorize`: a signed-in person decides whether an app may act for the account.

Nothing is fetched, and nothing redirected, for who is not signed in. What is wrong with a request is told to the person
on a page, which leads back to the app only by a link: an address that anybody may register is no place to send people.
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
    """The room of consent. resource: the identifier of what apps are let into."""

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
        """The page that names the app, where it leads back to, and what it may do."""
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
        """Send the browser back to the app, with a code or with the refusal."""
        query = _read_query(fields.get("question", ""))
        try:
            client, redirect_uri = await self._introduce(query, visitor)
            asked = requests.read_request(client, redirect_uri, query, self._resource)
        except OAuthError as error:
            raise InvalidParams(f"{error.description} Start again from the app.") from error
        if fields.get("decision") != "allow":
            refusal = "The user denied the request."
            return _send(asked.answer(self._issuer, error="access_denied", error_description=refusal))
        if not await self._gate.is_fresh(request):  # not here: the answer to that form may lead to no other host
            return go_to(f"{AUTHORIZE}?{fields.get('question', '')}")
        return _send(asked.answer(self._issuer, code=await self._grants.approve(visitor.account_id, asked)))

    async def _introduce(self, query: Query, visitor: Visitor) -> tuple[Client, str]:
        """The app and where it is answered. OAuthError, which no other place may be told, where either is not sure."""
        ids = query.get("client_id", ())
        if len(ids) != 1:
            raise OAuthError("invalid_request", "client_id: must be given once.")
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
    """InvalidParams when there are too many parameters."""
    try:
        return parse_qs(text, keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
    except ValueError as exc:
        raise InvalidParams("The query can't be parsed: it must be UTF-8 and have few parameters.") from exc


def _send(address: str) -> Response:
    """To an app's address, which is registered and plain: nothing of it is written anew."""
    response = RedirectResponse("/", status_code=303, headers={"cache-control": "no-store"})
    response.headers["location"] = address
    return response
