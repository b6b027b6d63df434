"""The social network's pages: URLs as people write them, their ids, and block pages.

This module is independent of sources and endpoints; callers pass the `Net`. Wire notes:
docs/upstreams/ads-socialnet.md.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlencode, urlsplit

from webquarry.core.errors import Absent, ExtractionError, ProviderError
from webquarry.core.parsed_text import ParsedText
from webquarry.core.types import Wire
from webquarry.net import ANY_STATUS, Kept, Net, retry_after_s
from webquarry.read.block_pages import WALL_WAIT_S, find_block_page_in
from webquarry.read.embedded import MAX_SCRIPTS
from webquarry.read.html import Element, html_of
from webquarry.read.losses import lose
from webquarry.read.values import parse_json

HOST_URL: Final = "https://www.facebook.com"
LIBRARY_URL: Final = f"{HOST_URL}/ads/library/"
NAME: Final = "The social network"
ACCEPT_LANGUAGE: Final = "en-US,en;q=0.9"
PAGE_ID_LASTS_S: Final = 86_400.0
MAX_DEPTH: Final = 60
"""Maximum depth at which a name is searched for. In recorded responses, names are about 15 levels deep."""
MAX_VALUES: Final = 200_000

_HOSTS: Final = ("facebook.com", "fb.com")
_RESERVED: Final = """
    ads ad business checkpoint dialog events events_manager flx gaming groups hashtag help legal login marketplace
    messages notes photo photos plugins policies privacy public recover reel reels saved search settings share sharer
    stories story terms tr videos watch
"""
_NO_PAGES: Final = frozenset(_RESERVED.split())
_SLUG: Final = re.compile(r"[A-Za-z0-9._-]{1,100}", re.ASCII)
_NAMED_ID: Final = re.compile(r"[^/]*-([0-9]{6,25})", re.ASCII)
_DIGITS: Final = re.compile(r"[0-9]{1,25}", re.ASCII)
_LOGIN: Final = re.compile(r"/(?:login|checkpoint)(?:[/.?].*)?", re.ASCII | re.DOTALL)
_DELEGATE: Final = re.compile(
    r'"delegate_page"\s{0,9}:\s{0,9}\{[^{}]{0,500}?"id"\s{0,9}:\s{0,9}"([0-9]{1,25})"', re.ASCII
)
_ASSOCIATED: Final = re.compile(r'"associated_page_id"\s{0,9}:\s{0,9}"([0-9]{1,25})"', re.ASCII)
_PERSON: Final = re.compile(r'"profile_type_name_for_content"\s{0,9}:\s{0,9}"(?!PAGE")[A-Z_]{1,40}"', re.ASCII)
_GONE: Final = (
    '"title":"This content isn\'t available right now"',
    '"title":"This content isn\\u2019t available right now"',
    "<title>Page Not Found",
)
_CHALLENGE: Final = b"/__rd_verify_"
_ERROR_ROOT: Final = b"CometErrorRoot.react"
_MARKS_WITHIN: Final = 64 * 1024
_ERROR_PAGE_BYTES: Final = 4096
_EXAMPLE: Final = f"{HOST_URL}/nasa"


def library_url(page_id: str) -> str:
    """Return the URL of a page's active ads in the ad library."""
    query = {
        "active_status": "active",
        "ad_type": "all",
        "country": "ALL",
        "is_targeted_country": "false",
        "media_type": "all",
        "search_type": "page",
        "view_all_page_id": page_id,
    }
    return f"{LIBRARY_URL}?{urlencode(query)}"


def address_of(text: str) -> str:
    """Return the normalized URL of a page: `https://www.facebook.com/` and the page's lower-case name or id.

    Accepts URLs on any host of the network, bare names, and `@name`. Raises ValueError if the text is not the address
    of a page.
    """
    text = text.strip()
    if "/" not in text and "?" not in text and ":" not in text:
        return _named(text.removeprefix("@"))
    parts = _split_own_url(text)
    segments = [unquote(part) for part in parts.path.split("/") if part]
    if (identity := _find_carried_id(segments, parts.query)) is not None:
        return f"{HOST_URL}/{identity}"
    if len(segments) > 1 and segments[0] in ("pages", "people", "p", "pg"):
        return _carried_or_named(segments)
    return _named(segments[0] if segments else "")


