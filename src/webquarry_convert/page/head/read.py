"""The metadata of a page, each field from the first of its places that answers."""

import html as entities
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import urlsplit

from webquarry_convert.links import join_address
from webquarry_convert.page.head import byline, dates, language
from webquarry_convert.page.head.places import MAX_HEADINGS, Places, collect_text
from webquarry_convert.page.head.title import find_site_name, list_host_labels, make_key, strip_site_name
from webquarry_convert.text.invisible import strip_invisible
from webquarry_convert.text.markup import strip_unreadable

MAX_TEXT = 2000
MAX_AUTHORS = 20
MAX_REL_AUTHORS = 3
MAX_FEEDS = 20
MAX_SIBLINGS = 20
"""Of a date, among which its label is looked for."""
_TAGS = re.compile(r"</?[A-Za-z][^<>]*>")
_PUBLISHED = (
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
    "datepublished",
    "citation_publication_date",
    "citation_online_date",
    "citation_date",
    "parsely-pub-date",
    "sailthru.date",
    "publish-date",
    "publish_date",
    "publishdate",
    "pubdate",
    "dcterms.created",
    "dcterms.issued",
    "dc.date.issued",
    "dc.date.created",
    "dcterms.date",
    "dc.date",
    "date",
)
_MODIFIED = (
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
    "lastmod",
)
# how the names end that others give the same fields, without their punctuation
_PUBLISHED_ENDS = (
    "publishedtime", "published", "publishedat", "publishdate", "publishtime", "publicationdate", "publisheddate",
    "pubdate", "datepublished", "articledate", "postdate", "releasedate", "createdate", "createat", "datecreated",
)  # fmt: skip
_MODIFIED_ENDS = (
    "modifiedtime", "modified", "modifieddate", "modifydate", "updatedtime", "updatedat", "updateddate", "updateat",
    "dateupdate", "dateupdated", "datemodified", "articleupdated", "updated", "revisiondate", "revised",
)  # fmt: skip
_AUTHORS = (
    "author",
    "article:author",
    "citation_author",
    "parsely-author",
    "sailthru.author",
    "dc.creator",
    "dcterms.creator",
    "byl",
    "article:author_name",
    "og:author",
    "og:article:author",
    "article_author",
    "articleauthor",
    "cxenseparse:author",
)
_OG_KINDS: Mapping[str, str] = {
    "article": "article",
    "blog": "article",
    "product": "product",
    "product.item": "product",
    "product.group": "listing",
    "og:product": "product",
}
_CHANGED = re.compile(r"updat|modif|revis|edited|aktualis|actuali[sz]|mis à jour|更新|修改|обновл", re.IGNORECASE)
# article:author holds a profile's address more often than a name
_ADDRESSES = ("http://", "https://", "@", "/")
_PUNCTUATION = re.compile("[:._-]")


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed that the page names. form: rss, atom or json."""

    url: str
    title: str | None
    form: str


@dataclass(frozen=True, slots=True)
class Head:
    """Metadata of a page. Texts are plain, addresses absolute, instants `…Z` or bare dates; None when not said.

    sources: for each field that is set, where it was found (`json-ld`, a meta name, an element, `beside h1`, `url`).
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


Found = Iterable[tuple[str, str | None]]


def read_head(places: Places, url: str | None) -> Head:
    """The metadata of a page. url: its own address, after redirects."""
    return _Reader(places, url).head()


