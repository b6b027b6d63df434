"""Damaged and hostile documents.

The result is a document or `ConversionFailed`, and never another error. It takes little time.
"""

import random
import struct

import pytest

from convert_support.compound import filled
from convert_support.word97 import Made, Para, Run, Style, doc, sprm
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.compound import Compound
from webquarry_convert.file.word97 import read

IN_TABLE = sprm(0x2416, 1)
_ROW = struct.pack("<B3h", 2, 0, 900, 1800) + bytes(40)
_LEVEL = struct.pack("<iBB18x3Bx", 1, 0, 0, 2, 2, 0) + b"pplt" + struct.pack("<H2H", 2, 0, 46)
_EVERYTHING = [
    Para("Head", style=1),
    Para([Run("a "), Run("bold", sprm(0x0835, 0x81)), Run(" 😀 \x02"), Run("(", sprm(0x6A09, 0xF061 << 16))]),
    Para('\x13 HYPERLINK "http://a.example" \x14link\x15 \x08', end=sprm(0x0800, 1)),
    Para(
        [Run("item "), Run("\x01", sprm(0x6A03, 0)), Run("\x01", sprm(0x6A03, 200) + sprm(0x0806, 1))], sprm(0x460B, 1)
    ),
    Para("b", IN_TABLE, mark="\x07"),
    Para("n", IN_TABLE + sprm(0x6649, 2) + sprm(0x244B, 1)),
    Para("", IN_TABLE + sprm(0x6649, 2) + sprm(0x244C, 1)),
    Para("c", IN_TABLE, mark="\x07"),
    Para("", sprm(0x6646, 100), mark="\x07"),
    Para("d", IN_TABLE, mark="\x07"),
    Para("e", IN_TABLE, mark="\x07"),
    Para("", sprm(0x6646, 100), mark="\x07"),
    Para("end", mark="\x0c"),
]
_DATA = (struct.pack("<I2H", 90, 68, 0x64).ljust(100, b"\0") + struct.pack("<H", 60) + IN_TABLE + sprm(0x2417, 1)
         + struct.pack("<HH", 0xD608, len(_ROW) + 1) + _ROW).ljust(300, b"\1")  # fmt: skip
_PARTS = {
    "footnote marks": struct.pack("<2IH", 15, 60, 1),
    "footnote texts": struct.pack("<3I", 0, 5, 6),
    "shapes": struct.pack("<2Ii22x", 56, 70, 5),
    "box texts": struct.pack("<3I", 0, 4, 5) + struct.pack("<8xH4xi4x", 0, 5) + bytes(22),
    "list overrides": struct.pack("<Ii8xB3xI", 1, 9, 1, 0xFFFF_FFFF) + struct.pack("<iI", 4, 0x30) + _LEVEL,
    "lists": struct.pack("<Hi22xBx", 1, 9, 1),
}


def everything(*, is_old: bool) -> bytes:
    return Made(
        _EVERYTHING,
        stories={"footnotes": [Para("note"), Para("")], "boxes": [Para("box"), Para("")]},
        styles=[Style("Normal", 0), Style("heading 1", 1, 0), Style("Code", base=0, look=sprm(0x4A4F, 0))],
        fonts=[("Symbol", 2), ("Courier", 0)],
        parts={} if is_old else _PARTS,
        tail=_LEVEL,
        is_old=is_old,
        narrow="utf-8" if is_old else None,
        pieces=(7, 11),
        piece_properties=[sprm(0x0836, 1)],
        piece_modifiers=[1],
        streams={"Data": _DATA},
    ).packed()


def reason(body: bytes) -> str | None:
    """Return the reason why a document is rejected, or None."""
    try:
        read(body)
    except ConversionFailed as failed:
        return failed.reason
    return None


def test_complete_document_is_read() -> None:
    made = read(everything(is_old=False)).markdown
    assert all(
        words in made
        for words in ("# ", "bold", "😀 [^1]", "α", "[link]", "item", "| b | n<br>c |", "[^1]: note", "box")
    )


@pytest.mark.parametrize("is_old", [False, True])
def test_truncated_files_give_a_document_or_a_clear_error(is_old: bool) -> None:
    body = everything(is_old=is_old)
    assert reason(body) is None
    for end in range(0, len(body), 29):
        assert reason(body[:end]) in ("corrupt", None)


