"""The search engine's own results page, in an ordinary browser.

This source is opt-in: without a session that the engine trusts, the response is usually a block page. The reader
supports two forms of the current markup, and the markup of 2024. The site's class names change; elements that are not
found are counted. Citations are separate from the markup, keyed by the ID of a button (`carriers`). Response format:
docs/upstreams/ai-overview.md.
"""

import re
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

from selectolax.lexbor import LexborNode

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.search.model.overview import (
    Cited,
    Entry,
    Overview,
    OverviewParams,
    Piece,
    make_no_overview_error,
    put_together,
)
from webquarry.extractors.search.sources.untested.carriers import (
    Carried,
    find_destination,
    link_key,
    make_id_key,
    read_carried,
)
from webquarry.net import Net
from webquarry.providers.languages import google_language
from webquarry.read.block_pages import WALL_WAIT_S
from webquarry.read.html import Element, html_of
from webquarry.read.losses import lose, read_rows

SEARCH_PAGE = Provider(
    name="search_page",
    title="the search page in a browser",
    politeness=Politeness(spacing_s=2.0, concurrency=1),
    needs=("searchengine_browser",),
    unproven=True,
)
_URL = "https://www.google.com/search"
_INSIDE = ("div.mZJni", "#m-x-content", "div[data-aim-body]")
_PARAGRAPHS = ("div.Y3BBE", ".n6owBd", "div.rPeykc")
_HEADINGS = ("div.otQkpb", "div[role=heading][aria-level='3']")
_LISTS = ("ul.KsbFXc", "ol.KsbFXc", "ul.IaGLZe", "ol.IaGLZe", "ul:has(> li.Z1qcYe)", "ol:has(> li.Z1qcYe)")
_KINDS = (*_PARAGRAPHS, *_HEADINGS, *_LISTS, "table", "pre")
_BLOCKS = f":is({', '.join(_INSIDE)}) :is({', '.join(_KINDS)})"
_ELSEWHERE = ".related-question-pair"
_BUTTONS = "button[data-icl-uuid]"
_CHIPS = f"{_BUTTONS}, button.rBl3me, span.WBgIic, style, script"
_OTHER_TEXT = f"{_CHIPS}, ul, ol"
"""Elements inside a list item whose text does not belong to the item."""
_TRAY = "ul.bTFeG > li.CyMdWb, li.h7wxwc, li.LLtSOc"
_HIDDEN = "[hidden], [style*='display:none'], [style*='display: none']"
_PHONE = "div.Gx5Zad"
_LINKS = "a[href]"
_LIST_TAGS = ("ul", "ol")
_RESULTS = "#rso h3, #search a h3, div.tF2Cxc, div.Gx5Zad h3"
_NO_RESULTS = "did not match any documents"
_DECLINED = ("an ai overview is not available for this search", "generate an ai overview right now")
_WAITING = ("searching...", "searching…")
_PHONE_TITLE = "AI Overview"
_PHONE_CHROME = (
    _PHONE_TITLE,
    "Show more",
    "Show less",
    "Learn more",
    "Can't generate an AI overview right now. Try again later.",
)
_OPENS = re.compile(r"\.? Opens in new tab\.?$")
MAX_NESTING = 8
"""Maximum nesting of lists; deeper items are omitted and counted."""
_HEADING_LEVEL = 2
_LABEL_ENDS = ":"


async def ask(params: OverviewParams, net: Net) -> tuple[Overview, Wire]:
    """Fetch the page. If the engine did not finish its overview, fetch the page once more in a new session."""
    wire = await fetch(params, net)
    try:
        return await net.read(read, wire, params), wire
    except Declined:
        wire = await fetch(params, net)
        return await net.read(read, wire, params), wire


async def fetch(params: OverviewParams, net: Net) -> Wire:
    """Render the results page.

    Raises ProviderError: "blocked" for a captcha or a consent page, "refused" for an error status.
    """
    query = urlencode({"q": params.q, "hl": google_language(params.hl), "gl": params.gl, "pws": "0"})
    wire = await net.render(f"{_URL}?{query}")
    address = urlsplit(wire.url)
    # only the URL is checked: the query may contain the words of a captcha page
    if (address.hostname or "").startswith("consent.") or address.path.startswith("/sorry") or wire.status == 429:
        raise make_block_page_error()
    if wire.status >= 400:
        raise ProviderError(f"The search engine responded with status {wire.status}.", reason="refused")
    return wire


