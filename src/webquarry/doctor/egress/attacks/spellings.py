"""Private addresses in unusual spellings, which one parser treats as a name while another connects to the address."""

from collections.abc import Iterator

from webquarry.doctor.egress.attack import SITE, Attack

SPELLINGS = {
    "plain": "127.0.0.1",
    "decimal": "2130706433",
    "octal": "0177.0.0.1",
    "octal, padded": "00000177.0000.000.0001",
    "octal in one number": "017700000001",
    "hexadecimal": "0x7f.0.0.1",
    "hexadecimal in one number": "0x7f000001",
    "hexadecimal in capitals": "0X7F.0X0.0X0.0X1",
    "mixed bases": "0x7f.0.00.1",
    "two numbers": "127.1",
    "two numbers, the last wide": "127.65535",
    "three numbers": "127.0.1",
    "zero": "0",
    "all zeros": "0.0.0.0",  # noqa: S104  # dialled, not listened on
    "trailing dot": "127.0.0.1.",
    "decimal with trailing dot": "2130706433.",
    "two trailing dots": "127.0.0.1..",
    "another address of loopback": "127.83.97.4",
    "full-width digits": "１２７．０．０．１",
    "circled digits": "①②⑦.⓪.⓪.①",
    "superscript digits": "¹²⁷.⁰.⁰.¹",
    "mathematical digits": "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
    "ideographic full stops": "127。0。0。1",
    "half-width full stops": "127｡0｡0｡1",
    "percent-encoded digits": "%31%32%37.%30.%30.%31",
    "percent-encoded dots": "127%2e0%2e0%2e1",
    "percent-encoded full-width digit": "%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1",
    "soft hyphen inside": "127.0.0.\u00ad1",
    "zero-width space inside": "127.0.\u200b0.1",
    "tab inside": "127.0\t.0.1",
    "line break inside": "127.0.0.\n1",
    "IPv6": "[::1]",
    "IPv6 in full": "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "IPv6 with a dotted end": "[::0.0.0.1]",
    "IPv6 unspecified": "[::]",
    "IPv6 with zone": "[::1%25lo]",
    "IPv6 with bare zone": "[::1%lo]",
    "IPv6 link-local with zone": "[fe80::1%25eth0]",
    "mapped": "[::ffff:127.0.0.1]",
    "mapped, hexadecimal": "[::ffff:7f00:1]",
    "mapped, in full": "[0:0:0:0:0:ffff:7f00:0001]",
    "mapped, capitals": "[::FFFF:7F00:1]",
    "mapped with zone": "[::ffff:127.0.0.1%25lo]",
    "compatible": "[::127.0.0.1]",
}
"""Hosts that some parsers read as loopback, by description."""

TRICKS = {
    "userinfo before it": f"http://{SITE}@127.0.0.1/",
    "userinfo with a port before it": f"http://{SITE}:80@127.0.0.1/",
    "userinfo, encoded": f"http://{SITE}%40127.0.0.1/",
    "two at signs": f"http://{SITE}@{SITE}@127.0.0.1/",
    "backslash before the site": f"http://127.0.0.1\\@{SITE}/",
    "backslash after it": "http://127.0.0.1\\.example/",
    "backslashes for slashes": "http:\\\\127.0.0.1\\",
    "one slash": "http:/127.0.0.1/",
    "three slashes": "http:///127.0.0.1/",
    "a space before it": f"http:// {SITE}@127.0.0.1/",
    "the scheme in capitals": "HTTP://127.0.0.1/",
    "leading blank": " http://127.0.0.1/",
    "NUL after the host": f"http://127.0.0.1\x00.{SITE}/",
    "explicit port 80": "http://127.0.0.1:80/",
    "port with zeros": "http://127.0.0.1:00080/",
    "empty port": "http://127.0.0.1:/",
    "port beyond 65535 that wraps around": "http://127.0.0.1:65616/",
    "full-width port": "http://127.0.0.1:８０/",
    "https": "https://127.0.0.1/",
    "its real port": "http://127.0.0.1:{port}/",
    "its real port, in IPv6": "http://[::1]:{port}/",
    "fragment before the at sign": f"http://127.0.0.1#@{SITE}/",
    "question mark before the at sign": f"http://127.0.0.1?@{SITE}/",
    "brackets around IPv4": "http://[127.0.0.1]/",
}
"""Complete URLs that two parsers split differently, by description."""


def attacks() -> Iterator[Attack]:
    for what, host in SPELLINGS.items():
        yield Attack(f"spelling: {what}", "Loopback in a notation that a check may miss.", (f"http://{host}/",))
    for what, url in TRICKS.items():
        yield Attack(f"parsing: {what}", "A URL whose host is interpreted differently by a second parser.", (url,))
