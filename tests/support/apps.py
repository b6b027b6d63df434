"""OAuth clients for tests."""

from typing import Any

import orjson

from webquarry.oauth import AuthorizationRequest, Client, OAuthError
from webquarry.oauth.grants import challenge_of

VERIFIER = "a" * 43
CHALLENGE = challenge_of(VERIFIER)
RESOURCE = "http://127.0.0.1:8080/mcp"
REDIRECT = "http://127.0.0.1:3000/callback"
HOMES = "https://app.example/client.json"


class Documents:
    """Metadata documents by URL, with a count of their fetches."""

    def __init__(self) -> None:
        self.documents: dict[str, bytes] = {}
        self.fetched: list[str] = []

    def add(self, client_id: str = HOMES, **metadata: Any) -> str:
        fields = {"client_id": client_id, "client_name": "The App", "redirect_uris": [REDIRECT], **metadata}
        self.documents[client_id] = orjson.dumps(fields)
        return client_id

    async def fetch(self, url: str) -> bytes:
        self.fetched.append(url)
        if url not in self.documents:
            raise OAuthError("invalid_client", "The client's metadata document can't be fetched.")
        return self.documents[url]


def make_request(client: Client, *, redirect_uri: str = REDIRECT, challenge: str = CHALLENGE) -> AuthorizationRequest:
    return AuthorizationRequest(client, redirect_uri, "state", challenge, RESOURCE)
