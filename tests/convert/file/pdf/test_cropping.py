"""Whether pages are cropped, told from the bytes."""

import zlib

import pytest

from support.portable import Sheet, portable
from webquarry_convert.file.pdf.source.cropping import may_be_cropped

BODY = portable(Sheet().text(72, 100, "On rivers"))


def packed(inner: bytes, entries: bytes = b"") -> bytes:
    """A body with packed objects."""
    head = b"9 0 obj <</Type/ObjStm/N 1/First 4/Filter/FlateDecode" + entries + b">> stream\n"
    return b"%PDF-1.7\n" + head + zlib.compress(inner) + b"\nendstream endobj"


@pytest.mark.parametrize("box", [b"[0 0 612 792]", b"[0.0 0.0 612.2 792.0]", b" [ 0 0\n612 792 ]"])
def test_a_box_that_is_the_sheet_crops_nothing(box: bytes) -> None:
    assert not may_be_cropped(BODY.replace(b"/MediaBox", b"/CropBox" + box + b"/MediaBox"))


@pytest.mark.parametrize("box", [b"[0 200 612 792]", b" 12 0 R", b"[0 0 612]", b"[0 0 612 7-92]"])
def test_another_box_or_one_that_is_written_elsewhere_may_crop(box: bytes) -> None:
    assert may_be_cropped(BODY.replace(b"/MediaBox", b"/CropBox" + box + b"/MediaBox"))


def test_packed_objects_are_looked_into() -> None:
    sheet = b"1 0 <</Type/Page/MediaBox[0 0 612 792]"
    assert not may_be_cropped(packed(sheet + b">>"))
    assert not may_be_cropped(packed(sheet + b"/CropBox[0 0 612 792]>>"))
    assert may_be_cropped(packed(sheet + b"/CropBox[0 0 612 400]>>"))


def test_what_cannot_be_inflated_may_crop() -> None:
    body = packed(b"1 0 <</Type/Page/MediaBox[0 0 612 792]>>")
    assert may_be_cropped(body.replace(b"stream\n", b"stream\n\0", 1))
    assert may_be_cropped(packed(b"", entries=b"/DecodeParms<</Predictor 12>>"))
    assert may_be_cropped(packed(b"a" * 20_000_001))
    assert may_be_cropped(body.replace(b"endstream", b""))
