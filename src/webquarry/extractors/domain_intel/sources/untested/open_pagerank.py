"""Open PageRank, from its API with a free key or from its public list in the data folder.

Untested: no response of the API is recorded. Response format: docs/upstreams/domain-ratings.md.
"""

import asyncio
from datetime import date
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path
from typing import Any, Final

import orjson

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Domain, Provider, Wire
from webquarry.extractors.domain_intel.model.names import HasDomain, find_site
from webquarry.extractors.domain_intel.model.rating import Attribution, Authority, RankDetails
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import MAX_ANSWER_BYTES, answer_by_key
from webquarry.providers.rank_list.index import FILE, find_row
from webquarry.providers.rank_list.rows import RankListError, parse_rows, write_row
from webquarry.read import each, json_of, take, texts
from webquarry.read.fields import to_count, to_day, to_decimal, to_flag, to_line, within

OPEN_PAGERANK: Final = Provider(
    name="open_pagerank", title="Open PageRank", needs=("open_pagerank_key",), unproven=True
)
SITE: Final = "https://openpagerank.keywordseverywhere.com/"
ATTRIBUTION: Final = Attribution(text="Open PageRank", url=SITE)
ANOTHER_INDEX: Final = (
    "Open PageRank and Ahrefs' Domain Rating are different indexes, so their ratings can't be compared."
)
HIGHEST: Final = 10.0
_URL: Final = f"{SITE}v1/domains/bulk"


async def lookup(params: HasDomain, net: Net) -> Wire:
    """Request one site's rank from the API. Raises ProviderError as `answer_by_key` does."""
    wire = await net.post(
        _URL,
        body=orjson.dumps({"domains": [find_site(params.domain)], "include_history": False}),
        content_type="application/json",
        accept="application/json",
        headers={"Authorization": f"Bearer {net.setting('open_pagerank_key')}"},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    return await answer_by_key(wire, OPEN_PAGERANK, net)


def read(wire: Wire, params: HasDomain) -> Authority:
    """Parse the rank. Raises EmptyResult if the index does not have the domain or has no rank for it."""
    answer = json_of(wire)
    rows = answer if isinstance(answer, list) else answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(rows, list):
        raise ProviderError("Open PageRank sent a response without results.", reason="changed")
    around: dict[str, Any] = answer if isinstance(answer, dict) else {}
    row = next((row for row in each(rows, "[]") if _is_about(row, params.domain)), None)
    if row is None:
        refused = texts(around, "invalid[]") if "invalid" in around else []
        if any(_is_requested(name, params.domain) for name in refused):
            raise _make_unknown_error(params.domain)
        raise ProviderError(f"Open PageRank sent no data for {find_site(params.domain)}.", reason="changed")
    given = row.get("open_page_rank")
    if take(row, "found", to_flag) is False or ("open_page_rank" in row and given is None):
        raise _make_unknown_error(params.domain)
    rank = within(to_decimal(given), 0, HIGHEST)
    if rank is None:
        raise ProviderError("Open PageRank sent a rank that is not a number from 0 to 10.", reason="changed")
    as_of = take(around, "as_of", to_day)
    return _authority(params, rank, take(row, "rank", to_count), take(row, "referring_domains", to_count), as_of, wire)


async def find(params: HasDomain, net: Net) -> Wire:
    """Return the site's line of the list in the data folder, as a response that contains only that line.

    `last-modified` is the date of the list. Raises EmptyResult if the site is not in the list, and ProviderError
    "unavailable" if there is no list.
    """
    site = find_site(params.domain)
    try:
        found = await asyncio.to_thread(find_row, Path(net.setting("data_dir")) / FILE, site)
    except RankListError as exc:
        raise ProviderError(str(exc), reason="unavailable") from exc
    if found is None:
        raise ProviderError(
            "No domain ratings are available. Set WEBQUARRY_AHREFS_KEY or WEBQUARRY_OPEN_PAGERANK_KEY (both "
            "are free), or run `webquarry ranks update` to download the public list of Open PageRank.",
            reason="unavailable",
        )
    about, row = found
    if row is None:
        raise _make_unknown_error(params.domain)
    return Wire(
        body=write_row(row).encode(),
        url=SITE,
        requested_url=SITE,
        status=200,
        headers={"content-type": "text/csv", "last-modified": format_datetime(about.as_of, usegmt=True)},
        fetched_at=net.deadline.clock.now(),
    )


def read_list(wire: Wire, params: HasDomain) -> Authority:
    """Parse the site's rank from a list, or from any part of a list that begins with the column names."""
    site = find_site(params.domain)
    try:
        rows = parse_rows(wire.body.decode("utf-8-sig", "replace").splitlines(keepends=True))
        row = next((row for row in rows if row is not None and row.domain == site), None)
    except RankListError as exc:
        raise ProviderError(str(exc), reason="changed") from exc
    if row is None:
        raise _make_unknown_error(params.domain)
    return _authority(params, row.open_page_rank, row.rank, row.referring_domains, _read_last_modified(wire), wire)


def _authority(
    params: HasDomain, rank: float, place: int | None, referring_domains: int | None, as_of: date | None, wire: Wire
) -> Authority:
    age_days = None if as_of is None else max(0, (wire.fetched_at.date() - as_of).days)
    return Authority(
        domain=find_site(params.domain),
        domain_rating=round(10 * rank, 4),
        scale="0-100",
        index="Open PageRank",
        source="openpagerank",
        license=SITE,
        attribution=ATTRIBUTION,
        details=RankDetails(
            open_page_rank=rank, rank=place, referring_domains=referring_domains, as_of=as_of, age_days=age_days
        ),
        warnings=[ANOTHER_INDEX],
    )


def _read_last_modified(wire: Wire) -> date | None:
    try:
        return parsedate_to_datetime(wire.headers.get("last-modified", "")).date()
    except (ValueError, TypeError, OverflowError):
        return None


def _is_about(row: dict[str, Any], requested: Domain) -> bool:
    return _is_requested(take(row, "domain", to_line) or "", requested)


def _is_requested(name: str, requested: Domain) -> bool:
    try:
        return find_site(Domain.parse(name.strip().rstrip("/"))) == find_site(requested)
    except ValueError:
        return False


def _make_unknown_error(domain: Domain) -> EmptyResult:
    site = find_site(domain)
    hint = "" if site == domain.registrable else f" Try {domain.registrable}."
    return EmptyResult(f"Open PageRank does not know {site}.{hint}")
