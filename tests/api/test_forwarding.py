"""Detection of a forwarded request, and of a proxy that is not configured."""

import pytest

from webquarry.api.addresses import Addresses
from webquarry.api.forwarding import MANY_PEOPLE, ProxyWatch, is_direct
from webquarry.core.settings import Settings

PUBLIC = "https://quarry.example"


def request(host: str | None = "127.0.0.1:8080", *fields: str, version: str = "1.1") -> dict[str, object]:
    headers = [] if host is None else [(b"host", host.encode())]
    headers += [(name.encode(), b"192.0.2.1") for name in fields]
    return {"headers": headers, "http_version": version, "client": ("127.0.0.1", 1)}


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2:8080", "localhost:8080", "LOCALHOST", "[::1]:8080"])
def test_a_plain_request_on_this_machine_is_direct(host: str) -> None:
    assert is_direct(request(host), Settings())


@pytest.mark.parametrize(
    "host",
    [None, "", "quarry.example", "127.0.0.1.quarry.example", "localhost.example", "127.0.0.1@evil", "[::1", "a b"],
)
def test_a_request_for_another_host_is_not_direct(host: str | None) -> None:
    assert not is_direct(request(host), Settings())


@pytest.mark.parametrize(
    "field",
    [
        *("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-forwarded-server"),
        *("forwarded", "via", "x-real-ip", "cf-connecting-ip", "true-client-ip"),
    ],
)
def test_a_request_with_proxy_headers_is_not_direct(field: str) -> None:
    assert not is_direct(request("127.0.0.1", field), Settings())


def test_a_request_is_not_direct_if_the_server_is_reachable_from_outside() -> None:
    assert not is_direct(request(), Settings(base_url=PUBLIC))
    assert not is_direct(request(), Settings(host="0.0.0.0"))
    assert not is_direct(request(version="1.0"), Settings())


def test_a_public_service_on_loopback_must_have_a_proxy() -> None:
    assert "WEBQUARRY_TRUSTED_PROXIES" in (ProxyWatch(Settings(base_url=PUBLIC)).remark or "")
    assert ProxyWatch(Settings(base_url=PUBLIC, trusted_proxies=("127.0.0.1",))).remark is None
    assert ProxyWatch(Settings(base_url=PUBLIC, host="0.0.0.0")).remark is None
    assert ProxyWatch(Settings()).remark is None


@pytest.mark.parametrize(
    ("peer", "fields", "trusted", "is_told"),
    [
        ("10.0.0.1", ["x-forwarded-for"], (), True),
        ("127.0.0.1", ["forwarded"], (), True),
        ("::1", ["via"], ("10.0.0.1",), True),
        ("10.0.0.1", ["x-forwarded-for"], ("10.0.0.0/8",), False),
        ("10.0.0.1", [], (), False),
        ("8.8.8.8", ["x-forwarded-for"], (), False),
    ],
    ids=["private", "loopback", "another is trusted", "trusted", "no proxy", "a stranger who pretends"],
)
def test_an_unconfigured_proxy_is_detected(
    peer: str, fields: list[str], trusted: tuple[str, ...], is_told: bool
) -> None:
    watch = ProxyWatch(Settings())
    Addresses(trusted, watch).network_of({**request("a", *fields), "client": (peer, 1)})
    assert (watch.remark is not None) == is_told


def test_many_people_behind_one_address_suggest_a_proxy() -> None:
    watch = ProxyWatch(Settings())
    for number in range(MANY_PEOPLE):
        watch.see_sign_in("192.0.2.1", f"{number}@example.com")
        assert watch.remark is None
    watch.see_sign_in("192.0.2.1", "another@example.com")
    assert watch.remark is not None


def test_many_attempts_of_one_person_do_not_suggest_a_proxy() -> None:
    watch = ProxyWatch(Settings())
    for _ in range(5 * MANY_PEOPLE):
        watch.see_sign_in("192.0.2.1", "one@example.com")
    assert watch.remark is None


def test_a_sign_in_from_another_address_clears_the_suspicion() -> None:
    watch = ProxyWatch(Settings())
    watch.see_sign_in("192.0.2.2", "other@example.com")
    for number in range(2 * MANY_PEOPLE):
        watch.see_sign_in("192.0.2.1", f"{number}@example.com")
    assert watch.remark is None
