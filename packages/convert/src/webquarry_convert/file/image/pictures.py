"""Decodes image files to upright gray pictures on a white background, frame by frame.

The size in the header is checked before decoding. Only Pillow's decoders for the formats in this module are used, and
libheif for HEIC.
"""

import struct
import warnings
import zlib
from io import BytesIO
from math import isfinite

import pi_heif
from PIL import Image, UnidentifiedImageError

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.document import make_corrupt_error, make_limit_error
from webquarry_convert.file.image.ocr import Picture
from webquarry_convert.file.limits import MAX_PIXELS

_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "GIF", "BMP")
_GREY_AT_ONCE = frozenset({"1", "L", "P", "RGB"})  # Pillow cannot convert other modes in one step
_ORIENTATION = 0x0112  # number of the EXIF tag
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
# Errors that Pillow's decoders raise for damaged files.
_DAMAGED = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    EOFError,
    ArithmeticError,
    AttributeError,
    RuntimeError,
    struct.error,
    zlib.error,
)


class Pictures:
    """The frames of a file: the pages of a TIFF, or the first or main frame of other formats.

    The constructor reads the header, and `render` decodes a frame. Both raise `ConversionFailed` for damaged files and
    for pictures that are too large.
    """

    def __init__(self, body: bytes) -> None:
        with _ignore_warnings():
            self._image = _open_heic(body) if pi_heif.is_supported(body) else _open(body)
            self.count = _count_frames(self._image)

    def render(self, page: int) -> Picture:
        """Decode a page.

        page: the page number, from 1.
        """
        with _ignore_warnings():
            return _read_frame(self._image, page - 1)


def _ignore_warnings() -> "warnings.catch_warnings[None]":
    """Ignore Pillow's warnings about damaged metadata, because the metadata is not used."""
    return warnings.catch_warnings(action="ignore")


def _open(body: bytes) -> Image.Image:
    try:
        return Image.open(BytesIO(body), formats=_FORMATS)
    except Image.DecompressionBombError as error:
        raise _make_limit_error() from error
    except UnidentifiedImageError as error:
        raise make_corrupt_error("its header is not an image header") from error
    except _DAMAGED as error:
        raise make_corrupt_error("its header ends early or contradicts itself") from error


def _open_heic(body: bytes) -> Image.Image:
    """Open the main image of a HEIC file. libheif rotates it upright."""
    try:
        file = pi_heif.open_heif(body, convert_hdr_to_8bit=True)
        _refuse_large(*file.size)
        image: Image.Image = file.to_pillow()
    except _DAMAGED as error:
        raise make_corrupt_error("its pixel data is incomplete or missing") from error
    image.info.clear()
    return image


def _count_frames(image: Image.Image) -> int:
    if image.format != "TIFF":
        return 1
    try:
        return int(image.n_frames)  # type: ignore[attr-defined]  # of images that may have several
    except _DAMAGED as error:
        raise make_corrupt_error("its list of pages is damaged") from error


def _read_frame(image: Image.Image, place: int) -> Picture:
    try:
        if place:
            image.seek(place)
        _refuse_large(*image.size)
        dpi = _read_dpi(image)
        image.load()
        return Picture(_convert_to_grey(_turn_upright(image)), dpi)
    except Image.DecompressionBombError as error:
        raise _make_limit_error() from error
    except _DAMAGED as error:
        raise make_corrupt_error("its pixel data is incomplete or missing") from error


def _refuse_large(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise _make_limit_error()


def _make_limit_error() -> ConversionFailed:
    return make_limit_error(f"more than {MAX_PIXELS:,} pixels")


def _read_dpi(image: Image.Image) -> float | None:
    try:
        return float(image.info["dpi"][1]) or None
    except _DAMAGED:
        return None


def _turn_upright(image: Image.Image) -> Image.Image:
    try:
        turn = _UPRIGHT.get(image.getexif().get(_ORIENTATION, 1))
    except _DAMAGED:
        return image
    return image if turn is None else image.transpose(turn)


def _convert_to_grey(image: Image.Image) -> Image.Image:
    """Convert a picture to 8-bit gray. Transparent pixels become white."""
    if image.mode.startswith(("I", "F")):
        return _scale_to_8_bits(image)
    if not image.has_transparency_data:
        return image.convert("L") if image.mode in _GREY_AT_ONCE else image.convert("RGB").convert("L")
    if image.mode not in ("LA", "RGBA"):
        image = image.convert("RGBA")
    white = Image.new("L", image.size, 255)
    white.paste(image.convert("L"), mask=image.getchannel("A"))
    return white


def _scale_to_8_bits(image: Image.Image) -> Image.Image:
    """Scale an image with more than 8 bits per pixel.

    The image's darkest value becomes black, and its lightest value becomes white.

    A uniform image becomes white.
    """
    wide = image.convert("F")
    least, most = (float(value) for value in wide.getextrema())  # type: ignore[arg-type]  # one band: two numbers
    if not isfinite(most - least) or most <= least:
        return Image.new("L", image.size, 255)
    scale = 255 / (most - least)
    return wide.point(lambda value: value * scale - least * scale).convert("L")
