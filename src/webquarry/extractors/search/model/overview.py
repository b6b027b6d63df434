"""Assembly of an AI overview from the blocks and sources that a reader found.

Readers identify sources by the provider's keys (an ID, a URL). Here, each source gets a number, and each block gets the
numbers of the sources it cites.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from itertools import accumulate
from typing import Any, Literal
from urllib.parse import urldefrag, urlsplit

from webquarry.core.errors import EmptyResult
from webquarry.core.locale import Country, Language
from webquarry.endpoints.declare import Params, Result, field, param
from webquarry.read import at
from webquarry.read.html import absolute
from webquarry.read.losses import lose, read_rows
from webquarry.read.values import as_kind

BlockType = Literal["paragraph", "heading", "list", "table", "code"]
Origin = Literal["google_ai_overview", "gemini_grounding"]
_HIGHLIGHT = ":~:"
MAX_QUERY = 512


class OverviewParams(Params):
    q: str = param("Search query.", max_length=MAX_QUERY, example="why is the sky blue")
    gl: Country = param("Two-letter country code of the search.", default=Country("us"), example="us")
    hl: Language = param("Language of the response.", default=Language("en"), example="en")


class Item(Result):
    title: str | None = field("Title at the start of the item, if highlighted.")
    text: str = field("Text of the item without its title and reference markers.")
    level: int = field("Nesting depth; 0 for a top-level item.")
    reference_indexes: list[int] = field("`index` of each reference that the item cites.")


class Block(Result):
    type: BlockType = field("Type of the block.")
    level: int | None = field("Heading level, 2 to 6.")
    text: str | None = field("Text without reference markers; null for lists and tables.")
    ordered: bool | None = field("Whether the list is numbered.")
    items: list[Item] | None = field("List items.")
    rows: list[list[str]] | None = field("Table rows. The first row is the header.")
    language: str | None = field("Programming language of a code block, if known.")
    reference_indexes: list[int] = field("`index` of each reference that the whole block cites.")


class Reference(Result):
    index: int = field("Reference number, starting at 1. `[n]` in the text refers to it.")
    title: str | None = field("Title of the page.")
    link: str = field("URL of the page, with a fragment for the cited passage if available.")
    source: str | None = field("Name of the publisher.")
    domain: str = field("Host of the page, even if the link is a redirect.")
    snippet: str | None = field("Snippet of the page.")
    favicon: str | None = field("URL of the publisher's icon.")


class Overview(Result):
    query: str = field("Search query.")
    gl: str = field("Two-letter country code of the search.")
    hl: str = field("Language code of the search.")
    source: Origin = field(
        "Origin of the answer: `google_ai_overview` is the search engine's own answer, `gemini_grounding` is "
        "another model's answer based on a web search."
    )
    provider: str = field("Name of the provider.")
    text_blocks: list[Block] = field("The answer as a list of blocks.")
    references: list[Reference] = field("References of the answer, in the provider's order.")
    text: str = field("The full answer as text with `[n]` markers.")


@dataclass(frozen=True, slots=True)
class Entry:
    """A list item that a reader found. cites: keys of sources."""

    text: str
    title: str | None = None
    level: int = 0
    cites: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A block that a reader found. cites: keys of sources."""

    type: BlockType
    text: str = ""
    level: int | None = None
    ordered: bool = False
    entries: Sequence[Entry] = ()
    rows: Sequence[Sequence[str]] = ()
    language: str | None = None
    cites: Sequence[str] = ()

    @property
    def all_cites(self) -> list[str]:
        return [*self.cites, *(key for entry in self.entries for key in entry.cites)]

    @property
    def words(self) -> tuple[str, ...]:
        """The text of the block, without its sources."""
        cells = (cell for row in self.rows for cell in row)
        entries = (f"{entry.level} {entry.title or ''} {entry.text}" for entry in self.entries)
        return (self.type, self.text, *entries, *cells)

    @property
    def is_blank(self) -> bool:
        return not (self.text.strip() or self.entries or self.rows)


@dataclass(frozen=True, slots=True)
class Cited:
    """A source that a reader found.

    keys: the keys that pieces use for the source; several sources may be one page. domain: the page's host, if the link
    is a redirect.
    """

    keys: frozenset[str]
    link: str
    title: str | None = None
    source: str | None = None
    snippet: str | None = None
    favicon: str | None = None
    domain: str | None = None

    def with_more(self, other: "Cited") -> "Cited":
        """Return this source, with missing values taken from the other source."""
        return replace(
            self,
            title=self.title or other.title,
            source=self.source or other.source,
            snippet=self.snippet or other.snippet,
            favicon=self.favicon or other.favicon,
            domain=self.domain or other.domain,
        )


