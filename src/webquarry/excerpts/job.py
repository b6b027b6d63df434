"""The job that chooses a portion of markdown in a child process, and what it returns."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from types import NoneType
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from webquarry.excerpts.blocks import Outline, split
from webquarry.excerpts.chunking import Chunk, chunk
from webquarry.excerpts.narrowing import narrow
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
MOST_CHUNKS: Final = 10_000_000
"""Maximum total size of a result's chunks in bytes. Transferring larger chunks would delay other requests."""
MOST_MARKED: Final = 81_000_000
"""Maximum size in bytes of a document's whole markdown, with markers."""


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Excerpt(_Answer):
    text: str = Field(description="Part of the markdown, unchanged.")
    heading_path: list[str] = Field(description="Headings above the part, outermost first.")
    block: int = Field(description="Number of the block. `/conversions/{id}?block=…` returns the block again.", ge=0)
    score: float | None = Field(
        description="BM25 score for the query; null if the block contains no word of the query."
    )
    sha256: str = Field(
        description="SHA-256 of the block in UTF-8, which is `text` unless `is_part`.", pattern="^[0-9a-f]{64}$"
    )
    is_part: bool = Field(description="Whether `text` is only a part of its block, which is too long for `max_tokens`.")
    page: int | None = Field(description="Page of the document on which `text` begins; null if unknown.")
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
    warnings: list[str] = Field(description="Sentences about what did not fit into `max_tokens`.")


class MarkedPage(_Answer):
    page: int = Field(description="Number of the page, from 1.", ge=1)
    start: int = Field(
        description="Position in `markdown` at which the page's text begins, in characters (Unicode code points).", ge=0
    )
    end: int = Field(description="Position in `markdown` at which the page's text ends.", ge=0)


