"""Uploads: complete or refused, however they are split, and never stored beyond their limit."""

import asyncio
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.api import body as bodies
from webquarry.api import upload
from webquarry.api.body import Receive
from webquarry.api.upload import Announced, Received, Uploads
from webquarry.core.clock import SystemClock
from webquarry.core.errors import FileTooLarge, InvalidParams, Overloaded, UnsupportedType
from webquarry.core.types import File

LIMIT = 1000
HEADERS = [(b"content-type", b'multipart/form-data; boundary="-mark-"')]
HEAD = b'Content-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv'


FORMAT = b'Content-Disposition: form-data; name="format"'


def part(content: bytes, head: bytes = HEAD) -> bytes:
    return b"---mark-\r\n" + head + b"\r\n\r\n" + content + b"\r\n"


END = b"---mark---\r\n"


class Body:
    """An incoming body, in pieces. taken: number of received pieces."""

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


async def taken(receive: Receive, account: str = "anna", uploads: Uploads | None = None) -> Received:
    return await (uploads or Uploads(SystemClock())).receive(Announced(HEADERS, LIMIT), receive, account)


async def received(*pieces: bytes) -> File:
    return (await taken(Body(*pieces))).file


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


async def test_a_file_of_exactly_the_limit_is_accepted() -> None:
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
        (b'form-data; name="file"; filename="a\0b\x1b.pdf"', "a\ufffdb\ufffd.pdf"),
        ('form-data; name="file"; filename="\u202efdp.exe"'.encode(), "\ufffdfdp.exe"),
    ],
)
async def test_the_file_name_has_no_folders(disposition: bytes, name: str) -> None:
    assert (await received(part(b"x", b"Content-Disposition: " + disposition) + END)).name == name


@pytest.mark.parametrize(
    "body",
    [
        b"",
        END,
        b"no boundary at all",
        part(b"x"),
        part(b"x", b'Content-Disposition: attachment; name="file"') + END,
        part(b"x", b"Content-Type: text/csv") + END,
        part(b"x", HEAD + b"\r\n" + b"A: b\r\n" * 20 + b"C: d") + END,
        part(b"x", HEAD + b"; x=" + b"y" * 9000) + END,
        part(b"x") + END + b" " * 20_000,
        b"---mark-\r\n" + b"\x00" * 50,
    ],
)
async def test_a_missing_or_repeated_file_part_is_reported(body: bytes) -> None:
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
async def test_a_body_that_is_not_multipart_is_refused_unread(headers: list[tuple[bytes, bytes]]) -> None:
    with pytest.raises(InvalidParams, match="no multipart body"):
        Announced(headers, LIMIT)


@pytest.mark.parametrize("coding", [b"gzip", b"br", b"zstd", b"deflate, gzip", b""])
async def test_a_compressed_body_is_refused_unread(coding: bytes) -> None:
    with pytest.raises(UnsupportedType, match="compressed"):
        Announced([*HEADERS, (b"content-encoding", coding)], LIMIT)
    Announced([*HEADERS, (b"content-encoding", b"identity")], LIMIT)


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ([part(b"x"), part(b"y")], "second part 'file'"),
        ([part(b"json", FORMAT), part(b"x"), part(b"both", FORMAT)], "second part 'format'"),
        ([part(b"x", b'Content-Disposition: form-data; name="document"')], "part 'document'"),
        ([part(b"x"), part(b"1", b'Content-Disposition: form-data; name="page"')], "part 'page'"),
        ([part(b"x", b'Content-Disposition: form-data; name="' + b"y" * 200 + b'"')], "part '" + "y" * 64 + "'"),
        ([part(b"json", FORMAT)], "no part named 'file'"),
    ],
)
async def test_part_that_is_unknown_missing_or_repeated_is_named(parts: list[bytes], named: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        await received(b"".join(parts) + END)
    assert named in caught.value.message


async def test_format_may_come_before_or_after_the_file() -> None:
    form = part(b"markdown", FORMAT)
    for body in (form + part(b"x"), part(b"x") + form):
        assert await taken(Body(body + END)) == Received(File("a.csv", b"x"), {"format": "markdown"})
    assert await taken(Body(part(b"x") + END)) == Received(File("a.csv", b"x"), {})


async def test_format_cannot_be_a_file() -> None:
    with pytest.raises(InvalidParams, match="data in addition to the file"):
        await received(part(b"x") + part(b"y" * 20_000, FORMAT) + END)


def test_an_announced_length_beyond_the_limit_is_refused_unread() -> None:
    longest = LIMIT + upload.MAX_FRAMING
    Announced([*HEADERS, (b"content-length", b"%d" % longest)], LIMIT)
    with pytest.raises(FileTooLarge, match=r"larger than 1,000 bytes"):
        Announced([*HEADERS, (b"content-length", b"%d" % (longest + 1))], LIMIT)


async def test_a_file_is_refused_as_soon_as_it_is_too_large() -> None:
    body = Body(part(b"x" * 5000), *[b"y" * 1_000_000] * 5)
    with pytest.raises(FileTooLarge):
        await taken(body)
    assert body.taken == 1


async def test_a_body_that_does_not_arrive_releases_its_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "GRACE_S", 0.05)

    async def never() -> MutableMapping[str, Any]:
        await asyncio.sleep(60)
        raise AssertionError

    uploads = Uploads(SystemClock())
    with pytest.raises(InvalidParams, match="less than 8,192 bytes a second"):
        await taken(never, uploads=uploads)
    assert uploads.open == 0


async def test_a_caller_that_disconnects_is_not_logged_as_a_bug() -> None:
    with pytest.raises(InvalidParams, match="closed before"):
        await taken(Body(part(b"x"), ends=False))


async def test_upload_slots_are_limited_per_account_and_in_total() -> None:
    uploads, arrived = Uploads(SystemClock()), asyncio.Event()
    whole = part(b"x") + END

    async def slowly() -> MutableMapping[str, Any]:
        await arrived.wait()
        return {"type": "http.request", "body": whole}

    half = upload.MAX_AT_ONCE // 2
    waiting = [asyncio.create_task(taken(slowly, account, uploads)) for account in "ab" for _ in range(half)]
    await asyncio.sleep(0)
    assert uploads.open == 2 * half
    with pytest.raises(Overloaded):
        await taken(Body(whole), "c", uploads)
    for task in waiting[half + 1 :]:
        task.cancel()
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await taken(Body(whole), "a", uploads)
    assert (await taken(Body(whole), "c", uploads)).file.body == b"x"
    arrived.set()
    assert [sent.file.body for sent in await asyncio.gather(*waiting[: half + 1])] == [b"x"] * (half + 1)
    assert uploads.open == 0


@given(st.binary(max_size=200), st.booleans())
def test_any_body_gives_a_file_or_an_error(noise: bytes, behind: bool) -> None:
    whole = part(b"x") + END
    body = whole[: len(noise) % len(whole)] + noise if behind else noise + whole
    with suppress(InvalidParams, FileTooLarge):
        asyncio.run(received(body))
