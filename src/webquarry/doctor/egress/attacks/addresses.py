"""Addresses that are not public, requested directly and through public names that resolve to them."""

from collections.abc import Iterator

from webquarry.doctor.egress.attack import REFUSED, Attack

ADDRESSES = {
    "metadata of most clouds": "169.254.169.254",
    "metadata of containers": "169.254.170.2",
    "metadata over IPv6": "fd00:ec2::254",
    "metadata in carrier space": "100.100.100.200",
    "metadata in protocol space": "192.0.0.192",
    "host agent of a cloud": "168.63.129.16",
    "metadata, mapped": "::ffff:169.254.169.254",
    "metadata, compatible": "::a9fe:a9fe",
    "metadata behind NAT64": "64:ff9b::a9fe:a9fe",
    "metadata behind local NAT64": "64:ff9b:1::a9fe:a9fe",
    "metadata behind 6to4": "2002:a9fe:a9fe::1",
    "metadata behind Teredo": "2001:0:a9fe:a9fe:0:0:5601:5601",
    "metadata behind ISATAP": "fe80::5efe:a9fe:a9fe",
    "loopback behind NAT64": "64:ff9b::7f00:1",
    "loopback behind local NAT64": "64:ff9b:1::7f00:1",
    "loopback behind 6to4": "2002:7f00:1::",
    "loopback behind Teredo": "2001:0:7f00:1::80ff:fffe",
    "loopback, compatible": "::7f00:1",
    "loopback, mapped": "::ffff:7f00:1",
    "loopback, translated": "::ffff:0:7f00:1",
    "private 10": "10.0.0.1",
    "private 172.16": "172.16.0.1",
    "private 172.31": "172.31.255.254",
    "private 192.168": "192.168.1.1",
    "private, mapped": "::ffff:10.0.0.1",
    "carrier NAT": "100.64.0.1",
    "link-local": "169.254.1.1",
    "this network": "0.1.2.3",
    "benchmarking": "198.18.0.1",
    "documentation": "192.0.2.1",
    "6to4 relays": "192.88.99.1",
    "multicast": "224.0.0.1",
    "multicast beyond": "239.255.255.250",
    "reserved": "240.0.0.1",
    "broadcast": "255.255.255.255",
    "IPv6 unique local": "fc00::1",
    "IPv6 unique local, assigned": "fd12:3456:789a::1",
    "IPv6 link-local": "fe80::1",
    "IPv6 site-local": "fec0::1",
    "IPv6 multicast": "ff02::1",
    "IPv6 documentation": "2001:db8::1",
    "IPv6 documentation, newer": "3fff::1",
    "IPv6 benchmarking": "2001:2::1",
    "IPv6 ORCHID": "2001:20::1",
    "IPv6 discard": "100::1",
    "IPv6 segment routing": "5f00::1",
}


def attacks() -> Iterator[Attack]:
    for what, address in ADDRESSES.items():
        host = f"[{address}]" if ":" in address else address
        yield Attack(f"address: {what}", "A non-public address, unchanged.", (f"http://{host}/",))
        yield Attack(
            f"name for: {what}",
            "A public name that resolves to a private address.",
            ("http://harmless.example/",),
            holds=REFUSED,
            names={"harmless.example": [[address]]},
        )