class Paged(_Answer):
    """The additional field of a response with marked pages."""

    pages: list[MarkedPage] = Field(
        description="Pages of the document that are marked in `markdown`, in order. Empty if the document has no "
        "known pages."
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
    """The reply to a search for one block.

    `is_found` is False if the document has fewer blocks. Otherwise the block is the only piece.
    """

    blocks: Annotated[int, Field(ge=0)]
    is_found: bool


FIND_BLOCK: Final[Job[BlockFacts]] = Job(
    f"{__name__}:find_block", BlockFacts, {BlockFacts: (Data(Portioned, MOST_EXCERPTS),)}
)


class ChunkFields(_Answer):
    text: str = Field(description="Markdown of the chunk. Rows of a table follow the table's header.")
    heading_path: list[str] = Field(description="Headings above the chunk's first block, outermost first.")
    block: int = Field(description="Number of the chunk's first block.", ge=0)
    last_block: int = Field(description="Number of the chunk's last block.", ge=0)
    tokens: int = Field(description="Estimated tokens of `text`.", ge=0)
    overlap: int = Field(description="Number of blocks repeated from the previous chunk.", ge=0)
    page: int | None = Field(description="Page of the document on which `text` begins; null if unknown.")


class Chunked(_Answer):
    """Additional field of a response in chunks."""

    chunks: list[ChunkFields] = Field(description="The whole markdown in parts, in order.")


class ChunkFacts(Facts):
    """The child divided the markdown.

    The only piece contains the chunks. It is missing if the chunks are larger than allowed.
    """

    is_too_large: bool


CHUNK: Final[Job[ChunkFacts]] = Job(f"{__name__}:divide", ChunkFacts, {ChunkFacts: (Data(Chunked, MOST_CHUNKS),)})


def mark(body: bytes, *, page_starts: list[int]) -> Parcel[None]:
    """Return a document's whole markdown with page markers."""
    markdown, pages = mark_pages(body.decode(), page_starts)
    return Parcel(None, (_describe_pages(pages), markdown.encode()))


def _describe_pages(pages: list[PageSpan]) -> bytes:
    paged = Paged(pages=[MarkedPage(page=each.page, start=each.start, end=each.end) for each in pages])
    return paged.model_dump_json().encode()


def divide(body: bytes, *, size: int, page_starts: list[int]) -> Parcel[ChunkFacts]:
    """Return the markdown divided into chunks of about `size` tokens."""
    outline = split(body.decode(), page_starts)
    chunks = [_describe_chunk(outline, each) for each in chunk(outline, size)]
    written = Chunked(chunks=chunks).model_dump_json().encode()
    is_too_large = len(written) > MOST_CHUNKS
    if is_too_large:
        written = Chunked(chunks=[]).model_dump_json().encode()
    return Parcel(ChunkFacts(is_too_large=is_too_large), (written,))


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
    whole = split(body.decode(), page_starts)
    ranking = Ranking({}) if query is None else rank(whole, query)
    if query is None:
        shown, chosen = whole, outline_within(whole, max_tokens, marks_pages=marks_pages)
    else:
        shown, chosen = _select_narrowed(whole, ranking, max_tokens, marks_pages=marks_pages)
    markdown, pages = write_pages(shown, chosen, marks_pages=marks_pages)
    tokens = estimate(markdown)
    excerpts = [number for number in chosen if number not in whole.headings]
    left_out = len(whole.blocks) - len(whole.headings) - len(excerpts)
    is_whole = left_out == 0 and shown is whole
    portioned = Portioned(
        excerpts=None if query is None else [_excerpt(whole, number, ranking, shown) for number in excerpts],
        matched=None if query is None else len(ranking.scores),
        omitted=Omitted(blocks=left_out, tokens=0 if is_whole else max(0, estimate_roughly(whole.markdown) - tokens)),
        tokens=tokens,
        warnings=list(_warn(whole, shown, chosen, max_tokens)),
    )
    return Parcel(
        PortionFacts(omitted_tokens=portioned.omitted.tokens),
        (portioned.model_dump_json().encode(), _describe_pages(pages), markdown.encode()),
    )


def _select_narrowed(
    outline: Outline, ranking: Ranking, max_tokens: int, *, marks_pages: bool
) -> tuple[Outline, tuple[int, ...]]:
    """Return the best blocks that fit.

    If the best block does not fit, a part of that block replaces it in the outline.
    """
    chosen = select(outline, ranking, max_tokens, marks_pages=marks_pages)
    texts = (block.number for block in outline.blocks if block.kind != "heading")
    best = next(iter(ranking.best_first()), None) if ranking.scores else next(texts, None)
    if best is None or best in chosen:
        return outline, chosen
    narrowed = narrow(outline, best, ranking, max_tokens, marks_pages=marks_pages)
    return narrowed, select(narrowed, ranking, max_tokens, marks_pages=marks_pages)


def _warn(whole: Outline, shown: Outline, chosen: Sequence[int], max_tokens: int) -> Iterator[str]:
    if shown is not whole:
        yield "The best match is longer than `max_tokens`, so only a part of it is shown. Increase `max_tokens`."
    elif whole.blocks and not chosen:
        yield f"Nothing fits into {max_tokens:,} tokens. Increase `max_tokens`."


def find_block(body: bytes, *, number: int, page_starts: list[int]) -> Parcel[BlockFacts]:
    """Return one block of markdown, so that an excerpt can be verified."""
    outline = split(body.decode(), page_starts)
    is_found = number < len(outline.blocks)
    excerpts = [_excerpt(outline, number, Ranking({}))] if is_found else []
    tokens = estimate(excerpts[0].text) if excerpts else 0
    left_out = Omitted(
        blocks=len(outline.blocks) - len(excerpts), tokens=max(0, estimate_roughly(outline.markdown) - tokens)
    )
    portioned = Portioned(excerpts=excerpts, matched=None, omitted=left_out, tokens=tokens, warnings=[])
    return Parcel(BlockFacts(blocks=len(outline.blocks), is_found=is_found), (portioned.model_dump_json().encode(),))


def _excerpt(whole: Outline, number: int, ranking: Ranking, shown: Outline | None = None) -> Excerpt:
    """Return a block as an excerpt. In `shown`, the block may be replaced by a part of it."""
    block = whole.blocks[number]
    part = block if shown is None else shown.blocks[number]
    score = ranking.scores.get(number)
    return Excerpt(
        text=whole.text(part),
        heading_path=whole.path(block),
        block=number,
        score=None if score is None else round(score, 3),
        sha256=sha256(whole.text(block).encode()).hexdigest(),
        is_part=part is not block,
        page=whole.page(block),
        table_head=whole.head(part) if part.kind == "table" and part.head is not None else None,
    )
