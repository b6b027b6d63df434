"""Redirect URIs: which are valid, and which are equal."""

import pytest

from webquarry.oauth import redirects


@pytest.mark.parametrize(
    "uri",
    [
        "https://app.example/callback",
        "https://app.example:8443/callback?a=1",
        "http://127.0.0.1/callback",
        "http://127.0.0.1:3000/callback",
        "http://localhost:3000/",
        "http://[::1]:3000/callback",
        "com.example.app:/oauth",
        "com.example.app://oauth/callback",
        "cursor://anysphere.cursor-retrieval/oauth/callback",
        "vscode://vscode.github-authentication/did-authenticate",
    ],
)
def test_addresses_of_apps_may_be_registered(uri: str) -> None:
    assert redirects.find_fault(uri) is None
    assert redirects.match(uri, [uri])


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "callback",
        "/callback",
        "//app.example/callback",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "javascript://app.example/%0aalert(1)",
        "java\tscript:alert(1)",
        " https://app.example/",
        "data:text/html,hello",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://app.example/1",
        "about:blank",
        "view-source:https://app.example",
        "intent://scan/#Intent;scheme=zxing;end",
        "ws://app.example/",
        "ftp://app.example/",
        "mailto:someone@app.example",
        "unknown-app://callback",
        "http://app.example/callback",
        "http://127.0.0.1.evil.example/",
        "http://localhost.evil.example/",
        "http://127.0.0.2/",
        "http://0.0.0.0/",
        "https://user@app.example/",
        "https://app.example@evil.example/",
        "https://app.example/#fragment",
        "https://app.example/#",
        "https://app.example\\@evil.example/",
        "https://app.example/a b",
        "https://app.example/\r\nx: y",
        "https://app.example;form-action *",
        "https://app.example,evil.example/",
        "https:///callback",
        "https:app.example",
        "https://app.example:99999/",
        "https://[::1/",
        "https://é.example/",
        "https://app.example/" + "a" * 2000,
    ],
)
def test_dangerous_addresses_may_not_be_registered(uri: str) -> None:
    assert redirects.find_fault(uri) is not None
    assert not redirects.match(uri, ["http://127.0.0.1/", "http://localhost/", "https://app.example/"])


def test_any_port_matches_on_loopback() -> None:
    registered = ["http://127.0.0.1/callback", "http://[::1]:5000/callback", "https://app.example:8443/callback"]
    for same in ("http://127.0.0.1:49152/callback", "http://127.0.0.1/callback", "http://[::1]:1/callback"):
        assert redirects.match(same, registered)
    for other in (
        "http://127.0.0.1:49152/other",
        "http://127.0.0.1:49152/callback?a=1",
        "http://127.0.0.1:49152/callback/",
        "http://localhost:49152/callback",
        "https://127.0.0.1:49152/callback",
        "https://app.example:9443/callback",
        "https://app.example/callback",
        "https://APP.example:8443/callback",
    ):
        assert not redirects.match(other, registered)


def test_the_policy_has_the_source_of_a_redirect_uri() -> None:
    targets = {
        "https://app.example:8443/callback": "https://app.example:8443",
        "http://127.0.0.1:3000/callback": "http://127.0.0.1:3000",
        "http://[::1]:3000/callback": "http:",
        "cursor://anything/callback": "cursor:",
        "com.example.app:/oauth": "com.example.app:",
    }
    assert {uri: redirects.form_target(uri) for uri in targets} == targets


def test_people_are_shown_the_target_of_a_redirect_address() -> None:
    assert redirects.describe("https://app.example/callback") == "app.example"
    assert redirects.describe("http://localhost:1/") == "a program on this device"
    assert "cursor:" in redirects.describe("cursor://x/y")


def test_parameters_are_appended_to_the_query() -> None:
    assert redirects.add_query("https://a.example/b", code="x&y") == "https://a.example/b?code=x%26y"
    assert redirects.add_query("https://a.example/b?c=1", code="x") == "https://a.example/b?c=1&code=x"
