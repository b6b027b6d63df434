"""The social network's pages: how people write their addresses, the ids behind them, and the walls before them.

It knows no source and no endpoint: who asks brings the `Net`. Wire notes: docs/upstreams/ads-socialnet.md.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from webquarry.core.errors import Absent, ExtractionError, ProviderError
from webquarry.core.parsed_text import ParsedText
from webquarry.core.types import Wire
from webquarry.net import ANY_STATUS, Kept, Net, retry_after_s
from webquarry.read.embedded import MAX_SCRIPTS
from webquarry.read.html import Element, html_of
from webquarry.read.losses import lose
from webquarry.read.values import parse_json
from webquarry.read.walls import WALL_WAIT_S, wall_in

HOST_URL: Final = "https://www.facebook.com"
LIBRARY_URL: Final = f"{HOST_URL}/ads/library/"
NAME: Final = "The social network"
ACCEPT_LANGUAGE: Final = "en-US,en;q=0.9"
PAGE_ID_LASTS_S: Final = 86_400.0
MAX_DEPTH: Final = 60
"""Values within each other in which a name is looked for; recorded ones stand some 15 deep."""
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
    """The ads of a page that run now, in the library of ads."""
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
    """The one spelling of a page's address: `https://www.facebook.com/` and the page's name in small letters, or the id
    that the address holds.

    Taken are addresses on any host of the network, bare names, and `@name`. ValueError when it is that of no page.
    """
    text = text.strip()
    if "/" not in text and "?" not in text and ":" not in text:
        return _named(text.removeprefix("@"))
    try:
        parts = urlsplit(text if "://" in text else f"https://{text.lstrip('/')}")
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        host = ""
    is_ours = any(host == known or host.endswith(f".{known}") for known in _HOSTS)
    if not is_ours or parts.scheme not in ("http", "https"):
        raise ValueError
    segments = [unquote(part) for part in parts.path.split("/") if part]
    query = parse_qs(parts.query[:2000])
    carried = {name: found[0] for name, found in query.items() if _DIGITS.fullmatch(found[0])}
    if segments[:2] == ["ads", "library"] and "view_all_page_id" in carried:
        return f"{HOST_URL}/{carried['view_all_page_id']}"
    if segments[:1] == ["profile.php"] and "id" in carried:
        return f"{HOST_URL}/{carried['id']}"
    if len(segments) > 1 and segments[0] in ("pages", "people", "p", "pg"):
        return _carried_or_named(segments)
    return _named(segments[0] if segments else "")


def id_in(address: str) -> str | None:
    """The id that an address, spelled as `address_of` does, holds: a page's, or its profile's. None when it is a
    name."""
    last = address.removeprefix(f"{HOST_URL}/")
    return last if _DIGITS.fullmatch(last) else None


class PageId(ParsedText, pattern=r"\d+", called="a page's id of digits", example="123456789012345", max_length=25):
    """A page by its id, which is not that of its profile."""


def _spell_url(text: str) -> str:
    if "/" not in text:  # a name, or a site of the page's owner
        raise ValueError
    return address_of(text)


class PageAddress(
    ParsedText, spell=_spell_url, called=f"the address of a page at {HOST_URL}", example=_EXAMPLE, max_length=2000
):
    """A page's address in its one spelling. Of all forms that carry an id, that id is the address."""


class PageSlug(ParsedText, spell=address_of, called="a page's name as in its address, such as nasa", max_length=2000):
    """A page's name, brought into the spelling of `PageAddress`: both ask for the same page."""


def refuse_walls(wire: Wire) -> None:
    """ProviderError "blocked" for the check of browsers, the login, and the page that stands for an error; "refused"
    for any other status that is no success. 404 and 410 pass, for the caller to tell what they mean."""
    head = wire.body[:_MARKS_WITHIN]
    if _CHALLENGE in head:
        raise _blocked("returned a browser check")
    if _leads_to_login(wire):
        raise _blocked("shows this only to logged-in users")
    if len(wire.body) <= _ERROR_PAGE_BYTES and _ERROR_ROOT in head:
        raise _blocked("is blocking this address")
    if wire.status not in (200, 404, 410):
        if wire.status == 403 and (wall := wall_in(wire, NAME)) is not None:
            raise wall
        cause = "is rate-limiting this address" if wire.status == 429 else "rejected the request"
        raise ProviderError(
            f"{NAME} {cause} (status {wire.status}).", reason="refused", retry_after_s=retry_after_s(wire)
        )


