"""Sources in the comments and scripts of the search engine's page, which list the pages that each button cites.

Response format: docs/upstreams/ai-overview.md.
"""

import html
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson

from webquarry.extractors.search.model.overview import Cited
from webquarry.read import at, texts
from webquarry.read.html import absolute
from webquarry.read.losses import lose, read_rows

_COMMENT = re.compile(r"<!--(?:TgQPHd\||Sv6Kpe)([^<]*?)-->")
_PUSH, _PUSHED = "lDPB||[]).push(", '"]])'
MAX_CARRIERS = 2000


@dataclass(slots=True)
class Carried:
    """The sources in comments and scripts.

    buttons: source keys by button. sources: by key, in page order.
    """

    buttons: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    sources: dict[str, Cited] = field(default_factory=dict)


def read_carried(markup: str) -> Carried:
    carried = Carried()
    for row in islice(_find_rows(markup), MAX_CARRIERS):
        _carry(row, carried)
    return carried


def make_id_key(number: str | None) -> str | None:
    return f"id {number}" if number else None


def link_key(link: str) -> str:
    return f"link {link}"


def find_destination(link: str | None) -> str | None:
    """Return a link's target, with the engine's redirects removed, or None for the engine's own pages."""
    try:
        parts = urlsplit(link or "")
    except ValueError:
        return None
    if parts.path == "/url" and _is_engine(parts.hostname):
        wrapped = parse_qs(parts.query)
        link = next(iter(wrapped.get("q") or wrapped.get("url") or ()), "")
    url = absolute(link, "https://www.google.com/") if link else None
    return None if url is None or _is_engine(urlsplit(url).hostname) else url


def _find_rows(markup: str) -> Iterator[list[Any]]:
    """Yield the rows of every comment and script. A row is a list within a JSON list."""
    for match in _COMMENT.finditer(markup):
        yield from _read_lists(_read_json(html.unescape(match[1])))
    for pushed in _find_pushed(markup):
        for pair in _read_lists(_read_json(pushed)):
            for inner in texts(pair, "[1]"):
                yield from _read_lists(_read_json(inner))


def _find_pushed(markup: str) -> Iterator[str]:
    """Yield the strings that scripts push. Each character is read only once."""
    start = end = 0
    while (start := markup.find(_PUSH, end)) >= 0:
        start += len(_PUSH)
        end = markup.find(_PUSHED, start)
        if end < 0:
            lose(_PUSH)
            return
        end += len(_PUSHED)
        yield markup[start : end - 1]


def _carry(row: list[Any], carried: Carried) -> None:
    """Add a row's sources.

    A row is `[button, [title, snippet, icon, site, [publisher], link, …, id, …]]` or `[button, number, 0, link]`. A
    header row does not start with a button and has no source.
    """
    button = row[0] if row and isinstance(row[0], str) else None
    if button is None:
        return
    detail = row[1] if len(row) > 1 and isinstance(row[1], list) else None
    if detail is None:
        link = find_destination(at(row, "[3]", str))
        cited = Cited(frozenset({link_key(link)}), link, favicon=at(row, "[4]", str)) if link else None
    else:
        cited = _read_source(detail)
    if cited is None:
        return
    key = min(cited.keys)
    carried.buttons[button].append(key)
    known = carried.sources.get(key)
    carried.sources[key] = cited if known is None or known.title is None else known


def _read_source(detail: list[Any]) -> Cited | None:
    link = find_destination(at(detail, "[5]", str))
    if link is None:
        return None
    number = detail[8] if len(detail) > 8 else None
    key = make_id_key(str(number) if isinstance(number, str | int) and not isinstance(number, bool) else None)
    return Cited(
        keys=frozenset({key or link_key(link)}),
        link=link,
        title=at(detail, "[0]", str),
        snippet=at(detail, "[1]", str),
        favicon=at(detail, "[2]", str),
        source=at(detail, "[4][0]", str),
    )


def _is_engine(host: str | None) -> bool:
    return host is not None and (host == "www.google.com" or host == "google.com")


def _read_lists(value: Any) -> list[list[Any]]:
    """Return the lists within a list. Other items are counted as dropped. Return an empty list for any other value."""
    items: list[Any] = value if isinstance(value, list) else []
    return read_rows(items, lambda item: item if isinstance(item, list) and item else None, "carriers[]")


def _read_json(text: str) -> Any:
    """Parse JSON. Return None if it is invalid, because comments may have another form."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
