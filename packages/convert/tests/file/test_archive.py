import io
import random
import struct
import zipfile

import pytest

from convert_support.packed import packed
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.archive import CHUNK, Archive
from webquarry_convert.file.limits import MAX_PARTS

TEXT = b"<w:document/>" * 1000
PARTS = {"mimetype": b"a/b", "word/Document.xml": TEXT, "empty.xml": b""}
BODY = packed(PARTS)
END = struct.Struct("<4s4H2IH")


def read(body: bytes, name: str | None = None, times: int = 1) -> None:
    archive = Archive(body)
    for _ in range(times if name is not None else 0):
        archive.read(name or "")


def refused(body: bytes, name: str | None = None, times: int = 1) -> str | None:
    """Return the reason why an archive or a part of it is rejected."""
    with pytest.raises(ConversionFailed) as caught:
        read(body, name, times)
    return caught.value.reason


def entry_at(body: bytes, name: str) -> int:
    """Return the offset of a part's entry in the central directory."""
    return body.index(name.encode(), body.index(b"PK\1\2")) - 46


def changed(body: bytes, at: int, value: bytes) -> bytes:
    return body[:at] + value + body[at + len(value) :]


def test_parts_are_returned_unchanged() -> None:
    archive = Archive(BODY)
    assert archive.names == tuple(PARTS)
    assert {name: archive.read(name) for name in archive.names} == PARTS
    assert b"".join(archive.stream("mimetype")) == b"a/b"
    assert archive.size("word/Document.xml") == len(TEXT)


def test_missing_parts_give_none() -> None:
    archive = Archive(BODY)
    assert archive.read("word/other.xml") is None
    assert archive.size("word/other.xml") is None
    assert "word/other.xml" not in archive
    with pytest.raises(KeyError):
        archive.stream("word/other.xml")


@pytest.mark.parametrize("name", ["word/document.xml", "/word/Document.xml", "WORD/DOCUMENT.XML", "word\\document.xml"])
def test_names_match_as_in_office(name: str) -> None:
    archive = Archive(BODY)
    assert name in archive
    assert archive.read(name) == TEXT


def test_names_in_the_archive_may_have_either_kind_of_slash() -> None:
    archive = Archive(packed({"\\word\\document.xml": b"1", "/xl/workbook.xml": b"2", "folder/": b""}))
    assert archive.names == ("word/document.xml", "xl/workbook.xml")
    assert archive.read("word/document.xml") == b"1"
    assert archive.read("/xl/workbook.xml") == b"2"


def test_first_of_two_parts_with_the_same_name_counts() -> None:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("a.xml", "first")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.xml", "second")
    assert Archive(body.getvalue()).read("a.xml") == b"first"


def test_large_part_is_streamed_in_chunks() -> None:
    large = random.Random(1).randbytes(CHUNK) * 3
    for stored in ((), ("a",)):
        pieces = list(Archive(packed({"a": large}, stored=stored)).stream("a"))
        assert b"".join(pieces) == large
        assert max(map(len, pieces)) <= CHUNK + 1
        assert len(pieces) >= 3


def test_archive_after_other_bytes_is_read() -> None:
    assert Archive(b"#!/bin/sh\n" + BODY).read("mimetype") == b"a/b"


def test_zip64_records_are_read() -> None:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive, archive.open("a.xml", "w", force_zip64=True) as part:
        part.write(TEXT)
    short = body.getvalue()
    end = short.index(b"PK\5\6")
    *_, size, offset, _ = END.unpack_from(short, end)
    entry = short[offset : offset + size]
    sizes = entry[:20] + struct.pack("<2I", 2**32 - 1, 2**32 - 1) + entry[28:30] + struct.pack("<H", 20) + entry[32:]
    sizes += struct.pack("<2H2Q", 1, 16, len(TEXT), int.from_bytes(entry[20:24], "little"))
    long_end = struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, len(sizes), offset)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, offset + len(sizes), 1)
    last = END.pack(b"PK\5\6", 0, 0, 2**16 - 1, 2**16 - 1, 2**32 - 1, 2**32 - 1, 0)
    large = short[:offset] + sizes + long_end + locator + last
    with zipfile.ZipFile(io.BytesIO(large)) as archive:
        assert archive.read("a.xml") == TEXT  # the generated archive is valid
    assert Archive(large).read("a.xml") == TEXT


