"""Responses of the adversary's site: raw bytes that no honest server would send."""

import asyncio
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Literal, Protocol

import brotli  # type: ignore[import-untyped]  # brotli has no types
import zstandard

MEGABYTE = 1024 * 1024
MARK = b"SMUGGLED"
"""Text in responses that do not belong to any request."""
BOMB_MB = 300
FLOOD_MB = 32
Coding = Literal["gzip", "gzip, fastest", "deflate", "bare deflate", "br", "br, widest window", "zstd", "gzip members"]


class Talk(Protocol):
    """A connection on which a response is sent. `port` is the private target's real port."""

    @property
    def port(self) -> int: ...

    async def send(self, data: bytes) -> None:
        """Send data. Raises ConnectionError if the client has disconnected."""
        ...

    async def wait(self) -> None:
        """Wait until the client closes the connection."""
        ...


class Response(Protocol):
    async def say(self, talk: Talk) -> bool:
        """Respond to one request. Return whether another request may follow on the connection."""
        ...


@dataclass(frozen=True, slots=True)
class Sends:
    """Sends fixed bytes. `then` closes the connection, keeps it for another request, or leaves it hanging."""

    raw: bytes
    then: Literal["close", "keep", "hang"] = "close"

    async def say(self, talk: Talk) -> bool:
        await talk.send(self.raw)
        if self.then == "hang":
            await talk.wait()
        return self.then == "keep"


@dataclass(frozen=True, slots=True)
class Page:
    """An HTML page with enough words to count as a page. `{port}` becomes the private target's real port."""

    body: str = ""
    fields: tuple[str, ...] = ()
    head: str = ""

    async def say(self, talk: Talk) -> bool:
        words = "This page has enough text to count as a page, whether or not any of its scripts are run. " * 4
        html = (
            f'<!doctype html><html lang="en"><head><title>A page</title>{self.head}</head>'
            f"<body><p>{words}</p>{self.body}</body></html>"
        )
        fields = ("Content-Type: text/html; charset=utf-8", *self.fields)
        port = str(talk.port)
        await talk.send(
            answer(html.replace("{port}", port).encode(), *(field.replace("{port}", port) for field in fields))
        )
        return True


@dataclass(frozen=True, slots=True)
class Repeats:
    """Sends `head`, then `block` repeatedly up to `most_mb`, then `tail`."""

    head: bytes
    block: bytes
    most_mb: int = FLOOD_MB
    tail: bytes = b""

    async def say(self, talk: Talk) -> bool:
        await talk.send(self.head)
        at_once = self.block * max(1, 65536 // len(self.block))
        for _ in range(self.most_mb * MEGABYTE // len(at_once)):
            await talk.send(at_once)
        await talk.send(self.tail)
        return False


@dataclass(frozen=True, slots=True)
class Drips:
    """Sends `head`, then `piece` every `every_s` seconds while the client stays connected."""

    head: bytes
    piece: bytes
    every_s: float = 0.1

    async def say(self, talk: Talk) -> bool:
        await talk.send(self.head)
        while True:
            await asyncio.sleep(self.every_s)
            await talk.send(self.piece)


@dataclass(frozen=True, slots=True)
class Delays:
    """Sends `then` after a delay."""

    after_s: float
    then: Response

    async def say(self, talk: Talk) -> bool:
        await asyncio.sleep(self.after_s)
        return await self.then.say(talk)


@dataclass(frozen=True, slots=True)
class Inflates:
    """A body of zeros, or of empty members, that is small when transferred.

    `named` is the Content-Encoding header; `packed` lists the codings applied, innermost first; `mb` is the inflated
    size.
    """

    named: str
    packed: tuple[Coding, ...]
    mb: int = BOMB_MB
    of: bytes = bytes(MEGABYTE)

    async def say(self, talk: Talk) -> bool:
        await talk.send(write_head(f"Content-Encoding: {self.named}", "Content-Type: text/html"))
        wire = pack_bomb(self)
        for start in range(0, len(wire), 65536):
            await talk.send(wire[start : start + 65536])
        return False


@lru_cache(maxsize=4)
def pack_bomb(bomb: Inflates) -> bytes:
    """Return the compressed bytes of a bomb."""
    blocks: Iterator[bytes] = repeat(bomb.of, bomb.mb * MEGABYTE // len(bomb.of))
    for coding in bomb.packed:
        blocks = _pack_blocks(coding, blocks)
    return b"".join(blocks)


def write_head(*fields: str, status: str = "200 OK") -> bytes:
    """Return a response's head, encoded in Latin-1."""
    return "\r\n".join([f"HTTP/1.1 {status}", *fields, "", ""]).encode("latin-1")


def answer(body: bytes = b"", *fields: str, status: str = "200 OK") -> bytes:
    """Return a complete, valid response."""
    return write_head(*fields, f"Content-Length: {len(body)}", status=status) + body


def lead_to(to: str, status: str = "302 Found", *fields: str) -> Sends:
    """Return a redirect. `to` is sent as UTF-8."""
    located = "\r\n".join([f"Location: {to}", *fields]).encode()
    return Sends(b"HTTP/1.1 %b\r\n%b\r\nContent-Length: 0\r\n\r\n" % (status.encode(), located), then="keep")


def _pack_blocks(coding: Coding, blocks: Iterator[bytes]) -> Iterator[bytes]:
    if coding == "gzip members":
        return (_whole_gzip(block) for block in blocks)
    pack, finish = _make_packer(coding)
    return _stream_packed(pack, finish, blocks)


def _stream_packed(
    pack: Callable[[bytes], bytes], finish: Callable[[], bytes], blocks: Iterator[bytes]
) -> Iterator[bytes]:
    for block in blocks:
        if made := pack(block):
            yield made
    yield finish()


def _make_packer(coding: Coding) -> tuple[Callable[[bytes], bytes], Callable[[], bytes]]:
    if coding.startswith("br"):
        stream = brotli.Compressor(quality=5, lgwin=24 if "widest" in coding else 22)
        return stream.process, stream.finish
    if coding == "zstd":
        zstd = zstandard.ZstdCompressor(level=3).compressobj()
        return zstd.compress, zstd.flush
    wbits = {"deflate": zlib.MAX_WBITS, "bare deflate": -zlib.MAX_WBITS}.get(coding, zlib.MAX_WBITS | 16)
    deflate = zlib.compressobj(1 if "fastest" in coding else 6, zlib.DEFLATED, wbits)
    return deflate.compress, deflate.flush


def _whole_gzip(block: bytes) -> bytes:
    stream = zlib.compressobj(1, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return stream.compress(block) + stream.flush()
