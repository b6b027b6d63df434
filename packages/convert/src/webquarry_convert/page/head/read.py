"""Reads a page's metadata. Each field comes from the first place that has a value."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from webquarry_convert.links import join_address
from webquarry_convert.page.head import language
from webquarry_convert.page.head.authors import find_authors
from webquarry_convert.page.head.changes import find_modified, find_published
from webquarry_convert.page.head.fields import Found, clean_text, read_text_at
from webquarry_convert.page.head.places import MAX_HEADINGS, Places
from webquarry_convert.page.head.title import find_site_name, list_host_labels, make_key, strip_site_name

MAX_FEEDS = 20
_OG_KINDS: Mapping[str, str] = {
    "article": "article",
    "blog": "article",
    "product": "product",
    "product.item": "product",
    "product.group": "listing",
    "og:product": "product",
}


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed that the page links to. form: `rss`, `atom` or `json`."""

    url: str
    title: str | None
    form: str


@dataclass(frozen=True, slots=True)
class Head:
    """Metadata of a page.

    Texts are plain, URLs are absolute, and dates are instants (`…Z`) or dates without a time. Missing values are None.

    sources: the source of each field (`json-ld`, a meta name, an element, `beside h1`, `url`).
    """

    title: str | None = None
    description: str | None = None
    language: str | None = None
    canonical_url: str | None = None
    site_name: str | None = None
    author: str | None = None
    published_at: str | None = None
    modified_at: str | None = None
    kind: str | None = None
    image_url: str | None = None
    favicon_url: str | None = None
    feeds: tuple[Feed, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)


def read_head(places: Places, url: str | None) -> Head:
    """Read the metadata of a page. url: the page's URL after redirects."""
    return _Reader(places, url).head()


class _Reader:
    """Reads the metadata fields of one page."""

    def __init__(self, places: Places, url: str | None) -> None:
        self._places = places
        self._url = url
        self._base = places.base_of(url)
        self._path = _get_path(url)
        self._is_home = self._path == "/"
        self._sources: dict[str, str] = {}

    def head(self) -> Head:
        first, places, stated = self._take_first, self._places, self._places.description
        labels = list_host_labels(self._url)
        site_name = first("site_name", self._find_site_names())
        found_title = first("title", self._titles(site_name, labels))
        title = None
        if found_title is not None:
            names = [*labels, *([site_name] if site_name else [])]
            title = strip_site_name(found_title, self._list_titles(), names, is_home=self._is_home)
            if site_name is None:
                site_name = first("site_name", [("title", find_site_name(found_title, title, labels))])
        description = first("description", self._find_descriptions())
        spoken = first("language", self._find_languages(title, description))
        author = first("author", find_authors(places, spoken))
        published = first("published_at", find_published(places, self._path))
        modified = first("modified_at", find_modified(places))
        return Head(
            title=title,
            description=description,
            language=spoken,
            canonical_url=first(
                "canonical_url",
                [
                    ("link[rel=canonical]", join_address(self._base, places.canonical)),
                    ("og:url", join_address(self._base, places.meta("og:url"))),
                ],
            ),
            site_name=site_name,
            author=author,
            published_at=published,
            modified_at=modified,
            kind=first(
                "kind",
                [("json-ld", stated.kind), ("og:type", _OG_KINDS.get((places.meta("og:type") or "").strip().lower()))],
            ),
            image_url=first("image_url", self._find_images()),
            favicon_url=first(
                "favicon_url", [("link[rel=icon]", join_address(self._base, icon)) for icon in places.icons]
            ),
            feeds=self._read_feeds(),
            sources=self._sources,
        )

    def _find_images(self) -> Found:
        for name in ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"):
            yield name, join_address(self._base, self._places.meta(name))
        yield "json-ld", join_address(self._base, self._places.description.text("image", "thumbnailUrl"))

    def _read_feeds(self) -> tuple[Feed, ...]:
        """Return the feeds with distinct URLs."""
        found: dict[str, Feed] = {}
        for address, title, form in self._places.feeds:
            url = join_address(self._base, address)
            if url is not None and len(found) < MAX_FEEDS:
                found.setdefault(url, Feed(url, clean_text(title), form))
        return tuple(found.values())

    def _take_first(self, field: str, candidates: Found) -> str | None:
        for where, value in candidates:
            if value:
                self._sources[field] = where
                return value
        return None

    def _read_meta_texts(self, *names: str) -> Found:
        for name in names:
            yield name, clean_text(self._places.meta(name))

    def _find_site_names(self) -> Found:
        yield from self._read_meta_texts("og:site_name")
        yield "json-ld", clean_text(self._places.description.site_name)
        yield from self._read_meta_texts("application-name", "apple-mobile-web-app-title")

    def _titles(self, site_name: str | None, labels: list[str]) -> Found:
        """Yield titles. The most specific source comes first, and sources that only name the site come last."""
        site = set() if self._is_home else {make_key(site_name)} if site_name else set(labels)
        later = []
        for where, title in self._find_all_titles():
            if title is not None and make_key(title) in site:
                later.append((where, title))
            else:
                yield where, title
        yield from later

    def _find_all_titles(self) -> Found:
        yield from self._read_meta_texts("og:title")
        yield "json-ld", clean_text(self._places.description.text("headline", "name"))
        yield from self._read_meta_texts("twitter:title")
        yield "title", clean_text(self._places.title)
        for place in self._places.headings[:MAX_HEADINGS]:
            yield "h1", clean_text(read_text_at(self._places, place))

    def _list_titles(self) -> Iterator[str]:
        return (title for _, title in self._find_all_titles() if title is not None)

    def _find_descriptions(self) -> Found:
        yield from self._read_meta_texts("description", "og:description")
        yield "json-ld", clean_text(self._places.description.text("description", "abstract"))
        yield from self._read_meta_texts("twitter:description", "dc.description")

    def _find_languages(self, title: str | None, description: str | None) -> Found:
        attributes = self._places.tree[0].attributes
        yield "html[lang]", language.normalise_tag(attributes.get("lang") or attributes.get("xml:lang"))
        for name in ("content-language", "language", "dc.language", "og:locale"):
            yield name, language.normalise_tag(self._places.meta(name))
        yield "json-ld", language.normalise_tag(self._places.description.text("inLanguage"))
        yield "script", language.guess_by_script(f"{title or ''} {description or ''}")


def _get_path(url: str | None) -> str:
    """Return a URL's path, which is at least `/`, or "" if the URL is None."""
    try:
        return (urlsplit(url).path or "/") if url else ""
    except ValueError:
        return ""
