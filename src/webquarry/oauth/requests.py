"""The request by which an app asks for access to an account, and what is wrong with it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webquarry.oauth import redirects
from webquarry.oauth.clients import Client
from webquarry.oauth.errors import OAuthError

SCOPE = "tools"
"""The one scope there is: calls of all tools, with the account's credits."""
MAX_STATE = 4000
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
"""The base64url of a SHA-256, without padding."""
_ONCE = (
    *("client_id", "redirect_uri", "response_type", "response_mode", "state", "scope", "request", "request_uri"),
    *("code_challenge", "code_challenge_method"),
)


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A request whose client and redirect address are sure; `find_fault` says whether the rest is right."""

    client: Client
    redirect_uri: str
    state: str
    challenge: str
    resource: str

    def answer(self, issuer: str, **values: str) -> str:
        """The address to which the browser is sent: the app's, with these values, the state and who answers
        (RFC 9207)."""
        state = {"state": self.state} if self.state else {}
        return redirects.add_query(self.redirect_uri, **values, **state, iss=issuer)


def find_redirect(client: Client, fields: Mapping[str, Sequence[str]]) -> str:
    """Where the answer goes. OAuthError, which must be told to the person and not to that address, unless it is one of
    the client's own."""
    given = fields.get("redirect_uri", ())
    if not given and len(client.redirect_uris) == 1:
        return client.redirect_uris[0]
    if len(given) != 1 or not redirects.match(given[0], client.redirect_uris):
        raise OAuthError("invalid_request", "redirect_uri: must be one of the client's registered URIs.")
    return given[0]


def read_request(
    client: Client, redirect_uri: str, fields: Mapping[str, Sequence[str]], resource: str
) -> AuthorizationRequest:
    """The request of these parameters. OAuthError for a bad one.

    resource: the identifier of what this server protects.
    """
    if repeated := [name for name in _ONCE if len(fields.get(name, ())) > 1]:
        raise OAuthError("invalid_request", f"{repeated[0]}: must be given once.")
    one = {name: values[0] for name, values in fields.items() if values}
    if "request" in one or "request_uri" in one:
        code = "request_not_supported" if "request" in one else "request_uri_not_supported"
        raise OAuthError(code, "Request objects aren't supported.")
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
    """The state to send back with an error; "" for none, or one that cannot be sent back."""
    given = fields.get("state", ())
    return given[0] if len(given) == 1 and len(given[0]) <= MAX_STATE else ""


def check_resources(given: Sequence[str], resource: str) -> None:
    """OAuthError unless all that is asked for is this resource (RFC 8707); who names none means it."""
    for each in given:
        if not is_resource(each, resource):
            raise OAuthError("invalid_target", f"resource: must be {resource}.")


def is_resource(given: str, resource: str) -> bool:
    """Whether an address is that of the resource, which a query and a slash at the end do not change."""
    path, _, _ = given.partition("?")
    scheme, colon, rest = path.partition("://")
    host, slash, below = rest.partition("/")
    return f"{scheme.lower()}{colon}{host.lower()}{slash}{below}".removesuffix("/") == resource