def login_wall() -> ProviderError:
    """The error for a page that is the login's although no address says so."""
    return _blocked("shows this only to logged-in users")


def blobs_of(page: Element, *words: str) -> Iterator[Any]:
    """The values of those JSON scripts of a page that hold one of the words; what is no JSON is a loss."""
    for node in page.node.css('script[type="application/json" i]')[:MAX_SCRIPTS]:
        text = node.text()
        if any(word in text for word in words):
            try:
                yield parse_json(text.encode("utf-8", "replace"))
            except ValueError:
                lose("application/json")


def objects_with(value: Any, *names: str) -> Iterator[dict[str, Any]]:
    """All objects that have one of the names as a member, outer ones first; what is within such a member is not looked
    through."""
    level, left = [value], MAX_VALUES
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for node in level:
            if isinstance(node, list):
                inner += [child for child in node if isinstance(child, list | dict)]
            elif isinstance(node, dict):
                if any(name in node for name in names):
                    yield node
                inner += [child for name, child in node.items() if name not in names and isinstance(child, list | dict)]
        left -= len(inner)
        if not inner or left < 0:
            return
        level = inner


async def find_page_id(net: Net, address: str) -> str:
    """The id of the page at an address: by the plug-in that sites embed, else by the page itself; kept for a day.

    Absent when the network says that there is no such page, or that it is a person's; ProviderError as `refuse_walls`,
    and "changed" when the page tells no id.
    """
    ids: Kept[str, str] = Kept.of(net, "page ids")
    return await ids.get(address, partial(_look_for_id, net, address), lasts_s=PAGE_ID_LASTS_S)


def plugin_url(address: str) -> str:
    """The plug-in that shows the page on other sites."""
    return f"{HOST_URL}/plugins/page.php?href={quote(address, safe='')}"


def id_in_plugin(wire: Wire) -> str | None:
    """The page's id, as the plug-in links to it: `facebook.com/<id>?ref=embed_page`."""
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
    """The page's id, as its own page tells it. Absent when that says that there is nothing, or a person; ProviderError
    as `refuse_walls`, and "blocked" for a page without a title of its own, which is the login's."""
    refuse_walls(wire)
    if wire.status != 200:
        raise Absent(f"{NAME} reports that the page does not exist.")
    text = wire.body.decode("utf-8", "replace").replace('\\"', '"')
    if any(mark in text for mark in _GONE):
        raise Absent(f"{NAME} reports that the page does not exist or is not public.")
    found = _DELEGATE.search(text) or _ASSOCIATED.search(text)
    if found is not None:
        return found[1]
    if _PERSON.search(text):
        raise Absent("This is the profile of a person or something else, and not a page.")
    if not html_of(wire).has('meta[property="og:title"]'):
        raise login_wall()
    return None


async def _look_for_id(net: Net, address: str) -> str:
    try:
        plugin = await net.get(plugin_url(address), ok_on=ANY_STATUS, absent_on=(), follow=False)
        found = await net.read(id_in_plugin, plugin) if plugin.status == 200 else None
    except ExtractionError:  # the page may tell all the same
        found = None
    if found is None:
        page = await net.get(address, ok_on=ANY_STATUS, absent_on=())
        found = await net.read(id_in_page, page)
    if found is None:
        raise ProviderError(f"{NAME} shows the page without its id.", reason="changed")
    return found


def _carried_or_named(segments: list[str]) -> str:
    """Of `/people/<name>/<id>`, `/pages/<name>/<id>`, `/pages/category/<kind>/<name>-<id>`, `/p/<name>-<id>` and
    `/pg/<name>`."""
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
