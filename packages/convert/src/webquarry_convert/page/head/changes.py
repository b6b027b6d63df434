"""Dates of publication and of the last change."""

import re
from itertools import pairwise
from typing import Final

from webquarry_convert.page.head import dates
from webquarry_convert.page.head.fields import Found, read_text_at
from webquarry_convert.page.head.places import Places

MAX_SIBLINGS: Final = 20
"""Number of a date's siblings that are searched for its label."""
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
# Endings of alternative names for these fields, without punctuation.
_PUBLISHED_ENDS = (
    "publishedtime", "published", "publishedat", "publishdate", "publishtime", "publicationdate", "publisheddate",
    "pubdate", "datepublished", "articledate", "postdate", "releasedate", "createdate", "createat", "datecreated",
)  # fmt: skip
_MODIFIED_ENDS = (
    "modifiedtime", "modified", "modifieddate", "modifydate", "updatedtime", "updatedat", "updateddate", "updateat",
    "dateupdate", "dateupdated", "datemodified", "articleupdated", "updated", "revisiondate", "revised",
)  # fmt: skip
_CHANGED = re.compile(r"updat|modif|revis|edited|aktualis|actuali[sz]|mis à jour|更新|修改|обновл", re.IGNORECASE)
_PUNCTUATION = re.compile("[:._-]")


def find_published(places: Places, path: str) -> Found:
    """Return the publication date: an instant `…Z` or a date without a time.

    path: the path of the page's URL, which may contain a date.
    """
    stated = places.description.text("datePublished", "uploadDate", "dateCreated")
    yield from _parse_dates([("json-ld", stated), *_read_meta_dates(places, _PUBLISHED)])
    yield from _parse_dates(_read_meta_dates_ending(places, _PUBLISHED_ENDS))
    yield from _parse_dates([("itemprop", _read_property_date(places, "datePublished", "dateCreated"))])
    yield "beside h1", _find_date_line(places, is_change=False)
    day = dates.find_date_in_path(path)
    yield "url", None if day is None else day.isoformat()


def find_modified(places: Places) -> Found:
    """Return the date of the last change, in the same form as `find_published`."""
    stated = places.description.text("dateModified")
    yield from _parse_dates([("json-ld", stated), *_read_meta_dates(places, _MODIFIED)])
    yield from _parse_dates(_read_meta_dates_ending(places, _MODIFIED_ENDS))
    yield from _parse_dates([("itemprop", _read_property_date(places, "dateModified"))])
    yield "beside h1", _find_date_line(places, is_change=True)


def _read_meta_dates(places: Places, names: tuple[str, ...]) -> list[tuple[str, str | None]]:
    metas = places.metas
    return [(name, metas[name][0]) for name in names if name in metas]


def _read_meta_dates_ending(places: Places, ends: tuple[str, ...]) -> list[tuple[str, str | None]]:
    metas = places.metas
    return [(name, metas[name][0]) for name in metas if _PUNCTUATION.sub("", name).endswith(ends)]


def _read_property_date(places: Places, *names: str) -> str | None:
    properties = places.properties
    return next((_read_date_text(places, properties[name]) for name in names if name in properties), None)


def _find_date_line(places: Places, *, is_change: bool) -> str | None:
    """Return the date nearest to the heading, if only one date is equally near.

    is_change: whether to consider only dates that are labeled as changes, or only the others.
    """
    for lines in places.dates:
        found: dict[str, str] = {}
        for place in lines:
            written = _read_date_text(places, place)
            date = dates.parse_instant(written) or dates.parse_day(written)
            if date and is_change == _is_change(places, place):
                day = date[:10]
                found[day] = max(found.get(day, ""), date, key=len)
        if found:
            return next(iter(found.values())) if len(found) == 1 else None
    return None


def _read_date_text(places: Places, place: int) -> str:
    attributes = places.tree[place].attributes
    stated = attributes.get("datetime") or attributes.get("content")
    return stated or " ".join(read_text_at(places, place, 2 * dates.MAX_TEXT).split())


def _is_change(places: Places, place: int) -> bool:
    """Return whether a date's class, its text or the preceding text marks it as the date of a change."""
    node = places.tree[place]
    marks = [
        node.attributes.get("class") or "",
        node.attributes.get("itemprop") or "",
        read_text_at(places, place, 100),
    ]
    siblings = places.tree[node.up].children[:MAX_SIBLINGS] if node.up >= 0 else []
    for before, sibling in pairwise(siblings):
        if sibling is node and isinstance(before, str):
            marks.append(before[-30:])
    return _CHANGED.search(" ".join(marks)) is not None


def _parse_dates(fields: list[tuple[str, str | None]]) -> Found:
    """Parse the dates in the fields. A machine-readable date in any field takes precedence over a date for people."""
    for reading in (dates.parse_instant, dates.parse_day):
        for where, value in fields:
            yield where, reading(value)
