"""Response heads: floods, data that is not HTTP, and connections that close at each stage."""

from collections.abc import Iterator, Mapping

from webquarry.doctor.egress.attack import BROKEN, Attack
from webquarry.doctor.responses import Repeats, Sends, answer, write_head

_START = b"HTTP/1.1 200 OK\r\n"

FLOODS: Mapping[str, Repeats] = {
    "endless fields": Repeats(_START, b"X-Flood: yes\r\n"),
    "endless different fields": Repeats(_START, b"".join(b"X-%d: y\r\n" % n for n in range(5000))),
    "one endless field": Repeats(_START + b"X-Flood: ", b"x" * 1024),
    "one endless field name": Repeats(_START + b"X", b"x" * 1024),
    "an endless folded field": Repeats(_START + b"X: y", b"\r\n z" * 256),
    "endless status line": Repeats(b"HTTP/1.1 200 ", b"x" * 1024),
    "endless version": Repeats(b"HTTP/", b"1" * 1024),
    "endless cookies": Repeats(_START, b"Set-Cookie: a=" + b"b" * 4000 + b"\r\n"),
    "endless NULs": Repeats(b"", b"\0" * 1024),
    "body without length": Repeats(write_head("Content-Type: text/html"), b"x" * 1024),
    "body in chunks": Repeats(write_head("Transfer-Encoding: chunked"), b"400\r\n" + b"x" * 1024 + b"\r\n"),
    "one endless chunk": Repeats(write_head("Transfer-Encoding: chunked") + b"fffffffffff\r\n", b"x" * 1024),
    "body of a declared gigabyte": Repeats(write_head(f"Content-Length: {1 << 30}"), b"x" * 1024),
    "body of an error": Repeats(write_head(f"Content-Length: {1 << 30}", status="404 Not Found"), b"x" * 1024),
    "body of a redirect": Repeats(
        write_head(f"Content-Length: {1 << 30}", "Location: /", status="302 Found"), b"x" * 1024
    ),
    "stored blocks of deflate": Repeats(write_head("Content-Encoding: deflate"), b"\0\0\4\xff\xfb" + b"x" * 1024),
}
"""More data than any client should accept."""

