"""The Chrome Web Store, through its pages' own RPCs and through the pages, which embed the same responses.

Neither needs a key or a browser. Both return arrays with values identified by position. Response format:
docs/upstreams/extension-store.md.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.extension_store.model.params import ItemId
from webquarry.net import ANY_STATUS, Net, accept_wire
from webquarry.providers import google
from webquarry.providers.browser import ACCEPT_PAGE, plain_headers
from webquarry.read.block_pages import find_block_page_in, refuse_block_page, unreadable
from webquarry.read.framing import Block, Reply, block_for, blocks_of, replies_of
from webquarry.read.html import Element, html_of

ORIGIN: Final = "https://chromewebstore.google.com"
SOURCE: Final = "The Chrome Web Store"
LANGUAGE: Final = "en"
"""Language of all requests. The store returns only reviews in this language."""
MANNERS: Final = Politeness(spacing_s=1.0, concurrency=1)
STORE_RPC: Final = Provider(
    name="store_rpc",
    title=SOURCE,
    politeness=MANNERS,
    browser_headers=plain_headers("*/*", language="en-US,en;q=0.9", referer=f"{ORIGIN}/", origin=ORIGIN),
)
STORE_PAGE: Final = Provider(
    name="store_page",
    title=f"{SOURCE}, its pages",
    politeness=MANNERS,
    browser_headers=plain_headers(ACCEPT_PAGE, language="en-US,en;q=0.9"),
    keeps_cookies=True,
)
DETAIL: Final = "xY2Ddd"
"""ID of the RPC for a listing."""
REVIEWS: Final = "x1DgCd"
"""ID of the RPC for reviews, unless a page names another one."""
DETAIL_KEY, REVIEWS_KEY = "ds:0", "ds:1"
MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
"""Maximum size of a response in bytes, four times the largest known page."""

_NO_ITEM_CODES: Final = frozenset({3, 5, 7})
"""Error codes for an item that the store does not show: invalid, not found, not permitted."""
_CALL: Final = f"{ORIGIN}/_/ChromeWebStoreConsumerFeUi/data/batchexecute"
_FORM: Final = "application/x-www-form-urlencoded;charset=UTF-8"
_SESSION: Final = re.compile(rb'"FdrFJe":"(-?[0-9]{1,20})"')
_BUILD: Final = re.compile(rb'"cfb2h":"(boq_[A-Za-z0-9._-]{1,100})"')
_UNAVAILABLE: Final = 'img[src*="item_not_available"]'


async def call(
    name: str, arguments: Any, item: ItemId, net: Net, *, below: str = "", session: Mapping[str, str] | None = None
) -> Wire:
    """Make an RPC and return the response.

    below: path, relative to the listing, of the page that makes the RPC. session: parameters from that page. Raises
    ProviderError for block pages, refusals and redirects.
    """
    query = {
        "rpcids": name,
        "source-path": f"/detail/{item}{below}",
        **(session or {}),
        "hl": LANGUAGE,
        "soc-app": "1",
        "soc-platform": "1",
        "soc-device": "1",
        "rt": "c",
    }
    mark = "1" if name == DETAIL else "generic"
    request = json.dumps([[[name, json.dumps(arguments, separators=(",", ":")), None, mark]]], separators=(",", ":"))
    wire = await net.post(
        f"{_CALL}?{urlencode(query, quote_via=quote, safe='')}",
        body=urlencode({"f.req": request}, quote_via=quote, safe="").encode(),
        content_type=_FORM,
        cookies=google.CONSENT,
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
        follow=False,
    )
    return await _pass(wire, net)


async def page(item: ItemId, net: Net, below: str = "") -> Wire:
    """Return the page of a listing, or a page below it.

    Raises Absent if the store does not have the page, and ProviderError for block pages and refusals.
    """
    wire = await net.get(
        f"{item.address}{below}?hl={LANGUAGE}",
        cookies=google.CONSENT,
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    return await _pass(wire, net, absent_on=(404, 410))


def read_session(wire: Wire) -> Mapping[str, str]:
    """Return a page's parameters for its RPCs: session and build."""
    found = {"f.sid": _SESSION.search(wire.body), "bl": _BUILD.search(wire.body)}
    return {name: match[1].decode() for name, match in found.items() if match}


