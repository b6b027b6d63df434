"""Kinds of pieces that a job may declare: text, JSON of a model, and bytes meant only for another child."""

import asyncio
import codecs
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from webquarry.workers.checking import CHECK, find_fault, name_shape
from webquarry.workers.job import Claim, ReplyError

MAX_PIECE: Final = 10_000_000
"""Maximum size in bytes of a piece that the service can pass on without delaying other requests."""
INLINE: Final = 64 * 1024
"""Maximum size in bytes of JSON that is validated in the event loop, which takes 1 to 3 ms.

Longer JSON is validated in a child.
"""
_STEP: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class Text:
    """UTF-8 text. Set `may_have_nul` to False for text from which the job removes control characters."""

    most: int = MAX_PIECE
    may_have_nul: bool = True

    async def check(self, piece: bytes, _claim: Claim) -> None:
        """Decode the piece in parts, letting other requests run in between."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        for at in range(0, len(piece), _STEP):
            if at:
                await asyncio.sleep(0)
            part = piece[at : at + _STEP]
            if not self.may_have_nul and b"\0" in part:
                raise ReplyError("a text has a NUL")
            _decode(decoder, part)
        _decode(decoder, b"", is_last=True)


@dataclass(frozen=True, slots=True)
class Data:
    """One complete JSON value of a model, exactly as the model writes it: no extra or duplicate keys, no trailing data.

    `of` is the model, or a function with a return annotation. `is_exact` requires the text to be exactly what the model
    writes; it is False if only the parsed value is used.
    """

    of: type | Callable[..., Any]
    most: int = MAX_PIECE
    is_exact: bool = True

    async def check(self, piece: bytes, claim: Claim) -> None:
        """Validate a short piece here, and a long piece in a child."""
        if len(piece) > INLINE and claim.apart is not None:
            options = {"shape": name_shape(self.of), "known": dict(claim.known), "is_exact": self.is_exact}
            fault = (await claim.apart(CHECK, piece, options)).facts
        else:
            fault = find_fault(self.of, piece, claim.known, is_exact=self.is_exact)
        if fault:
            raise ReplyError(fault)


@dataclass(frozen=True, slots=True)
class Unread:
    """Bytes that only another child reads. They are neither stored nor sent to a caller."""

    most: int = MAX_PIECE

    async def check(self, piece: bytes, claim: Claim) -> None:
        """Accept any bytes."""


def _decode(decoder: codecs.IncrementalDecoder, part: bytes, *, is_last: bool = False) -> None:
    try:
        decoder.decode(part, is_last)
    except UnicodeDecodeError:
        raise ReplyError("a text is not UTF-8") from None