def _split_own_url(text: str) -> SplitResult:
    """Split a URL on a host of the network, with or without a scheme. Raises ValueError for any other URL."""
    parts = urlsplit(text if "://" in text else f"https://{text.lstrip('/')}")
    host = (parts.hostname or "").rstrip(".")
    is_ours = any(host == known or host.endswith(f".{known}") for known in _HOSTS)
    if not is_ours or parts.scheme not in ("http", "https"):
        raise ValueError
    return parts


def _find_carried_id(segments: Sequence[str], query: str) -> str | None:
    """Return the page's id in the query of an ad library or profile URL, or None."""
    if list(segments[:2]) == ["ads", "library"]:
        name = "view_all_page_id"
    elif list(segments[:1]) == ["profile.php"]:
        name = "id"
    else:
        return None
    found = parse_qs(query[:2000]).get(name)
    return found[0] if found and _DIGITS.fullmatch(found[0]) else None


def id_in(address: str) -> str | None:
    """Return the ID of a page or profile from a URL normalized by `address_of`.

    Returns None if the URL identifies the page by name.
    """
    last = address.removeprefix(f"{HOST_URL}/")
    return last if _DIGITS.fullmatch(last) else None


class PageId(ParsedText, pattern=r"\d+", called="a page ID (digits)", example="123456789012345", max_length=25):
    """A page by its id, which differs from its profile's id."""


def _spell_url(text: str) -> str:
    if "/" not in text:  # a name, or a website of the page's owner
        raise ValueError
    return address_of(text)


class PageAddress(
    ParsedText, spell=_spell_url, called=f"the URL of a page at {HOST_URL}", example=_EXAMPLE, max_length=2000
):
    """A page's normalized URL. All forms with an id become that id's URL."""


class PageSlug(ParsedText, spell=address_of, called="a page name as in its URL, such as nasa", max_length=2000):
    """A page's name, normalized as in `PageAddress`, so that both identify the same page."""


def refuse_block_pages(wire: Wire) -> None:
    """Raise ProviderError "blocked" for browser checks, login pages and error pages, "refused" for other failures.

    404 and 410 pass, because their meaning depends on the caller.
    """
    head = wire.body[:_MARKS_WITHIN]
    if _CHALLENGE in head:
        raise _blocked("returned a browser check")
    if _leads_to_login(wire):
        raise _blocked("shows this only to logged-in users")
    if len(wire.body) <= _ERROR_PAGE_BYTES and _ERROR_ROOT in head:
        raise _blocked("is blocking this address")
    if wire.status not in (200, 404, 410):
        if wire.status == 403 and (block_page := find_block_page_in(wire, NAME)) is not None:
            raise block_page
        cause = "is rate-limiting this address" if wire.status == 429 else "rejected the request"
        raise ProviderError(
            f"{NAME} {cause} (status {wire.status}).", reason="refused", retry_after_s=retry_after_s(wire)
        )


def login_page() -> ProviderError:
    """Return the error for a login page that can't be recognized by its URL."""
    return _blocked("shows this only to logged-in users")


def blobs_of(page: Element, *words: str) -> Iterator[Any]:
    """Yield the values of a page's JSON scripts that contain one of the words. Invalid JSON is counted as a loss."""
    for node in page.node.css('script[type="application/json" i]')[:MAX_SCRIPTS]:
        text = node.text()
        if any(word in text for word in words):
            try:
                yield parse_json(text.encode("utf-8", "replace"))
            except ValueError:
                lose("application/json")


def objects_with(value: Any, *names: str) -> Iterator[dict[str, Any]]:
    """Yield all objects that have one of the names as a member, outer ones first.

    The values of these members are not searched.
    """
    level, left = _list_children([value], ()), MAX_VALUES
    for _ in range(MAX_DEPTH):
        yield from (node for node in level if _has_member(node, names))
        inner = [child for node in level for child in _list_children(node, names)]
        left -= len(inner)
        if not inner or left < 0:
            return
        level = inner


def _has_member(node: Any, names: Sequence[str]) -> bool:
    return isinstance(node, dict) and any(name in node for name in names)


def _list_children(node: Any, left_out: Sequence[str]) -> list[Any]:
    """Return the lists and objects in a list or an object, without the members whose names are in `left_out`."""
    children = node if isinstance(node, list) else (child for name, child in node.items() if name not in left_out)
    return [child for child in children if isinstance(child, list | dict)]


