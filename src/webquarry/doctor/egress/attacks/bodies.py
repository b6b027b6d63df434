"""Attacks with bodies that do not match their head: lengths, chunks, codings, and data left for the next request."""

from collections.abc import Iterator, Mapping

from webquarry.doctor.egress.attack import BROKEN, SITE, Attack
from webquarry.doctor.responses import MARK, Sends, answer, write_head

_NEXT = f"http://{SITE}/next"
_HONEST = Sends(answer(b"what was asked for", "Content-Type: text/plain"), then="keep")
_LEFT_OVER = answer(MARK, "Content-Type: text/plain")

CUT: Mapping[str, bytes] = {
    "length too long": answer(b"", "X: y").replace(b"Content-Length: 0", b"Content-Length: 5000") + b"half a body",
    "length of exabytes": write_head("Content-Length: 999999999999999999") + b"half a body",
    "last chunk missing": write_head("Transfer-Encoding: chunked") + b"5\r\nhello\r\n",
    "chunk cut off": write_head("Transfer-Encoding: chunked") + b"500\r\nhello",
    "end of chunks cut off": write_head("Transfer-Encoding: chunked") + b"5\r\nhello\r\n0\r\n",
    "chunk longer than declared": write_head("Transfer-Encoding: chunked") + b"5\r\nhello there\r\n0\r\n\r\n",
    "invalid chunk size": write_head("Transfer-Encoding: chunked") + b"zz\r\nhello\r\n0\r\n\r\n",
    "negative chunk size": write_head("Transfer-Encoding: chunked") + b"-5\r\nhello\r\n0\r\n\r\n",
    "chunk size with sign": write_head("Transfer-Encoding: chunked") + b"+5\r\nhello\r\n0\r\n\r\n",
    "chunk size with prefix": write_head("Transfer-Encoding: chunked") + b"0x5\r\nhello\r\n0\r\n\r\n",
    "chunk size that overflows": write_head("Transfer-Encoding: chunked") + b"fffffffffffffffff5\r\nhello\r\n0\r\n\r\n",
    "gzip cut off": write_head("Content-Encoding: gzip", "Content-Length: 12") + b"\x1f\x8b\x08\0\0\0\0\0\0\x03KL",
    "text declared as gzip": answer(b"<p>plain text", "Content-Encoding: gzip"),
    "text declared as brotli": answer(b"<p>plain text", "Content-Encoding: br"),
    "text declared as Zstandard": answer(b"<p>plain text", "Content-Encoding: zstd"),
    "text declared as deflate": answer(b"<p>plain text", "Content-Encoding: deflate"),
}
"""Responses that end early or are malformed. A partial response must not be accepted."""

HEADS: Mapping[str, bytes] = {
    "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n123456",
    "two lengths in one field": write_head("Content-Length: 5, 6") + b"123456",
    "negative length": write_head("Content-Length: -5") + b"12345",
    "length with sign": write_head("Content-Length: +5") + b"12345",
    "length in words": write_head("Content-Length: five") + b"12345",
    "length that overflows": write_head("Content-Length: 99999999999999999999999999") + b"12345",
    "length and chunks": write_head("Content-Length: 3", "Transfer-Encoding: chunked") + b"5\r\nhello\r\n0\r\n\r\n",
    "unrequested coding": answer(b"<p>text", "Content-Encoding: compress"),
    "codings stacked": answer(b"<p>text", "Content-Encoding: gzip, br, zstd, gzip, br"),
    "a thousand codings": answer(b"<p>text", "Content-Encoding: " + ", ".join(["gzip"] * 1000)),
}
"""Responses whose end or coding is ambiguous."""

SMUGGLED: Mapping[str, bytes] = {
    "after a length": answer(b"hello"),
    "after chunks": write_head("Transfer-Encoding: chunked") + b"5\r\nhello\r\n0\r\n\r\n",
    "after a status without body": write_head(status="204 No Content"),
    "after an unmodified response": write_head("Content-Length: 5", status="304 Not Modified"),
    "after trailers": write_head("Transfer-Encoding: chunked") + b"5\r\nhello\r\n0\r\nX: y\r\n\r\n",
    "after an error": answer(b"no", status="403 Forbidden"),
    "after a redirect": answer(b"", "Location: /elsewhere", status="302 Found"),
    "after a truncated error": write_head("Content-Length: 5000", status="500 Server Error"),
    "after a length and chunks": write_head("Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n",
    "after an interim response": write_head(status="100 Continue") + answer(b"hello"),
}
"""Responses followed by an unrequested response, which the next request on that connection must not get."""


def attacks() -> Iterator[Attack]:
    for what, raw in CUT.items():
        yield Attack(
            f"body: {what}",
            "An incomplete or damaged response is accepted as complete.",
            responses={"/": Sends(raw)},
            aim="answer",
            holds=BROKEN | {"limits"},
        )
    for what, raw in HEADS.items():
        yield Attack(
            f"framing: {what}",
            "A response that two parsers split differently.",
            responses={"/": Sends(raw)},
            aim="answer",
            holds=BROKEN | {"refused", "limits"},
        )
    for what, raw in SMUGGLED.items():
        yield Attack(
            f"smuggling: {what}",
            "A reused connection delivers an unrequested response, which is used for the next request.",
            (f"http://{SITE}/", _NEXT),
            responses={"/": Sends(raw + _LEFT_OVER, then="keep"), "/next": _HONEST},
            aim="poison",
            holds=frozenset({"answer", "down"}),
        )
