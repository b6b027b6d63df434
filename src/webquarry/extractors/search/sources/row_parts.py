"""Code shared by the readers of several sources."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from webquarry.core.errors import ProviderError
from webquarry.extractors.search.model.result import Organic, RelatedSearch, Sitelink, Video
from webquarry.extractors.search.sources.result_links import leads_to_page
from webquarry.read import JsonObject, Wire, at, each, texts
from webquarry.read.html import MAX_ROWS, Element, absolute, plain_text
from webquarry.read.losses import lose, read_rows

_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)T00:00:00(?:\.0+)?(?:Z|[+-]00:?00)?")


@dataclass(frozen=True)
class FoundRow:
    """The content of a row on a results page, with the same fields as `Organic`."""

    title: str | None
    link: str | None
    displayed_link: str | None = None
    snippet: str | None = None
    date: str | None = None
    source: str | None = None
    thumbnail: str | None = None
    sitelinks: list[Sitelink] = field(default_factory=list)

    @classmethod
    def read(cls, row: JsonObject, paths: Mapping[str, str]) -> Self:
        """Parse an object. paths: the path of each field."""
        values = _read_values(row, paths)
        return cls(
            title=values.get("title"),
            link=values.get("link"),
            displayed_link=values.get("displayed_link"),
            snippet=values.get("snippet"),
            date=values.get("date"),
            source=values.get("source"),
            thumbnail=values.get("thumbnail"),
        )

    @property
    def is_result(self) -> bool:
        """Whether the row is a result, not an advertisement or a link to another search engine."""
        return self.link is None or leads_to_page(self.link)


def list_results(rows: Iterable[FoundRow], path: str) -> list[Organic]:
    """Return the results, numbered from 1. Results without a title or a link are dropped and counted at `path`."""
    results = (row for row in rows if row.is_result)
    complete = read_rows(results, lambda row: row if row.title and row.link else None, path)
    return [Organic.model_validate({**vars(row), "position": place}) for place, row in enumerate(complete, 1)]


def read_text(value: Any, path: str) -> str | None:
    """Return the text at `path` as one line without tags, or None if it is missing or blank."""
    found = at(value, path, str)
    return (plain_text(found) or None) if found is not None else None


def link(value: Any, path: str) -> str | None:
    """Return the absolute http or https URL at `path`, or None for any other value."""
    found = at(value, path, str)
    url = absolute(found, "") if found is not None else None
    if found is not None and url is None:
        lose(path)
    return url


def read_day(shown: str | None) -> str | None:
    """Return a date in its source's notation. A timestamp at midnight is returned as a day."""
    match = _MIDNIGHT.fullmatch(shown) if shown else None
    return match[1] if match else shown


def list_objects(value: Any, path: str) -> list[JsonObject]:
    """Return the objects of a list, up to the maximum length of a list on a results page."""
    return each(value, path)[:MAX_ROWS]


def read_videos(objects: Iterable[JsonObject], paths: Mapping[str, str], path: str) -> list[Video]:
    """Return the objects as videos. Videos without a title or a link are dropped and counted at `path`.

    paths: the path of each field of `Video`.
    """
    found = (_read_values(item, paths) for item in objects)
    complete = read_rows(found, lambda values: values if values["title"] and values["link"] else None, path)
    return [Video.model_validate({**values, "position": place}) for place, values in enumerate(complete, 1)]


def read_sitelinks(row: JsonObject, path: str, address: str) -> list[Sitelink]:
    """Return further pages of a row's site. Most rows have none, so a missing list is not counted as dropped data."""
    if path.partition(".")[0] not in row:
        return []
    found = [(read_text(page, "title"), link(page, address)) for page in list_objects(row, f"{path}[]")]
    return list_sitelinks(found, f"{path}[]")


def list_sitelinks(found: Iterable[tuple[str | None, str | None]], path: str) -> list[Sitelink]:
    """Return pages of a row's site from their titles and links.

    Incomplete sitelinks are counted as dropped at `path`.
    """
    return read_rows(found, lambda page: Sitelink(title=page[0], link=page[1]) if page[0] and page[1] else None, path)


def list_searches(queries: Iterable[str | None], path: str) -> list[RelatedSearch]:
    """Return related searches. Blank searches are counted as dropped at `path`."""
    return read_rows(queries, lambda query: RelatedSearch(query=query) if query else None, path)


def list_attributes(found: Iterable[tuple[str | None, str | None]], path: str) -> dict[str, str]:
    """Return facts by name. Facts without a name or a value are counted as dropped at `path`."""
    return dict(read_rows(found, lambda fact: (fact[0], fact[1]) if fact[0] and fact[1] else None, path))


def read_searches(value: Any, path: str) -> list[RelatedSearch]:
    """Return related searches from a list of strings."""
    return list_searches(map(plain_text, texts(value, path)[:MAX_ROWS]), path)


def has_later_page(page: Element, pages: str, name: str, wire: Wire) -> bool | None:
    """Return whether the page navigation has a link to a later page, or None without a page navigation.

    The page number is in the parameter `name` of the links and of the requested URL.
    """
    listed = page.first(pages)
    if listed is None:
        return None
    numbers = [_read_number(node.attributes.get("href") or "", name) for node in listed.node.css("a[href]")]
    return max(numbers, default=0) > _read_number(wire.url, name)


def without_rows(source: str, where: str) -> ProviderError:
    """Return the error for a response without results, from a source whose "nothing found" mark is unknown."""
    return ProviderError(
        f"{source} sent a response where {where} has no readable results.",
        reason="changed",
    )


def _read_values(row: JsonObject, paths: Mapping[str, str]) -> dict[str, str | None]:
    found = {name: (link if name in ("link", "thumbnail") else read_text)(row, path) for name, path in paths.items()}
    return {**found, "date": read_day(found.get("date"))}


def _read_number(url: str, name: str) -> int:
    try:
        values = parse_qs(urlsplit(url).query, max_num_fields=100).get(name, [""])
    except ValueError:
        return 0
    return int(values[0][:6]) if re.fullmatch(r"[0-9]+", values[0][:6]) else 0
