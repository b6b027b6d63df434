"""Gemini's answers grounded in a web search, with the operator's key.

An answer is markdown with the byte offsets of the passages that its sources support. Response format:
docs/upstreams/ai-overview.md.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Self

import orjson
from markdown_it import MarkdownIt
from markdown_it.token import Token

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Provider, Wire
from webquarry.extractors.search.model.overview import (
    Cited,
    Entry,
    Overview,
    OverviewParams,
    Piece,
    put_together,
    read_cites,
    read_web_address,
)
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import answer_by_key
from webquarry.read import JsonObject, at, each, json_of, must
from webquarry.read.losses import lose, read_rows

GEMINI = Provider(
    name="gemini_grounding",
    title="Gemini with Google Search",
    needs=("gemini_key",),
    uses=("gemini_model",),
)
_URL = "https://generativelanguage.googleapis.com/v1beta/models/{model}:generateContent"
MAX_NESTING = 20
MAX_TEXT = 30_000
"""Maximum length of an answer in characters.

Overviews have a few thousand characters. For some markdown, the parsing time grows with the square of the length.
"""
_HOST = re.compile(r"(?:[\w-]{1,63}\.){1,8}[^\W\d_][\w-]{1,62}")
_PARSER = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table")


async def fetch(params: OverviewParams, net: Net) -> Wire:
    """Request an answer to a query, with its sources.

    Raises ProviderError as `answer_by_key` does. If Gemini rejects a key, a model or a query, the error has Gemini's
    own message.
    """
    body = {
        "systemInstruction": {"parts": [{"text": f"Answer briefly, from a web search, in the language {params.hl}."}]},
        "contents": [{"role": "user", "parts": [{"text": params.q}]}],
        "tools": [{"google_search": {}}],
    }
    wire = await net.post(
        _URL.format(model=net.setting("gemini_model")),
        body=orjson.dumps(body),
        content_type="application/json",
        accept="application/json",
        headers={"x-goog-api-key": net.setting("gemini_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
    )
    return await answer_by_key(wire, GEMINI, net)


@dataclass(frozen=True, slots=True)
class _Text:
    """The answer's text, as a string and in UTF-8.

    begins: the byte offset of each part, or None for an omitted part.
    """

    text: str
    encoded: bytes
    begins: Sequence[int | None]

    @classmethod
    def read(cls, parts: Sequence[Any]) -> Self:
        """Join the answer's parts, except parts that contain the model's thoughts."""
        lines: list[str] = []
        begins: list[int | None] = []
        end = 0
        for part in parts:
            is_thought = isinstance(part, dict) and part.get("thought") is True
            begins.append(None if is_thought else end)
            lines.append("" if is_thought else at(part, "text", str) or "")
            end += len(lines[-1].encode())
        text = "".join(lines)
        return cls(text, text.encode(), begins)


class _Supports:
    """The sources of each line of the text."""

    def __init__(self, text: _Text, metadata: JsonObject) -> None:
        self._starts = [0]
        for line in text.encoded.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        supports = each(metadata, "groundingSupports[]") if "groundingSupports" in metadata else []
        self._ends = sorted(read_rows(supports, lambda support: _read_support(support, text), "groundingSupports[]"))

    def of(self, lines: Sequence[int] | None) -> list[str]:
        """Return the sources of passages that end in a range of lines.

        lines: the first line, and the line after the last.
        """
        if lines is None or lines[0] >= len(self._starts):
            return []
        first = self._starts[lines[0]]
        last = self._starts[min(lines[1], len(self._starts) - 1)]
        within = (bisect_right(self._ends, byte, key=itemgetter(0)) for byte in (first, last))
        return [cite for _, cites in self._ends[slice(*within)] for cite in cites]


def _read_support(support: JsonObject, text: _Text) -> tuple[int, list[str]] | None:
    """Return the byte offset at which the supported passage ends, and its sources.

    Returns None if the offset is invalid. The provider counts from the start of a part, and omits the index of the
    first part.
    """
    segment = at(support, "segment", dict) or {}
    end = at(segment, "endIndex", int)
    begin: int | None = 0
    if "partIndex" in segment:
        part = at(segment, "partIndex", int)
        begin = text.begins[part] if part is not None and 0 <= part < len(text.begins) else None
    if begin is None or end is None:
        return None
    cited = (at(segment, "text", str) or "").encode() if "text" in segment else b""
    if end < 0 or not text.encoded.endswith(cited, 0, begin + end):
        lose("groundingSupports[].segment.text")
        return None
    return begin + end, read_cites(support, "groundingChunkIndices")


def read(wire: Wire, params: OverviewParams) -> Overview:
    answer: JsonObject = must(json_of(wire), "", dict)
    if "candidates" not in answer and at(answer, "promptFeedback.blockReason", str) is not None:
        raise EmptyResult("Gemini refused to answer this query.")
    candidate: JsonObject = must(answer, "candidates[0]", dict)
    metadata = at(candidate, "groundingMetadata", dict) or {}
    chunks = at(metadata, "groundingChunks", list) or []
    sources = read_rows(enumerate(chunks), _read_source, "groundingChunks[]")
    if not sources and at(candidate, "finishReason", str) is None:
        raise ProviderError("Gemini sent an incomplete response.", reason="changed")
    if not sources:
        raise EmptyResult("Gemini gave no answer based on a web search. A later request may succeed.")
    text = _Text.read(at(candidate, "content.parts", list) or [])
    if len(text.text) > MAX_TEXT:
        raise ProviderError("Gemini's answer is too long for an overview.", reason="changed")
    pieces = list(_read_pieces(_PARSER.parse(text.text), _Supports(text, metadata)))
    return put_together(params, "gemini_grounding", "gemini_grounding", pieces, sources)


def _read_source(numbered: tuple[int, Any]) -> Cited | None:
    """Parse a chunk together with its position, which is the source's key.

    For a page, the URL is a redirect of the provider and the title is the page's host. Content that the engine shows
    itself, such as the weather, has its own URL and title.
    """
    place, chunk = numbered
    link = read_web_address(at(chunk, "web.uri", str))
    if link is None:
        return None
    title = at(chunk, "web.title", str)
    host = title.lower() if title and _HOST.fullmatch(title) else None
    return Cited(frozenset({str(place)}), link, title=title, source=host, domain=host)


def _read_pieces(tokens: list[Token], supports: _Supports) -> Iterator[Piece]:
    place = 0
    while place < len(tokens):
        token = tokens[place]
        end = _find_closing(tokens, place)
        inner = tokens[place + 1 : end]
        cites = supports.of(token.map)
        if token.type == "heading_open":
            yield Piece("heading", _read_inline(inner), level=max(2, int(token.tag[1:])), cites=cites)
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            entries = list(_read_entries(tokens[place : end + 1], supports))
            yield Piece("list", ordered=token.type == "ordered_list_open", entries=entries)
        elif token.type == "table_open":
            yield Piece("table", rows=_read_table(inner), cites=cites)
        elif token.type in ("fence", "code_block"):
            yield Piece("code", token.content.rstrip("\n"), language=token.info.strip() or None, cites=cites)
        elif token.type == "blockquote_open":
            yield from _read_pieces(inner, supports)
        elif token.type == "paragraph_open":
            yield Piece("paragraph", _read_inline(inner), cites=cites)
        place = end + 1


def _find_closing(tokens: list[Token], place: int) -> int:
    """Return the index of the token that closes the token at index `place`, or `place` if it does not need to be
    closed.
    """
    depth = 0
    for index in range(place, len(tokens)):
        depth += tokens[index].nesting
        if depth == 0:
            return index
    return len(tokens) - 1


def _read_entries(tokens: list[Token], supports: _Supports) -> Iterator[Entry]:
    """Yield the text of each list item. Items of a nested list follow the item that contains the list."""
    level = -1
    words: list[str] = []
    cites: list[str] = []
    for token in tokens:
        if token.type in ("inline", "fence", "code_block"):
            words.append(_read_inline([token]) if token.type == "inline" else " ".join(token.content.split()))
            cites += supports.of(token.map)
        elif token.type == "list_item_close" or token.type.endswith(("_list_open", "_list_close")):
            if any(words):
                yield Entry(" ".join(filter(None, words)), None, max(0, level), cites)
            words, cites = [], []
            level += 1 if token.type.endswith("_list_open") else -1 if token.type.endswith("_list_close") else 0


def _read_table(tokens: list[Token]) -> list[list[str]]:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            rows[-1].append(_read_inline([token]))
    return rows


def _read_inline(tokens: list[Token]) -> str:
    """Return the text without markup, on one line."""
    words = []
    for token in tokens:
        for child in token.children or ():
            if child.type in ("softbreak", "hardbreak"):
                words.append(" ")
            elif child.type in ("text", "code_inline", "text_special"):
                words.append(child.content)
    return " ".join("".join(words).split())
