"""The job that chooses a portion of markdown in a child process, and what it returns."""

from hashlib import sha256
from types import NoneType
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from webquarry.excerpts.blocks import Block, Outline, split
from webquarry.excerpts.chunking import Chunk, chunk
from webquarry.excerpts.pages import PageSpan, mark_pages
from webquarry.excerpts.ranking import Ranking, rank
from webquarry.excerpts.selection import outline_within, select
from webquarry.excerpts.tokens import estimate, estimate_roughly
from webquarry.excerpts.writing import write_pages
from webquarry.workers.job import Facts, Job
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import Data, Text

MOST_MARKDOWN: Final = 2_000_000
MOST_EXCERPTS: Final = 10_000_000
MOST_MARKED: Final = 81_000_000
"""Maximum bytes of the whole markdown of a document, with markers."""


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Excerpt(_Answer):
    text: str = Field(description="Part of the markdown, unchanged.")
    heading_path: list[str] = Field(description="Headings above it, outermost first.")
    block: int = Field(description="Number of the block. `/conversions/{id}?block=…` returns the block again.", ge=0)
    score: float | None = Field(
        description="BM25 score for the query; null if the block contains no word of the query."
    )
    sha256: str = Field(description="SHA-256 of `text` in UTF-8.", pattern="^[0-9a-f]{64}$")
    page: int | None = Field(description="Page of the document on which it begins; null if unknown.")
    table_head: str | None = Field(
        description="Header of the table whose rows are in `text`, unless `text` includes the header."
    )


class Omitted(_Answer):
    blocks: int = Field(description="Number of blocks left out.", ge=0)
    tokens: int = Field(description="Estimated tokens left out.", ge=0)


class Portioned(_Answer):
    """Additional fields of a shortened response."""

    excerpts: list[Excerpt] | None = Field(description="Blocks that answer `query`, in reading order.")
    matched: int | None = Field(description="Number of blocks that contain a word of the query.")
    omitted: Omitted = Field(description="The part of the markdown that the response leaves out.")
    tokens: int = Field(description="Estimated tokens of the shortened markdown.", ge=0)


class MarkedPage(_Answer):
    page: int = Field(description="Number of the page, from 1.", ge=1)
    start: int = Field(description="Where its text begins in `markdown`, in characters (Unicode code points).", ge=0)
    end: int = Field(description="Where its text ends.", ge=0)


class Paged(_Answer):
    """The field that a response with marked pages has besides the others."""

    pages: list[MarkedPage] = Field(
        description="Pages of the document that are marked in `markdown`, in order. Empty if it has no known pages."
    )


class PortionFacts(Facts):
    """The child returned a portion. The pieces are its fields as JSON, its pages as JSON, and the markdown."""

    omitted_tokens: Annotated[int, Field(ge=0, le=2**53)]


CHOOSE: Final[Job[PortionFacts]] = Job(
    f"{__name__}:choose",
    PortionFacts,
    {PortionFacts: (Data(Portioned, MOST_EXCERPTS), Data(Paged), Text(MOST_MARKDOWN))},
)
MARK: Final[Job[None]] = Job(f"{__name__}:mark", None, {NoneType: (Data(Paged), Text(MOST_MARKED))})


class BlockFacts(Facts):
    """The child found the block, which is the only piece, or None if the document has fewer blocks."""

    blocks: Annotated[int, Field(ge=0)]
    is_found: bool


FIND_BLOCK: Final[Job[BlockFacts]] = Job(
    f"{__name__}:find_block", BlockFacts, {BlockFacts: (Data(Portioned, MOST_EXCERPTS),)}
)


class ChunkFields(_Answer):
    text: str = Field(description="Markdown of the chunk. Rows of a table follow the table's header.")
    heading_path: list[str] = Field(description="Headings above its first block, outermost first.")
    block: int = Field(description="Number of its first block.", ge=0)
    last_block: int = Field(description="Number of its last block.", ge=0)
    tokens: int = Field(description="Estimated tokens of `text`.", ge=0)
    overlap: int = Field(description="Number of blocks repeated from the previous chunk.", ge=0)
    page: int | None = Field(description="Page of the document on which it begins; null if unknown.")


