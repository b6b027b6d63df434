"""Decoding of every pixel format, and images that are refused before decoding."""

import struct
import zlib
from base64 import b64decode
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from convert_support.prints import PROSE, printed, saved
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.image.ocr import Picture
from webquarry_convert.file.image.pictures import Pictures

TEXT = printed(PROSE[:2], size=20, width=640, margin=10)


def render_all(body: bytes, most: int = 100) -> list[Picture]:
    pictures = Pictures(body)
    return [pictures.render(page) for page in range(1, min(pictures.count, most) + 1)]


def only(body: bytes) -> Image.Image:
    (picture,) = render_all(body)
    return picture.pixels


def assert_same(found: Image.Image, expected: Image.Image, most: int = 0) -> None:
    """Assert that two images are equal. most: the maximum difference of any pixel, in gray levels."""
    assert found.mode == "L"
    assert found.size == expected.size
    assert not any(ImageChops.difference(found, expected).histogram()[most + 1 :])


@pytest.mark.parametrize("form", ["PNG", "TIFF", "BMP", "GIF", "WEBP"])
def test_lossless_formats_keep_their_pixels(form: str) -> None:
    assert_same(only(saved(TEXT, form, lossless=True)), TEXT, most=1)


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGB", "RGBA", "CMYK", "YCbCr", "I;16", "I", "F"])
def test_all_pixel_modes_are_converted_to_gray(mode: str) -> None:
    flat = TEXT.point(lambda value: 255 if value > 127 else 0)
    wide = {"I;16": lambda: flat.convert("I").point(lambda value: value * 257).convert("I;16")}
    picture = wide.get(mode, lambda: flat.convert(mode))()
    assert_same(only(saved(picture, "TIFF")), flat, most=2)


def test_transparent_pixels_become_white() -> None:
    ink = Image.new("RGBA", TEXT.size, (0, 0, 0, 0))
    ink.putalpha(ImageChops.invert(TEXT))
    assert_same(only(saved(ink, "PNG")), TEXT, most=1)
    palette = Image.new("P", (8, 8), 3)
    assert_same(only(saved(palette, "GIF", transparency=3)), Image.new("L", (8, 8), 255))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_pictures_are_rotated_upright_according_to_exif(orientation: int) -> None:
    lying = TEXT
    for turn in {
        2: [Image.Transpose.FLIP_LEFT_RIGHT],
        3: [Image.Transpose.ROTATE_180],
        4: [Image.Transpose.FLIP_TOP_BOTTOM],
        5: [Image.Transpose.TRANSPOSE],
        6: [Image.Transpose.ROTATE_90],
        7: [Image.Transpose.TRANSVERSE],
        8: [Image.Transpose.ROTATE_270],
    }.get(orientation, []):
        lying = lying.transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = orientation
    assert_same(only(saved(lying, "PNG", exif=exif)), TEXT)
    assert_same(only(saved(lying, "TIFF", exif=exif)), TEXT)


def test_all_pages_of_a_tiff_and_the_first_frame_of_a_gif_are_read() -> None:
    further = [ImageChops.invert(TEXT)]
    pages = [picture.pixels for picture in render_all(saved(TEXT, "TIFF", save_all=True, append_images=further))]
    assert len(pages) == 2
    assert_same(pages[0], TEXT)
    assert_same(pages[1], further[0])
    assert Pictures(saved(TEXT, "GIF", save_all=True, append_images=further)).count == 1


def test_resolution_is_read() -> None:
    (found,) = render_all(saved(TEXT, "TIFF", dpi=(300, 300)))
    (untold,) = render_all(saved(TEXT, "BMP"))
    assert found.dpi == 300
    assert untold.dpi is None or untold.dpi < 100


def png(width: int, height: int, body: bytes = b"") -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    "body",
    [
        png(30_000, 30_000),
        png(10_000, 6_001),
        b"GIF89a\xff\xff\xff\xff\x80\0\0" + b"\0" * 6 + b",\0\0\0\0\xff\xff\xff\xff\0\x08\0;",
    ],
    ids=["far too large", "a little too large", "GIF"],
)
def test_too_many_pixels_are_rejected_before_decoding(body: bytes) -> None:
    with pytest.raises(ConversionFailed) as raised:
        render_all(body)
    assert raised.value.reason == "limits"


def test_cyclic_page_list_does_not_hang() -> None:
    body = bytearray(saved(TEXT, "TIFF"))
    (first,) = struct.unpack_from("<I", body, 4)
    (entries,) = struct.unpack_from("<H", body, first)
    struct.pack_into("<I", body, first + 2 + 12 * entries, first)
    assert Pictures(bytes(body)).count == 1


def test_other_formats_that_pillow_supports_are_rejected() -> None:
    for form in ("PPM", "PCX", "ICO", "TGA", "SGI"):
        with pytest.raises(ConversionFailed) as raised:
            render_all(saved(TEXT.convert("RGB"), form))
        assert raised.value.reason == "corrupt"


# 64 x 48 white pixels, of which the upper left 32 x 16 are black; written by libheif's own encoder
HEIC = b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRt"
    "AAAAAAACAAAAEGlkYXQAAAAAAEAAMAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAATAACAAEAAAAAAAAAAQAAAAAAAAAIAAAA"
    "OGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AA"
    "AAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4"
    "EBAwIAAAAwAgAAADACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAADAAAAAQcGl4aQAAAAADCAgI"
    "AAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAAFRtZGF0AAAASCgBrwng4VeAdKX//uh0lBqu"
    "Vv7YD0eplw8GrO24jdVEGweP/kAml6RjufSubqSF7n/v3fuWIgBB8kYrVg/h/utUkn9QZv8aoA=="
)


def test_heic_is_read() -> None:
    picture = only(HEIC)
    assert picture.mode == "L"
    assert picture.size == (64, 48)
    assert [picture.getpixel(at) for at in ((8, 8), (48, 8), (8, 40))] == [
        pytest.approx(grey, abs=6) for grey in (0, 255, 255)
    ]


BODIES = [
    HEIC,
    saved(TEXT, "PNG"),
    saved(TEXT, "JPEG", quality=40),
    saved(TEXT.convert("CMYK"), "JPEG", quality=40),
    saved(TEXT, "TIFF", save_all=True, append_images=[TEXT]),
    saved(TEXT.convert("1"), "TIFF", compression="group4"),
    saved(TEXT, "TIFF", compression="tiff_lzw"),
    saved(TEXT, "GIF"),
    saved(TEXT, "WEBP"),
    saved(TEXT, "BMP"),
]


@pytest.mark.parametrize("body", BODIES)
def test_truncated_file_is_rejected_as_damaged(body: bytes) -> None:
    for end in range(1, len(body) * 9 // 10, max(1, len(body) // 40)):
        with pytest.raises(ConversionFailed):
            render_all(body[:end])


@given(st.sampled_from(BODIES), st.data())
def test_damaged_copies_are_read_or_rejected(body: bytes, data: st.DataObject) -> None:
    copy = bytearray(body)
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.one_of(st.integers(0, min(200, len(body) - 1)), st.integers(0, len(body) - 1)))
        copy[place] = data.draw(st.integers(0, 255))
    with suppress(ConversionFailed):
        for picture in render_all(bytes(copy), 5):
            assert picture.pixels.mode == "L"
