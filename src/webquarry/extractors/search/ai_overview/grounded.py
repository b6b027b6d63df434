"""An answer of a language model that rests on a web search: markdown, and which of its bytes rest on which pages."""

from collections.abc import Iterator, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from webquarry.errors import ProviderError
from webquarry.extractors.search.ai_overview.overview import (
    Cited,
    Entry,
    Overview,
    OverviewParams,
    Piece,
    no_overview,
    put_together,
)
from webquarry.read import Wire, at, each, json_of, must
from webquarry.read.html import absolute

MAX_NESTING = 20
_PARSER = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table")


class _Supports:
    """Which lines of the text rest on which sources."""

    def __init__(self, text: str, metadata: dict[str, Any]) -> None:
        self._starts = [0]
        for line in text.encode().splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._ends: list[tuple[int, list[str]]] = []
        for support in each(metadata, "groundingSupports[]") if "groundingSupports" in metadata else ():
            end = at(support, "segment.endIndex", int)
            cites = [str(i) for i in at(support, "groundingChunkIndices", list) or [] if isinstance(i, int)]
            if end is not None:
                self._ends.append((end, cites))

    def of(self, lines: Sequence[int] | None) -> list[str]:
        """Sources of what ends within these lines: first, and the one after the last."""
        if lines is None or lines[0] >= len(self._starts):
            return []
        first = self._starts[lines[0]]
        last = self._starts[min(lines[1], len(self._starts) - 1)]
        return [cite for end, cites in self._ends if first < end <= last for cite in cites]


def read(wire: Wire, params: OverviewParams) -> Overview:
    answer = must(json_of(wire), "", dict)
    candidate = next(iter(each(answer, "candidates[]")), None)
    if candidate is None:
        raise ProviderError("Gemini gave no answer to this question.", reason="changed")
    parts = each(candidate, "content.parts[]")
    text = "".join(at(part, "text", str) or "" for part in parts if part.get("thought") is not True)
    metadata = at(candidate, "groundingMetadata", dict)
    if metadata is None:
        # an answer from memory is no answer with sources
        raise no_overview()
    pieces = list(_pieces(_PARSER.parse(text), _Supports(text, metadata)))
    return put_together(params, "gemini_grounding", "gemini_grounding", pieces, list(_sources(metadata)))


def _sources(metadata: dict[str, Any]) -> Iterator[Cited]:
    for place, chunk in enumerate(at(metadata, "groundingChunks", list) or []):
        link = absolute(at(chunk, "web.uri", str) or "", "https://vertexaisearch.cloud.google.com/")
        if link is not None:
            title = at(chunk, "web.title", str)
            # the address is a redirect of the service's own; the title is the site's name
            yield Cited(frozenset({str(place)}), link, title=title, source=title)


def _pieces(tokens: list[Token], supports: _Supports) -> Iterator[Piece]:
    place = 0
    while place < len(tokens):
        token = tokens[place]
        end = _closing(tokens, place)
        inner = tokens[place + 1 : end]
        cites = supports.of(token.map)
        if token.type == "heading_open":
            yield Piece("heading", _inline(inner), level=max(2, int(token.tag[1:])), cites=cites)
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            entries = list(_entries(tokens[place : end + 1], supports))
            yield Piece("list", ordered=token.type == "ordered_list_open", entries=entries)
        elif token.type == "table_open":
            yield Piece("table", rows=_rows(inner), cites=cites)
        elif token.type in ("fence", "code_block"):
            yield Piece("code", token.content.rstrip("\n"), language=token.info.strip() or None, cites=cites)
        elif token.type == "blockquote_open":
            yield from _pieces(inner, supports)
        elif token.type == "paragraph_open":
            yield Piece("paragraph", _inline(inner), cites=cites)
        place = end + 1


def _closing(tokens: list[Token], place: int) -> int:
    """The place of what closes the token at `place`; its own for one that holds nothing."""
    depth = 0
    for index in range(place, len(tokens)):
        depth += tokens[index].nesting
        if depth == 0:
            return index
    return len(tokens) - 1


def _entries(tokens: list[Token], supports: _Supports) -> Iterator[Entry]:
    level = -1
    for token in tokens:
        if token.type.endswith("_list_open"):
            level += 1
        elif token.type.endswith("_list_close"):
            level -= 1
        elif token.type == "inline":
            yield Entry(_inline([token]), None, max(0, level), supports.of(token.map))


def _rows(tokens: list[Token]) -> list[list[str]]:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            rows[-1].append(_inline([token]))
    return rows


def _inline(tokens: list[Token]) -> str:
    """The text without marks, as one line."""
    said = []
    for token in tokens:
        for child in token.children or ():
            if child.type in ("softbreak", "hardbreak"):
                said.append(" ")
            elif child.type in ("text", "code_inline", "text_special"):
                said.append(child.content)
    return " ".join("".join(said).split())
