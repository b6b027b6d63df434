"""What a page says about itself outside its text: title, dates, author, canonical address and their sources.

Values come from JSON-LD, meta elements (Open Graph, Twitter, Dublin Core and the usual others), microdata and plain
HTML; for each one the places are asked in a fixed order and the first that answers is named in `sources`.
"""

import html as entities
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from webquarry.convert.page.links import joined
from webquarry.convert.page.markup import readable
from webquarry.convert.page.structured import Description, nodes
from webquarry.instants import parse

MAX_TEXT = 2000
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_TAGS = re.compile(r"</?[A-Za-z][^<>]*>")
_REFRESH = re.compile(
    r"""\s*(\d{1,4})(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?+(?:"([^"]*)"?|'([^']*)'?|(\S.*))""", re.IGNORECASE | re.DOTALL
)
_PUBLISHED = (
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
    "datepublished",
    "citation_publication_date",
    "citation_online_date",
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
_OG_KINDS: Mapping[str, str] = {
    "article": "article",
    "blog": "article",
    "product": "product",
    "product.item": "product",
    "product.group": "listing",
    "og:product": "product",
}


@dataclass(frozen=True, slots=True)
class Head:
    """Metadata of a page. Texts are plain, addresses absolute, instants `…Z` or bare dates; None when not said.

    base: what relative addresses of the page are relative to. sources: for each field that is set, where it was found
    (`json-ld`, a meta name, an element).
    """

    base: str | None
    title: str | None
    description: str | None
    language: str | None
    canonical_url: str | None
    site_name: str | None
    author: str | None
    published_at: str | None
    modified_at: str | None
    kind: str | None
    sources: Mapping[str, str]


Found = Iterable[tuple[str, str | None]]


def read_head(tree: LexborHTMLParser, url: str | None) -> Head:
    """url: the page's own address, after redirects."""
    meta = _metas(tree)
    said = Description(nodes(tree))
    base = base_of(tree, url)
    sources: dict[str, str] = {}

    def first(field: str, candidates: Found) -> str | None:
        for where, value in candidates:
            if value:
                sources[field] = where
                return value
        return None

    return Head(
        base=base,
        title=first("title", _title(tree, meta, said)),
        description=first(
            "description",
            [
                *((name, _text(meta.get(name))) for name in ("description", "og:description")),
                ("json-ld", _text(said.text("description", "abstract"))),
                *((name, _text(meta.get(name))) for name in ("twitter:description", "dc.description")),
            ],
        ),
        language=first("language", _language(tree, meta, said)),
        canonical_url=first(
            "canonical_url",
            [
                ("link[rel=canonical]", joined(base, _attribute(tree, "link[rel~=canonical i][href]", "href"))),
                ("og:url", joined(base, meta.get("og:url"))),
            ],
        ),
        site_name=first(
            "site_name",
            [
                ("og:site_name", _text(meta.get("og:site_name"))),
                ("json-ld", _text(said.site_name)),
                *((name, _text(meta.get(name))) for name in ("application-name", "apple-mobile-web-app-title")),
            ],
        ),
        author=first("author", _author(tree, meta, said)),
        published_at=first(
            "published_at",
            [
                ("json-ld", _instant(said.text("datePublished", "uploadDate", "dateCreated"))),
                *((name, _instant(meta.get(name))) for name in _PUBLISHED),
                ("itemprop", _itemprop_instant(tree, "datePublished")),
                ("time[pubdate]", _instant(_attribute(tree, "time[pubdate][datetime]", "datetime"))),
                ("time", _only_time(tree)),
            ],
        ),
        modified_at=first(
            "modified_at",
            [
                ("json-ld", _instant(said.text("dateModified"))),
                *((name, _instant(meta.get(name))) for name in _MODIFIED),
                ("itemprop", _itemprop_instant(tree, "dateModified")),
            ],
        ),
        kind=first("kind", [("json-ld", said.kind), ("og:type", _OG_KINDS.get((meta.get("og:type") or "").lower()))]),
        sources=sources,
    )


def base_of(tree: LexborHTMLParser, url: str | None) -> str | None:
    """The address that relative ones are relative to: the first `base` element's, else the page's own."""
    href = _attribute(tree, "base[href]", "href")
    return joined(url, href) or url


def refresh_of(tree: LexborHTMLParser, url: str, max_delay_s: int) -> str | None:
    """Where `<meta http-equiv=refresh>` leads within `max_delay_s`, absolute; None when nowhere else."""
    for node in tree.css("meta[http-equiv=refresh i][content]"):
        if node.parent is not None and node.parent.tag == "noscript":
            continue  # the way out for readers without scripts mostly ends at a page that asks for them
        if found := _REFRESH.fullmatch((node.attributes.get("content") or "")[:4200]):
            target = joined(base_of(tree, url), found[2] or found[3] or found[4])
            if int(found[1]) <= max_delay_s and target is not None and urljoin(target, "#") != urljoin(url, "#"):
                return target
    return None


def _title(tree: LexborHTMLParser, meta: Mapping[str, str], said: Description) -> Found:
    yield "og:title", _text(meta.get("og:title"))
    yield "json-ld", _text(said.text("headline", "name"))
    yield "twitter:title", _text(meta.get("twitter:title"))
    for where, selector in (("title", "head > title"), ("title", ":not(svg) > title"), ("h1", "h1")):
        node = tree.css_first(selector)
        yield where, _text(node.text(separator=" ") if node is not None else None)


def _author(tree: LexborHTMLParser, meta: Mapping[str, str], said: Description) -> Found:
    yield "json-ld", _text(said.author)
    for name in (
        "author",
        "article:author",
        "citation_author",
        "parsely-author",
        "sailthru.author",
        "dc.creator",
        "dcterms.creator",
        "byl",
    ):
        value = _text(meta.get(name))
        # article:author holds a profile's address more often than a name
        yield name, None if value is None or value.startswith(("http://", "https://", "@")) else value
    for selector in ("[itemprop=author] [itemprop=name]", "[itemprop=author]", "a[rel~=author]"):
        node = tree.css_first(selector)
        text = _text((node.attributes.get("content") or node.text(separator=" ")) if node is not None else None)
        yield selector, text if text is not None and len(text) <= 100 else None


def _language(tree: LexborHTMLParser, meta: Mapping[str, str], said: Description) -> Found:
    html = tree.css_first("html")
    attributes = html.attributes if html is not None else {}
    yield "html[lang]", _tag(attributes.get("lang") or attributes.get("xml:lang"))
    for name in ("content-language", "language", "dc.language", "og:locale"):
        yield name, _tag(meta.get(name))
    yield "json-ld", _tag(said.text("inLanguage"))


def _metas(tree: LexborHTMLParser) -> dict[str, str]:
    """First non-empty content of each meta element, by lower-case property, name, itemprop or http-equiv."""
    found: dict[str, str] = {}
    for node in tree.css("meta[content]"):
        attributes = node.attributes
        content = attributes.get("content") or ""
        names = (
            attributes.get("property")
            or attributes.get("name")
            or attributes.get("itemprop")
            or attributes.get("http-equiv")
        )
        if names and content.strip():
            for name in names.lower().split():
                found.setdefault(name, content)
    return found


def _text(value: str | None) -> str | None:
    """Plain text of one line: entities written twice are undone, tags are dropped, spaces are single, and what no text
    may hold is gone (JSON can escape half a character)."""
    if not value:
        return None
    value = entities.unescape(value[: 4 * MAX_TEXT]) if "&" in value else value[: 4 * MAX_TEXT]
    value = readable(value)
    return " ".join(_TAGS.sub(" ", value).split())[:MAX_TEXT].rstrip() or None


def _tag(value: str | None) -> str | None:
    """A language tag as BCP 47 writes it: `en_US` → `en-US`."""
    value = (value or "").strip().partition(",")[0].partition(";")[0].strip().replace("_", "-")
    if len(value) > 35 or not _LANGUAGE.fullmatch(value):
        return None
    head, *rest = value.split("-")
    return "-".join(
        [
            head.lower(),
            *(part.upper() if len(part) == 2 else part.title() if len(part) == 4 else part.lower() for part in rest),
        ]
    )


def _instant(value: str | None) -> str | None:
    """`2024-05-01T06:30:00Z` of an instant, `2024-05-01` of a bare date; None of others and of years before 1000, which
    programs write for "none"."""
    found = parse(value) if value else None
    if found is None or found.year < 1000:
        return None
    return found.strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(found, datetime) else found.isoformat()


def _attribute(tree: LexborHTMLParser, selector: str, name: str) -> str | None:
    node = tree.css_first(selector)
    return node.attributes.get(name) if node is not None else None


def _itemprop_instant(tree: LexborHTMLParser, name: str) -> str | None:
    node = tree.css_first(f"[itemprop~={name}]")
    if node is None:
        return None
    return _instant(node.attributes.get("datetime") or node.attributes.get("content") or node.text())


def _only_time(tree: LexborHTMLParser) -> str | None:
    """The page's date when its main article shows exactly one."""
    found = {node.attributes.get("datetime") for node in tree.css("article time[datetime]")[:50]}
    return _instant(found.pop()) if len(found) == 1 else None
