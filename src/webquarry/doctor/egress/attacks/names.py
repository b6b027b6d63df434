"""Names that change their address, have two addresses, or look like other names."""

from collections.abc import Iterator

from webquarry.doctor.egress.attack import PRIVATE, PRIVATE_ADDRESS, REFUSED, SITE_ADDRESS, Attack
from webquarry.doctor.responses import Sends, answer, lead_to

_REBINDS = {"rebinds.example": [[SITE_ADDRESS], [PRIVATE_ADDRESS]]}
_URL = "http://rebinds.example/"
_CLOSED = Sends(answer(b"first", "Connection: close"))

LOCAL = {
    "localhost": "localhost",
    "localhost with trailing dot": "localhost.",
    "localhost in capitals": "LOCALHOST",
    "a name below localhost": "app.localhost",
    "localdomain": "localhost.localdomain",
    "multicast DNS": "printer.local",
    "home network": "router.home.arpa",
    "internal": "intranet.internal",
    "metadata by name": "metadata.google.internal",
}
LOOKALIKES = {
    "full-width": "ｌｏｃａｌｈｏｓｔ",
    "circled": "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "long s": "localhoſt",
    "ideographic full stop": "localhost。",
    "soft hyphen": "local\u00adhost",
    "zero-width joiner": "local\u200dhost",
    "script letters": "𝓁ℴ𝒸𝒶𝓁𝒽ℴ𝓈𝓉",
    "percent-encoded": "%6c%6f%63%61%6c%68%6f%73%74",
    "percent-encoded in part": "local%68ost",
}
"""Spellings of localhost, and names that normalize to it."""


def attacks() -> Iterator[Attack]:
    yield Attack(
        "rebinding: between lookup and connection",
        "A name resolves to a public address when checked and to a private one when connected to.",
        (_URL,),
        holds=frozenset({"answer"}),
        names=_REBINDS,
    )
    yield Attack(
        "rebinding: between two requests",
        "A name resolves to a public address for the first request and to a private one for the next.",
        (_URL, _URL),
        holds=REFUSED | {"answer"},
        responses={"/": _CLOSED},
        names=_REBINDS,
    )
    yield Attack(
        "rebinding: by a redirect to itself",
        "A public name redirects to itself and then resolves to a private address.",
        (_URL,),
        responses={"/": lead_to("http://rebinds.example/again", "302 Found", "Connection: close")},
        holds=REFUSED | {"not_found"},
        names=_REBINDS,
    )
    yield Attack(
        "rebinding: alternating at every lookup",
        "A name resolves alternately to a private and a public address.",
        (_URL, _URL, _URL, _URL),
        holds=REFUSED | {"answer"},
        responses={"/": _CLOSED},
        names={"rebinds.example": [[SITE_ADDRESS], [PRIVATE_ADDRESS]] * 8},
    )
    for what, addresses in {
        "public first": [SITE_ADDRESS, PRIVATE_ADDRESS],
        "private first": [PRIVATE_ADDRESS, SITE_ADDRESS],
        "private in IPv6": [SITE_ADDRESS, "::1"],
        "private among many": [SITE_ADDRESS] * 30 + ["10.0.0.1"],
        "mapped": [SITE_ADDRESS, "::ffff:10.0.0.1"],
        "link-local with zone": [SITE_ADDRESS, "fe80::1%eth0"],
    }.items():
        yield Attack(
            f"mixed answers: {what}",
            "A name resolves to a public and a private address at the same time.",
            ("http://mixed.example/",),
            names={"mixed.example": [addresses]},
        )
    for what, host in LOCAL.items():
        name = host.lower().rstrip(".")
        yield Attack(
            f"local name: {what}",
            "A name that never resolves to a public site.",
            (f"http://{host}/",),
            names={name: [[PRIVATE_ADDRESS]]},
        )
        yield Attack(
            f"local name, public address: {what}",
            "A name of the local network that the name server resolves to a public address.",
            (f"http://{host}:8443/",),
            names={name: [["198.41.0.4"]]},
        )
    for what, host in LOOKALIKES.items():
        yield Attack(
            f"look-alike: {what}",
            "A name that becomes localhost after normalization.",
            (f"http://{host}/",),
            names={"localhost": [[PRIVATE_ADDRESS]], "localhost.": [[PRIVATE_ADDRESS]]},
        )
    yield Attack(
        "name: encodes an address",
        "A public name that encodes a private address and resolves to it.",
        ("http://127.0.0.1.wildcard.example/",),
        names={"127.0.0.1.wildcard.example": [[PRIVATE_ADDRESS]]},
    )
    yield Attack("name: plainly private", "A name that resolves to loopback.", (f"http://{PRIVATE}/",))
