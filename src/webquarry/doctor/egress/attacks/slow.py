"""Slow responses. Each attack delays one step of an exchange for as long as the client allows."""

from collections.abc import Iterator, Mapping

from webquarry.doctor.egress.attack import SITE, Attack
from webquarry.doctor.responses import Delays, Drips, Response, Sends, answer, lead_to, write_head

_DEADLINE_S = 0.5

SLOW: Mapping[str, Response] = {
    "no answer": Sends(b"", then="hang"),
    "status line": Drips(b"HTTP/1.1 200 ", b"x"),
    "fields": Drips(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "one field": Drips(b"HTTP/1.1 200 OK\r\nX: ", b"y"),
    "interim answers": Drips(b"", write_head(status="100 Continue")),
    "body": Drips(write_head("Content-Length: 500000"), b"x"),
    "body without length": Drips(write_head("Content-Type: text/html"), b"x"),
    "chunks": Drips(write_head("Transfer-Encoding: chunked"), b"1\r\nx\r\n"),
    "a chunk's size": Drips(write_head("Transfer-Encoding: chunked"), b"0"),
    "trailers": Drips(write_head("Transfer-Encoding: chunked") + b"0\r\n", b"X: y\r\n"),
    "gzip": Drips(write_head("Content-Encoding: gzip") + b"\x1f\x8b\x08\0\0\0\0\0\0\x03", b"\0\0\0\xff\xff"),
    "body that stops": Sends(write_head("Content-Length: 500000") + b"half", then="hang"),
}


def attacks() -> Iterator[Attack]:
    for what, response in SLOW.items():
        yield Attack(
            f"slow: {what}",
            "A site keeps the client waiting by sending its response very slowly.",
            responses={"/": response},
            aim="late",
            holds=frozenset({"timeout"}),
            deadline_s=_DEADLINE_S,
        )
    yield Attack(
        "slow: TLS",
        "The TLS handshake never ends.",
        (f"https://{SITE}/",),
        responses={"": Sends(b"", then="hang")},
        aim="late",
        holds=frozenset({"timeout"}),
        deadline_s=_DEADLINE_S,
    )
    yield Attack(
        "slow: one hop after the other",
        "Each redirect is fast enough, but the whole chain is not.",
        (f"http://{SITE}/hop0",),
        responses={
            **{f"/hop{n}": Delays(0.2, lead_to(f"/hop{n + 1}")) for n in range(9)},
            "/hop9": Delays(0.2, Sends(answer(b"<p>late"))),
        },
        aim="late",
        holds=frozenset({"timeout"}),
        deadline_s=_DEADLINE_S,
    )