async def find_page_id(net: Net, address: str) -> str:
    """Return the id of the page at a URL, from the plugin that sites embed, or from the page. Cached for a day.

    Raises Absent if the network reports that the page does not exist or belongs to a person; ProviderError as
    `refuse_block_pages` does, and "changed" if the page has no id.
    """
    ids: Kept[str, str] = Kept.of(net, "page ids")
    return await ids.get(address, partial(_look_for_id, net, address), lasts_s=PAGE_ID_LASTS_S)


def plugin_url(address: str) -> str:
    """Return the URL of the plugin that shows the page on other sites."""
    return f"{HOST_URL}/plugins/page.php?href={quote(address, safe='')}"


def id_in_plugin(wire: Wire) -> str | None:
    """Return the page's id from the plugin's links: `facebook.com/<id>?ref=embed_page`."""
    for node in html_of(wire).node.css("a[href]")[:MAX_SCRIPTS]:
        try:
            parts = urlsplit(node.attributes.get("href") or "")
        except ValueError:
            continue
        path = parts.path.strip("/")
        if _DIGITS.fullmatch(path) and "embed_page" in parse_qs(parts.query[:2000]).get("ref", []):
            return path
    return None


def id_in_page(wire: Wire) -> str | None:
    """Return the page's id from the page itself.

    Raises Absent if there is no page or it belongs to a person; ProviderError as `refuse_block_pages` does, and
    "blocked" for a page without a title, which is the login page.
    """
    refuse_block_pages(wire)
    if wire.status != 200:
        raise Absent(f"{NAME} reports that the page does not exist.")
    text = wire.body.decode("utf-8", "replace").replace('\\"', '"')
    if any(mark in text for mark in _GONE):
        raise Absent(f"{NAME} reports that the page does not exist or is not public.")
    found = _DELEGATE.search(text) or _ASSOCIATED.search(text)
    if found is not None:
        return found[1]
    if _PERSON.search(text):
        raise Absent("The URL does not belong to a public page. It may be a personal profile.")
    if not html_of(wire).has('meta[property="og:title"]'):
        raise login_page()
    return None


async def _look_for_id(net: Net, address: str) -> str:
    try:
        plugin = await net.get(plugin_url(address), ok_on=ANY_STATUS, absent_on=(), follow=False)
        found = await net.read(id_in_plugin, plugin) if plugin.status == 200 else None
    except ExtractionError:  # the page itself may still have the id
        found = None
    if found is None:
        page = await net.get(address, ok_on=ANY_STATUS, absent_on=())
        found = await net.read(id_in_page, page)
    if found is None:
        raise ProviderError(f"{NAME} shows the page without its ID.", reason="changed")
    return found


def _carried_or_named(segments: list[str]) -> str:
    """Return the URL for paths such as `/people/<name>/<id>`, `/pages/<name>/<id>`, `/p/<name>-<id>` and `/pg/<name>`.

    `/pages/category/<kind>/<name>-<id>` is supported too.
    """
    for segment in reversed(segments[1:]):
        if _DIGITS.fullmatch(segment):
            return f"{HOST_URL}/{segment}"
        if (named := _NAMED_ID.fullmatch(segment)) is not None:
            return f"{HOST_URL}/{named[1]}"
    if segments[0] != "pg":
        raise ValueError
    return _named(segments[1])


def _named(slug: str) -> str:
    if (carrying := _NAMED_ID.fullmatch(slug)) is not None:
        return f"{HOST_URL}/{carrying[1]}"
    name = slug.lower()
    if not _SLUG.fullmatch(name) or name in _NO_PAGES or name.endswith(".php") or not name.strip("._-"):
        raise ValueError
    return f"{HOST_URL}/{name}"


def _leads_to_login(wire: Wire) -> bool:
    location = wire.headers.get("location", "") if 300 <= wire.status < 400 else ""
    for address in (wire.url, location):
        try:
            path = urlsplit(address).path
        except ValueError:
            continue
        if _LOGIN.fullmatch(path):
            return True
    return False


def _blocked(what: str) -> ProviderError:
    return ProviderError(f"{NAME} {what}.", reason="blocked", retry_after_s=WALL_WAIT_S)
