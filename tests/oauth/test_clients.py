"""Apps: registered apps, and apps with a metadata document."""

from typing import Any

import pytest

from support.apps import HOMES, REDIRECT, Documents
from webquarry.oauth import OAuthError
from webquarry.oauth.clients import check_document_address, read_metadata
from webquarry.storage.database import query

from .conftest import Replica


@pytest.fixture(params=["sqlite"])
def backend(request: pytest.FixtureRequest) -> str:
    """Refusals do not depend on the store, so one store is enough."""
    return str(request.param)


async def test_a_registered_client_has_its_metadata(replica: Replica) -> None:
    metadata = {"client_name": "The App", "redirect_uris": [REDIRECT], "client_uri": "https://app.example/home"}
    client, secret = await replica.clients.register({**metadata, "grant_types": ["authorization_code"], "other": 1})
    assert secret is None
    assert await replica.clients.introduce(client.id) == await replica.clients.find(client.id) == client
    assert (client.name, client.address, client.redirect_uris) == ("The App", "app.example", (REDIRECT,))
    assert (client.refreshes, client.is_document) == (False, False)


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
async def test_a_confidential_client_proves_itself_by_a_secret_kept_as_a_digest(replica: Replica, method: str) -> None:
    metadata = {"redirect_uris": [REDIRECT], "token_endpoint_auth_method": method}
    client, secret = await replica.clients.register(metadata)
    assert secret is not None
    found = await replica.clients.introduce(client.id)
    found.check_secret(secret)
    for wrong in (None, "", secret + "x"):
        with pytest.raises(OAuthError, match="invalid_client"):
            found.check_secret(wrong)
    assert secret not in str(await replica.database.read(lambda: query("SELECT * FROM oauth_clients", {})))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"redirect_uris": None}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": [REDIRECT] * 21}, "invalid_redirect_uri"),
        ({"redirect_uris": [REDIRECT, "javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": [1]}, "invalid_redirect_uri"),
        ({"token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": []}, "invalid_client_metadata"),
        ({"grant_types": ["implicit"]}, "invalid_client_metadata"),
        ({"grant_types": "authorization_code"}, "invalid_client_metadata"),
        ({"response_types": ["token"]}, "invalid_client_metadata"),
    ],
)
async def test_invalid_metadata_are_refused(replica: Replica, change: dict[str, Any], code: str) -> None:
    with pytest.raises(OAuthError) as refused:
        await replica.clients.register({"redirect_uris": [REDIRECT], **change})
    assert refused.value.code == code
    assert await replica.database.read(lambda: query("SELECT id FROM oauth_clients", {})) == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("The App", "The App"),
        ("  The \n\t App\0 ", "The App"),
        ("\u202eppA ehT\u200b", "ppA ehT"),
        ("x" * 100_000, "x" * 80),
        (None, ""),
        (17, ""),
    ],
)
def test_a_name_is_one_short_visible_line(name: Any, shown: str) -> None:
    assert read_metadata("id", {"redirect_uris": [REDIRECT], "client_name": name}).name == shown


@pytest.mark.parametrize("home", ["javascript:alert(1)", "http://evil.example/", "https://a b", 17, None])
def test_an_invalid_home_page_is_left_out(home: Any) -> None:
    assert read_metadata("id", {"redirect_uris": [REDIRECT], "client_uri": home}).home == ""


@pytest.mark.parametrize(
    "change",
    [
        {"client_id": "https://other.example/client.json"},
        {"redirect_uris": ["javascript:alert(1)"]},
        {"redirect_uris": None},
        {"client_secret": "secret"},
        {"token_endpoint_auth_method": "client_secret_post"},
        {"token_endpoint_auth_method": "private_key_jwt"},
    ],
)
async def test_a_document_that_is_not_of_its_address_or_secret_is_refused(
    replica: Replica, documents: Documents, change: dict[str, Any]
) -> None:
    documents.add(**{key: value for key, value in change.items() if key != "client_id"})
    if other := change.get("client_id"):
        documents.documents[HOMES] = documents.documents.pop(documents.add(other))
    with pytest.raises(OAuthError, match="invalid_client"):
        await replica.clients.introduce(HOMES)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"text"', b"\xff", b"[" * 10_000])
async def test_a_document_that_is_not_an_object_is_refused(replica: Replica, documents: Documents, body: bytes) -> None:
    documents.documents[HOMES] = body
    with pytest.raises(OAuthError, match="invalid_client"):
        await replica.clients.introduce(HOMES)


@pytest.mark.parametrize(
    "address",
    [
        "https://app.example",
        "https://app.example/",
        "https://app.example/a/../b",
        "https://app.example/./b",
        "https://app.example/b?c=1",
        "https://app.example/b#c",
        "https://user@app.example/b",
        "https://app.example:99999/b",
        "https://app.example/b c",
        "https:///b",
    ],
)
async def test_unusual_document_urls_are_not_fetched(replica: Replica, documents: Documents, address: str) -> None:
    with pytest.raises(OAuthError, match="invalid_client"):
        await replica.clients.introduce(address)
    assert documents.fetched == []


def test_a_document_may_be_on_another_port() -> None:
    check_document_address("https://app.example:8443/oauth/client.json")


@pytest.mark.parametrize("client_id", ["", "unknown", "http://app.example/client.json", "x" * 5000, "é"])
async def test_an_unregistered_client_is_unknown(replica: Replica, documents: Documents, client_id: str) -> None:
    with pytest.raises(OAuthError, match="Register it again"):
        await replica.clients.introduce(client_id)
    assert documents.fetched == []
