"""Code shared by the readers of several sources."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from webquarry.core.errors import ProviderError
from webquarry.extractors.search.model.result import Organic, RelatedSearch, Sitelink, Video
from webquarry.extractors.search.sources.result_links import leads_to_page
from webquarry.read import Wire, at, each, texts
from webquarry.read.html import MAX_ROWS, Element, absolute, plain_text
from webquarry.read.losses import lose

_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)T00:00:00(?:\.0+)?(?:Z|[+-]00:?00)?")


@dataclass(frozen=True, slots=True)
class HtmlRow:
    """The content of a row on a results page; its fields are the same as in `Organic`."""

    title: str | None
    link: str | None
    displayed_link: str | None = None
    snippet: str | None = None
    date: str | None = None
    source: str | None = None
    thumbnail: str | None = None
    sitelinks: list[Sitelink] = field(default_factory=list)


def list_results(rows: Iterable[HtmlRow]) -> list[Organic]:
    """Return the rows that have a title and a link to a page, numbered from 1."""
    listed: list[Organic] = []
    for row in rows:
        if row.title is not None and leads_to_page(row.link):
            listed.append(
                Organic(
                    position=len(listed) + 1,
                    title=row.title,
                    link=row.link,
                    displayed_link=row.displayed_link,
                    snippet=row.snippet,
                    date=row.date,
                    source=row.source,
                    thumbnail=row.thumbnail,
                    sitelinks=row.sitelinks,
                )
            )
    return listed


def read_text(value: Any, path: str) -> str | None:
    """Return the text at `path` as one line without tags; None if it is missing or blank."""
    found = at(value, path, str)
    return (plain_text(found) or None) if found is not None else None


def link(value: Any, path: str) -> str | None:
    """Return the absolute http or https URL at `path`; None for anything else."""
    found = at(value, path, str)
    url = absolute(found, "") if found is not None else None
    if found is not None and url is None:
        lose(path)
    return url


def read_day(shown: str | None) -> str | None:
    """Return a date as its source writes it, but a timestamp at midnight as its day."""
    match = _MIDNIGHT.fullmatch(shown) if shown else None
    return match[1] if match else shown


def read_rows(value: Any, path: str) -> list[dict[str, Any]]:
    """Return the objects of a list, up to the maximum of any list on a results page."""
    return each(value, path)[:MAX_ROWS]


def read_organic(found: list[dict[str, Any]], paths: Mapping[str, str]) -> list[Organic]:
    """Return the rows that have a title and a link to a page. paths: by field of `Organic`."""
    listed: list[Organic] = []
    for row in found:
        values = _read_values(row, paths)
        if values["title"] and leads_to_page(values["link"]):
            listed.append(Organic.model_validate({**values, "position": len(listed) + 1}))
    return listed


def read_videos(found: list[dict[str, Any]], paths: Mapping[str, str]) -> list[Video]:
    """Return the rows that have a title and a link as videos. paths: by field of `Video`."""
    listed: list[Video] = []
    for row in found:
        values = _read_values(row, paths)
        if values["title"] and values["link"]:
            listed.append(Video.model_validate({**values, "position": len(listed) + 1}))
    return listed


def read_sitelinks(row: dict[str, Any], path: str, address: str) -> list[Sitelink]:
    """Return further pages of a row's site; most rows have none, which does not count as a loss."""
    listed = []
    for page in read_rows(row, f"{path}[]") if path.partition(".")[0] in row else []:
        title, url = read_text(page, "title"), link(page, address)
        if title and url:
            listed.append(Sitelink(title=title, link=url))
    return listed


def read_searches(value: Any, path: str) -> list[RelatedSearch]:
    """Return related searches from a list of strings."""
    return [RelatedSearch(query=query) for found in texts(value, path)[:MAX_ROWS] if (query := plain_text(found))]


def has_later_page(page: Element, pages: str, name: str, wire: Wire) -> bool | None:
    """Return whether the page navigation has a link to a later page; None without a page navigation.

    The page number is in the parameter `name` of the links and of the wire's URL.
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


def _read_values(row: dict[str, Any], paths: Mapping[str, str]) -> dict[str, str | None]:
    found = {name: (link if name in ("link", "thumbnail") else read_text)(row, path) for name, path in paths.items()}
    return {**found, "date": read_day(found.get("date"))}


def _read_number(url: str, name: str) -> int:
    try:
        values = parse_qs(urlsplit(url).query, max_num_fields=100).get(name, [""])
    except ValueError:
        return 0
    return int(values[0][:6]) if re.fullmatch(r"[0-9]+", values[0][:6]) else 0
