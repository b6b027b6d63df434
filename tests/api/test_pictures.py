"""Images of results: public, immutable, and never any other content."""

from urllib.parse import urlsplit

import pytest

from support.client import Client, Reply
from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import example_path


@pytest.fixture
def path(client: Client) -> str:
    """Return the URL path of the example's logo."""
    answer = client.ask(example_path(load().by_name["brand_logo"]))
    return str(urlsplit(answer.json["data"]["url"]).path)


def ask(client: Client, path: str, *fields: str, method: str = "GET") -> Reply:
    return client.ask(path, *fields, method=method, key=None)


def test_picture_is_shown_to_pages_of_any_origin_without_a_key(client: Client, path: str) -> None:
    reply = ask(client, path, "Origin: https://app.example", "Accept-Encoding: gzip")
    assert (reply.status, reply.headers["content-type"]) == (200, "image/png")
    assert reply.body.startswith(b"\x89PNG")
    assert reply.headers["access-control-allow-origin"] == "*"
    assert reply.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in reply.headers["content-security-policy"]
    assert "content-encoding" not in reply.headers


def test_cached_picture_is_not_sent_again(client: Client, path: str) -> None:
    tag = ask(client, path).headers["etag"]
    assert path.startswith(f"/logos/{tag.strip(chr(34))}")
    reply = ask(client, path, f'If-None-Match: "other", W/{tag}')
    assert (reply.status, reply.body, reply.headers["etag"]) == (304, b"", tag)
    assert ask(client, path, 'If-None-Match: "other"').status == 200


def test_head_returns_everything_except_the_picture(client: Client, path: str) -> None:
    assert ask(client, path, method="HEAD").status == 200


@pytest.mark.parametrize(
    "path",
    ["/logos/", "/logos/example.com.png", f"/logos/{'0' * 32}.png", f"/logos/{'0' * 32}.html", "/logos/../healthz"],
)
def test_only_pictures_from_responses_can_be_requested(client: Client, path: str) -> None:
    reply = ask(client, path)
    assert (reply.status, reply.code) == (404, "not_found")
    assert reply.headers.get("cache-control") == "no-store" or ".." in path


def test_other_methods_are_refused(client: Client, path: str) -> None:
    reply = ask(client, path, "Content-Length: 0", method="POST")
    assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD")