class Chunked(_Answer):
    """Additional field of a response in chunks."""

    chunks: list[ChunkFields] = Field(description="The whole markdown in parts, in order.")


CHUNK: Final[Job[None]] = Job(f"{__name__}:divide", None, {NoneType: (Data(Chunked, MOST_EXCERPTS),)})


def mark(body: bytes, *, page_starts: list[int]) -> Parcel[None]:
    """Mark the pages of a document in its whole markdown."""
    markdown, pages = mark_pages(body.decode(), page_starts)
    return Parcel(None, (_describe_pages(pages), markdown.encode()))


def _describe_pages(pages: list[PageSpan]) -> bytes:
    paged = Paged(pages=[MarkedPage(page=each.page, start=each.start, end=each.end) for each in pages])
    return paged.model_dump_json().encode()


def divide(body: bytes, *, size: int, page_starts: list[int]) -> Parcel[None]:
    """Divide markdown into chunks of about `size` tokens."""
    outline = split(body.decode(), page_starts)
    chunked = Chunked(chunks=[_describe_chunk(outline, each) for each in chunk(outline, size)])
    return Parcel(None, (chunked.model_dump_json().encode(),))


def _describe_chunk(outline: Outline, found: Chunk) -> ChunkFields:
    text = found.write(outline)
    return ChunkFields(
        text=text,
        heading_path=outline.path(outline.blocks[found.first]),
        block=found.first,
        last_block=found.last,
        tokens=estimate(text),
        overlap=found.repeated,
        page=outline.page(outline.blocks[found.first]),
    )


def choose(
    body: bytes, *, query: str | None, max_tokens: int, page_starts: list[int], marks_pages: bool
) -> Parcel[PortionFacts]:
    """Choose the blocks of markdown that answer a query, or, without a query, the beginning of each section."""
    outline = split(body.decode(), page_starts)
    ranking = Ranking({}) if query is None else rank(outline, query)
    if query is None:
        chosen = outline_within(outline, max_tokens, marks_pages=marks_pages)
    else:
        chosen = select(outline, ranking, max_tokens, marks_pages=marks_pages)
    markdown, pages = write_pages(outline, chosen, marks_pages=marks_pages)
    tokens = estimate(markdown)
    shown = [number for number in chosen if number not in outline.headings]
    left_out = len(outline.blocks) - len(outline.headings) - len(shown)
    portioned = Portioned(
        excerpts=None if query is None else [_excerpt(outline, number, ranking) for number in shown],
        matched=None if query is None else len(ranking.scores),
        omitted=Omitted(blocks=left_out, tokens=max(0, estimate_roughly(outline.markdown) - tokens) if left_out else 0),
        tokens=tokens,
    )
    return Parcel(
        PortionFacts(omitted_tokens=portioned.omitted.tokens),
        (portioned.model_dump_json().encode(), _describe_pages(pages), markdown.encode()),
    )


def find_block(body: bytes, *, number: int, page_starts: list[int]) -> Parcel[BlockFacts]:
    """Return one block of markdown, so that an excerpt can be verified."""
    outline = split(body.decode(), page_starts)
    is_found = number < len(outline.blocks)
    excerpts = [_excerpt(outline, number, Ranking({}))] if is_found else []
    tokens = estimate(excerpts[0].text) if excerpts else 0
    left_out = Omitted(
        blocks=len(outline.blocks) - len(excerpts), tokens=max(0, estimate_roughly(outline.markdown) - tokens)
    )
    portioned = Portioned(excerpts=excerpts, matched=None, omitted=left_out, tokens=tokens)
    return Parcel(BlockFacts(blocks=len(outline.blocks), is_found=is_found), (portioned.model_dump_json().encode(),))


def _excerpt(outline: Outline, number: int, ranking: Ranking) -> Excerpt:
    block = outline.blocks[number]
    text = outline.text(block)
    score = ranking.scores.get(number)
    return Excerpt(
        text=text,
        heading_path=outline.path(block),
        block=number,
        score=None if score is None else round(score, 3),
        sha256=sha256(text.encode()).hexdigest(),
        page=outline.page(block),
        table_head=_table_head(outline, block),
    )


def _table_head(outline: Outline, block: Block) -> str | None:
    return outline.head(block) if block.kind == "table" and block.head is not None else None
