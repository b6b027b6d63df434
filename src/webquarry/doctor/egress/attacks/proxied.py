"""Requests that a page could make a browser send to its proxy. The proxy must check each request separately."""

from collections.abc import Iterator, Mapping

from webquarry.doctor.egress.attack import PRIVATE, PRIVATE_ADDRESS, SITE, SITE_ADDRESS, Attack, Names

_REFUSED = frozenset({"400", "403", "501"})


def _get(url: str, host: str = SITE, more: str = "") -> str:
    return f"GET {url} HTTP/1.1\r\nHost: {host}\r\n{{auth}}\r\n{more}\r\n"


def _connect(target: str) -> str:
    return f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{{auth}}\r\n\r\n"


_FIRST = _get(f"http://{SITE}/")

SAID: Mapping[str, str] = {
    "a private name": _get(f"http://{PRIVATE}/"),
    "loopback": _get("http://127.0.0.1/"),
    "decimal": _get("http://2130706433/"),
    "octal": _get("http://0177.0.0.1/"),
    "hexadecimal": _get("http://0x7f000001/"),
    "short": _get("http://127.1/"),
    "trailing dot": _get("http://127.0.0.1./"),
    "IPv6": _get("http://[::1]/"),
    "mapped": _get("http://[::ffff:127.0.0.1]/"),
    "NAT64": _get("http://[64:ff9b::7f00:1]/"),
    "zone": _get("http://[::1%25lo]/"),
    "metadata": _get("http://169.254.169.254/latest/meta-data/"),
    "userinfo": _get(f"http://{SITE}@127.0.0.1/"),
    "backslash": _get(f"http://127.0.0.1\\@{SITE}/"),
    "percent-encoded": _get("http://%31%32%37.0.0.1/"),
    "another port": _get(f"http://{SITE}:6379/"),
    "its own address": _get("/", host="127.0.0.1"),
    "another scheme": _get("ftp://127.0.0.1/"),
    "https without a tunnel": _get("https://127.0.0.1/"),
    "tunnel to a private name": _connect(f"{PRIVATE}:443"),
    "tunnel to loopback": _connect("127.0.0.1:443"),
    "tunnel to a number": _connect("2130706433:443"),
    "tunnel to IPv6": _connect("[::1]:443"),
    "tunnel to mapped": _connect("[::ffff:7f00:1]:443"),
    "tunnel to metadata": _connect("169.254.169.254:80"),
    "tunnel to mail": _connect(f"{SITE}:25"),
    "tunnel with userinfo": _connect(f"{SITE}@127.0.0.1:443"),
    "tunnel to port 0": _connect("127.0.0.1:0"),
    "WebSocket": _get(f"http://{PRIVATE}/", more="Upgrade: websocket\r\nConnection: Upgrade\r\n"),
    "second on a kept connection": _FIRST + _get(f"http://{PRIVATE}/"),
    "second, by literal": _FIRST + _get("http://127.0.0.1/"),
    "second, a tunnel": _FIRST + _connect("127.0.0.1:443"),
    "second, after a body": f"POST http://{SITE}/ HTTP/1.1\r\nHost: {SITE}\r\n{{auth}}\r\nContent-Length: 5\r\n\r\n"
    "hello" + _get(f"http://{PRIVATE}/"),
}
SMUGGLED: Mapping[str, str] = {
    "length and chunks": f"POST http://{SITE}/ HTTP/1.1\r\nHost: {SITE}\r\n{{auth}}\r\nContent-Length: 5\r\n"
    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + _get(f"http://{PRIVATE}/"),
    "two lengths": f"POST http://{SITE}/ HTTP/1.1\r\nHost: {SITE}\r\n{{auth}}\r\nContent-Length: 0\r\n"
    "Content-Length: 5\r\n\r\n" + _get(f"http://{PRIVATE}/"),
    "two Hosts": f"GET http://{SITE}/ HTTP/1.1\r\nHost: {SITE}\r\nHost: {PRIVATE}\r\n{{auth}}\r\n\r\n"
    + _get(f"http://{PRIVATE}/"),
    "a line that ends in LF": f"GET http://{SITE}/ HTTP/1.1\r\nHost: {SITE}\r\n{{auth}}\r\nX: y\n\r\n"
    + _get(f"http://{PRIVATE}/"),
}
"""Requests whose end is ambiguous, followed by a request for a private target."""

_STRANGER: Names = {"rebinds.example": [[SITE_ADDRESS], [PRIVATE_ADDRESS]]}


def attacks() -> Iterator[Attack]:
    for what, raw in SAID.items():
        yield Attack(
            f"proxy: {what}",
            "The browser requests a private target from its proxy.",
            asks=(),
            way="proxy",
            raw=raw,
            holds=_REFUSED,
        )
    for what, raw in SMUGGLED.items():
        yield Attack(
            f"proxy smuggling: {what}",
            "A request hides another request from the proxy.",
            asks=(),
            way="proxy",
            raw=raw,
            holds=_REFUSED,
        )
    yield Attack(
        "proxy: a name that rebinds",
        "The name resolves to a private address for the second request on a connection.",
        asks=(),
        way="proxy",
        raw=_get("http://rebinds.example/") + _get("http://rebinds.example:8080/"),
        names=_STRANGER,
        holds=_REFUSED,
    )
    yield Attack(
        "proxy: a private Host",
        "A request's URL and Host field have different targets.",
        asks=(),
        way="proxy",
        raw=_get(f"http://{SITE}/", host=PRIVATE),
        holds=_REFUSED | {"200"},
    )
    yield Attack(
        "proxy: without credentials",
        "Another program on this machine uses the proxy.",
        asks=(),
        way="proxy",
        raw=f"GET http://{PRIVATE}/ HTTP/1.1\r\nHost: {PRIVATE}\r\n\r\n",
        holds=frozenset({"407"}),
    )