def answer_of(wire: Wire, name: str | None, item: ItemId) -> Any:
    """Return the content of the RPC with this name, or of the only RPC if the name is None.

    Raises Absent if the response shows that the item does not exist. Raises ProviderError: "blocked" for a block page,
    "refused" for another error of the RPC, "changed" if the RPC is missing or can't be read.
    """
    replies = [reply for reply in replies_of(wire, SOURCE) if name is None or reply.call in (name, "")]
    found = next((reply for reply in replies if reply.content is not None), None)
    if found is not None:
        return found.content
    chosen = next((reply for reply in replies if reply.call or reply.is_error), None)
    if chosen is None:
        raise ProviderError(f"{SOURCE} sent no response to this request.", reason="changed")
    raise _make_error(chosen, item)


def find_blocks(wire: Wire) -> Mapping[str, Block]:
    """Return a page's data blocks. Raises ProviderError "blocked" for a block page."""
    google.refuse_block_pages(wire, SOURCE)
    return blocks_of(wire)


def find_listing(blocks: Mapping[str, Block], item: ItemId) -> Any:
    """Return the listing in a page's data, or None if it is missing.

    Raises Absent if the page shows that the item does not exist, and ProviderError "refused" for another error.
    """
    block = block_for(blocks, DETAIL, DETAIL_KEY)
    if block is None:
        return None
    if block.is_error:
        code = block.data[0] if isinstance(block.data, list) and block.data else None
        raise _make_error(Reply(DETAIL, None, code if type(code) is int else 0), item)
    return block.data


def find_reviews(blocks: Mapping[str, Block], item: ItemId) -> Block | None:
    """Return the reviews in a page's data: the block whose request contains the item and a number of rows."""
    for block in blocks.values():
        match block.request:
            case [str(requested), [int(), *_], *_] if requested == item:
                return block
    return block_for(blocks, REVIEWS, REVIEWS_KEY)


def read_page(wire: Wire, item: ItemId) -> Element:
    """Return the page's document. Raises Absent if the page shows the image for a missing item."""
    found = html_of(wire)
    if found.has(_UNAVAILABLE):
        raise make_no_item_error(item)
    return found


def make_no_item_error(item: ItemId) -> Absent:
    return Absent(f"{SOURCE} has no public item with the ID {item}. It may have been removed or be private.")


def not_a_listing(wire: Wire, otherwise: str, seen: Element | None = None) -> ProviderError:
    """Return the error for a response without a listing: "blocked" for a block page, otherwise "changed".

    otherwise: the message of the "changed" error.
    """
    return unreadable(wire, SOURCE, otherwise, seen)


def make_no_page_error(wire: Wire, seen: Element) -> ProviderError:
    """Return the error for a page without data and tags, which may be an unknown kind of block page."""
    return find_block_page_in(wire, SOURCE, seen) or ProviderError(
        f"{SOURCE} sent a page that does not describe an item.", reason="blocked"
    )


async def _pass(wire: Wire, net: Net, absent_on: tuple[int, ...] = ()) -> Wire:
    google.refuse_block_pages(wire, SOURCE)
    if wire.status != 200 and wire.status not in absent_on:
        await net.read(refuse_block_page, wire, SOURCE)
    return accept_wire(wire, (200,), absent_on)


def _make_error(reply: Reply, item: ItemId) -> Absent | ProviderError:
    """Return the error for a failed RPC, or for page data that contains an error."""
    if reply.call and (reply.code in _NO_ITEM_CODES or (reply.is_null and reply.code is None)):
        return make_no_item_error(item)
    if reply.code is not None:
        return ProviderError(f"{SOURCE} responded with error {reply.code}.", reason="refused")
    return ProviderError(f"{SOURCE} sent a response that cannot be read.", reason="changed")
