"""Parser for the files in which sites list their addresses: sitemaps and their indexes, RSS and Atom feeds, plain text.

The parser runs in child processes. Its time is linear in the size of the file, and all contents of a file are limited:
bytes after decompression, elements, entries and nesting. From a damaged file, the entries before the damage are used.
"""

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, NamedTuple
from urllib.parse import urljoin

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.xml import get_local_name, walk
from webquarry_convert.text import instants
from webquarry_convert.text.charset import decode

Form = Literal["sitemap", "index", "feed", "text"]
MAX_INFLATED: Final = 50 * 1024 * 1024
"""Maximum size of a file in bytes after decompression, according to sitemaps.org."""
MAX_ENTRIES: Final = 50_000
"""Maximum number of entries in a file, according to sitemaps.org."""
MAX_ELEMENTS: Final = 1_000_000
"""Maximum number of elements that are read: 20 for each entry of a full sitemap."""
MAX_ADDRESS: Final = 4096
MAX_TITLE: Final = 300
_STEP: Final = 64 * 1024
_GZIP: Final = b"\x1f\x8b"
_ITEMS: Final[Mapping[str, tuple[Form, str]]] = {
    "urlset": ("sitemap", "url"),
    "sitemapindex": ("index", "sitemap"),
    "rss": ("feed", "item"),
    "RDF": ("feed", "item"),
    "feed": ("feed", "entry"),
}
"""Root elements with the form of the file and the name of its entries."""
_FIELDS: Final[Mapping[str, str]] = {
    "loc": "url",
    "link": "url",
    "lastmod": "lastmod",
    "pubDate": "lastmod",
    "updated": "lastmod",
    "date": "lastmod",
    "published": "lastmod",
    "title": "title",
    "priority": "priority",
}
_BARE_AMPERSAND: Final = re.compile(rb"&(?!#?[A-Za-z0-9]{1,31};)")
_LINE: Final = re.compile(r"^[ \t\ufeff]*+(https?://\S++)[ \t\r]*+$", re.IGNORECASE | re.MULTILINE)


class Entry(NamedTuple):
    """An absolute address that a file lists.

    lastmod: an instant or a date (RFC 3339). priority: from 0 to 1; 0.5 if the file has none.
    """

    url: str
    lastmod: str | None = None
    title: str | None = None
    priority: float = 0.5


@dataclass(slots=True)
class Listing:
    """The entries of a file: pages, or further files if the form is `index`.

    is_cut: the file has more entries than the limits allow. fault: why reading stopped early (a sentence without a full
    stop).
    """

    form: Form
    entries: list[Entry] = field(default_factory=list)
    is_cut: bool = False
    fault: str | None = None


class NoListing(Exception):
    """The file is not a sitemap or a feed."""


def read_listing(body: bytes, url: str, most: int = MAX_ENTRIES) -> Listing:
    """Return the first `most` entries of a file that was fetched from `url`. Raises NoListing."""
    body, is_cut, fault = _inflate(body)
    start = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    looks_like_xml = start.startswith((b"<", b"\xff\xfe", b"\xfe\xff"))
    listing = _read_xml(body, url, most) if looks_like_xml else _read_text(body, most)
    listing.is_cut = listing.is_cut or is_cut
    listing.fault = listing.fault or fault
    return listing


def _inflate(body: bytes) -> tuple[bytes, bool, str | None]:
    """Return the decompressed bytes, whether they were truncated, and the fault in the compression or None."""
    if not body.startswith(_GZIP):
        return body[:MAX_INFLATED], len(body) > MAX_INFLATED, None
    decoder = zlib.decompressobj(wbits=31)
    try:
        inflated = decoder.decompress(body, MAX_INFLATED)
    except zlib.error:
        return _inflate_start(body), False, "its compression is damaged"
    if decoder.unconsumed_tail:
        return inflated, True, None
    return inflated, False, None if decoder.eof else "it ends early"


def _inflate_start(body: bytes) -> bytes:
    """Return the bytes before the damage."""
    decoder, pieces, size = zlib.decompressobj(wbits=31), [], 0
    try:
        for at in range(0, len(body), _STEP):
            pieces.append(decoder.decompress(body[at : at + _STEP], MAX_INFLATED - size))
            size += len(pieces[-1])
            if size >= MAX_INFLATED or decoder.unconsumed_tail:
                break
    except zlib.error:
        pass
    return b"".join(pieces)


