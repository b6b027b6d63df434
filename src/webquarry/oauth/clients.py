"""Clients: apps that request access, identified by registration (RFC 7591) or by a metadata document at their URL."""

import hmac
import re
import secrets
import unicodedata
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import orjson

from webquarry.accounts.credentials import digest
from webquarry.core.clock import Clock
from webquarry.oauth import client_records, redirects
from webquarry.oauth.errors import OAuthError
from webquarry.storage import Database

AUTH_METHODS = ("none", "client_secret_post", "client_secret_basic")
GRANT_TYPES = ("authorization_code", "refresh_token")
MAX_REDIRECTS = 20
MAX_NAME = 80
MAX_CLIENTS = 20_000
DOCUMENT_BYTES = 16 * 1024
DOCUMENT_LASTS = timedelta(hours=1)
_DOCUMENT_PATH = re.compile(r"/[!$&-;=@-Z_a-z~%]+")
Fetch = Callable[[str], Awaitable[bytes]]
"""Fetches at most DOCUMENT_BYTES from a URL without following redirects, or raises OAuthError."""


@dataclass(frozen=True, slots=True)
class Client:
    """An app that people can connect to their accounts.

    `name` is the name that the app chose; `home` is its home page or "". `is_document` means that the app is identified
    by a document at its URL, so that the URL's host is verified. `secret_digest` is None for a public client.
    """

    id: str
    name: str
    home: str
    redirect_uris: tuple[str, ...]
    auth_method: str = "none"
    refreshes: bool = True
    secret_digest: str | None = None
    fresh_until: datetime | None = None

    @property
    def is_document(self) -> bool:
        return self.id.startswith("https://")

    @property
    def address(self) -> str:
        """The host by which people recognize the app, or ""."""
        return urlsplit(self.id if self.is_document else self.home).netloc

    def check_secret(self, secret: str | None) -> None:
        """Raise OAuthError unless the client is public or this is its secret."""
        if self.secret_digest is None:
            return
        if secret is None or not hmac.compare_digest(digest(secret).encode(), self.secret_digest.encode()):
            raise OAuthError("invalid_client", "The client's secret is missing or wrong.", status=401)


