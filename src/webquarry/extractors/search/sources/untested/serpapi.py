"""SerpApi's overview: `ai_overview` in a search response, or a token for a second request."""

from collections.abc import Iterator
from typing import Any

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.extractors.search.model.overview import (
    Cited,
    Entry,
    Overview,
    OverviewParams,
    Piece,
    make_no_overview_error,
    put_together,
    read_cites,
    read_web_address,
)
from webquarry.net import Net
from webquarry.providers import serpapi
from webquarry.providers.languages import google_language
from webquarry.providers.serpapi import answer_of, is_done
from webquarry.read import JsonObject, Wire, at, each, read_each, take, texts
from webquarry.read.fields import to_line, to_token
from webquarry.read.losses import lose, read_rows

MAX_NESTING = 8
_HEADING_LEVEL = 2


class Unwritten(EmptyResult):
    """The response announces an overview without any content. A retry may help."""


async def ask(params: OverviewParams, net: Net) -> tuple[Overview, Wire]:
    """Request a search. If the overview comes late, request it with its token.

    If the response announces an overview without content, both requests are repeated once with a new search.
    """
    question = {"q": params.q, "gl": params.gl, "hl": google_language(params.hl).lower()}
    try:
        return await _search(params, net, question)
    except Unwritten:
        return await _search(params, net, {**question, "no_cache": "true"})


async def _search(params: OverviewParams, net: Net, question: dict[str, str]) -> tuple[Overview, Wire]:
    wire = await serpapi.ask(net, "google", **question)
    token = await net.read(read_token, wire)
    if token is None:
        return await net.read(read, wire, params), wire
    wire = await serpapi.ask(net, "google_ai_overview", page_token=token)
    try:
        return await net.read(read, wire, params), wire
    except EmptyResult as exc:  # the token shows that an overview exists
        raise Unwritten(exc.message) from exc


def read_token(wire: Wire) -> str | None:
    """Return the token for the second request.

    Returns None if there is no token or the overview is already in the response.
    """
    overview = _find_overview(wire)
    if overview is None or overview.get("text_blocks"):
        return None
    return take(overview, "page_token", to_token, required=True)


def read(wire: Wire, params: OverviewParams) -> Overview:
    overview = _find_overview(wire)
    if overview is None:
        raise make_no_overview_error()
    if "text_blocks" not in overview:
        if overview.get("page_token"):
            raise ProviderError("SerpApi returned a token instead of the overview.", reason="changed")
        raise Unwritten(make_no_overview_error().message)
    try:
        return put_together(
            params,
            "google_ai_overview",
            "serpapi",
            _read_pieces(each(overview, "text_blocks[]"), 0),
            read_each(overview, "references[]", _read_source) if "references" in overview else [],
        )
    except EmptyResult as empty:
        raise Unwritten(empty.message) from None


def _find_overview(wire: Wire) -> JsonObject | None:
    """Return the overview, or None if there is none.

    Raises ProviderError "changed" if the response is not a search response.
    """
    answer = answer_of(wire)
    if "ai_overview" in answer:
        return at(answer, "ai_overview", dict)
    if not is_done(answer):
        raise ProviderError("SerpApi sent a response that is not a search response.", reason="changed")
    return None


def _read_source(reference: JsonObject) -> Cited | None:
    link, number = read_web_address(at(reference, "link", str)), at(reference, "index", int)
    if link is None:
        return None
    return Cited(
        keys=frozenset() if number is None else frozenset({str(number)}),
        link=link,
        title=_read_optional(reference, "title"),
        source=_read_optional(reference, "source"),
        snippet=_read_optional(reference, "snippet"),
        favicon=_read_optional(reference, "source_icon"),
    )


def _read_pieces(blocks: list[JsonObject], depth: int) -> Iterator[Piece]:
    for block in blocks:
        kind = at(block, "type", str)
        cites = _read_cites(block)
        text = _read_optional(block, "snippet") or ""
        if kind == "heading":
            yield Piece("heading", text, level=_HEADING_LEVEL, cites=cites)
        elif kind == "list":
            yield Piece("list", ordered=False, entries=list(_read_entries(block, 0)), cites=cites)
        elif kind == "table":
            yield Piece("table", rows=_read_table(block), cites=cites)
        elif kind == "code":
            yield Piece(
                "code",
                (at(block, "snippet", str) or "").strip("\n"),
                language=_read_optional(block, "language"),
                cites=cites,
            )
        elif kind == "comparison":
            yield Piece("table", rows=_read_comparison(block), cites=cites)
        else:
            has_blocks = "text_blocks" in block
            if title := take(block, "title", to_line, required=has_blocks):
                yield Piece("heading", title, level=_HEADING_LEVEL + 1)
            if text or not has_blocks:
                yield Piece("paragraph", text, cites=cites)
        if depth < MAX_NESTING and "text_blocks" in block:
            yield from _read_pieces(each(block, "text_blocks[]"), depth + 1)


def _read_entries(holder: JsonObject, level: int) -> Iterator[Entry]:
    for item in each(holder, "list[]"):
        title = (_read_optional(item, "title") or "").removesuffix(":").strip()
        text = _read_optional(item, "snippet") or ""
        if title or text:
            yield Entry(text or title, title if text else None, level, _read_cites(item))
        elif "list" not in item:
            lose("list[]")
        if level < MAX_NESTING and "list" in item:
            yield from _read_entries(item, level + 1)


def _read_table(block: JsonObject) -> list[list[str]]:
    return read_rows(at(block, "table", list) or [], _read_table_row, "table[]")


def _read_table_row(row: Any) -> list[str] | None:
    if not isinstance(row, list):
        return None
    return [cell if isinstance(cell, str) else at(cell, "snippet", str) or "" for cell in row]


def _read_comparison(block: JsonObject) -> list[list[str]]:
    labels = texts(block, "product_labels[]")
    rows = each(block, "comparison[]")
    return [["", *labels], *([at(row, "feature", str) or "", *texts(row, "values[]")] for row in rows)]


def _read_cites(block: JsonObject) -> list[str]:
    return read_cites(block, "reference_indexes") if "reference_indexes" in block else []


def _read_optional(holder: JsonObject, name: str) -> str | None:
    """Return an optional string. Only a value of another type is counted as dropped."""
    text = at(holder, name, str) if name in holder else None
    return " ".join(text.split()) or None if text else None