def test_encrypted_part_is_rejected() -> None:
    at = entry_at(BODY, "word/Document.xml") + 8
    body = changed(BODY, at, b"\1\0")
    assert refused(body, "word/Document.xml") == "encrypted"
    assert Archive(body).read("mimetype") == b"a/b"


def test_part_with_unknown_compression_is_rejected() -> None:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a.xml", TEXT)
    assert refused(body.getvalue(), "a.xml") == "corrupt"


def test_too_many_parts_are_rejected() -> None:
    assert len(Archive(packed({f"{at}": b"" for at in range(MAX_PARTS)})).names) == MAX_PARTS
    assert refused(packed({f"{at}": b"" for at in range(MAX_PARTS + 1)})) == "limits"


def test_part_larger_than_declared_is_not_inflated_further() -> None:
    at = entry_at(BODY, "word/Document.xml") + 24
    assert refused(changed(BODY, at, struct.pack("<I", 10)), "word/Document.xml") == "corrupt"
    archive = Archive(changed(BODY, at, struct.pack("<I", 10)))
    with pytest.raises(ConversionFailed, match="larger than declared"):
        list(archive.stream("word/Document.xml"))


def test_part_smaller_than_declared_is_rejected() -> None:
    at = entry_at(BODY, "word/Document.xml") + 24
    assert refused(changed(BODY, at, struct.pack("<I", len(TEXT) + 1)), "word/Document.xml") == "corrupt"


def test_bombs_are_rejected_before_inflating() -> None:
    dense = packed({"a": bytes(21_000_000)})
    assert len(dense) < 100_000
    assert refused(dense) == "limits"
    assert refused(changed(BODY, entry_at(BODY, "mimetype") + 24, struct.pack("<I", 250_000_000))) == "limits"
    many = {f"{at}": b"" for at in range(4)}
    body = packed(many)
    for name in many:
        at = entry_at(body, name)
        body = changed(body, at + 20, struct.pack("<2I", 0, 90_000_000))
    assert refused(body) == "limits"


def test_dense_but_small_content_is_read() -> None:
    assert Archive(packed({"a": bytes(15_000_000)})).read("a") == bytes(15_000_000)


def test_repeated_reading_is_limited() -> None:
    body = packed({"a": bytes(15_000_000)})
    read(body, "a", times=20)
    assert refused(body, "a", times=21) == "limits"


def test_entries_that_share_bytes_are_rejected() -> None:
    body = packed({"a": TEXT, "b": TEXT})
    first, second = entry_at(body, "a"), entry_at(body, "b")
    assert refused(changed(body, second + 42, body[first + 42 : first + 46])) == "corrupt"
    assert refused(changed(body, second + 42, struct.pack("<I", 20))) == "corrupt"


def test_flipped_bit_in_a_part_is_detected() -> None:
    body = packed({"a": b"1234"}, stored=("a",))
    assert refused(body.replace(b"1234", b"1235"), "a") == "corrupt"


def test_truncated_file_is_rejected_or_read_completely() -> None:
    for length in range(len(BODY)):
        assert refused(BODY[:length]) == "corrupt"


def test_damage_never_gives_unexpected_errors_or_wrong_bytes() -> None:
    chance = random.Random(5)
    for _ in range(3000):
        body = bytearray(BODY)
        for _ in range(chance.choice((1, 1, 2, 8))):
            body[chance.randrange(len(body))] = chance.randrange(256)
        try:
            archive = Archive(bytes(body))
            parts = {name: archive.read(name) for name in archive.names}
        except ConversionFailed:
            continue
        assert set(parts.values()) <= set(PARTS.values())
