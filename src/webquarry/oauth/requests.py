"""An app's request for access to an account, and its validation."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webquarry.oauth import redirects
from webquarry.oauth.clients import Client
from webquarry.oauth.errors import OAuthError

SCOPE = "tools"
"""The only scope: calls of all tools, which are paid with the account's credits."""
MAX_STATE = 4000
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
"""A SHA-256 hash in base64url without padding."""
_ONCE = (
    *("client_id", "redirect_uri", "response_type", "response_mode", "state", "scope", "request", "request_uri"),
    *("code_challenge", "code_challenge_method"),
)


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A validated request for access."""

    client: Client
    redirect_uri: str
    state: str
    challenge: str
    resource: str

    def answer(self, issuer: str, **values: str) -> str:
        """Return the app's redirect URI with these parameters, the state and the issuer (RFC 9207)."""
        state = {"state": self.state} if self.state else {}
        return redirects.add_query(self.redirect_uri, **values, **state, iss=issuer)


def find_redirect(client: Client, fields: Mapping[str, Sequence[str]]) -> str:
    """Return the redirect URI of a request.

    Raises OAuthError, which must be shown to the user instead of redirecting, unless the client has registered the URI.
    """
    given = fields.get("redirect_uri", ())
    if not given and len(client.redirect_uris) == 1:
        return client.redirect_uris[0]
    if len(given) != 1 or not redirects.match(given[0], client.redirect_uris):
        raise OAuthError("invalid_request", "redirect_uri: must be one of the client's registered URIs.")
    return given[0]


_OBJECTS = ("request", "request_uri")
"""Fields that carry a whole request, which is not supported."""


def _read_single(fields: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the first value of each field. Raises OAuthError if a field is repeated or not supported."""
    if repeated := [name for name in _ONCE if len(fields.get(name, ())) > 1]:
        raise OAuthError("invalid_request", f"{repeated[0]}: must be sent exactly once.")
    one = {name: values[0] for name, values in fields.items() if values}
    if objects := [name for name in _OBJECTS if name in one]:
        raise OAuthError(f"{objects[0]}_not_supported", "Request objects aren't supported.")
    return one


def read_request(
    client: Client, redirect_uri: str, fields: Mapping[str, Sequence[str]], resource: str
) -> AuthorizationRequest:
    """Validate an authorization request. Raises OAuthError if it is invalid.

    `resource` identifies the resource that this server protects.
    """
    one = _read_single(fields)
    if one.get("response_type") != "code":
        raise OAuthError("unsupported_response_type", "response_type: must be code.")
    if one.get("response_mode", "query") != "query":
        raise OAuthError("invalid_request", "response_mode: must be query.")
    if one.get("code_challenge_method") != "S256" or not CHALLENGE.fullmatch(one.get("code_challenge", "")):
        raise OAuthError("invalid_request", "code_challenge: is required, with the method S256 (PKCE).")
    if len(one.get("state", "")) > MAX_STATE:
        raise OAuthError("invalid_request", f"state: must be at most {MAX_STATE} characters.")
    check_resources(fields.get("resource", ()), resource)
    return AuthorizationRequest(client, redirect_uri, one.get("state", ""), one["code_challenge"], resource)


def read_state(fields: Mapping[str, Sequence[str]]) -> str:
    """Return the state to send back with an error; "" if it is missing or invalid."""
    given = fields.get("state", ())
    return given[0] if len(given) == 1 and len(given[0]) <= MAX_STATE else ""


def check_resources(given: Sequence[str], resource: str) -> None:
    """Raise OAuthError unless every requested resource is `resource` (RFC 8707). An empty list means `resource`."""
    for each in given:
        if not is_resource(each, resource):
            raise OAuthError("invalid_target", f"resource: must be {resource}.")


def is_resource(given: str, resource: str) -> bool:
    """Return whether a URL identifies the resource, ignoring a query and a trailing slash."""
    path, _, _ = given.partition("?")
    scheme, colon, rest = path.partition("://")
    host, slash, below = rest.partition("/")
    return f"{scheme.lower()}{colon}{host.lower()}{slash}{below}".removesuffix("/") == resource