def make_block_page_error() -> ProviderError:
    return ProviderError("The search engine returned a captcha.", reason="blocked", retry_after_s=WALL_WAIT_S)


class Declined(EmptyResult):
    """The engine started an overview but did not write it. A retry may help."""


def read(wire: Wire, params: OverviewParams) -> Overview:
    page = html_of(wire)
    carried = read_carried(wire.body.decode("utf-8", "replace"))
    pieces = _read_pieces(page, carried)
    if pieces:
        cited = {key for piece in pieces for key in piece.all_cites}
        sources = [*_read_tray(page, carried), *(carried.sources[key] for key in carried.sources if key in cited)]
        return put_together(params, "google_ai_overview", "search_page", pieces, sources)
    phone = _read_phone(page)
    if phone is not None:
        return put_together(params, "google_ai_overview", "search_page", *phone)
    raise _why_none(page)


def _why_none(page: Element) -> EmptyResult | ProviderError:
    """Return the error for a page without an overview: "blocked", unless the page shows another reason."""
    words = page.plain_without(_HIDDEN).lower()
    if any(phrase in words for phrase in _DECLINED):
        return Declined(make_no_overview_error().message)
    if any(phrase in words for phrase in _WAITING):
        return ProviderError("The search engine's AI overview did not arrive in time. Try again.", reason="timeout")
    if page.has(_RESULTS) or _NO_RESULTS in words:
        return make_no_overview_error()
    return make_block_page_error()


def _read_pieces(page: Element, carried: Carried) -> list[Piece]:
    """Return the blocks in page order.

    Blocks within other blocks or in other parts of the page are omitted. If a block occurs twice (collapsed and
    expanded), the first copy with sources is kept.
    """
    taken = _elsewhere(page)
    pieces: dict[tuple[str, ...], Piece] = {}
    for block in page.each(_BLOCKS) if page.has(_BLOCKS) else ():
        if block.node.mem_id in taken:
            continue
        taken.update(_find_all(block))
        piece = _read_piece(block, carried)
        if piece.is_blank:
            lose(_BLOCKS)
            continue
        known = pieces.get(piece.words)
        if known is None or (piece.all_cites and not known.all_cites):
            pieces[piece.words] = piece
    return list(pieces.values())


def _elsewhere(page: Element) -> set[int]:
    """Return the IDs of all elements in related questions. Their answers have the same markup as an overview."""
    return {node.mem_id for node in page.node.css(f"{_ELSEWHERE} *")}


def _find_all(element: Element) -> set[int]:
    """Return the IDs of all elements within an element.

    With these IDs, each element is read only once, so parsing time is linear in the size of the page.
    """
    return {node.mem_id for node in element.node.css("*")}


def _find_between(node: LexborNode, outer: Element, tags: tuple[str, ...]) -> int:
    """Return the number of elements with these tags between an element and its ancestor `outer`."""
    number, around = 0, node.parent
    while around is not None and around.mem_id != outer.node.mem_id:
        number += around.tag in tags
        around = around.parent
    return number


def _read_piece(block: Element, carried: Carried) -> Piece:
    tag = block.node.tag
    cites = [key for button in block.node.css(_BUTTONS) for key in _read_keys(button.attributes, carried)]
    if tag in ("ul", "ol"):
        return Piece("list", ordered=tag == "ol", entries=_read_entries(block, carried))
    if tag == "table":
        return Piece("table", rows=_read_table(block), cites=cites)
    if tag == "pre":
        return Piece("code", block.raw.strip("\n"), cites=cites)
    text = block.plain_without(_CHIPS)
    is_heading = block.node.css_matches(", ".join(_HEADINGS))
    return Piece("heading", text, level=_HEADING_LEVEL) if is_heading else Piece("paragraph", text, cites=cites)


def _read_table(table: Element) -> list[list[str]]:
    """Return the strings of a table's own cells by row. The text of a nested table is part of its cell."""
    own = (row for row in table.each("tr") if not _find_between(row.node, table, ("table",)))
    return read_rows(own, _read_cells, "tr")


def _read_cells(row: Element) -> list[str] | None:
    """Return the strings of a row's cells, or None if all are blank."""
    cells = [Element(cell, row.base).plain for cell in row.node.iter() if cell.tag in ("td", "th")]
    return cells if any(cells) else None