@dataclass(slots=True)
class _Numbered:
    """Numbered sources in order. Each page is listed once, with the values of all its sources."""

    sources: list[Cited] = dataclass_field(default_factory=list)
    by_page: dict[str, int] = dataclass_field(default_factory=dict)
    by_key: dict[str, int] = dataclass_field(default_factory=dict)

    def add(self, cited: Cited) -> None:
        page = _page(cited.link)
        number = self.by_page.get(page)
        if number is None:
            number = self.by_page[page] = len(self.sources) + 1
            self.sources.append(cited)
        else:
            self.sources[number - 1] = self.sources[number - 1].with_more(cited)
        for key in cited.keys:
            self.by_key.setdefault(key, number)

    @property
    def references(self) -> list[Reference]:
        return [
            Reference(
                index=number,
                title=cited.title,
                link=cited.link,
                source=cited.source,
                domain=cited.domain or urlsplit(cited.link).hostname or "",
                snippet=cited.snippet,
                favicon=read_web_address(cited.favicon),
            )
            for number, cited in enumerate(self.sources, 1)
        ]

    def of(self, cites: Iterable[str]) -> list[int]:
        """Return the numbers of these sources, unique and ascending. Unknown sources are counted as dropped."""
        found = set()
        for key in cites:
            number = self.by_key.get(key)
            if number is None:
                lose("references[]")
            else:
                found.add(number)
        return sorted(found)


def put_together(
    params: OverviewParams, source: Origin, provider: str, pieces: Iterable[Piece], sources: Iterable[Cited]
) -> Overview:
    """Assemble an overview with numbered sources; each page is listed once. Blank pieces are dropped and counted.

    Raises EmptyResult if every piece is blank.
    """
    numbered = _Numbered()
    for cited in sources:
        numbered.add(cited)
    blocks = read_rows(pieces, lambda piece: None if piece.is_blank else _block(piece, numbered), "text_blocks[]")
    if not blocks:
        raise make_no_overview_error()
    return Overview(
        query=params.q,
        gl=params.gl,
        hl=params.hl,
        source=source,
        provider=provider,
        text_blocks=blocks,
        references=numbered.references,
        text="\n\n".join(map(_text, blocks)),
    )


def make_no_overview_error() -> EmptyResult:
    return EmptyResult("The search engine shows no AI overview for this query right now. A later request may find one.")


def _block(piece: Piece, numbered: _Numbered) -> Block:
    return Block(
        type=piece.type,
        level=piece.level if piece.type == "heading" else None,
        text=piece.text if piece.type in ("paragraph", "heading", "code") else None,
        ordered=piece.ordered if piece.type == "list" else None,
        items=[
            Item(
                title=entry.title or None,
                text=entry.text,
                level=entry.level,
                reference_indexes=numbered.of(entry.cites),
            )
            for entry in piece.entries
        ]
        if piece.type == "list"
        else None,
        rows=_even(piece.rows) if piece.type == "table" else None,
        language=piece.language,
        reference_indexes=numbered.of(piece.cites),
    )


def _even(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows padded to the same number of cells."""
    width = max(map(len, rows), default=0)
    return [[*row, *[""] * (width - len(row))] for row in rows]


def read_cites(holder: Any, path: str) -> list[str]:
    """Return the keys of sources from the list of numbers at `path`. Other values are counted as dropped."""
    numbers = read_rows(at(holder, path, list) or [], lambda number: as_kind(number, int), f"{path}[]")
    return [str(number) for number in numbers]


def read_web_address(link: str | None) -> str | None:
    """Return an absolute web URL, or None for any other value."""
    return absolute(link, "") if link else None


def write_markers(indexes: Iterable[int]) -> str:
    """Return markers such as ` [1][3]`; or an empty string if there are no indexes."""
    joined = "".join(f"[{index}]" for index in indexes)
    return f" {joined}" if joined else ""


def _text(block: Block) -> str:
    if block.items is not None:
        numbers = accumulate(int(item.level == 0) for item in block.items)
        lines = [_item_text(item, number, block) for item, number in zip(block.items, numbers, strict=True)]
        return "\n".join(lines) + write_markers(block.reference_indexes)
    if block.rows is not None:
        return "\n".join(" | ".join(row) for row in block.rows) + write_markers(block.reference_indexes)
    return (block.text or "") + write_markers(block.reference_indexes)


def _item_text(item: Item, number: int, block: Block) -> str:
    mark = f"{number}." if block.ordered and item.level == 0 else "-"
    line = ": ".join(filter(None, (item.title, item.text)))
    return f"{'  ' * item.level}{mark} {line}{write_markers(item.reference_indexes)}"


def _page(link: str) -> str:
    """Return the URL of a page, without the fragment that highlights a passage."""
    page, fragment = urldefrag(link)
    return page if fragment.startswith(_HIGHLIGHT) else link