class _Reader:
    """One reading of a page's places."""

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
        author = first("author", self._authors(spoken))
        published = first("published_at", self._find_published())
        modified = first("modified_at", self._find_modified())
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
        """Each address once."""
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
        """Titles, the most specific place first; those that only name the site come last."""
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
            yield "h1", clean_text(self._read_text_at(place))

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

    def _authors(self, spoken: str | None) -> Found:
        author = clean_text(self._places.description.author)
        yield "json-ld", author and byline.clean_name(author, spoken)
        for name in _AUTHORS:
            yield name, self._read_meta_author(name, spoken)
        if (place := self._places.properties.get("author")) is not None:
            yield "itemprop", self._name(self._name_within(place), spoken)
        for place in self._places.rel_authors[:MAX_REL_AUTHORS]:
            yield "rel=author", self._name(place, spoken)
        yield "byline", self._read_byline(spoken)

    def _name_within(self, author: int) -> int:
        tree = self._places.tree
        within = range(author + 1, tree[author].end)
        return next((at for at in within if tree[at].attributes.get("itemprop") == "name"), author)

    def _read_meta_author(self, name: str, spoken: str | None) -> str | None:
        names = []
        for value in self._places.metas.get(name, ())[:MAX_AUTHORS]:
            author = clean_text(value)
            if author is not None and not author.startswith(_ADDRESSES):
                names.append(byline.clean_name(author, spoken))
        return ", ".join(dict.fromkeys(filter(None, names)))

    def _name(self, place: int, spoken: str | None) -> str | None:
        name = clean_text(
            self._places.tree[place].attributes.get("content") or self._read_text_at(place, byline.MAX_LINE)
        )
        if name is None or len(name) > byline.MAX_NAME_TEXT or name.startswith(_ADDRESSES):
            return None
        return byline.clean_name(name, spoken)

    def _read_byline(self, spoken: str | None) -> str | None:
        """The one name that stands nearest to the heading."""
        for lines in self._places.names:
            names: dict[str, str] = {}
            labelled: dict[str, str] = {}
            for place in lines:
                line = clean_text(self._read_text_at(place, 2 * byline.MAX_LINE))
                if line and (found := byline.find_name(line, spoken)):
                    (labelled if found[1] else names)[make_key(found[0])] = found[0]
            for told_names in (labelled, names):
                if told_names:
                    return next(iter(told_names.values())) if len(told_names) == 1 else None
        return None

    def _find_published(self) -> Found:
        stated = self._places.description.text("datePublished", "uploadDate", "dateCreated")
        yield from _parse_dates([("json-ld", stated), *self._read_meta_dates(_PUBLISHED)])
        yield from _parse_dates(self._read_meta_dates_ending(_PUBLISHED_ENDS))
        yield from _parse_dates([("itemprop", self._read_property_date("datePublished", "dateCreated"))])
        yield "beside h1", self._find_date_line(is_change=False)
        day = dates.find_date_in_path(self._path)
        yield "url", None if day is None else day.isoformat()

    def _find_modified(self) -> Found:
        stated = self._places.description.text("dateModified")
        yield from _parse_dates([("json-ld", stated), *self._read_meta_dates(_MODIFIED)])
        yield from _parse_dates(self._read_meta_dates_ending(_MODIFIED_ENDS))
        yield from _parse_dates([("itemprop", self._read_property_date("dateModified"))])
        yield "beside h1", self._find_date_line(is_change=True)

    def _read_meta_dates(self, names: tuple[str, ...]) -> list[tuple[str, str | None]]:
        metas = self._places.metas
        return [(name, metas[name][0]) for name in names if name in metas]

    def _read_meta_dates_ending(self, ends: tuple[str, ...]) -> list[tuple[str, str | None]]:
        metas = self._places.metas
        return [(name, metas[name][0]) for name in metas if _PUNCTUATION.sub("", name).endswith(ends)]

    def _read_property_date(self, *names: str) -> str | None:
        places = self._places.properties
        return next((self._read_date_text(places[name]) for name in names if name in places), None)

    def _find_date_line(self, *, is_change: bool) -> str | None:
        """The one date that stands nearest to the heading, of those that are said to be of a change or are not."""
        for lines in self._places.dates:
            found: dict[str, str] = {}
            for place in lines:
                written = self._read_date_text(place)
                if (date := dates.parse_instant(written) or dates.parse_day(written)) and is_change == self._is_change(
                    place
                ):
                    day = date[:10]
                    found[day] = max(found.get(day, ""), date, key=len)
            if found:
                return next(iter(found.values())) if len(found) == 1 else None
        return None

    def _read_text_at(self, place: int, limit: int = MAX_TEXT) -> str:
        return collect_text(self._places.tree[place], limit)

    def _read_date_text(self, place: int) -> str:
        attributes = self._places.tree[place].attributes
        stated = attributes.get("datetime") or attributes.get("content")
        return stated or " ".join(self._read_text_at(place, 2 * dates.MAX_TEXT).split())

    def _is_change(self, place: int) -> bool:
        """Whether a date is marked as that of a change: by its class, in its own text or in the text before it."""
        node = self._places.tree[place]
        marks = [
            node.attributes.get("class") or "",
            node.attributes.get("itemprop") or "",
            self._read_text_at(place, 100),
        ]
        siblings = self._places.tree[node.up].children[:MAX_SIBLINGS] if node.up >= 0 else []
        for before, sibling in pairwise(siblings):
            if sibling is node and isinstance(before, str):
                marks.append(before[-30:])
        return _CHANGED.search(" ".join(marks)) is not None


def clean_text(value: str | None) -> str | None:
    """Plain text of one line: entities written twice are undone, tags are dropped, spaces are single, and what no text
    may hold is gone (JSON can escape half a character)."""
    if not value:
        return None
    value = entities.unescape(value[: 4 * MAX_TEXT]) if "&" in value else value[: 4 * MAX_TEXT]
    value = strip_invisible(strip_unreadable(value))[0]
    if "<" in value:
        value = _TAGS.sub(" ", value)
    return " ".join(value.split())[:MAX_TEXT].rstrip() or None


def _parse_dates(fields: list[tuple[str, str | None]]) -> Found:
    """What the fields say: written for programs in one of them before written for people in another."""
    for reading in (dates.parse_instant, dates.parse_day):
        for where, value in fields:
            yield where, reading(value)


def _get_path(url: str | None) -> str:
    """The path of an address, `/` at the least; "" when there is no address."""
    try:
        return (urlsplit(url).path or "/") if url else ""
    except ValueError:
        return ""
