"""Slowness: every step of an exchange takes as long as the client lets it."""

from collections.abc import Iterator, Mapping

from webquarry.doctor.egress.attack import SITE, Attack
from webquarry.doctor.saying import Drips, Late, Saying, Says, answer, head, leads

_DEADLINE_S = 0.5

SLOW: Mapping[str, Saying] = {
    "no answer": Says(b"", then="hang"),
    "status line": Drips(b"HTTP/1.1 200 ", b"x"),
    "fields": Drips(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "one field": Drips(b"HTTP/1.1 200 OK\r\nX: ", b"y"),
    "interim answers": Drips(b"", head(status="100 Continue")),
    "body": Drips(head("Content-Length: 500000"), b"x"),
    "body without length": Drips(head("Content-Type: text/html"), b"x"),
    "chunks": Drips(head("Transfer-Encoding: chunked"), b"1\r\nx\r\n"),
    "a chunk's size": Drips(head("Transfer-Encoding: chunked"), b"0"),
    "trailers": Drips(head("Transfer-Encoding: chunked") + b"0\r\n", b"X: y\r\n"),
    "gzip": Drips(head("Content-Encoding: gzip") + b"\x1f\x8b\x08\0\0\0\0\0\0\x03", b"\0\0\0\xff\xff"),
    "body that stops": Says(head("Content-Length: 500000") + b"half", then="hang"),
}


def attacks() -> Iterator[Attack]:
    for what, saying in SLOW.items():
        yield Attack(
            f"slow: {what}",
            "The client is kept waiting by a site that never quite stops answering.",
            says={"/": saying},
            aim="late",
            holds=frozenset({"timeout"}),
            deadline_s=_DEADLINE_S,
        )
    yield Attack(
        "slow: TLS",
        "The handshake never comes to an end.",
        (f"https://{SITE}/",),
        says={"": Says(b"", then="hang")},
        aim="late",
        holds=frozenset({"timeout"}),
        deadline_s=_DEADLINE_S,
    )
    yield Attack(
        "slow: one hop after the other",
        "Each hop of a chain is quick enough, the chain is not.",
        (f"http://{SITE}/hop0",),
        says={
            **{f"/hop{n}": Late(0.2, leads(f"/hop{n + 1}")) for n in range(9)},
            "/hop9": Late(0.2, Says(answer(b"<p>late"))),
        },
        aim="late",
        holds=frozenset({"timeout"}),
        deadline_s=_DEADLINE_S,
    )
