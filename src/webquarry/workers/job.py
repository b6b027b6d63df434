"""Jobs: what a child runs, and what it may answer.

A child reads hostile bytes, so a file that takes it over decides what the child answers. Every job therefore declares
its answer, and the service checks each answer against the declaration before anything is stored, shown or charged:

    PAGE = Job("package.page_job:convert", Wall | Page, {Page: (Data(PageData), Text())})

An answer that does not fit raises `ReplyError`. The pool then ends the child.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, Generic, Protocol, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from webquarry.workers.parcel import Parcel
from webquarry.workers.shapes import Misfit, shape_of

F = TypeVar("F")
MAX_LINE: Final = 2000

Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,60}$")]
"""A name in ASCII, such as a kind or a media type's last half."""
Line = Annotated[str, Field(max_length=MAX_LINE, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""A sentence or an address, without control characters."""
Count = Annotated[int, Field(ge=0, le=2**53)]


class ReplyError(Exception):
    """A child answered what its job does not allow. The message names the fault and quotes nothing of the answer."""


def to_line(text: str) -> str:
    """Return the text as a `Line`: cut, spaces in place of control characters."""
    return "".join(each if each.isprintable() else " " for each in text[:MAX_LINE])


class Facts(BaseModel):
    """Base of models of facts: exact types, no further keys."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, hide_input_in_errors=True, allow_inf_nan=False, populate_by_name=True
    )


Apart = Callable[["Job[Any]", bytes, Mapping[str, Any]], Awaitable[Parcel[Any]]]
"""Runs a check in a child that never reads anything else than pieces, and so cannot have been taken over."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What surrounds a piece. facts: already checked; known: values that the service knows better than the child.

    apart: where to check what would hold up the event loop; None where there is no such child.
    """

    facts: Any
    known: Mapping[str, Any]
    apart: Apart | None = None


class Piece(Protocol):
    """A kind of piece. most: its largest size in bytes."""

    @property
    def most(self) -> int: ...

    async def check(self, piece: bytes, claim: Claim) -> None:
        """Raise ReplyError if the piece is not of this kind. Hold the event loop for a few milliseconds at most."""


@dataclass(frozen=True, slots=True)
class Many:
    """Any number of pieces of one kind, up to `most_pieces`."""

    kind: Piece
    most_pieces: int


@dataclass(frozen=True)  # no slots: `Job[Any](...)` cannot be made with them in Python 3.11
class Job(Generic[F]):
    """A function that runs in a child, and its answer.

    function: `package.module:name`. facts: the annotation that the facts have to match. pieces: for each class of
    facts, the pieces that come with it; facts of other classes have no pieces. known: values that the pieces must
    repeat, by field, as the service knows them. rule: raises ReplyError for what only facts, pieces and known values
    together can show.
    """

    function: str
    facts: Any
    pieces: Mapping[type, Sequence[Piece] | Many] = field(default_factory=dict)
    known: Mapping[str, Any] = field(default_factory=dict)
    rule: Callable[[Parcel[F], Mapping[str, Any]], None] | None = None

    def knowing(self, **known: Any) -> Self:
        """Return the same job with these known values."""
        return replace(self, known=known)

    async def read(self, facts: Any, pieces: tuple[bytes, ...], apart: Apart | None = None) -> Parcel[F]:
        """Return the checked answer. facts: as parsed from JSON. Raises ReplyError."""
        try:
            checked: F = shape_of(self.facts).read(facts)
        except Misfit as exc:
            raise ReplyError(f"its facts are wrong: {exc}") from None
        claim = Claim(checked, self.known, apart)
        for kind, piece in zip(self._kinds(checked, len(pieces)), pieces, strict=True):
            if len(piece) > kind.most:
                raise ReplyError("a piece is too long")
            await kind.check(piece, claim)
        parcel = Parcel(checked, pieces)
        if self.rule is not None:
            self.rule(parcel, self.known)
        return parcel

    def _kinds(self, facts: F, count: int) -> Sequence[Piece]:
        declared = self.pieces.get(type(facts), ())
        if isinstance(declared, Many) and count <= declared.most_pieces:
            return (declared.kind,) * count
        if isinstance(declared, Many) or len(declared) != count:
            raise ReplyError(f"it has {count} pieces")
        return declared
