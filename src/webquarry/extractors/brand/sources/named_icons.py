"""The icons that a site names in link tags, in its manifest, in linked data and in meta tags. Pure functions.

Response format: docs/upstreams/logo.md.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from pydantic import BaseModel

from webquarry.core.types import Wire
from webquarry.read import JsonObject, at, each, json_of
from webquarry.read.embedded import Metas, linked_data, types_of
from webquarry.read.html import Element, absolute, html_of
from webquarry.read.losses import lose, read_rows

MAX_DATA_URL: Final = 200_000
"""Maximum length in characters of a `data:` URL with an image."""
_RELS: Final = {
    "apple-touch-icon": "apple-touch-icon",
    "apple-touch-icon-precomposed": "apple-touch-icon",
    "icon": "link-icon",
    "fluid-icon": "link-icon",
    "mask-icon": "mask-icon",
}
"""Source for each token of a link's `rel`, most specific first."""
_MAX_LINKS: Final = 500
_SIZES = re.compile(r"([0-9]{1,5})[xX×]([0-9]{1,5})")
_ORGANISATIONS: Final = frozenset(
    {"Organization", "Corporation", "LocalBusiness", "OnlineBusiness", "OnlineStore", "Store", "Brand", "Airline"}
)


class Icon(BaseModel):
    """An icon that a site names.

    url: absolute, or a `data:` URL with the image itself; sizes: as declared; is_mono: whether it is a single-color
    mask.
    """

    url: str
    source: str
    sizes: str | None = None

    @property
    def is_mono(self) -> bool:
        return self.source == "mask-icon"

    @property
    def declared_side(self) -> int | None:
        """The longest declared side in pixels, or None if no size is declared or any size fits."""
        sides = [max(int(width), int(height)) for width, height in _SIZES.findall((self.sizes or "")[:200])]
        return max(sides, default=None)

    @property
    def is_scalable(self) -> bool:
        """Whether the icon claims to be sharp at any size."""
        path = self.url.partition("?")[0].lower()
        is_vector = path.endswith(".svg") or path.startswith("data:image/svg")
        return is_vector or "any" in (self.sizes or "").lower().split()

    @property
    def shown_url(self) -> str:
        """The icon's URL or, for a `data:` URL, only its media type."""
        return self.url.partition(",")[0][:80] if self.url.startswith("data:") else self.url


class PageIcons(BaseModel):
    """The icons that a page names, in page order, and the URL of its manifest."""

    icons: list[Icon]
    manifest: str | None


def read_page(wire: Wire) -> PageIcons:
    """Return all icons that a page names, or an empty list. Any page can be parsed."""
    page = html_of(wire)
    links = list(_read_links(page))
    icons = [*(icon for link, rels in links if (icon := _link_icon(link, rels, page.base))), *_read_logos(page)]
    hrefs = (link.attributes.get("href") for link, rels in links if "manifest" in rels)
    manifest = next((url for href in hrefs if href and (url := absolute(href, page.base))), None)
    return PageIcons(icons=list_once(icons), manifest=manifest)


def read_manifest(wire: Wire) -> list[Icon]:
    """Return the icons in a web manifest, except single-color icons.

    Raises ProviderError "changed" if the manifest is not JSON.
    """
    coloured = [entry for entry in each(json_of(wire), "icons[]") if not _is_monochrome(entry)]
    return list_once(read_rows(coloured, lambda entry: _read_manifest_icon(entry, wire.url), "icons[]"))


def _is_monochrome(entry: JsonObject) -> bool:
    return set((_read_text(entry, "purpose") or "any").lower().split()) == {"monochrome"}


def _read_manifest_icon(entry: JsonObject, base: str) -> Icon | None:
    url = _read_address(at(entry, "src", str) or "", base)
    return Icon(url=url, source="manifest", sizes=_read_text(entry, "sizes")) if url else None


def _read_links(page: Element) -> Iterator[tuple[Any, frozenset[str]]]:
    for node in page.node.css("link[rel]")[:_MAX_LINKS]:
        yield node, frozenset((node.attributes.get("rel") or "").lower().split())


def _link_icon(link: Any, rels: frozenset[str], base: str) -> Icon | None:
    source = next((source for rel, source in _RELS.items() if rel in rels), None)
    url = _read_address(link.attributes.get("href") or "", base) if source else None
    if source is None or url is None:
        return None
    if "mask" in link.attributes:  # the notation for masks that was used before there was a `rel` for them
        source = "mask-icon"
    return Icon(url=url, source=source, sizes=(link.attributes.get("sizes") or "").strip()[:200] or None)


def _read_logos(page: Element) -> Iterator[Icon]:
    """Yield the logos in linked data and meta tags, and the page's sharing image."""
    for node in linked_data(page):
        if any(name in _ORGANISATIONS or name.endswith("Organization") for name in types_of(node)):
            for url in _read_urls(node.get("logo")):
                if address := _read_address(url, page.base):
                    yield Icon(url=address, source="json-ld")
    metas = Metas.of(page)
    for names, source in ((("og:logo", "logo"), "meta-logo"), (("og:image", "og:image:url"), "og-image")):
        value = metas.first(*names)
        if value and (address := _read_address(value, page.base)):
            yield Icon(url=address, source=source)
    for marked in page.node.css('link[itemprop~="logo"][href], img[itemprop~="logo"][src]')[:5]:
        value = marked.attributes.get("href") or marked.attributes.get("src") or ""
        if address := _read_address(value, page.base):
            yield Icon(url=address, source="meta-logo")


def _read_urls(logo: Any) -> list[str]:
    """Return the URLs of a logo, which is a string, an ImageObject, or a list of these. The list may be empty."""
    logos: list[Any] = logo[:5] if isinstance(logo, list) else [] if logo is None else [logo]
    return read_rows(logos, _read_url, "logo")


def _read_url(logo: Any) -> str | None:
    found = (logo.get("url") or logo.get("contentUrl")) if isinstance(logo, dict) else logo
    return found if isinstance(found, str) else None


def _read_address(href: str, base: str) -> str | None:
    """Return the absolute URL, or a `data:` URL unchanged. Count any other text as dropped and return None."""
    href = href.strip()
    if href[:11].lower() == "data:image/":
        url = f"data:image/{href[11:]}" if len(href) <= MAX_DATA_URL else None
    else:
        url = absolute(href, base) if href else None
    if url is None:
        lose("icon")
    return url


def list_once(icons: Iterable[Icon]) -> list[Icon]:
    """Return the first icon for each URL."""
    return list({icon.url: icon for icon in reversed(list(icons))}.values())[::-1]


def _read_text(entry: Any, name: str) -> str | None:
    """Return an optional string of an entry, without counting a missing string as dropped data."""
    value = entry.get(name) if isinstance(entry, dict) else None
    return value if isinstance(value, str) else None
