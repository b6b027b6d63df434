"""Ports and schemes of services that are not web sites."""

from collections.abc import Iterator

from webquarry.doctor.egress.attack import REFUSED, SITE, Attack

PORTS = {
    "SSH": 22,
    "mail": 25,
    "name server": 53,
    "container daemon": 2375,
    "cluster key store": 2379,
    "MySQL": 3306,
    "PostgreSQL": 5432,
    "Redis": 6379,
    "search engine": 9200,
    "memcached": 11211,
}
SCHEMES = {
    "file": "file:///etc/hostname",
    "file with a host": "file://localhost/etc/hostname",
    "file in capitals": "FILE:///etc/hostname",
    "file of the process": "file:///proc/self/environ",
    "bare path": "/etc/hostname",
    "data": "data:text/html,<p>inlined",
    "view-source": "view-source:file:///etc/hostname",
    "blob": "blob:null/1234",
    "netdoc": "netdoc:///etc/hostname",
    "jar": "jar:file:///etc/hostname!/",
}
SOCKETS = {
    "gopher": "gopher://127.0.0.1:6379/_FLUSHALL",
    "dict": "dict://127.0.0.1:11211/stats",
    "ftp": "ftp://127.0.0.1/secret",
    "ldap": "ldap://127.0.0.1/o=secret",
    "WebSocket": "ws://127.0.0.1/socket",
    "no scheme": "//127.0.0.1/",
    "host alone": "127.0.0.1",
    "host and port alone": "127.0.0.1:80/",
}


def attacks() -> Iterator[Attack]:
    for what, port in PORTS.items():
        yield Attack(
            f"port: {what}",
            "A port on a public address that is not for websites.",
            (f"http://{SITE}:{port}/",),
        )
    for what, url in SCHEMES.items():
        yield Attack(
            f"scheme: {what}",
            "A target that is not on the web, with a scheme that a client may support.",
            (url,),
            aim="answer",
            holds=REFUSED,
        )
    for what, url in SOCKETS.items():
        yield Attack(f"scheme: {what}", "A private target with another scheme or without one.", (url,))