class Clients:
    """The clients of one store. `fetch` fetches metadata documents."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        fetch: Fetch,
        *,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._database = database
        self._clock = clock
        self._fetch = fetch
        self._random_bytes = random_bytes

    async def find(self, client_id: str) -> Client | None:
        """Return a known client, or None. The metadata of a client with a document come from the last fetch."""
        if "\0" in client_id:  # databases reject U+0000 in text
            return None
        row = await self._database.read(partial(client_records.find, client_id))
        return None if row is None else _from_row(row)

    async def introduce(self, client_id: str) -> Client:
        """Return a client that requests access, from its registration or its document.

        A document is fetched again after an hour.

        Raises OAuthError if there is no such client.
        """
        client = await self.find(client_id)
        if not client_id.startswith("https://"):
            if client is None:
                raise OAuthError("invalid_client", "This client is not registered. Register it again.")
            return client
        if client is not None and client.fresh_until is not None and client.fresh_until > self._clock.now():
            return client
        check_document_address(client_id)
        client = read_document(client_id, await self._fetch(client_id))
        await self._keep(client, fresh_until=self._clock.now() + DOCUMENT_LASTS)
        return client

    async def register(self, metadata: Mapping[str, Any]) -> tuple[Client, str | None]:
        """Register a client with this metadata.

        Return the client, and its secret if it requested one. Raises OAuthError if the metadata is invalid.
        """
        client_id = f"wq_client_{self._random_bytes(16).hex()}"
        client = read_metadata(client_id, metadata)
        secret = None
        if client.auth_method != "none":
            secret = self._random_bytes(32).hex()
            client = replace(client, secret_digest=digest(secret))
        await self._keep(client, fresh_until=None)
        return client, secret

    async def sweep(self) -> bool:
        """Delete a batch of unused clients. Return whether more may be left."""
        return await self._database.write(partial(client_records.sweep, self._clock.now()))

    async def _keep(self, client: Client, *, fresh_until: datetime | None) -> None:
        about = {
            "home": client.home,
            "redirect_uris": client.redirect_uris,
            "auth_method": client.auth_method,
            "refreshes": client.refreshes,
        }
        keep = partial(
            client_records.keep,
            client.id,
            client.name,
            orjson.dumps(about).decode(),
            client.secret_digest,
            self._clock.now(),
            fresh_until,
            MAX_CLIENTS,
        )
        if not await self._database.write(keep):
            raise OAuthError("temporarily_unavailable", "Too many clients are registered.", status=503)


def check_document_address(client_id: str) -> None:
    """Raise OAuthError unless this URL is allowed as the address of a metadata document."""
    parts = urlsplit(client_id)
    segments = parts.path.split("/")
    is_plain = redirects.find_fault(client_id) is None and not parts.query and _DOCUMENT_PATH.fullmatch(parts.path)
    if not is_plain or "." in segments or ".." in segments:
        raise OAuthError("invalid_client", "client_id: must be an https URL with a path and no query or fragment.")


def read_document(client_id: str, body: bytes) -> Client:
    """Return the client of a metadata document. Raises OAuthError if the document does not belong to this URL."""
    try:
        metadata = orjson.loads(body)
    except orjson.JSONDecodeError as exc:
        raise OAuthError("invalid_client", "The client's metadata document is not valid JSON.") from exc
    if not isinstance(metadata, dict) or metadata.get("client_id") != client_id:
        raise OAuthError(
            "invalid_client", "The client_id in the client's metadata document must equal the document's URL."
        )
    if metadata.get("client_secret") is not None or metadata.get("token_endpoint_auth_method", "none") != "none":
        raise OAuthError(
            "invalid_client", "A client with a metadata document must use the token_endpoint_auth_method none."
        )
    try:
        return read_metadata(client_id, {"grant_types": GRANT_TYPES, **metadata})
    except OAuthError as exc:
        raise OAuthError("invalid_client", exc.description) from exc


def _read_redirects(uris: Any) -> tuple[str, ...]:
    """Return valid redirect URIs. Raises OAuthError."""
    if not isinstance(uris, list) or not 1 <= len(uris) <= MAX_REDIRECTS:
        raise OAuthError("invalid_redirect_uri", f"redirect_uris: must be a list of 1 to {MAX_REDIRECTS} URIs.")
    for uri in uris:
        fault = redirects.find_fault(uri) if isinstance(uri, str) else "must be a string"
        if fault is not None:
            raise OAuthError("invalid_redirect_uri", f"redirect_uris: each {fault}.")
    return tuple(uris)


def read_metadata(client_id: str, metadata: Mapping[str, Any]) -> Client:
    """Return the client described by RFC 7591 metadata, ignoring unknown fields.

    Raises OAuthError if the metadata is invalid.
    """
    uris = _read_redirects(metadata.get("redirect_uris"))
    auth_method = metadata.get("token_endpoint_auth_method", "none")
    if auth_method not in AUTH_METHODS:
        raise _make_metadata_error(f"token_endpoint_auth_method: must be one of {', '.join(AUTH_METHODS)}.")
    grant_types = metadata.get("grant_types", ["authorization_code", "refresh_token"])
    if not isinstance(grant_types, list | tuple) or "authorization_code" not in grant_types:
        raise _make_metadata_error("grant_types: must contain authorization_code.")
    response_types = metadata.get("response_types", ["code"])
    if not isinstance(response_types, list) or "code" not in response_types:
        raise _make_metadata_error("response_types: must contain code.")
    home = metadata.get("client_uri")
    return Client(
        client_id,
        _read_name(metadata.get("client_name")),
        home if isinstance(home, str) and _is_home(home) else "",
        uris,
        auth_method,
        "refresh_token" in grant_types,
    )


def _is_home(uri: str) -> bool:
    return uri.startswith(("https://", "http://")) and redirects.find_fault(uri) is None


def _read_name(name: Any) -> str:
    """Return an app's name as a short line, without characters that hide or reverse text."""
    if not isinstance(name, str):
        return ""
    shown = "".join(" " if each.isspace() else each for each in name[: 10 * MAX_NAME])
    plain = "".join(each for each in shown if unicodedata.category(each) not in ("Cc", "Cf", "Co", "Cs", "Cn"))
    return " ".join(plain.split())[:MAX_NAME]


def _from_row(row: client_records.ClientRow) -> Client:
    about = orjson.loads(row.about)
    return Client(
        row.id,
        row.name,
        about["home"],
        tuple(about["redirect_uris"]),
        about["auth_method"],
        about["refreshes"],
        row.secret_digest,
        row.fresh_until,
    )


def _make_metadata_error(description: str) -> OAuthError:
    return OAuthError("invalid_client_metadata", description)
