"""Files on their way in: whole or refused, however they are cut, and never kept beyond their limit."""

import asyncio
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.api import upload
from webquarry.api.upload import Uploads
from webquarry.errors import FileTooLarge, InvalidParams, Overloaded
from webquarry.types import File

LIMIT = 1000
HEADERS = [(b"content-type", b'multipart/form-data; boundary="-mark-"')]
HEAD = b'Content-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv'


def part(content: bytes, head: bytes = HEAD) -> bytes:
    return b"---mark-\r\n" + head + b"\r\n\r\n" + content + b"\r\n"


END = b"---mark---\r\n"


class Body:
    """What arrives, in pieces. taken: how many of them were asked for."""

    def __init__(self, *pieces: bytes, ends: bool = True) -> None:
        self._pieces = pieces
        self._ends = ends
        self.taken = 0

    async def __call__(self) -> MutableMapping[str, Any]:
        if self.taken == len(self._pieces):
            return {"type": "http.disconnect"}
        piece = self._pieces[self.taken]
        self.taken += 1
        return {
            "type": "http.request",
            "body": piece,
            "more_body": not self._ends or self.taken < len(self._pieces),
        }


async def received(*pieces: bytes, limit: int = LIMIT) -> File:
    return await Uploads().receive(HEADERS, Body(*pieces), limit)


def cut(whole: bytes, sizes: list[int]) -> Iterator[bytes]:
    at = 0
    for size in sizes:
        yield whole[at : at + size]
        at += size
    yield whole[at:]


@given(st.binary(max_size=300), st.lists(st.integers(0, 60), max_size=20))
def test_any_content_arrives_however_it_is_cut(content: bytes, sizes: list[int]) -> None:
    whole = part(content) + END
    if b"\r\n---mark-" not in content:
        assert asyncio.run(received(*cut(whole, sizes))) == File("a.csv", content)


async def test_a_file_of_just_the_limit_is_taken() -> None:
    assert len((await received(part(b"x" * LIMIT) + END)).body) == LIMIT
    with pytest.raises(FileTooLarge, match=r"larger than 1,000 bytes"):
        await received(part(b"x" * (LIMIT + 1)) + END)


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        (b'form-data; name="file"', ""),
        (b'form-data; name="file"; filename="a b.pdf"', "a b.pdf"),
        (b"form-data; name=file; filename=a.pdf", "a.pdf"),
        ('form-data; name="file"; filename="Übung.pdf"'.encode(), "Übung.pdf"),
        (b'form-data; name="file"; filename="../../etc/passwd"', "passwd"),
        (b'form-data; name="file"; filename="C:\\\\dir\\\\a.doc"', "a.doc"),
        (b'form-data; name="file"; filename="\xff.pdf"', "\ufffd.pdf"),
    ],
)
async def test_the_name_is_a_name_only(disposition: bytes, name: str) -> None:
    assert (await received(part(b"x", b"Content-Disposition: " + disposition) + END)).name == name


@pytest.mark.parametrize(
    "body",
    [
        b"",
        END,
        b"no boundary at all",
        part(b"x"),
        part(b"x") + part(b"y") + END,
        part(b"x", b'Content-Disposition: form-data; name="other"') + END,
        part(b"x", b'Content-Disposition: attachment; name="file"') + END,
        part(b"x", b"Content-Type: text/csv") + END,
        part(b"x", HEAD + b"\r\n" + b"A: b\r\n" * 20 + b"C: d") + END,
        part(b"x", HEAD + b"; x=" + b"y" * 9000) + END,
        part(b"x") + END + b" " * 20_000,
        b"---mark-\r\n" + b"\x00" * 50,
    ],
)
async def test_what_is_not_one_part_named_file_is_told(body: bytes) -> None:
    with pytest.raises(InvalidParams, match="part named 'file'"):
        await received(body)


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [(b"content-type", b"application/json")],
        [(b"content-type", b"multipart/form-data")],
        [(b"content-type", b"multipart/form-data; boundary=" + b"x" * 71)],
        [(b"content-type", b"multipart/mixed; boundary=x")],
        HEADERS * 2,
    ],
)
async def test_another_kind_of_body_is_told_before_it_is_read(headers: list[tuple[bytes, bytes]]) -> None:
    body = Body(part(b"x") + END)
    with pytest.raises(InvalidParams, match="no multipart body"):
        await Uploads().receive(headers, body, LIMIT)
    assert body.taken == 0


async def test_what_is_too_large_is_read_on_and_thrown_away() -> None:
    body = Body(part(b"x" * 5000), *[b"y" * 1_000_000] * 5)
    with pytest.raises(FileTooLarge):
        await Uploads().receive(HEADERS, body, LIMIT)
    assert body.taken == 6


async def test_not_everything_is_read_on() -> None:
    body = Body(part(b"x" * 5000), *[b"y" * 1_000_000] * 100)
    with pytest.raises(FileTooLarge):
        await Uploads().receive(HEADERS, body, LIMIT)
    assert body.taken < 40


async def test_a_body_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "WITHIN_S", 0.05)

    async def never() -> MutableMapping[str, Any]:
        await asyncio.sleep(60)
        raise AssertionError

    uploads = Uploads()
    with pytest.raises(InvalidParams, match="did not arrive"):
        await uploads.receive(HEADERS, never, LIMIT)
    assert uploads._open == 0


async def test_a_caller_that_leaves_is_no_fault() -> None:
    with pytest.raises(InvalidParams, match="closed before"):
        await Uploads().receive(HEADERS, Body(part(b"x"), ends=False), LIMIT)


async def test_so_many_at_once_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MAX_AT_ONCE", 2)
    uploads, arrived = Uploads(), asyncio.Event()
    whole = part(b"x") + END

    async def slowly() -> MutableMapping[str, Any]:
        await arrived.wait()
        return {"type": "http.request", "body": whole}

    waiting = [asyncio.create_task(uploads.receive(HEADERS, slowly, LIMIT)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await uploads.receive(HEADERS, Body(whole), LIMIT)
    arrived.set()
    assert [file.body for file in await asyncio.gather(*waiting)] == [b"x", b"x"]
    assert (await uploads.receive(HEADERS, Body(whole), LIMIT)).body == b"x"


@given(st.binary(max_size=200), st.booleans())
def test_any_body_is_a_file_or_told(noise: bytes, behind: bool) -> None:
    whole = part(b"x") + END
    body = whole[: len(noise) % len(whole)] + noise if behind else noise + whole
    with suppress(InvalidParams, FileTooLarge):
        asyncio.run(received(body))