HEAVY: Mapping[str, Repeats] = {
    "blank lines before the head": Repeats(b"", b"\r\n" * 512),
    "endless interim responses": Repeats(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "endless early hints": Repeats(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    "extension of a chunk": Repeats(write_head("Transfer-Encoding: chunked") + b"5;x=", b"x" * 1024),
    "endless trailers": Repeats(write_head("Transfer-Encoding: chunked") + b"0\r\n", b"X-Flood: yes\r\n"),
    "chunks of one byte": Repeats(write_head("Transfer-Encoding: chunked"), b"1\r\nx\r\n"),
}
"""Floods in parts of a response other than its body."""

MALFORMED: Mapping[str, bytes] = {
    "no HTTP": b"220 mail.example ready\r\n\r\n",
    "no head at all": b"<html><p>HTTP/0.9</html>",
    "another protocol": b"SSH-2.0-OpenSSH_9.2\r\n",
    "TLS on a plain port": b"\x16\x03\x01\x00\x05hello",
    "unrequested HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a future version": b"HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\nhi",
    "status in words": b"HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\nhi",
    "status of four digits": b"HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\nhi",
    "negative status": b"HTTP/1.1 -200 OK\r\nContent-Length: 2\r\n\r\nhi",
    "a field without colon": b"HTTP/1.1 200 OK\r\nbroken field\r\nContent-Length: 2\r\n\r\nhi",
    "a field without name": b"HTTP/1.1 200 OK\r\n: broken\r\nContent-Length: 2\r\n\r\nhi",
    "a space before the colon": b"HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nhi there",
    "NUL in a field": b"HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 2\r\n\r\nhi",
    "NUL in a name": b"HTTP/1.1 200 OK\r\nX\0Y: b\r\nContent-Length: 2\r\n\r\nhi",
    "a bare carriage return": b"HTTP/1.1 200 OK\r\nX: a\rContent-Length: 2\r\n\r\nhi there",
    "huge status line": b"HTTP/1.1 200 " + b"x" * 100_000 + b"\r\nContent-Length: 2\r\n\r\nhi",
    "huge field": b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\nContent-Length: 2\r\n\r\nhi",
    "thousands of fields": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 5000 + b"Content-Length: 2\r\n\r\nhi",
    "only interim responses": write_head(status="100 Continue") * 50,
}
"""Data that no client should accept as a response."""

ODD: Mapping[str, bytes] = {
    "an old version": b"HTTP/0.9 200 OK\r\nContent-Length: 2\r\n\r\nhi",
    "status 000": b"HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nhi",
    "NUL in the status line": b"HTTP/1.1 200 O\0K\r\nContent-Length: 2\r\n\r\nhi",
    "a protocol switch": write_head("Upgrade: h2c", "Connection: Upgrade", status="101 Switching Protocols") + b"hi",
    "lines that end in LF": b"HTTP/1.1 200 OK\nContent-Length: 2\n\nhi",
    "a folded field": b"HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nhi",
    "unknown status": b"HTTP/1.1 799 What\r\nContent-Length: 2\r\n\r\nhi",
    "unknown interim status": b"HTTP/1.1 199 What\r\n\r\n" + answer(b"hi"),
    "bytes beyond ASCII": "HTTP/1.1 200 Grüß\r\nX-Grüß: ü\r\nContent-Length: 2\r\n\r\nhi".encode(),
    "bytes that are not text": b"HTTP/1.1 200 OK\r\nX: \xff\xfe\x80\r\nContent-Length: 2\r\n\r\nhi",
    "invalid dates and delays": answer(
        b"", "Retry-After: 99999999999999999999999", "Date: Foo, 99 Bar 99999", status="503 Unavailable"
    ),
    "delay that overflows": answer(b"", "Retry-After: Fri, 31 Dec 9999 23:59:59 -2359", status="503 Unavailable"),
    "invalid content type": answer(b"hi", 'Content-Type: ;;;="\\\xff/' + "x" * 5000),
    "rejected by a nonexistent proxy": answer(b"", status="407 Proxy Authentication Required"),
}
"""Responses that a client may either read or refuse, but that must not make it crash."""

CLOSED: Mapping[str, bytes] = {
    "immediately": b"",
    "in the status line": b"HTTP/1.",
    "after the status line": b"HTTP/1.1 200 OK\r\n",
    "in a field": b"HTTP/1.1 200 OK\r\nContent-Le",
    "before the blank line": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n",
    "before the body": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
    "in the body": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe",
    "in a chunk's size": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5",
    "in the trailers": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ",
}
"""Data that the site sends before it closes the connection."""


def attacks() -> Iterator[Attack]:
    for what, flood in FLOODS.items():
        yield Attack(
            f"flood: {what}",
            "The client receives more data than it accepts for one response.",
            responses={"/": flood},
            aim="flood",
            holds=frozenset({"down", "limits", "refused", "timeout", "not_found"}),
        )
    for what, flood in HEAVY.items():
        yield Attack(
            f"flood: {what}",
            "The client receives endless parts of a response without a body and must stop at its deadline.",
            responses={"/": Repeats(flood.head, flood.block, most_mb=1 << 20)},
            aim="late",
            holds=frozenset({"down", "limits", "timeout"}),
            deadline_s=1.0,
        )
    for what, raw in MALFORMED.items():
        yield Attack(
            f"malformed: {what}",
            "Data that is not HTTP is sent as a response.",
            responses={"/": Sends(raw)},
            aim="answer",
            holds=BROKEN,
        )
    for what, raw in ODD.items():
        yield Attack(
            f"odd: {what}",
            "A response that crashes a careless client.",
            responses={"/": Sends(raw)},
            aim="fault",
            holds=frozenset({"answer", "down", "refused"}),
        )
    for what, raw in CLOSED.items():
        yield Attack(
            f"closed: {what}",
            "The connection closes before the response is complete.",
            responses={"/": Sends(raw)},
            aim="answer",
            holds=BROKEN,
        )
