"""OAuth endpoints for apps: metadata, registration, tokens and revocation.

Responses are JSON and must not be cached. Pages of all origins may send requests, because nothing depends on cookies.
"""

import base64
import binascii
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.api.addresses import Addresses
from webquarry.api.body import read_body
from webquarry.core.errors import FileTooLarge, Overloaded, ServiceError
from webquarry.oauth import Client, Clients, Grants, OAuthError, requests
from webquarry.oauth.clients import AUTH_METHODS, GRANT_TYPES
from webquarry.oauth.grants import Issued
from webquarry.web.session import Fields, read_fields
from webquarry.web.signin.consent import AUTHORIZE
from webquarry.web.signin.throttle import Throttle, TooManyTries

TOKEN = "/oauth/token"  # noqa: S105  # a path
REGISTER = "/oauth/register"
REVOKE = "/oauth/revoke"
MAX_METADATA_BYTES = 16 * 1024
_SERVER = "/.well-known/oauth-authorization-server"
_RESOURCE = "/.well-known/oauth-protected-resource"
_SHARED = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "Authorization, Content-Type, Mcp-Protocol-Version",
    "access-control-max-age": "600",
}
_SECRET = {**_SHARED, "cache-control": "no-store", "pragma": "no-cache"}
_OPEN = {**_SHARED, "cache-control": "public, max-age=300"}
Answer = Callable[[Request], Awaitable[Response]]


class OAuthRoutes:
    """Routes for apps. `resource_path` is the path of the resource to which apps get access, `/mcp`."""

    def __init__(
        self,
        clients: Clients,
        grants: Grants,
        throttle: Throttle,
        addresses: Addresses,
        *,
        base_url: str,
        resource_path: str,
    ) -> None:
        self._clients = clients
        self._grants = grants
        self._throttle = throttle
        self._addresses = addresses
        self._resource_path = resource_path
        self._resource = f"{base_url}{resource_path}"
        self._server_metadata = orjson.dumps(_describe_server(base_url))
        self._resource_metadata = orjson.dumps(_describe_resource(base_url, self._resource))

    def routes(self) -> Sequence[BaseRoute]:
        read, write = ["GET", "OPTIONS"], ["POST", "OPTIONS"]
        return (
            Route(_SERVER, self.describe_server, methods=read),
            Route(_RESOURCE, self.describe_resource, methods=read),
            Route(f"{_RESOURCE}{self._resource_path}", self.describe_resource, methods=read),
            Route(REGISTER, self._answer_errors(self.register), methods=write),
            Route(TOKEN, self._answer_errors(self.give_tokens), methods=write),
            Route(REVOKE, self._answer_errors(self.revoke), methods=write),
        )

    async def describe_server(self, _request: Request) -> Response:
        """Return authorization server metadata (RFC 8414)."""
        return Response(self._server_metadata, headers=_OPEN, media_type="application/json")

    async def describe_resource(self, _request: Request) -> Response:
        """Return protected resource metadata (RFC 9728)."""
        return Response(self._resource_metadata, headers=_OPEN, media_type="application/json")

    async def register(self, request: Request) -> Response:
        """Register an app without a metadata document (RFC 7591)."""
        await self._throttle.register_client(self._addresses.network_of(request.scope))
        client, secret = await self._clients.register(await _read_metadata(request))
        registration: dict[str, Any] = {
            "client_id": client.id,
            "redirect_uris": client.redirect_uris,
            "token_endpoint_auth_method": client.auth_method,
            "grant_types": GRANT_TYPES if client.refreshes else GRANT_TYPES[:1],
            "response_types": ["code"],
            "scope": requests.SCOPE,
        }
        registration.update({"client_name": client.name} if client.name else {})
        registration.update({"client_uri": client.home} if client.home else {})
        registration.update({"client_secret": secret, "client_secret_expires_at": 0} if secret else {})
        return _answer(registration, status=201)

    async def give_tokens(self, request: Request) -> Response:
        """Issue tokens in exchange for a code or a refresh token."""
        await self._throttle.ask_tokens(self._addresses.network_of(request.scope))
        fields = await _read_form(request)
        client = await self._authenticate(request, fields)
        if client is None:
            raise OAuthError("invalid_client", "client_id: is missing.", status=401)
        asked = fields.get("resource")
        requests.check_resources((asked,) if asked else (), self._resource)
        kind = fields.get("grant_type")
        if kind == "authorization_code":
            code, verifier = fields.get("code", ""), fields.get("code_verifier", "")
            issued = await self._grants.exchange(client, code, verifier, fields.get("redirect_uri"))
        elif kind == "refresh_token":
            issued = await self._grants.refresh(client, fields.get("refresh_token", ""), asked and self._resource)
        else:
            raise OAuthError("unsupported_grant_type", f"grant_type: must be {' or '.join(GRANT_TYPES)}.")
        return _answer(_describe_tokens(issued))

    async def revoke(self, request: Request) -> Response:
        """Revoke the whole grant of a token (RFC 7009). An unknown token is not an error."""
        await self._throttle.ask_tokens(self._addresses.network_of(request.scope))
        fields = await _read_form(request)
        client = await self._authenticate(request, fields)
        if "token" not in fields:
            raise OAuthError("invalid_request", "token: is missing.")
        await self._grants.revoke_token(client, fields["token"])
        return _answer({})

    async def _authenticate(self, request: Request, fields: Fields) -> Client | None:
        """Return the client that the request names, or None if it names no client.

        Raises OAuthError if the client is unknown or fails to authenticate.
        """
        basic = _read_basic(request)
        client_id, secret = basic or (fields.get("client_id"), fields.get("client_secret"))
        if client_id is None:
            return None
        client = await self._clients.find(client_id)
        if client is None or fields.get("client_id", client_id) != client_id:
            raise OAuthError("invalid_client", "Unknown client. Register it again.", status=401)
        client.check_secret(secret)
        return client

    def _answer_errors(self, handler: Answer) -> Answer:
        """Wrap the handler to return OAuth's error responses and to answer CORS preflight requests."""

        async def answer(request: Request) -> Response:
            if request.method == "OPTIONS":
                return Response(status_code=204, headers=_SHARED)
            try:
                return await handler(request)
            except OAuthError as error:
                return _refuse(error.status, error.code, error.description, _challenge(request, error))
            except (TooManyTries, Overloaded) as error:
                return _refuse(error.status, "temporarily_unavailable", error.message, error.headers())
            except ServiceError as error:
                return _refuse(error.status, "invalid_request", error.message)

        return answer