@pytest.mark.parametrize("is_old", [False, True])
def test_changed_files_give_a_document_or_a_clear_error(is_old: bool) -> None:
    body = everything(is_old=is_old)
    chance = random.Random(97)
    used = [at for at, byte in enumerate(body) if byte]
    for _ in range(800):
        damaged = bytearray(body)
        for _ in range(chance.choice((1, 1, 3, 12))):
            at = min(len(body) - 1, chance.choice(used) + chance.randrange(4))
            damaged[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        assert reason(bytes(damaged)) in ("corrupt", "encrypted", "limits", None)


def test_cyclic_streams_are_no_longer_than_the_file() -> None:
    body = bytearray(filled({"a": b"x" * 5000}))
    table = struct.unpack_from("<I", body, 0x4C)[0]
    struct.pack_into("<2I", body, (table + 1) * 512, 1, 0)
    length_at = body.index("a\0".encode("latin-1").ljust(64, b"\0")) + 120
    struct.pack_into("<I", body, length_at, 0xFFFF_FFFF)
    found = Compound(bytes(body)).get("a")
    assert found is not None
    assert 0 < len(found) <= len(body)


def test_cyclic_stream_list_does_not_hang() -> None:
    body = bytearray(filled({"a": b"x" * 5000, "b": b"y" * 5000}))
    links_at = body.index("b\0".encode("latin-1").ljust(64, b"\0")) + 68
    struct.pack_into("<2I", body, links_at, 1, 1)
    assert Compound(bytes(body)).get("b") == b"y" * 5000


def test_overlapping_pieces_exceed_the_limits() -> None:
    """Each piece repeats the same text, so a small file would become a large document."""
    text = b"x" * 20_000
    count = 5_000
    main = bytearray(0x600) + text
    struct.pack_into("<2H2xH2xH", main, 0, 0xA5EC, 193, 0x409, 0x200)
    struct.pack_into("<I", main, 0x4C, count * len(text))
    pieces = struct.pack(f"<{count + 1}I", *range(0, (count + 1) * len(text), len(text)))
    pieces += struct.pack("<2xIH", 2 * 0x600 | 0x4000_0000, 0) * count
    table = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    struct.pack_into("<2I", main, 0x1A2, 0, len(table))
    assert reason(filled({"WordDocument": bytes(main), "1Table": table})) == "limits"


def test_too_many_paragraphs_exceed_the_limits() -> None:
    main = bytearray(0x600) + b"\r" * 600_000
    struct.pack_into("<2H2xH2xH", main, 0, 0xA5DC, 101, 0x409, 0)
    struct.pack_into("<2I", main, 0x18, 0x600, len(main))
    struct.pack_into("<I", main, 0x34, 600_000)
    assert reason(filled({"WordDocument": bytes(main)})) == "limits"


def test_pictures_with_long_descriptions_exceed_the_limits() -> None:
    words = ("x" * 2000).encode("utf-16-le")
    properties = struct.pack("<HI", 0xC381, len(words)) + words
    shape = struct.pack("<HHI", 1 << 4 | 3, 0xF00B, len(properties)) + properties
    body = struct.pack("<HHI", 0xF, 0xF004, len(shape)) + shape
    data = struct.pack("<I2H60x", 68 + len(body), 68, 0x64) + body
    pictures = Para([Run("\x01" * 15_000, sprm(0x6A03, 0))])
    assert reason(doc(pictures, streams={"Data": data})) == "limits"


def test_nested_tables_are_limited() -> None:
    paragraphs = [Para(f"{depth}", IN_TABLE + sprm(0x6649, depth)) for depth in (*range(1, 60), *range(60, 0, -1))]
    made = read(doc(*paragraphs)).markdown
    assert all(f"{depth}" in made for depth in range(1, 60))


def test_text_boxes_anchored_in_text_boxes_are_not_nested() -> None:
    count = 3000
    boxes = struct.pack(f"<{count + 2}I", *range(0, 2 * count + 1, 2), 2 * count + 1)
    boxes += b"".join(struct.pack("<8xH4xi4x", 0, shape) for shape in range(count)) + bytes(22)
    anchors = [0, *range(4, 4 + 2 * (count - 1), 2)]  # each box's first character is the next box's anchor
    shapes = struct.pack(f"<{count + 1}I", *anchors, 9999)
    shapes += b"".join(struct.pack("<i22x", shape) for shape in range(count))
    fields = {"boxes": [*[Para("\x08")] * count, Para("")]}
    assert reason(doc("\x08 a", stories=fields, parts={"box texts": boxes, "shapes": shapes})) is None


def test_unclosed_fields_hide_at_most_their_paragraph() -> None:
    made = read(doc("\x13" * 3000, *["x"] * 3000)).markdown
    assert made.count("x") == 3000
