from urllib.parse import urlsplit

import pytest

from webquarry.core.errors import UnsafeTarget
from webquarry.core.settings import Settings
from webquarry.core.urls import normalise_url
from webquarry.net.address import is_public
from webquarry.net.target import TargetRule

NOT_PUBLIC = [
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.170",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::a9fe:a9fe",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:a9fe:a9fe::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:a9fe:a9fe::",
    "2002:808:808::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1%eth0",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
    "",
    "localhost",
    "1.1.1",
]

PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.215.14",
    "192.88.98.255",
    "100.63.255.255",
    "172.32.0.1",
    "::ffff:8.8.8.8",
    "2606:4700:4700::1111",
    "2a00:1450:4001:80b::200e",
    "2001:4860:4860::8888",
]

ODD_SPELLINGS = [
    "http://0x7f.1/",
    "http://0x7f000001/",
    "http://2130706433/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://127.0.0.1./",
    "http://[0:0:0:0:0:ffff:7f00:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
    "http://0/",
]


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_address_that_is_not_globally_routable_is_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_address_is_accepted(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("url", ODD_SPELLINGS)
def test_odd_spelling_of_a_private_address_is_refused(url: str) -> None:
    with pytest.raises(UnsafeTarget):
        TargetRule(Settings()).check(urlsplit(normalise_url(url)).hostname or "", 80)