def _read_entries(block: Element, carried: Carried) -> list[Entry]:
    items = (item for item in block.each("li") if not _has_only_a_list(item))
    return read_rows(items, lambda item: _read_entry(item, block, carried), "li")


def _has_only_a_list(item: Element) -> bool:
    return item.has("ul, ol") and not item.plain_without(_OTHER_TEXT)


def _read_entry(item: Element, block: Element, carried: Carried) -> Entry | None:
    level = _find_between(item.node, block, _LIST_TAGS)
    if max(level, _find_between(item.node, block, ("li",))) > MAX_NESTING:
        return None
    bold = item.node.css_first("strong, b")
    text = item.plain_without(_OTHER_TEXT)
    title = None
    if bold is not None and not _find_between(bold, item, _LIST_TAGS):
        title = " ".join(bold.text().split()).rstrip(_LABEL_ENDS + " ")
        rest = text.removeprefix(title).lstrip(_LABEL_ENDS + " ") if title and text.startswith(title) else ""
        title, text = (title, rest) if rest else (None, text)
    buttons = [button for button in item.node.css(_BUTTONS) if not _find_between(button, item, _LIST_TAGS)]
    cites = [key for button in buttons for key in _read_keys(button.attributes, carried)]
    return Entry(text, title, level, cites) if text else None


def _read_keys(attributes: dict[str, str | None], carried: Carried) -> list[str]:
    """Return the source keys of a button. A button without keys is counted as dropped."""
    keys = carried.buttons.get(attributes.get("data-icl-uuid") or "", [])
    if not keys:
        lose(_BUTTONS)
    return keys


def _read_tray(page: Element, carried: Carried) -> Iterator[Cited]:
    """Yield the sources listed next to the answer, in order. Values missing from a card are taken from the comments."""
    taken = _elsewhere(page)
    for card in page.each(_TRAY) if page.has(_TRAY) else ():
        if card.node.mem_id in taken:
            continue
        taken.update(_find_all(card))
        link = find_destination(card.link("a"))
        if link is None:
            continue
        key = make_id_key(next((node.attributes.get("data-src-id") for node in card.node.css("[data-src-id]")), None))
        cited = carried.sources.get(key or link_key(link)) or Cited(frozenset(), link)
        label = card.node.css_first("a[aria-label]")
        titles = (
            cited.title,
            card.text(".mNme1d") if card.has(".mNme1d") else None,
            _OPENS.sub("", (label.attributes.get("aria-label") or "")) if label is not None else None,
        )
        yield Cited(
            keys=frozenset(filter(None, (key, link_key(link), *cited.keys))),
            link=link,
            title=next(filter(None, titles), None),
            source=next((card.text(css) for css in (".Z1JFYc", ".R0r5R") if card.has(css)), cited.source),
            snippet=cited.snippet or next((card.text(css) for css in (".vhJ6Pe", ".gxZfx") if card.has(css)), None),
            favicon=cited.favicon,
        )


def _read_phone(page: Element) -> tuple[list[Piece], list[Cited]] | None:
    """Return the text and the sources of the phone layout, or None for other layouts.

    The layout has one text without blocks, with links to pages. The text is complete although it is shown collapsed.
    """
    taken: set[int] = set()
    for part in page.each(_PHONE) if page.has(_PHONE) else ():
        if part.node.mem_id in taken:
            continue
        taken.update(_find_all(part))
        if part.plain.startswith(_PHONE_TITLE):
            text = _without_chrome(part.plain)
            found = [(find_destination(anchor.link(_LINKS)), anchor.plain) for anchor in part.each(_LINKS)]
            return [Piece("paragraph", text)], [Cited(frozenset(), link, title=title) for link, title in found if link]
    return None


def _without_chrome(text: str) -> str:
    """Return the text of the phone layout's box without the page's own labels. A label may occur several times."""
    start, end = 0, len(text)
    while chrome := next((words for words in _PHONE_CHROME if text.startswith(words, start)), None):
        start += len(chrome)
        start += text.startswith(" ", start)
    while chrome := next((words for words in _PHONE_CHROME if text.endswith(words, start, end)), None):
        end -= len(chrome)
        end -= text.endswith(" ", start, end)
    return text[start:end]
