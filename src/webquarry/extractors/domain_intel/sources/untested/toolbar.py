"""Semrush's service for its toolbar: XML, without a key. Untested: no response is recorded.

Response format: docs/upstreams/semrush.md. Only the element names are known. They are matched at any depth and in any
case.
"""

import re
from typing import Final
from urllib.parse import quote
from xml.parsers import expat

from webquarry.core.errors import ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.net import ANY_STATUS, Net, retry_after_s
from webquarry.providers.answers import MAX_ANSWER_BYTES
from webquarry.read.block_pages import find_block_page_in, refuse_block_page

TOOLBAR: Final = Provider(
    name="semrush_toolbar",
    title="Semrush's toolbar service",
    politeness=Politeness(spacing_s=1.0, concurrency=1),
    unproven=True,
)
NOT_FOUND: Final = "notfound"
_PAGES: Final = frozenset({"html", "head", "body", "title", "h1", "script", "iframe", "center"})
_NAME: Final = re.compile(r"[A-Za-z_][\w.:-]{0,60}", re.ASCII)
_MAX_VALUE: Final = 200


async def ask(net: Net, address: str, site_url: str) -> Wire:
    """Request the data for `site_url`.

    address: the service's URL up to the value of its `url` parameter. Raises ProviderError: "blocked" for a block page,
    "refused" for any other status except 200.
    """
    wire = await net.get(
        f"{address}{quote(site_url, safe='')}&ref=sq",
        accept="application/xml, text/xml, */*;q=0.5",
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    if wire.status == 200:
        return wire
    await net.read(refuse_block_page, wire, TOOLBAR.title)
    raise ProviderError(
        f"{TOOLBAR.title} rejected the request (status {wire.status}).",
        reason="refused",
        retry_after_s=retry_after_s(wire),
    )


def read_elements(wire: Wire) -> dict[str, str]:
    """Return the first non-empty text of each element, by element name in lower case and without prefix.

    The document need not be well-formed. Raises ProviderError: "changed" for an empty response, "blocked" for an HTML
    page.
    """
    text = _without_comments(wire.body.decode("utf-8-sig", "replace"))
    if not text.strip():
        raise ProviderError(f"{TOOLBAR.title} sent an empty response.", reason="changed")
    found: dict[str, str] = {}
    name = ""
    for piece in text.split("<")[1:]:
        if piece.startswith("![CDATA["):
            value = piece[len("![CDATA[") :].partition("]]>")[0]
        else:
            tag, _, value = piece.partition(">")
            opened = _NAME.match(tag)
            name = opened[0].rpartition(":")[2].lower() if opened and not tag.endswith("/") else ""
            if opened:
                found.setdefault(opened[0].rpartition(":")[2].lower(), "")
        if name and not found[name]:
            found[name] = value[:_MAX_VALUE].strip()
    if _PAGES & found.keys() or "doctype html" in text[:500].lower():
        raise find_block_page_in(wire, TOOLBAR.title) or ProviderError(
            f"{TOOLBAR.title} sent a page instead of data.", reason="blocked"
        )
    return found


def is_not_found(elements: dict[str, str]) -> bool:
    """Return whether the response reports that the index does not know the name."""
    return NOT_FOUND in elements.get("status", "").replace("_", "").replace(" ", "").lower()


def is_well_formed(wire: Wire) -> bool:
    """Return whether the body is well-formed XML without a document type. A document type could declare entities."""
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        parser.Parse(wire.body.lstrip(), True)
    except (expat.ExpatError, LookupError, ValueError):  # ValueError: unknown encoding
        return False
    return True


def _refuse_doctype(*_: object) -> None:
    raise ValueError


def make_changed_error(what: str) -> ProviderError:
    return ProviderError(f"{TOOLBAR.title} sent a response without {what}.", reason="changed")


def _without_comments(text: str) -> str:
    first, *rest = text.split("<!--")
    return first + "".join(after.partition("-->")[2] for after in rest)
