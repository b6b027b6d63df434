"""Pages of the shop: requests, the location of the data in a page, and block pages.

Requests have a browser's plain headers. They are not signed, and captchas are not solved. See
docs/upstreams/shortvideo-shop.md.
"""

from dataclasses import replace
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from webquarry.core.errors import Absent, EmptyResult, ExtractionError, ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.shortvideo_shop.model.ids import HOME_REGION, find_product, is_of_shop
from webquarry.extractors.shortvideo_shop.sources.shop.shop_data import ShopData
from webquarry.net import ANY_STATUS, Net, retry_after_s
from webquarry.providers.browser import plain_headers
from webquarry.read import take
from webquarry.read.block_pages import MAX_BYTES, WALL_WAIT_S, find_block_page_in, is_page
from webquarry.read.embedded import json_script
from webquarry.read.fields import to_line, to_whole
from webquarry.read.html import Element, html_of
from webquarry.read.values import parse_json

SOURCE: Final = "The shop"
MAX_PAGE_BYTES: Final = 8 * 1024 * 1024
MAX_HOPS: Final = 5
"""Maximum number of redirects of a short link."""
KEYS: Final = "WEBQUARRY_TIKHUB_KEY or WEBQUARRY_SCRAPECREATORS_KEY"

_SCRIPTS: Final = ("__MODERN_ROUTER_DATA__", "__MODERN_SSR_DATA__", "__NEXT_DATA__", "SIGI_STATE")
_REDIRECTS: Final = (301, 302, 303, 307, 308)
_CAPTCHA: Final = (
    b"captcha/index.js",
    b"oec-ttweb-captcha",
    b"bric-captcha",
    b"secsdk-captcha",
    b"middle_page_loading",
)
_ELSEWHERE: Final = ("not available in this country or region", "not available in your country or region")
_NOT_FOUND: Final = ("not found", "not exist", "no longer available", "has been removed")
_NOT_IN_REGION: Final = frozenset({23002102})


def make_page_provider(name: str, title: str, *, unproven: bool = False) -> Provider:
    return Provider(
        name=name,
        title=title,
        walled=True,
        politeness=Politeness(spacing_s=2.0, concurrency=1),
        browser_headers=plain_headers(language="en-US,en;q=0.9"),
        keeps_cookies=True,
        unproven=unproven,
    )


async def fetch_page(net: Net, url: str) -> Wire:
    """Fetch a page of the shop.

    For a page without data, raises Absent, EmptyResult or ProviderError, depending on the page.
    """
    wire = await net.get(url, ok_on=ANY_STATUS, absent_on=(), max_bytes=MAX_PAGE_BYTES)
    if wire.status != 200:
        await net.read(refuse, wire)
    return wire


async def followed(net: Net, link: str) -> str:
    """Return the address of a short link's product. Only the platform's own hosts are requested."""
    url = link
    for _ in range(MAX_HOPS):
        wire = await net.get(url, ok_on=ANY_STATUS, absent_on=(), follow=False, max_bytes=MAX_PAGE_BYTES)
        if wire.status not in _REDIRECTS:
            await net.read(refuse_link, wire)
        try:
            url = urljoin(wire.url, wire.headers.get("location", ""))
            host = urlsplit(url).hostname or ""
        except ValueError as exc:
            raise ProviderError("The short link does not redirect.", reason="changed") from exc
        if find_product(url) is not None and is_of_shop(host):
            return url
        if not is_of_shop(host):
            raise Absent("The short link redirects to a different site.")
    raise ProviderError("The short link redirects endlessly.", reason="refused")


def refuse(wire: Wire) -> None:
    """Raise the error that `make_page_error` returns."""
    raise make_page_error(wire)


def refuse_link(wire: Wire) -> None:
    """Raise the error for a short link that does not redirect."""
    if wire.status != 200:
        raise make_page_error(wire)
    raise read_block_page(wire) or Absent("The short link does not redirect to a product.")


def read_data(wire: Wire) -> ShopData:
    """Return the data of a page, or the JSON of a response. Its root is None if there is no data."""
    return ShopData(_find_root(wire))


def _find_root(wire: Wire) -> Any:
    if not is_page(wire):
        try:
            return parse_json(wire.body)
        except ValueError:
            return None
    for name in _SCRIPTS:
        if name.encode() not in wire.body:
            continue
        found = _read_script(wire.body, name.encode())
        if found is None:
            found = json_script(html_of(wire), name)
        if isinstance(found, dict):
            return found
    return None


