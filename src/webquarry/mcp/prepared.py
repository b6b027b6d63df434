"""Preparation of a result's artifacts for clients: removes invisible characters and splits the text into parts.

`prepare` is pure and linear. For long artifacts it runs in a child process.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, chain, islice
from typing import Annotated, Any, Final, Literal, Self

import orjson
from pydantic import Field

from webquarry.mcp.clean import make_line, remove_invisible, remove_invisible_from_json
from webquarry.mcp.parts import LEAST, cut, find_section, read_headings
from webquarry.workers.job import Count, Facts, Job, Line, ReplyError
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import MAX_PIECE, Text

Form = Literal["markdown", "json"]
PART_CHARACTERS: Final = 50_000
"""Maximum number of characters in a part."""
_HEADINGS: Final = 30
_HEADING_CHARACTERS: Final = 80
_MAX_PARTS: Final = 20_000
_STRING_OR_COMMA: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|,')


class PreparedFacts(Facts):
    """Fields of a `PreparedResult`, with the length of each part in bytes instead of its end."""

    removed: Count
    headings: Annotated[list[Line], Field(max_length=_HEADINGS)]
    lengths: Annotated[list[Count], Field(max_length=_MAX_PARTS)]


@dataclass(frozen=True, slots=True)
class PreparedResult:
    """A cleaned artifact, split into parts.

    `body` contains all parts in UTF-8. `ends` are the byte positions where the parts end. `removed` is the number of
    invisible characters that were removed. `headings` are the first headings of a text that was split, each as one
    line.
    """

    body: bytes
    ends: tuple[int, ...]
    removed: int
    headings: tuple[str, ...] = ()

    @classmethod
    def of(cls, parcel: Parcel[PreparedFacts]) -> Self:
        """Unpack the result that `prepare` has packed."""
        facts = parcel.facts
        return cls(parcel.pieces[0], tuple(accumulate(facts.lengths)), facts.removed, tuple(facts.headings))

    @property
    def parts(self) -> int:
        """Number of parts, or 0 for a section that does not exist."""
        return len(self.ends)

    @property
    def size_bytes(self) -> int:
        """Approximate memory use in bytes."""
        return len(self.body) + 36 * len(self.ends) + 500

    def read_part(self, number: int) -> str:
        """Return the text of a part. Parts are numbered from 1."""
        start = self.ends[number - 2] if number > 1 else 0
        return self.body[start : self.ends[number - 1]].decode()


def prepare(body: bytes, *, form: Form, limit: int = PART_CHARACTERS) -> Parcel[PreparedFacts]:
    """Clean an artifact in UTF-8, split it into parts and pack them for `PreparedResult.of`."""
    if form == "json":
        text, removed = remove_invisible_from_json(body.decode())
        return _pack(cut_json(text, limit), removed)
    text, removed = remove_invisible(body.decode())
    parts = cut(text, limit)
    return _pack(parts, removed, list_headings(text) if len(parts) > 1 else [])


def prepare_section(body: bytes, *, heading: str, limit: int = PART_CHARACTERS) -> Parcel[PreparedFacts]:
    """Clean, split and pack the section with a heading. There are no parts if there is no such heading."""
    text, removed = remove_invisible(body.decode())
    found = find_section(text, remove_invisible(heading)[0])
    return _pack(() if found is None else cut(found, limit), removed)


def _check_parts(made: Parcel[PreparedFacts], known: Mapping[str, Any]) -> None:
    """Raise ReplyError if the parts do not match the packed text, or if a single JSON part is not valid JSON."""
    (body,), lengths = made.pieces, made.facts.lengths
    ends = list(accumulate(lengths))
    if sum(lengths) != len(body) or any(_is_within_character(body, end) for end in ends):
        raise ReplyError("its parts do not fit")
    if known.get("form") == "json" and len(lengths) == 1:
        try:
            orjson.loads(body)
        except orjson.JSONDecodeError:
            raise ReplyError("its only part is not JSON") from None


def _is_within_character(body: bytes, at: int) -> bool:
    return at < len(body) and body[at] & 0xC0 == 0x80


_PIECES: Final[Mapping[type, tuple[Text, ...]]] = {PreparedFacts: (Text(4 * MAX_PIECE),)}
PREPARE: Final[Job[PreparedFacts]] = Job(f"{__name__}:prepare", PreparedFacts, _PIECES, rule=_check_parts)
PREPARE_SECTION: Final[Job[PreparedFacts]] = Job(
    f"{__name__}:prepare_section", PreparedFacts, _PIECES, rule=_check_parts
)


def list_headings(markdown: str) -> list[str]:
    texts = (make_line(text, _HEADING_CHARACTERS) for _, _, text in read_headings(markdown))
    return list(islice((text for text in texts if text), _HEADINGS))


def cut_json(text: str, limit: int) -> tuple[str, ...]:
    """Split JSON text into parts that join to the original, after commas outside strings.

    A string is split only if it is longer than a part, and never within an escape.
    """
    if limit < LEAST:
        raise ValueError(f"a part has at least {LEAST} characters")
    if len(text) <= limit:
        return (text,)
    parts: list[str] = []
    start = comma = 0
    tokens = ((token.end(), token[0] == ",") for token in _STRING_OR_COMMA.finditer(text))
    for at, is_comma in chain(tokens, [(len(text), False)]):
        while at - start > limit:
            end = comma if comma > start else _step_back(text, start + limit)
            parts.append(text[start:end])
            start = end
        if is_comma:
            comma = at
    return (*parts, text[start:])


def _step_back(text: str, end: int) -> int:
    """Return the last position up to `end` that is not within an escape."""
    at = text.rfind("\\", end - 6, end)
    if at == -1:
        return end
    while text[at - 1] == "\\" and end - at < LEAST // 2:
        at -= 1
    return at


def _pack(parts: tuple[str, ...], removed: int, headings: list[str] | None = None) -> Parcel[PreparedFacts]:
    """Pack all parts into one piece, because a job declares a fixed number of pieces."""
    encoded = [part.encode() for part in parts]
    facts = PreparedFacts(removed=removed, headings=headings or [], lengths=[len(part) for part in encoded])
    return Parcel(facts, (b"".join(encoded),))
