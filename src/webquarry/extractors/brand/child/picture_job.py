"""The job with which a child process decodes fetched images. The service's own process never decodes images."""

import struct
import warnings
import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

from PIL import Image, ImageOps, UnidentifiedImageError

from webquarry.extractors.brand.child import svg_job
from webquarry.extractors.brand.child.picture_reply import (
    KEPT_CHUNKS,
    Fault,
    NothingChosen,
    PictureReply,
    PngChosen,
    Size,
    SvgChosen,
)
from webquarry.extractors.brand.child.ranking import SERVICES, Measured, explain, rank, why_unfit
from webquarry.extractors.brand.child.svg_job import NotSvg
from webquarry.extractors.brand.sources.untested.icon_services import GLOBE_SIDE
from webquarry.workers.parcel import Parcel

FORMATS: Final = ("PNG", "ICO", "JPEG", "GIF", "WEBP", "BMP", "AVIF")
MAX_PIXELS: Final = 16_000_000
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_DAMAGED: Final = (
    *(OSError, SyntaxError, ValueError, TypeError, LookupError, EOFError, ArithmeticError, AttributeError),
    *(RuntimeError, MemoryError, struct.error, zlib.error, Image.DecompressionBombError),
)
"""Exceptions that Pillow's decoders raise for damaged images, and for images larger than they declare."""


class Unusable(Exception):
    """The image can't be a logo. The message is a sentence that explains why."""


class Opened(NamedTuple):
    """An image of known size.

    image: None for an SVG, which is sanitized in `svg`.
    """

    format: str
    measured: Measured
    image: Image.Image | None
    svg: bytes = b""


def choose(body: bytes, *, pictures: Sequence[Mapping[str, Any]], size: int) -> Parcel[PictureReply]:
    """Return the best image, ready to be shown, with its size and source.

    body: the bytes of all images, concatenated. pictures: the `source` and `length` of each image.
    """
    measured: list[Size | Fault] = []
    opened: dict[int, Opened] = {}
    bodies = _split(body, [picture["length"] for picture in pictures])
    with warnings.catch_warnings(action="ignore"):
        for index, picture in enumerate(pictures):
            try:
                found = opened[index] = open_picture(bodies[index], picture["source"], size)
                measured.append(Size(width=found.measured.width, height=found.measured.height, format=found.format))
            except Unusable as fault:
                measured.append(Fault(fault=str(fault)))
        ranks = {index: rank(pictures[index]["source"], one.measured, size) for index, one in opened.items()}
        for index in sorted(ranks, key=lambda index: (ranks[index], index)):
            try:
                drawn, width, height = draw(opened[index], bodies[index], size)
            except Unusable as fault:
                measured[index] = Fault(fault=str(fault))
                continue
            best, image = ranks[index], opened[index]
            facts: dict[str, Any] = {
                "measured": measured,
                "chosen": index,
                "reason": explain(best, pictures[index]["source"], image.measured, size, len(opened)),
                "needs_services": best.needs_services,
                "fits": best.fits,
            }
            if image.image is not None:
                return Parcel(PngChosen(**facts, media_type="image/png", width=width, height=height), (drawn,))
            svg = SvgChosen(**facts, media_type="image/svg+xml", width=width or None, height=height or None)
            return Parcel(svg, (drawn,))
    return Parcel(NothingChosen(measured=measured, chosen=None, needs_services=True, fits=False))


def _split(body: bytes, lengths: list[int]) -> list[bytes]:
    ends = list(accumulate(lengths, initial=0))
    return [body[start:end] for start, end in pairwise(ends)]


def open_picture(body: bytes, source: str, size: int) -> Opened:
    """Open an image, identified by its bytes and not by its media type or name. Only the header is decoded.

    Raises Unusable if the bytes are not an image or the image can't be a logo.
    """
    opened = _open(body, size)
    if fault := why_unfit(source, opened.measured):
        raise Unusable(fault)
    if source in SERVICES and size > GLOBE_SIDE and opened.measured.side <= GLOBE_SIDE:
        raise Unusable("It is the icon service's placeholder for unknown sites.")
    return opened


def draw(opened: Opened, body: bytes, size: int) -> tuple[bytes, int, int]:
    """Return the image to show, with its width and height in pixels.

    The image is never enlarged, and only its pixels are kept. Raises Unusable if its pixels can't be decoded or all of
    them are transparent.
    """
    if opened.image is None:
        return opened.svg, opened.measured.width, opened.measured.height
    try:
        is_plain = opened.format == "png" and not getattr(opened.image, "is_animated", False)
        image = ImageOps.exif_transpose(opened.image)
        image.load()
        coloured = image.convert("RGBA")
        if coloured.getchannel("A").getextrema()[1] == 0:
            raise Unusable("It is invisible.")
        if is_plain and max(image.size) <= size and image.size == opened.image.size and (bare := bare_png(body)):
            return bare, *image.size
        coloured.thumbnail((size, size), Image.Resampling.LANCZOS)
        out = BytesIO()
        coloured.save(out, "PNG")
        return out.getvalue(), *coloured.size
    except _DAMAGED as exc:
        raise Unusable("Its pixel data is incomplete or missing.") from exc


def bare_png(body: bytes) -> bytes | None:
    """Return a PNG with only the chunks needed to show it, or None if the chunks are not a valid sequence.

    Text, timestamps and bytes after the end of the image are dropped.
    """
    kept, place = [_PNG], len(_PNG)
    while place + 12 <= len(body):
        length, kind = int.from_bytes(body[place : place + 4]), body[place + 4 : place + 8]
        end = place + 12 + length
        if end > len(body):
            return None
        if kind in KEPT_CHUNKS:
            kept.append(body[place:end])
        if kind == b"IEND":
            return b"".join(kept)
        place = end
    return None


def _open(body: bytes, size: int) -> Opened:
    try:
        svg, width, height = svg_job.sanitise(body)
        return Opened("svg", Measured(width, height, is_scalable=True), None, svg)
    except NotSvg as exc:
        if exc.is_one:
            raise Unusable(str(exc)) from exc
    try:
        image: Image.Image = Image.open(BytesIO(body), formats=FORMATS)
        kind = (image.format or "").lower()
        if kind == "ico":
            image = _frame(image, size)
        width, height = image.size
    except UnidentifiedImageError as exc:
        raise Unusable("It is not an image.") from exc
    except _DAMAGED as exc:
        raise Unusable("Its header ends early or contradicts itself.") from exc
    if width * height > MAX_PIXELS:
        raise Unusable(f"It has more than {MAX_PIXELS:,} pixels.")
    if image.getexif().get(0x0112, 1) in (5, 6, 7, 8) if kind == "jpeg" else False:
        width, height = height, width
    return Opened(kind, Measured(width, height), image)


def _frame(image: Image.Image, size: int) -> Image.Image:
    """Return the smallest frame of an icon file with at least `size` pixels per side, otherwise the largest frame."""
    icons = image.ico  # type: ignore[attr-defined]  # only icon files have it
    sides = sorted(icons.sizes(), key=min)
    chosen = next((frame for frame in sides if min(frame) >= size), sides[-1])
    frame: Image.Image = icons.getimage(chosen)
    return frame