def _read_script(body: bytes, name: bytes) -> Any:
    """Parse the JSON script with this id. Returns None if the tag or its text differs from the shop's form.

    The script is nearly the whole page, so the page is not parsed as HTML.
    """
    at = body.find(b'id="' + name + b'"')
    begin = body.rfind(b"<script", 0, at) if at >= 0 else -1
    if begin < 0 or b">" in body[begin:at]:
        return None
    start = body.find(b">", at) + 1
    end = body.find(b"</script", start)
    if not 0 < start < end:
        return None
    try:
        return parse_json(body[start:end])
    except ValueError:
        return None


def read_error(data: Any, requested_region: str = "") -> ExtractionError | None:
    """Return the error in a component's data, or None.

    data: an object with members such as `error_code` and `error_message`.
    """
    code = take(data, "error_code", to_whole)
    if not code:
        return None
    message = take(data, "error_message", to_line) or ""
    lowered = message.lower()
    if code in _NOT_IN_REGION or any(words in lowered for words in _ELSEWHERE):
        return elsewhere(requested_region)
    if any(words in lowered for words in _NOT_FOUND):
        return Absent(f"{SOURCE} reports that this does not exist ({message}).")
    return ProviderError(f"{SOURCE} returned error {code}{f', {message}' if message else ''}.", reason="refused")


def elsewhere(region: str = "") -> EmptyResult:
    place = f"region {region.upper()}" if region else "the region of this service"
    return EmptyResult(f"The product is not available in {place}.")


def read_block_page(wire: Wire, page: Element | None = None) -> ProviderError | None:
    """Return the error for a captcha, a firewall page or a login page, or None for any other page.

    page: the parsed response, if it was already parsed.
    """
    if page is None and is_page(wire):
        page = html_of(wire)
    if page is not None and (any(mark in wire.body for mark in _CAPTCHA) or _read_title(page) == "security check"):
        return _make_blocked_error("answered with a captcha page")
    if (block_page := find_block_page_in(wire, SOURCE, page)) is not None:
        return block_page
    if page is not None and "access denied" in _read_title(page):
        return _make_blocked_error("rejected this service (Access Denied)")
    segments = urlsplit(wire.url).path.split("/")
    if "login" in segments[:3] or (page is not None and _read_title(page).startswith(("log in", "login", "sign in"))):
        return _make_blocked_error("requires a login")
    return None


def make_page_error(wire: Wire, requested_region: str = "") -> ExtractionError:
    """Return the error for a page without the requested data.

    Only the beginning of the page is searched, because block pages are short.
    """
    wire = replace(wire, body=wire.body[:MAX_BYTES])
    page = html_of(wire) if is_page(wire) else None
    if (block_page := read_block_page(wire, page)) is not None:
        return block_page
    title = _read_title(page) if page is not None else ""
    if wire.status in (404, 410) or title.startswith(("page not found", "404")) or "product not found" in title:
        return Absent(f"{SOURCE} reports that this page does not exist.")
    text = page.plain.lower() if page is not None else ""
    data = wire.body.lower()  # the page's scripts also contain these words
    if any(words in text or words.encode() in data for words in _ELSEWHERE):
        return elsewhere(requested_region)
    if "product not found" in text[:3000]:
        return Absent(f"{SOURCE} reports that this product does not exist.")
    if wire.status != 200:
        message = f"{SOURCE} rejected the request (status {wire.status})."
        return ProviderError(message, reason="refused", retry_after_s=retry_after_s(wire))
    return ProviderError(f"{SOURCE} sent a page without the expected data.", reason="changed")


def why_not_www(region: str | None) -> str | None:
    """Return the reason for skipping the `www` shop, which belongs to one region, or None for that region."""
    return None if region in (None, HOME_REGION) else "www.tiktok.com has only the shop of the United States."


def _make_blocked_error(cause: str) -> ProviderError:
    message = f"{SOURCE} {cause}. Try again later or set {KEYS}."
    return ProviderError(message, reason="blocked", retry_after_s=WALL_WAIT_S)


def _read_title(page: Element) -> str:
    found = page.node.css_first("title")
    return " ".join(found.text()[:500].lower().split()) if found is not None else ""
