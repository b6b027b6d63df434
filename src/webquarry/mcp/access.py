"""Access control: keys and tokens, the Host of a request, and the Origin of a web page."""

import ipaddress
from collections.abc import Sequence
from typing import Final, Protocol
from urllib.parse import urlsplit

from webquarry.accounts import Accounts, Caller, credentials_from
from webquarry.core.errors import RequestError
from webquarry.oauth.requests import SCOPE

PATH: Final = "/mcp"
METADATA_PATH: Final = f"/.well-known/oauth-protected-resource{PATH}"
_KEY_START: Final = "wq_"
_LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class TokenVerifier(Protocol):
    """Finds the holder of an access token issued for a resource."""

    async def identify_token(self, token: str, resource: str) -> Caller:
        """Return the token's holder.

        Raises Unauthorized if the token is unknown, expired, revoked or for another resource.
        """
        ...


class Misdirected(RequestError):
    """A request with a Host other than the service's."""

    status, code = 421, "invalid_params"


class ForeignPage(RequestError):
    """A request from a web page that is not allowed."""

    status, code = 403, "invalid_params"


class Access:
    """Checks Host, Origin and credentials.

    `base_url` is the service's public URL. `origins` are the origins whose pages may send requests, in addition to the
    service's own and loopback; `*` allows all. `tokens` verifies sign-in tokens, if enabled.
    """

    def __init__(
        self, accounts: Accounts, tokens: TokenVerifier | None, base_url: str, origins: Sequence[str] = ()
    ) -> None:
        self._accounts = accounts
        self._tokens = tokens
        self.resource = f"{base_url}{PATH}"
        self._base = urlsplit(base_url)
        self._origins = frozenset((f"{self._base.scheme}://{self._base.netloc}".lower(), *origins))
        self._hosts = frozenset({self._base.netloc.lower(), *_list_hosts(base_url)})
        self._challenge = f'Bearer resource_metadata="{base_url}{METADATA_PATH}", scope="{SCOPE}"'

    async def identify(self, authorization: Sequence[str], api_keys: Sequence[str]) -> Caller:
        """Return the caller with this key or token. Raises Unauthorized."""
        credential = credentials_from(authorization, api_keys)
        if credential.startswith(_KEY_START) or self._tokens is None:
            return await self._accounts.identify(credential)
        return await self._tokens.identify_token(credential, self.resource)

    def make_challenge(self, *, was_tried: bool) -> str:
        """Return the `WWW-Authenticate` header of a refusal, which states where to find out about signing in, and the
        scope.
        """
        return f'{self._challenge}, error="invalid_token"' if was_tried else self._challenge

    def check_host(self, host: str) -> None:
        """Raise Misdirected unless the request's Host is the service's public name or loopback."""
        if host.lower() not in self._hosts and not is_loopback(f"//{host}"):
            raise Misdirected(
                "The Host header doesn't match this service. The operator needs to set WEBQUARRY_BASE_URL."
            )

    def check_origin(self, origin: str) -> None:
        """Raise ForeignPage unless the page belongs to the service, to loopback or to an allowed origin."""
        if "*" in self._origins or origin.lower() in self._origins or is_loopback(origin):
            return
        raise ForeignPage(
            "Requests from this origin are not allowed. The operator can allow it with WEBQUARRY_CORS_ORIGINS."
        )


def is_loopback(address: str) -> bool:
    """Return whether an origin, or a host written as `//host`, is a loopback address."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    if parts.path or parts.query or parts.fragment or "@" in parts.netloc or parts.scheme not in ("", "http", "https"):
        return False
    if host in _LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_media_types(accept: str) -> frozenset[str]:
    """Return the media types in an Accept header, without parameters."""
    return frozenset(part.split(";")[0].strip().lower() for part in accept.split(","))


def _list_hosts(base_url: str) -> tuple[str, ...]:
    """Return the forms of the URL's host with and without the port, because some clients always include the port and
    some never do.
    """
    parts = urlsplit(base_url)
    default = _DEFAULT_PORTS.get(parts.scheme)
    host = (parts.hostname or "").lower()
    host = f"[{host}]" if ":" in host else host
    return (host, f"{host}:{default}") if parts.port in (None, default) else ()