def _describe_server(base_url: str) -> dict[str, Any]:
    return {
        "issuer": base_url,
        "authorization_endpoint": f"{base_url}{AUTHORIZE}",
        "token_endpoint": f"{base_url}{TOKEN}",
        "registration_endpoint": f"{base_url}{REGISTER}",
        "revocation_endpoint": f"{base_url}{REVOKE}",
        "scopes_supported": [requests.SCOPE],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": GRANT_TYPES,
        "token_endpoint_auth_methods_supported": AUTH_METHODS,
        "revocation_endpoint_auth_methods_supported": AUTH_METHODS,
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": True,
        "service_documentation": f"{base_url}/docs/tools",
    }


def _describe_resource(base_url: str, resource: str) -> dict[str, Any]:
    return {
        "resource": resource,
        "resource_name": "Webquarry",
        "authorization_servers": [base_url],
        "bearer_methods_supported": ["header"],
        "scopes_supported": [requests.SCOPE],
        "resource_documentation": f"{base_url}/docs/tools",
    }


def _describe_tokens(issued: Issued) -> dict[str, Any]:
    answer = {
        "access_token": issued.access_token,
        "token_type": "Bearer",
        "expires_in": issued.expires_in_s,
        "scope": issued.scope,
    }
    return {**answer, "refresh_token": issued.refresh_token} if issued.refresh_token else answer


async def _read_metadata(request: Request) -> Mapping[str, Any]:
    try:
        metadata = orjson.loads(await read_body(request.scope["headers"], request.receive, MAX_METADATA_BYTES))
    except FileTooLarge as exc:
        raise OAuthError(
            "invalid_client_metadata", f"The metadata must be at most {MAX_METADATA_BYTES // 1024} KB."
        ) from exc
    except orjson.JSONDecodeError as exc:
        raise OAuthError("invalid_client_metadata", "The metadata must be JSON.") from exc
    if not isinstance(metadata, dict):
        raise OAuthError("invalid_client_metadata", "The metadata must be a JSON object.")
    return metadata


async def _read_form(request: Request) -> Fields:
    """Return the fields of a form, without empty fields (RFC 6749 section 3.2)."""
    return {name: value for name, value in (await read_fields(request)).items() if value}


def _read_basic(request: Request) -> tuple[str, str] | None:
    """Return (client id, secret) from an Authorization header with the scheme Basic, or None."""
    scheme, _, encoded = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        name, colon, secret = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError) as exc:
        raise OAuthError("invalid_client", "The Authorization header is malformed.", status=401) from exc
    if not colon:
        raise OAuthError("invalid_client", "The Authorization header contains no client secret.", status=401)
    return unquote(name), unquote(secret)


def _challenge(request: Request, error: OAuthError) -> Mapping[str, str]:
    if error.status != 401 or "authorization" not in request.headers:
        return {}
    return {"www-authenticate": 'Basic realm="webquarry"'}


def _answer(body: Mapping[str, Any], *, status: int = 200) -> Response:
    return Response(orjson.dumps(body), status_code=status, headers=_SECRET, media_type="application/json")


def _refuse(status: int, code: str, description: str, headers: Mapping[str, str] | None = None) -> Response:
    body = orjson.dumps({"error": code, "error_description": description})
    return Response(body, status_code=status, headers={**_SECRET, **(headers or {})}, media_type="application/json")
