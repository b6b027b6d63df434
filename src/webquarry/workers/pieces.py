"""Kinds of pieces that a job may declare: text, JSON of a model, and bytes that go to another child only."""

import asyncio
import codecs
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from webquarry.workers.checking import CHECK, find_fault, name_shape
from webquarry.workers.job import Claim, ReplyError

MAX_PIECE: Final = 10_000_000
"""Bytes: what the service moves without holding up other requests."""
INLINE: Final = 64 * 1024
"""Bytes of JSON that are checked in the event loop: 1 to 3 ms. Longer JSON is checked in a child."""
_STEP: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class Text:
    """UTF-8. may_have_nul: False for text from which the job removes control characters."""

    most: int = MAX_PIECE
    may_have_nul: bool = True

    async def check(self, piece: bytes, _claim: Claim) -> None:
        """Decode the piece a part at a time, other requests in between."""
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
    """One whole JSON value of a model, exactly as the model writes it: no other key, no key twice, nothing behind it.

    of: the model, or a function whose return annotation is meant. is_exact: whether the text has to be what the model
    writes; False where only its parsed value is used.
    """

    of: type | Callable[..., Any]
    most: int = MAX_PIECE
    is_exact: bool = True

    async def check(self, piece: bytes, claim: Claim) -> None:
        """Check a short piece in place, a long one in a child."""
        if len(piece) > INLINE and claim.apart is not None:
            options = {"shape": name_shape(self.of), "known": dict(claim.known), "is_exact": self.is_exact}
            fault = (await claim.apart(CHECK, piece, options)).facts
        else:
            fault = find_fault(self.of, piece, claim.known, is_exact=self.is_exact)
        if fault:
            raise ReplyError(fault)


@dataclass(frozen=True, slots=True)
class Unread:
    """Bytes that nobody but another child reads. They are neither stored nor sent to a caller."""

    most: int = MAX_PIECE

    async def check(self, piece: bytes, claim: Claim) -> None:
        """Pass anything."""


def _decode(decoder: codecs.IncrementalDecoder, part: bytes, *, is_last: bool = False) -> None:
    try:
        decoder.decode(part, is_last)
    except UnicodeDecodeError:
        raise ReplyError("a text is no UTF-8") from None
