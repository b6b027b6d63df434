"""The fetched icons of a site: the icons that it names, and the icons at the URLs where browsers look for them.

Only the requested host is contacted. Response format: docs/upstreams/logo.md.
"""

import asyncio
import base64
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import unquote_to_bytes, urljoin

from webquarry.core.errors import ConversionFailed, ExtractionError, ProviderError, ServiceError, UnsafeTarget
from webquarry.core.types import Deadline, Domain, Provider, Wire
from webquarry.extractors.brand.sources.named_icons import Icon, PageIcons, list_once, read_manifest, read_page
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.browser import plain_headers
from webquarry.read.block_pages import vendor_mark

PROVIDER = Provider(
    name="site_icons",
    title="The site itself",
    browser_headers=plain_headers(),
    callers_choose=True,
)
MAX_PAGE_BYTES: Final = 1_000_000
MAX_ICON_BYTES: Final = 1_000_000
MAX_ICONS: Final = 12
"""Maximum number of a site's icons that are fetched. The most promising icons are fetched first."""
PAGE_S: Final = 10.0
ICON_S: Final = 6.0
AT_ONCE: Final = 6
ACCEPT_ICON: Final = "image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8"
ACCEPT_MANIFEST: Final = "application/manifest+json, application/json, */*"
FIXED: Final = (
    ("/apple-touch-icon.png", "apple-touch-icon"),
    ("/apple-touch-icon-precomposed.png", "apple-touch-icon"),
    ("/favicon.ico", "favicon.ico"),
)
"""Paths that browsers request from every site, and the source that each image counts as."""

_USUAL_SIDE: Final = {"apple-touch-icon": 180, "manifest": 192, "json-ld": 112, "meta-logo": 112, "link-icon": 32}
"""Usual side in pixels of an icon without declared sizes, by source.

This decides which icons are fetched if there are more than `MAX_ICONS`.
"""
_WALL_STATUS: Final = frozenset({401, 403, 429, 503})


class Found:
    """The result for one icon: its bytes, or a note on why they are missing."""

    def __init__(self, icon: Icon, wire: Wire | None = None, note: str | None = None, body: bytes = b"") -> None:
        self.icon = icon
        self.wire = wire
        self.note = note
        self.body = body or (wire.body if wire else b"")
        self.content_type = wire.content_type or None if wire else None


class Site:
    """The icons found at a site.

    failure: the reason why the site's page could not be used. The fixed paths are still requested, unless the site is
    down.
    """

    def __init__(self, wire: Wire | None, failure: ServiceError | None, found: list[Found]) -> None:
        self.wire = wire
        self.failure = failure
        self.found = found


async def visit(domain: Domain, size: int, net: Net, deadline: Deadline) -> Site:
    """Fetch the site's page, the icons that it names and the icons at the fixed paths.

    Failures are returned in `Site` and `Found` instead of being raised.
    """
    wire, failure = await _page(domain, net, deadline)
    named = PageIcons(icons=[], manifest=None)
    if wire is not None and failure is None:
        try:
            named = await net.read(read_page, wire)
        except (ConversionFailed, ProviderError) as exc:
            failure = exc
    home = wire.url if wire is not None else f"https://{domain.host}/"
    if _is_down(failure):
        return Site(None, failure, [])
    icons = named.icons
    if named.manifest:
        icons = [*icons, *await _read_manifest_icons(named.manifest, net, deadline)]
    fixed = [Icon(url=urljoin(home, path), source=source) for path, source in FIXED]
    return Site(wire, failure, await fetch_all(choose(icons, fixed, size), net, deadline))


def choose(icons: Iterable[Icon], fixed: Iterable[Icon], size: int) -> list[Icon]:
    """Return the icons to fetch: the fixed paths, and the icons most likely to have the requested size."""
    fixed = list(fixed)
    named = list_once(icons)
    known = {icon.url for icon in named}
    rest = [icon for icon in fixed if icon.url not in known]
    promising = sorted(named, key=lambda icon: _promise(icon, size))  # stable: equal icons keep the page's order
    chosen = promising[: MAX_ICONS - len(rest)]
    return [*(icon for icon in named if icon in chosen), *rest]


