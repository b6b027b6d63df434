"""Redirects to private targets, to invalid URLs, and in endless loops."""

from collections.abc import Iterator

from webquarry.doctor.egress.attack import PRIVATE, PRIVATE_ADDRESS, REFUSED, SITE, SITE_ADDRESS, Attack
from webquarry.doctor.responses import Sends, answer, lead_to

STATUSES = {
    "301": "301 Moved Permanently",
    "302": "302 Found",
    "303": "303 See Other",
    "307": "307 Temporary Redirect",
    "308": "308 Permanent Redirect",
}
TO_PRIVATE = {
    "name": f"http://{PRIVATE}/",
    "loopback": "http://127.0.0.1/",
    "decimal": "http://2130706433/",
    "short": "http://127.1/",
    "hexadecimal": "http://0x7f.0.0.1/",
    "IPv6": "http://[::1]/",
    "mapped": "http://[::ffff:127.0.0.1]/",
    "NAT64": "http://[64:ff9b::7f00:1]/",
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "private network": "http://10.0.0.1/",
    "without scheme": "//127.0.0.1/",
    "backslashes": "\\\\127.0.0.1\\",
    "slash and backslash": "/\\127.0.0.1/",
    "userinfo": f"http://{SITE}@127.0.0.1/",
    "full-width digits": "http://１２７.０.０.１/",
    "percent-encoded": "http://%31%32%37.0.0.1/",
    "blanks around": "  http://127.0.0.1/  ",
    "https": "https://127.0.0.1/",
    "localhost": "http://localhost/",
    "with a port": f"http://{SITE}:6379/",
}
AWAY = {
    "file": "file:///etc/hostname",
    "data": "data:text/html,<p>inlined",
    "javascript": "javascript:alert(1)",
    "gopher": "gopher://127.0.0.1:6379/_FLUSHALL",
    "ftp": "ftp://127.0.0.1/",
}
_HELD = REFUSED | {"refused", "not_found"}
"""Outcomes that count as blocked.

An unreadable URL is the site's fault (`refused`), not the caller's. The site is asked for URLs that are parsed as one
of its paths, and for redirects to its checked address (`not_found`).
"""


def attacks() -> Iterator[Attack]:
    for what, status in STATUSES.items():
        yield Attack(
            f"redirect: by {what}",
            "A public page redirects to a private one.",
            responses={"/": lead_to(f"http://{PRIVATE}/", status)},
            holds=_HELD,
        )
    for what, to in TO_PRIVATE.items():
        yield Attack(
            f"redirect: to {what}",
            "A redirect to a private address.",
            responses={"/": lead_to(to)},
            names={"localhost": [[PRIVATE_ADDRESS]]},
            holds=_HELD,
        )
    yield Attack(
        "redirect: at the third hop",
        "Two public redirects come before the private one.",
        responses={
            "/": lead_to("/two"),
            "/two": lead_to(f"http://{SITE}/three"),
            "/three": lead_to(f"http://{PRIVATE}/"),
        },
        holds=_HELD,
    )
    yield Attack(
        "redirect: over a name that rebinds",
        "A redirect's host name resolves to a private address after it was checked.",
        responses={
            "/": lead_to("http://hop.example/one"),
            "/one": lead_to("http://hop.example/two", "302 Found", "Connection: close"),
        },
        names={"hop.example": [[SITE_ADDRESS], [PRIVATE_ADDRESS]]},
        holds=_HELD,
    )
    yield Attack(
        "redirect: two Location fields",
        "One Location is public, the other private.",
        responses={"/": Sends(answer(b"", "Location: /fine", "Location: http://127.0.0.1/", status="302 Found"))},
        holds=_HELD | {"down"},
    )
    yield Attack(
        "redirect: by a Refresh field",
        "A page redirects to a private one with a header.",
        responses={"/": Sends(answer(b"<p>wait", f"Refresh: 0; url=http://{PRIVATE}/", "Content-Type: text/html"))},
        holds=frozenset({"answer"}),
    )
    for what, to in AWAY.items():
        yield Attack(
            f"redirect: to {what}",
            "A redirect to a target that is not on the web.",
            responses={"/": lead_to(to)},
            aim="private" if "127.0.0.1" in to else "answer",
            holds=_HELD,
        )
    yield Attack(
        "redirect: in a circle",
        "Two pages redirect to each other.",
        responses={"/": lead_to("/other"), "/other": lead_to("/")},
        aim="endless",
        holds=frozenset({"refused"}),
    )
    yield Attack(
        "redirect: to itself",
        "A page redirects to itself.",
        responses={"/": lead_to("/")},
        aim="endless",
        holds=frozenset({"refused"}),
    )
    yield Attack(
        "redirect: endless",
        "Each page redirects to another one.",
        (f"http://{SITE}/hop0",),
        responses={f"/hop{n}": lead_to(f"/hop{n + 1}") for n in range(200)},
        aim="endless",
        holds=frozenset({"refused"}),
    )
    yield Attack(
        "redirect: without Location",
        "A redirect without a target but with a body.",
        responses={"/": Sends(answer(b"<p>nowhere", status="302 Found"))},
        aim="answer",
        holds=frozenset({"refused"}),
    )
    yield Attack(
        "redirect: to an invalid port",
        "A redirect with an invalid URL.",
        responses={"/": lead_to("http://site.example:99999999999999999999/")},
        aim="answer",
        holds=frozenset({"refused"}),
    )
