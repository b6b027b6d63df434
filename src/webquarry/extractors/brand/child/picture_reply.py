"""The replies that a child process may send about fetched images."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from webquarry.extractors.brand.child.svg_rules import allows
from webquarry.workers.job import Claim, Count, Facts, Job, Line, ReplyError, Word
from webquarry.workers.markup import Markup
from webquarry.workers.parcel import Parcel

MAX_SVG: Final = 2_000_000
MAX_PNG: Final = 1_000_000
"""Maximum size of a PNG in bytes: four times the size of 256 by 256 uncompressed pixels."""
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
KEPT_CHUNKS: Final = frozenset({b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"IDAT", b"IEND"})
"""PNG chunks that are needed to show the image."""


class Size(Facts):
    """The decoded size of an image that could be a logo."""

    width: Count
    height: Count
    format: Word


class Fault(Facts):
    """The reason why an image can't be a logo."""

    fault: Line


class _Looked(Facts):
    """The reply's part about all images.

    measured: the size of each image, in order. needs_services: whether an icon service could have a better image. fits:
    whether the chosen image is at least as large as requested.
    """

    measured: Annotated[list[Size | Fault], Field(max_length=100)]
    needs_services: bool
    fits: bool


class NothingChosen(_Looked):
    """No image can be shown."""

    chosen: None


class _Chosen(_Looked):
    """The reply if an image was chosen.

    chosen: index of the image. The image itself is the reply's only piece.
    """

    chosen: Count
    reason: Line


class PngChosen(_Chosen):
    """The image as a PNG, no larger than requested."""

    media_type: Literal["image/png"]
    width: Count
    height: Count


class SvgChosen(_Chosen):
    """The image as an SVG without scripts."""

    media_type: Literal["image/svg+xml"]
    width: Count | None
    height: Count | None


PictureReply = PngChosen | SvgChosen | NothingChosen


@dataclass(frozen=True, slots=True)
class Png:
    """A PNG of the declared width and height, with only the chunks needed to show it."""

    most: int = MAX_PNG

    async def check(self, piece: bytes, claim: Claim) -> None:
        """Check the size and the chunks without decoding pixels.

        Raises ReplyError if the size differs from the declared size or exceeds the requested size, or if the piece is
        not such a PNG.
        """
        width, height = piece[16:20], piece[20:24]
        stated = (claim.facts.width, claim.facts.height)
        if (int.from_bytes(width), int.from_bytes(height)) != stated or max(stated) > claim.known["size"]:
            raise ReplyError("the picture has a different size")
        if not piece.startswith(_SIGNATURE + b"\0\0\0\x0dIHDR") or not _has_known_chunks(piece):
            raise ReplyError("the picture is not a PNG")


def _has_known_chunks(piece: bytes) -> bool:
    place, kind = len(_SIGNATURE), b""
    while place + 12 <= len(piece) and kind != b"IEND":
        kind = piece[place + 4 : place + 8]
        if kind not in KEPT_CHUNKS:
            return False
        place += 12 + int.from_bytes(piece[place : place + 4])
    return kind == b"IEND" and place == len(piece)


def _check_choice(made: Parcel[PictureReply], known: Mapping[str, Any]) -> None:
    """Raise ReplyError if the reply's choice is not one of the images."""
    facts = made.facts
    if len(facts.measured) != known["pictures"]:
        raise ReplyError("it measured a different number of pictures")
    if facts.chosen is not None and not (
        facts.chosen < len(facts.measured) and isinstance(facts.measured[facts.chosen], Size)
    ):
        raise ReplyError("it chose something that is not a picture")


CHOOSE: Final[Job[PictureReply]] = Job(
    "webquarry.extractors.brand.child.picture_job:choose",
    PictureReply,
    {PngChosen: (Png(),), SvgChosen: (Markup(allows, most=MAX_SVG, depth=200, holds_text=frozenset({"style"})),)},
    rule=_check_choice,
)
"""The job that chooses an image.

It is named instead of imported, because the service's process must not decode untrusted images.
"""
