"""The icons that a site names itself: link tags, manifest, linked data, and the addresses at which browsers look.

No third party: the asked host answers for itself. Wire notes: docs/upstreams/logo.md.
"""

import asyncio
import base64
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import unquote_to_bytes, urljoin

from pydantic import BaseModel

from webquarry.errors import ConversionFailed, ExtractionError, ProviderError, ServiceError, UnsafeTarget
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.browser import plain_headers
from webquarry.read import at, each, json_of
from webquarry.read.embedded import Metas, linked_data, types_of
from webquarry.read.html import Element, absolute, html_of
from webquarry.read.walls import vendor_mark
from webquarry.types import Deadline, Domain, Provider, Wire

PROVIDER = Provider(
    name="site_icons",
    title="The site itself",
    browser_headers=plain_headers(),
    callers_choose=True,
)
MAX_PAGE_BYTES: Final = 1_000_000
MAX_ICON_BYTES: Final = 1_000_000
MAX_DATA_URL: Final = 200_000
"""Characters of a picture that stands in the page itself."""
MAX_ICONS: Final = 12
"""Pictures of a site that are fetched, those that promise most."""
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
"""Where browsers look whatever the page says, and the source that such a picture counts as."""

_RELS: Final = {
    "apple-touch-icon": "apple-touch-icon",
    "apple-touch-icon-precomposed": "apple-touch-icon",
    "icon": "link-icon",
    "fluid-icon": "link-icon",
    "mask-icon": "mask-icon",
}
"""What a token of `rel` makes of a link, the most telling first."""
_USUAL_SIDE: Final = {"apple-touch-icon": 180, "manifest": 192, "json-ld": 112, "meta-logo": 112, "link-icon": 32}
"""What a picture of a source usually measures when nothing says more: where the fetched ones are cut, it decides."""
_MAX_LINKS: Final = 500
_SIZES = re.compile(r"([0-9]{1,5})[xX×]([0-9]{1,5})")
_WALL_STATUS: Final = frozenset({401, 403, 429, 503})
_ORGANISATIONS: Final = frozenset(
    {"Organization", "Corporation", "LocalBusiness", "OnlineBusiness", "OnlineStore", "Store", "Brand", "Airline"}
)


class Icon(BaseModel):
    """A picture that a site names.

    url: absolute, or `data:` with the picture itself; sizes: as declared; is_mono: of one colour, to be used as a mask.
    """

    url: str
    source: str
    sizes: str | None = None

    @property
    def is_mono(self) -> bool:
        return self.source == "mask-icon"

    @property
    def declared_side(self) -> int | None:
        """The longest declared side in pixels; None when none is declared, or any fits."""
        sides = [max(int(width), int(height)) for width, height in _SIZES.findall((self.sizes or "")[:200])]
        return max(sides, default=None)

    @property
    def is_scalable(self) -> bool:
        """Whether it says that it is sharp at any size."""
        path = self.url.partition("?")[0].lower()
        is_vector = path.endswith(".svg") or path.startswith("data:image/svg")
        return is_vector or "any" in (self.sizes or "").lower().split()

    @property
    def shown_url(self) -> str:
        """The address, of a picture within the page its kind alone."""
        return self.url.partition(",")[0][:80] if self.url.startswith("data:") else self.url


class PageIcons(BaseModel):
    """The icons that a page names, in its order, and the address of its manifest."""

    icons: list[Icon]
    manifest: str | None


class Found:
    """What came of one icon: its bytes, or a note on why there are none."""

    def __init__(self, icon: Icon, wire: Wire | None = None, note: str | None = None, body: bytes = b"") -> None:
        self.icon = icon
        self.wire = wire
        self.note = note
        self.body = body or (wire.body if wire else b"")
        self.content_type = wire.content_type or None if wire else None


def read_page(wire: Wire) -> PageIcons:
    """All icons that a page names; whatever it is, at worst none."""
    page = html_of(wire)
    links = list(_links(page))
    icons = [*(icon for link, rels in links if (icon := _link_icon(link, rels, page.base))), *_logos(page)]
    hrefs = (link.attributes.get("href") for link, rels in links if "manifest" in rels)
    manifest = next((url for href in hrefs if href and (url := absolute(href, page.base))), None)
    return PageIcons(icons=_once(icons), manifest=manifest)


def read_manifest(wire: Wire) -> list[Icon]:
    """The icons of a web manifest but for those of one colour. ProviderError (changed) when it is no JSON."""
    manifest = json_of(wire)
    found = []
    for entry in each(manifest, "icons[]"):
        src, purpose = at(entry, "src", str), _text(entry, "purpose")
        if src is None or set((purpose or "any").lower().split()) == {"monochrome"}:
            continue
        if url := _address(src, wire.url):
            found.append(Icon(url=url, source="manifest", sizes=_text(entry, "sizes")))
    return _once(found)


class Site:
    """What a site gave. failure: why its page told nothing; the fixed addresses are asked all the same."""

    def __init__(self, wire: Wire | None, failure: ServiceError | None, found: list[Found]) -> None:
        self.wire = wire
        self.failure = failure
        self.found = found


async def visit(domain: Domain, size: int, net: Net, deadline: Deadline) -> Site:
    """The site's page, and the pictures that it names or keeps where browsers look. Failures are values."""
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
        icons = [*icons, *await _manifest_icons(named.manifest, net, deadline)]
    fixed = [Icon(url=urljoin(home, path), source=source) for path, source in FIXED]
    return Site(wire, failure, await fetch_all(choose(icons, fixed, size), net, deadline))


