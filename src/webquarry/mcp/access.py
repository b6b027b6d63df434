"""Who calls, and from where: keys and tokens, the Host that was asked, and the Origin of a page that asks."""

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
    """Says who holds an access token that was given out for a resource."""

    async def identify_token(self, token: str, resource: str) -> Caller:
        """Unauthorized when the token is unknown, expired, revoked, or was given out for another resource."""
        ...


class Misdirected(RequestError):
    """A request by another name than the service's."""

    status, code = 421, "invalid_params"


class ForeignPage(RequestError):
    """A request from a page that is not let in."""

    status, code = 403, "invalid_params"


class Access:
    """base_url: the service's public address. origins: of pages that may call, beside its own and those on loopback;
    `*` lets all in. tokens: of the sign-in, where there is one."""

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
        """The caller by key or token. Unauthorized for nobody."""
        credential = credentials_from(authorization, api_keys)
        if credential.startswith(_KEY_START) or self._tokens is None:
            return await self._accounts.identify(credential)
        return await self._tokens.identify_token(credential, self.resource)

    def make_challenge(self, *, was_tried: bool) -> str:
        """`WWW-Authenticate` of a refusal: where a client reads how to sign in, and what to ask for (RFC 6750)."""
        return f'{self._challenge}, error="invalid_token"' if was_tried else self._challenge

    def check_host(self, host: str) -> None:
        """Misdirected unless the request was sent to this service by its public name, or on loopback."""
        if host.lower() not in self._hosts and not is_loopback(f"//{host}"):
            raise Misdirected(
                "The Host header doesn't match this service. The operator needs to set WEBQUARRY_BASE_URL."
            )

    def check_origin(self, origin: str) -> None:
        """ForeignPage unless the page is the service's own, on loopback, or of an origin that is let in."""
        if "*" in self._origins or origin.lower() in self._origins or is_loopback(origin):
            return
        raise ForeignPage(
            "Requests from this origin are not allowed. The operator can allow it with WEBQUARRY_CORS_ORIGINS."
        )


def is_loopback(address: str) -> bool:
    """Whether an origin, or a host behind two slashes, is on the machine of who asks."""
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
    """The types of an Accept header, without their parameters."""
    return frozenset(part.split(";")[0].strip().lower() for part in accept.split(","))


def _list_hosts(base_url: str) -> tuple[str, ...]:
    """Host and port of the address as a client may write them that always, or never, names the port."""
    parts = urlsplit(base_url)
    default = _DEFAULT_PORTS.get(parts.scheme)
    host = (parts.hostname or "").lower()
    host = f"[{host}]" if ":" in host else host
    return (host, f"{host}:{default}") if parts.port in (None, default) else ()
