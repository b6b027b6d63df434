"""The client's address of a request, with and without proxies."""

from typing import cast

import pytest

from webquarry.api.addresses import Addresses
from webquarry.api.forwarding import ProxyWatch
from webquarry.core.settings import Settings, SettingsError


def network(client: str | None, *forwarded: str, trusted: tuple[str, ...] = ()) -> str:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    return Addresses(trusted).network_of({"client": client and (client, 1), "headers": headers})


def test_the_address_of_the_connection_is_used() -> None:
    assert network("192.0.2.1") == network("::ffff:192.0.2.1") == "192.0.2.1"
    assert network("192.0.2.1", "198.51.100.1") == "192.0.2.1"
    assert network(None) == network("a socket") == ""


def test_an_ipv6_64_network_counts_as_one_client() -> None:
    assert network("2001:db8::1") == network("2001:db8::ffff:2") != network("2001:db8:0:1::1")


@pytest.mark.parametrize(
    ("forwarded", "found"),
    [
        (["198.51.100.1"], "198.51.100.1"),
        (["203.0.113.9, 198.51.100.1"], "198.51.100.1"),
        (["203.0.113.9", "198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        (["nonsense, 10.0.0.2"], "10.0.0.2"),
        ([], "10.0.0.1"),
        ([""], "10.0.0.1"),
        (["1.1.1.1," * 5000 + "198.51.100.1"], "198.51.100.1"),
    ],
)
def test_only_a_trusted_proxy_can_state_the_client_address(forwarded: list[str], found: str) -> None:
    assert network("10.0.0.1", *forwarded, trusted=("10.0.0.0/8",)) == found


@pytest.mark.parametrize(
    ("host", "name"),
    [("192.0.2.1", "192.0.2.1"), ("10.0.0.1", None), (None, ""), ("", ""), ("a socket", "")],
)
def test_a_connection_is_named_unless_it_comes_from_a_trusted_proxy(host: str | None, name: str | None) -> None:
    assert Addresses(("10.0.0.0/8",)).name_peer(host) == name


class Watch:
    def __init__(self) -> None:
        self.seen: list[str] = []

    def see_forwarded(self, address: str) -> None:
        self.seen.append(address)


@pytest.mark.parametrize(
    ("client", "forwarded", "seen"),
    [
        ("10.0.0.1", "198.51.100.1", ["10.0.0.1"]),
        ("10.0.0.1", None, []),
        ("8.8.8.8", "198.51.100.1", []),
        ("192.168.0.1", "198.51.100.1", []),
        ("a socket", "198.51.100.1", []),
    ],
)
def test_a_private_proxy_that_is_not_trusted_is_detected(client: str, forwarded: str | None, seen: list[str]) -> None:
    watch = Watch()
    headers = [] if forwarded is None else [(b"x-forwarded-for", forwarded.encode())]
    Addresses(("192.168.0.0/16",), cast(ProxyWatch, watch)).network_of({"client": (client, 1), "headers": headers})
    assert watch.seen == seen


def test_an_invalid_network_is_refused_at_the_start() -> None:
    with pytest.raises(SettingsError, match="WEBQUARRY_TRUSTED_PROXIES"):
        Settings.from_environment({"WEBQUARRY_TRUSTED_PROXIES": "10.0.0.0/8, proxy"})