async def fetch_all(icons: Iterable[Icon], net: Net, deadline: Deadline) -> list[Found]:
    """Fetch the icons and return their results in order."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(icon: Icon) -> Found:
        if icon.url.startswith("data:"):
            return _within_page(icon)
        async with turns:
            return await fetch_icon(icon, net, deadline)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(icon)) for icon in icons]
    return [task.result() for task in tasks]


async def fetch_icon(icon: Icon, net: Net, deadline: Deadline, **options: Any) -> Found:
    """Fetch one icon. Return its bytes without checking them, or the reason why they are missing."""
    try:
        async with deadline.within(ICON_S).bound():
            wire = await net.get(
                icon.url,
                accept=ACCEPT_ICON,
                ok_on=ANY_STATUS,
                absent_on=(),
                max_bytes=MAX_ICON_BYTES,
                truncate=True,
                **options,
            )
    except TimeoutError:
        return Found(icon, note="It did not arrive in time.")
    except UnsafeTarget:
        return Found(icon, note="Its URL can't be fetched.")
    except ExtractionError as exc:
        return Found(icon, note=exc.message)
    if wire.status != 200:
        return Found(icon, note=f"The server responded with status {wire.status}.")
    if wire.truncated:
        return Found(icon, note=f"It is larger than {MAX_ICON_BYTES:,} bytes.")
    return Found(icon, wire) if wire.body else Found(icon, note="It is empty.")


async def _page(domain: Domain, net: Net, deadline: Deadline) -> tuple[Wire | None, ServiceError | None]:
    """Return the host's home page.

    If the host is down, return the page of the host's other name, with or without `www.`.
    """
    wire, failure = await _ask(f"https://{domain.host}/", net, deadline)
    if _is_down(failure):
        host = domain.host
        has_www = host.startswith("www.") and host != domain.registrable
        twin, twin_failure = await _ask(
            f"https://{host.removeprefix('www.') if has_www else f'www.{host}'}/", net, deadline
        )
        if twin is not None:
            return twin, twin_failure
    return wire, failure


async def _ask(url: str, net: Net, deadline: Deadline) -> tuple[Wire | None, ServiceError | None]:
    try:
        async with deadline.within(PAGE_S).bound():
            wire = await net.get(url, ok_on=ANY_STATUS, absent_on=(), max_bytes=MAX_PAGE_BYTES, truncate=True)
            is_block_page = wire.status in _WALL_STATUS or await net.read(vendor_mark, wire) is not None
    except TimeoutError:
        return None, ProviderError("The site did not respond in time.", reason="timeout")
    except (ExtractionError, UnsafeTarget) as exc:
        return None, exc
    if is_block_page:
        return wire, ProviderError(f"The site rejects this service (status {wire.status}).", reason="blocked")
    if wire.status >= 400:
        return wire, ProviderError(f"The site responded with status {wire.status}.", reason="refused")
    return wire, None


async def _read_manifest_icons(url: str, net: Net, deadline: Deadline) -> list[Icon]:
    try:
        async with deadline.within(ICON_S).bound():
            wire = await net.get(url, accept=ACCEPT_MANIFEST, absent_on=(), max_bytes=MAX_PAGE_BYTES)
            return await net.read(read_manifest, wire)
    except (TimeoutError, ExtractionError, UnsafeTarget):  # the page's icons are sufficient
        return []


def _is_down(failure: ServiceError | None) -> bool:
    return failure is not None and failure.reason in ("down", "timeout", "unavailable")


def _within_page(icon: Icon) -> Found:
    head, _, written = icon.url.partition(",")
    try:
        body = unquote_to_bytes(written)
        body = base64.b64decode(body, validate=False) if head.lower().endswith(";base64") else body
    except ValueError:
        body = b""
    return Found(icon, body=body) if body else Found(icon, note="It is empty.")


def _promise(icon: Icon, size: int) -> tuple[bool, bool, int]:
    """Return a sort key that puts the most promising icons first: large enough icons, then the icons closest in
    size.
    """
    if icon.source in ("mask-icon", "og-image"):
        return (True, True, 0)
    side = size if icon.is_scalable else icon.declared_side or _USUAL_SIDE.get(icon.source, 32)
    return (False, side < size, side - size if side >= size else -side)