def _read_text(body: bytes, most: int) -> Listing:
    """Read one address per line."""
    listing = Listing("text")
    text = decode(body, "text/plain").text.lstrip("\ufeff \t\r\n")
    if _LINE.match(text) is None:
        raise NoListing
    for line in _LINE.finditer(text):
        if len(line[1]) > MAX_ADDRESS:
            continue
        if len(listing.entries) == min(most, MAX_ENTRIES):
            listing.is_cut = True
            break
        listing.entries.append(Entry(line[1]))
    return listing


def _read_xml(body: bytes, url: str, most: int) -> Listing:
    """Read XML. If the XML is damaged, read it once more with bare ampersands escaped, and return the better result."""
    listing = _walk(body, url, most)
    if listing.fault is not None and b"<![CDATA[" not in body and _BARE_AMPERSAND.search(body):
        repaired = _walk(_BARE_AMPERSAND.sub(b"&amp;", body), url, most)
        listing = repaired if len(repaired.entries) > len(listing.entries) else listing
    return listing


def _walk(body: bytes, url: str, most: int) -> Listing:
    walker = _Walker(url, min(most, MAX_ENTRIES))
    fault = None
    try:
        walk((body[at : at + _STEP] for at in range(0, len(body), _STEP)), walker)
    except _Enough:
        walker.is_cut = True
    except ConversionFailed:
        fault = "its XML is damaged"
    if walker.form is None:
        raise NoListing
    return Listing(walker.form, walker.entries, walker.is_cut, fault)


class _Enough(Exception):
    """A limit is reached."""


class _Walker:
    """Collects entries from elements and strings."""

    def __init__(self, base: str, most: int) -> None:
        self.form: Form | None = None
        self.entries: list[Entry] = []
        self.is_cut = False
        self._base = base
        self._most = most
        self._elements = 0
        self._path: list[str] = []
        self._item = ""
        self._item_depth = 0
        self._found: dict[str, str] = {}
        self._field = ""
        self._field_depth = 0
        self._text: list[str] = []
        self._size = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._elements += 1
        if self._elements > MAX_ELEMENTS:
            raise _Enough
        name = get_local_name(tag)
        self._path.append(name)
        if len(self._path) == 1:
            if name not in _ITEMS:
                raise NoListing
            self.form, self._item = _ITEMS[name]
        elif self._item_depth:
            self._begin_field(name, attributes)
        elif name == self._item:
            self._item_depth, self._found = len(self._path), {}

    def end(self, tag: str) -> None:
        if self._field and len(self._path) == self._field_depth:
            if text := "".join(self._text).strip():
                self._found.setdefault(self._field, text)
            self._field = ""
        if self._item_depth == len(self._path):
            self._item_depth = 0
            self._keep()
        self._path.pop()

    def data(self, text: str) -> None:
        if self._field and self._size <= MAX_ADDRESS:
            self._text.append(text)
            self._size += len(text)

    def _begin_field(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin a field of the open entry. Titles of news are one level deeper than the others."""
        depth = len(self._path) - self._item_depth
        is_news = depth == 2 and self._path[-2] == "news" and name == "title"
        if (depth != 1 and not is_news) or name not in _FIELDS or self._field:
            return
        if name == "link" and self._item == "entry":
            if attributes.get("rel", "alternate") == "alternate":
                self._found.setdefault("url", attributes.get("href", ""))
            return
        self._field, self._field_depth = _FIELDS[name], len(self._path)
        self._text, self._size = [], 0

    def _keep(self) -> None:
        written = self._found.get("url", "")
        if not written or len(written) > MAX_ADDRESS:
            return
        if len(self.entries) == self._most:
            raise _Enough
        try:
            address = urljoin(self._base, written)
        except ValueError:
            return
        title = " ".join(self._found.get("title", "").split())[:MAX_TITLE]
        self.entries.append(
            Entry(address, read_lastmod(self._found.get("lastmod", "")), title or None, self._read_priority())
        )

    def _read_priority(self) -> float:
        text = self._found.get("priority", "")
        return min(1.0, float(text)) if re.fullmatch(r"[01](?:\.[0-9]{1,4})?", text, re.ASCII) else 0.5


def read_lastmod(text: str) -> str | None:
    """Return an instant or a date in the form of RFC 3339, or None if the text is neither."""
    found = instants.parse(text) if text else None
    if found is None:
        return None
    return instants.rfc3339(found) if isinstance(found, datetime) else found.isoformat()
