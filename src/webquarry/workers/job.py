"""Jobs: the functions that run in children, and the declarations of their results.

A child reads hostile bytes, so a hostile file may take control of the child and its result. Every job therefore
declares its result, and the service validates each result against the declaration before anything is stored, shown or
charged:

    PAGE = Job("package.page_job:convert", Wall | Page, {Page: (Data(PageData), Text())})

A result that does not match raises `ReplyError`. The pool then ends the child.
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
"""A name in ASCII, such as a kind or a media subtype."""
Line = Annotated[str, Field(max_length=MAX_LINE, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""A sentence or a URL, without control characters."""
Count = Annotated[int, Field(ge=0, le=2**53)]


class ReplyError(Exception):
    """A child returned something that its job does not allow.

    The message names the fault without quoting the result.
    """


def to_line(text: str) -> str:
    """Return the text as a `Line`: truncated, with spaces instead of control characters."""
    return "".join(each if each.isprintable() else " " for each in text[:MAX_LINE])


class Facts(BaseModel):
    """Base class for models of facts. They have exact types and no extra keys."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, hide_input_in_errors=True, allow_inf_nan=False, populate_by_name=True
    )


Apart = Callable[["Job[Any]", bytes, Mapping[str, Any]], Awaitable[Parcel[Any]]]
"""Function that runs a check in a child that has only read pieces, so that no document can have taken control of that
child.
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """Context in which a piece is checked.

    `facts` are already validated. `known` holds values that the service knows independently of the child. `apart` runs
    checks that would block the event loop; it is None if no child is available.
    """

    facts: Any
    known: Mapping[str, Any]
    apart: Apart | None = None


class Piece(Protocol):
    """A kind of piece that a response may contain. `most` is the piece's maximum size in bytes."""

    @property
    def most(self) -> int: ...

    async def check(self, piece: bytes, claim: Claim) -> None:
        """Raise ReplyError if the piece is not of this kind. Blocks the event loop for at most a few milliseconds."""


@dataclass(frozen=True, slots=True)
class Many:
    """A sequence of at most `most_pieces` pieces of one kind."""

    kind: Piece
    most_pieces: int


@dataclass(frozen=True)  # no slots: Python 3.11 cannot create `Job[Any](...)` with them
class Job(Generic[F]):
    """A function that runs in a child, with a declaration of its result.

    `function` is `package.module:name`. `facts` is the annotation that the facts must match. `pieces` lists the pieces
    for each class of facts; other classes have none. `known` contains values, by field, that the pieces must repeat.
    `rule` checks facts, pieces and known values together and raises ReplyError.
    """

    function: str
    facts: Any
    pieces: Mapping[type, Sequence[Piece] | Many] = field(default_factory=dict)
    known: Mapping[str, Any] = field(default_factory=dict)
    rule: Callable[[Parcel[F], Mapping[str, Any]], None] | None = None

    def knowing(self, **known: Any) -> Self:
        """Return a copy of the job with these known values."""
        return replace(self, known=known)

    async def read(self, facts: Any, pieces: tuple[bytes, ...], apart: Apart | None = None) -> Parcel[F]:
        """Return the validated result. `facts` is parsed JSON. Raises ReplyError."""
        try:
            checked: F = shape_of(self.facts).read(facts)
        except Misfit as exc:
            raise ReplyError(f"its facts are invalid: {exc}") from None
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
