"""Accepted heads, which another parser reads in the same way, so that a forwarded head cannot be read as two
messages.
"""

import asyncio
from collections.abc import Sequence

import httptools
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.net.message import Malformed, answer_framing, end_frames, frame, parse_answer, parse_request, pieces

FIRST = st.sampled_from(
    [b"GET http://a/ HTTP/1.1\r\nHost: a", b"POST / HTTP/1.1\r\nhost:a", b"GET /x HTTP/1.0", b"GET x"]
)
LINES = st.sampled_from(
    [
        b"GET http://a/ HTTP/1.1", b"POST http://a/ HTTP/1.1", b"GET http://a/ HTTP/1.0", b"Host: a", b"Host: b",
        b"host:c", b"Content-Length: 3", b"content-length: 4", b"Content-Length: 3, 3", b"Content-Length : 3",
        b"Content-Length: 03", b"Content-Length: +3", b"Transfer-Encoding: chunked", b"Transfer-Encoding: Chunked",
        b"transfer-encoding: identity", b"Transfer-Encoding: gzip, chunked", b"Transfer-Encoding:\x0bchunked",
        b" folded", b"\tfolded", b"X: y", b"X:", b": y", b"X y", b"X\x00: y", b"X: \xff", b"Connection: close", b"",
    ]
)  # fmt: skip
ENDS = st.sampled_from([b"\r\n"] * 40 + [b"\n", b"\r", b"\r\r\n"])


class _Heard:
    """The result of llhttp, a widely used parser, for a head."""

    def __init__(self, raw: bytes) -> None:
        self.fields: list[tuple[bytes, bytes]] = []
        self.messages = 0
        self.body = b""
        self.parser = httptools.HttpRequestParser(self)
        self.parser.feed_data(raw)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.fields.append((name, value))

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.messages += 1


@given(FIRST, st.lists(st.tuples(LINES, ENDS), max_size=5))
def test_accepted_request_is_one_message_for_other_parsers(first: bytes, lines: Sequence[tuple[bytes, bytes]]) -> None:
    raw = first + b"\r\n" + b"".join(line + end for line, end in lines) + b"\r\n"
    head = raw[: raw.find(b"\r\n\r\n") + 4]
    try:
        request = parse_request(head.decode("latin-1"))
    except Malformed:
        return
    body = b"3\r\nabc\r\n0\r\n\r\n" if request.framing == "chunked" else b"x" * int(request.framing)
    heard = _Heard(head + body)
    assert heard.messages == 1
    assert heard.parser.get_method().decode() == request.method
    assert [(name.decode("latin-1"), value.decode("latin-1")) for name, value in heard.fields] == list(request.fields)
    assert heard.body == (b"abc" if request.framing == "chunked" else body)


@given(st.lists(st.tuples(LINES, ENDS), min_size=0, max_size=5), st.sampled_from([200, 204, 304, 407]))
def test_response_is_parsed_correctly_or_refused(lines: Sequence[tuple[bytes, bytes]], status: int) -> None:
    text = b"".join([b"HTTP/1.1 %d OK\r\n" % status, *(line + end for line, end in lines), b"\r\n"]).decode("latin-1")
    try:
        answer = parse_answer(text[: text.find("\r\n\r\n") + 4])
        framing = answer_framing("GET", answer)
    except Malformed:
        return
    if status in (204, 304):
        assert framing == 0
    elif answer.values("transfer-encoding"):
        assert framing == "chunked"
    else:
        lengths = [int(part) for value in answer.values("content-length") for part in value.split(",")]
        assert framing == (lengths[0] if lengths else "close")
        assert len(set(lengths)) <= 1


@given(st.lists(st.binary(min_size=1, max_size=2000), max_size=20), st.integers(1, 700))
def test_chunks_are_decoded_unchanged(given_pieces: Sequence[bytes], step: int) -> None:
    raw = b"".join(frame(piece, "chunked") for piece in given_pieces) + end_frames("chunked")

    async def read() -> bytes:
        reader = asyncio.StreamReader()
        for start in range(0, len(raw), step):
            reader.feed_data(raw[start : start + step])
        reader.feed_data(b"GET next")
        got = b"".join([piece async for piece in pieces(reader, "chunked")])
        assert await reader.read(8) == b"GET next"
        return got

    assert asyncio.run(read()) == b"".join(given_pieces)


@pytest.mark.parametrize("line", ["HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.0 404 Not Found"])
def test_status_line_may_lack_its_reason(line: str) -> None:
    assert parse_answer(f"{line}\r\n\r\n").status in (200, 404)
