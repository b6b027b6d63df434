"""What a child may answer about fetched pictures."""

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
"""Bytes: four times what 256 by 256 pixels take without any compression."""
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
KEPT_CHUNKS: Final = frozenset({b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"IDAT", b"IEND"})
"""Chunks of a PNG that are needed to show it."""


class Size(Facts):
    """The real size of a picture that could be a logo."""

    width: Count
    height: Count
    format: Word


class Fault(Facts):
    """Why a picture is no logo."""

    fault: Line


class _Looked(Facts):
    """measured: for each picture, in order. needs_services: whether icons of services could be better; fits: whether
    the chosen picture is as large as asked for."""

    measured: Annotated[list[Size | Fault], Field(max_length=100)]
    needs_services: bool
    fits: bool


class NothingChosen(_Looked):
    """No picture can be shown."""

    chosen: None


class _Chosen(_Looked):
    """chosen: index of the picture that is shown, which is the one piece."""

    chosen: Count
    reason: Line


class PngChosen(_Chosen):
    """The picture as PNG, no larger than asked for."""

    media_type: Literal["image/png"]
    width: Count
    height: Count


class SvgChosen(_Chosen):
    """The picture as SVG without scripts."""

    media_type: Literal["image/svg+xml"]
    width: Count | None
    height: Count | None


PictureReply = PngChosen | SvgChosen | NothingChosen


@dataclass(frozen=True, slots=True)
class Png:
    """A PNG with the measures that the facts state, and only with chunks that are needed to show it."""

    most: int = MAX_PNG

    async def check(self, piece: bytes, claim: Claim) -> None:
        """Follow the chunks; the pixels are not decoded."""
        width, height = piece[16:20], piece[20:24]
        stated = (claim.facts.width, claim.facts.height)
        if (int.from_bytes(width), int.from_bytes(height)) != stated or max(stated) > claim.known["size"]:
            raise ReplyError("the picture has another size")
        if not piece.startswith(_SIGNATURE + b"\0\0\0\x0dIHDR") or not _has_known_chunks(piece):
            raise ReplyError("the picture is no PNG")


def _has_known_chunks(piece: bytes) -> bool:
    place, kind = len(_SIGNATURE), b""
    while place + 12 <= len(piece) and kind != b"IEND":
        kind = piece[place + 4 : place + 8]
        if kind not in KEPT_CHUNKS:
            return False
        place += 12 + int.from_bytes(piece[place : place + 4])
    return kind == b"IEND" and place == len(piece)


def _check_choice(made: Parcel[PictureReply], known: Mapping[str, Any]) -> None:
    """ReplyError for a choice that is none of the pictures."""
    facts = made.facts
    if len(facts.measured) != known["pictures"]:
        raise ReplyError("it measured another number of pictures")
    if facts.chosen is not None and not (
        facts.chosen < len(facts.measured) and isinstance(facts.measured[facts.chosen], Size)
    ):
        raise ReplyError("it chose what is no picture")


CHOOSE: Final[Job[PictureReply]] = Job(
    "webquarry.extractors.brand.child.picture_job:choose",
    PictureReply,
    {PngChosen: (Png(),), SvgChosen: (Markup(allows, most=MAX_SVG, depth=200, holds_text=frozenset({"style"})),)},
    rule=_check_choice,
)
"""What a child does with the pictures. Named, not imported: no foreign picture is decoded in the service's process."""