def choose(icons: Iterable[Icon], fixed: Iterable[Icon], size: int) -> list[Icon]:
    """Which icons are worth fetching: those that promise the size asked for, and always the fixed addresses."""
    fixed = list(fixed)
    named = _once(icons)
    known = {icon.url for icon in named}
    rest = [icon for icon in fixed if icon.url not in known]
    promising = sorted(named, key=lambda icon: _promise(icon, size))  # stable: of equals, the page's order
    chosen = promising[: MAX_ICONS - len(rest)]
    return [*(icon for icon in named if icon in chosen), *rest]


async def fetch_all(icons: Iterable[Icon], net: Net, deadline: Deadline) -> list[Found]:
    """What came of each, in their order."""
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
    """The bytes of one picture, whatever they are, or why there are none."""
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
        return Found(icon, note="Its address may not be fetched.")
    except ExtractionError as exc:
        return Found(icon, note=exc.message)
    if wire.status != 200:
        return Found(icon, note=f"It is answered with status {wire.status}.")
    if wire.truncated:
        return Found(icon, note=f"It is larger than {MAX_ICON_BYTES:,} bytes.")
    return Found(icon, wire) if wire.body else Found(icon, note="It is empty.")


async def _page(domain: Domain, net: Net, deadline: Deadline) -> tuple[Wire | None, ServiceError | None]:
    """The home page of the host; of its twin with or without `www.` when no connection to it stands."""
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
            is_wall = wire.status in _WALL_STATUS or await net.read(vendor_mark, wire) is not None
    except TimeoutError:
        return None, ProviderError("The site did not answer in time.", reason="timeout")
    except (ExtractionError, UnsafeTarget) as exc:
        return None, exc
    if is_wall:
        return wire, ProviderError(f"The site turns this service away (status {wire.status}).", reason="blocked")
    if wire.status >= 400:
        return wire, ProviderError(f"The site answered with status {wire.status}.", reason="refused")
    return wire, None


async def _manifest_icons(url: str, net: Net, deadline: Deadline) -> list[Icon]:
    try:
        async with deadline.within(ICON_S).bound():
            wire = await net.get(url, accept=ACCEPT_MANIFEST, absent_on=(), max_bytes=MAX_PAGE_BYTES)
            return await net.read(read_manifest, wire)
    except (TimeoutError, ExtractionError, UnsafeTarget):  # the page's own icons are there without it
        return []


def _is_down(failure: ServiceError | None) -> bool:
    return failure is not None and failure.reason in ("down", "timeout", "unavailable")


def _links(page: Element) -> Iterator[tuple[Any, frozenset[str]]]:
    for node in page.node.css("link[rel]")[:_MAX_LINKS]:
        yield node, frozenset((node.attributes.get("rel") or "").lower().split())


def _link_icon(link: Any, rels: frozenset[str], base: str) -> Icon | None:
    source = next((source for rel, source in _RELS.items() if rel in rels), None)
    url = _address(link.attributes.get("href") or "", base) if source else None
    if source is None or url is None:
        return None
    if "mask" in link.attributes:  # how masks were marked before they had a `rel` of their own
        source = "mask-icon"
    return Icon(url=url, source=source, sizes=(link.attributes.get("sizes") or "").strip()[:200] or None)


def _logos(page: Element) -> Iterator[Icon]:
    """What linked data and meta tags call the logo, and last the page's picture for sharing."""
    for node in linked_data(page):
        if any(name in _ORGANISATIONS or name.endswith("Organization") for name in types_of(node)):
            for url in _urls(node.get("logo")):
                if address := _address(url, page.base):
                    yield Icon(url=address, source="json-ld")
    metas = Metas.of(page)
    for names, source in ((("og:logo", "logo"), "meta-logo"), (("og:image", "og:image:url"), "og-image")):
        value = metas.first(*names)
        if value and (address := _address(value, page.base)):
            yield Icon(url=address, source=source)
    for marked in page.node.css('link[itemprop~="logo"][href], img[itemprop~="logo"][src]')[:5]:
        value = marked.attributes.get("href") or marked.attributes.get("src") or ""
        if address := _address(value, page.base):
            yield Icon(url=address, source="meta-logo")


def _urls(logo: Any) -> Iterator[str]:
    """The addresses of a logo: a text, an ImageObject, or a list of these."""
    for one in logo[:5] if isinstance(logo, list) else [logo]:
        found = (one.get("url") or one.get("contentUrl")) if isinstance(one, dict) else one
        if isinstance(found, str):
            yield found


def _address(href: str, base: str) -> str | None:
    """The absolute address; a picture within the page as it stands."""
    href = href.strip()
    if href[:11].lower() == "data:image/":
        return f"data:image/{href[11:]}" if len(href) <= MAX_DATA_URL else None
    return absolute(href, base) if href else None


def _within_page(icon: Icon) -> Found:
    head, _, written = icon.url.partition(",")
    try:
        body = unquote_to_bytes(written)
        body = base64.b64decode(body, validate=False) if head.lower().endswith(";base64") else body
    except ValueError:
        body = b""
    return Found(icon, body=body) if body else Found(icon, note="It is empty.")


def _once(icons: Iterable[Icon]) -> list[Icon]:
    """Each address once: of those that several name, the first."""
    return list({icon.url: icon for icon in reversed(list(icons))}.values())[::-1]


def _promise(icon: Icon, size: int) -> tuple[bool, bool, int]:
    """Sorts what promises most to the front: what is large enough, by how little it is too large."""
    if icon.source in ("mask-icon", "og-image"):
        return (True, True, 0)
    side = size if icon.is_scalable else icon.declared_side or _USUAL_SIDE.get(icon.source, 32)
    return (False, side < size, side - size if side >= size else -side)


def _text(entry: Any, name: str) -> str | None:
    """An optional text of an entry, whose absence is no loss."""
    value = entry.get(name) if isinstance(entry, dict) else None
    return value if isinstance(value, str) else None
