"""Similarweb's object with estimates for a site, which every source returns.

Names are read in any spelling. Response format: docs/upstreams/similarweb.md#the-object.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol, TypeVar

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Domain
from webquarry.core.urls import normalise_host
from webquarry.extractors.domain_intel.model.traffic_result import (
    AiTraffic,
    Assistant,
    CategoryRank,
    CountryRank,
    CountryShare,
    Engagement,
    Keyword,
    MonthVisits,
    Ranks,
    Traffic,
    TrafficSources,
    Visits,
)
from webquarry.extractors.domain_intel.words import NAMES, find_country_code
from webquarry.read import JsonObject, each, take
from webquarry.read.fields import to_day, to_flag, to_id, to_line, to_number, to_text, within
from webquarry.read.losses import lose, read_rows

Row = TypeVar("Row")

MAX_ROWS: Final = 100
_MARKS: Final = ("engagments", "engagements")
_STATIC: Final = ("Countries",)
"""Members that are dropped, because they are the same in every response and make up most of its size."""
_FOLDS: Final = 8
"""Maximum depth at which names are normalized; all known data is at a lower depth."""
_FIGURE: Final = re.compile(r"[+-]?[0-9]{1,20}(?:\.[0-9]{0,40})?(?:[eE][+-]?[0-9]{1,2})?", re.ASCII)
_MONTH: Final = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])(?![0-9])", re.ASCII)
_LARGEST: Final = 2.0**53
_TOLERANCE: Final = 0.01
"""Relative difference allowed between the history and the headline figure.

The provider rounds them at different times.
"""


class HasDomain(Protocol):
    @property
    def domain(self) -> Domain: ...


def find_site(domain: Domain) -> str:
    """Return Similarweb's name for a site: the host without a leading `www.`."""
    return domain.host if domain.host == domain.registrable else domain.host.removeprefix("www.")


def is_site(value: JsonObject) -> bool:
    return any(name.lower() in _MARKS for name in value)


def make_unknown_error(params: HasDomain) -> EmptyResult:
    return EmptyResult(
        f"Similarweb has no traffic data for {find_site(params.domain)}. The site may be too small or not exist."
    )


def read_site(answer: JsonObject, params: HasDomain) -> Traffic:
    """Parse the estimates.

    Raises EmptyResult for a site without visits, because the provider gives the same response for a name that does not
    exist. Raises ProviderError "changed" for another site, and for a response without a number of visits.
    """
    site: JsonObject = _fold({name: item for name, item in answer.items() if name not in _STATIC})
    requested = find_site(params.domain)
    name = take(site, "sitename", to_line)
    if name is not None and not _is_named(name, requested):
        raise ProviderError(f"Similarweb returned a different site than {requested}.", reason="changed")
    engagement = next((found for mark in _MARKS if isinstance(found := site.get(mark), dict)), {})
    monthly = take(engagement, "visits", to_figure, required=True)
    if monthly is None or monthly < 0:
        raise ProviderError("Similarweb sent a response without a number of visits.", reason="changed")
    if round(monthly) == 0:
        raise make_unknown_error(params)
    visits, warnings = _read_visits(site, engagement, round(monthly))
    path = _read_category_path(take(site, "categoryrank.category", to_line) or take(site, "category", to_line))
    category = "/".join(path) or None
    return Traffic(
        domain=requested,
        site_name=name,
        title=take(site, "title", to_line),
        description=take(site, "description", to_line),
        category=category,
        category_path=path,
        snapshot_date=take(site, "snapshotdate", to_day),
        rank=_read_ranks(site, category),
        visits=visits,
        engagement=Engagement(
            bounce_rate=take(engagement, "bouncerate", to_share),
            pages_per_visit=take(engagement, "pagepervisit", to_amount),
            visit_duration_seconds=take(engagement, "timeonsite", to_amount),
        ),
        traffic_sources=TrafficSources(
            direct=take(site, "trafficsources.direct", to_share),
            search=take(site, "trafficsources.search", to_share),
            social=take(site, "trafficsources.social", to_share),
            referrals=take(site, "trafficsources.referrals", to_share),
            mail=take(site, "trafficsources.mail", to_share),
            paid_referrals=take(site, "trafficsources.paidreferrals", to_share),
        ),
        top_countries=_read_list(site, "topcountryshares", _read_country),
        top_keywords=_read_list(site, "topkeywords", _read_keyword),
        competitors=_read_competitors(site),
        ai_traffic=_read_assistants(site),
        is_small=take(site, "issmall", to_flag),
        source="similarweb",
        warnings=warnings,
    )


def _fold(value: Any, depth: int = 0) -> Any:
    """Return the value with its keys in lower case, without spaces and underscores.

    Sources spell the keys differently. If two keys become equal, the first one with a value is kept.
    """
    if depth >= _FOLDS:
        return value
    if isinstance(value, list):
        return [_fold(item, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    folded: JsonObject = {}
    for name, item in value.items():
        short = name.lower().replace(" ", "").replace("_", "")
        if folded.get(short) is None:
            folded[short] = _fold(item, depth + 1)
    return folded


def _is_named(name: str, requested: str) -> bool:
    try:
        return normalise_host(name.lower().removeprefix("www.")) == requested.removeprefix("www.")
    except ValueError:
        return False


def _read_visits(site: JsonObject, engagement: JsonObject, monthly: int) -> tuple[Visits, list[str]]:
    """Return the visits and warnings. If the headline and the history differ, the headline is used.

    The history is sometimes outdated and has zeros for missing months.
    """
    month = _read_month(engagement)
    points = dict(sorted(_read_history(site).items()))
    warnings = []
    latest = points.get(month) if month else None
    is_stale = latest == 0 if any(points.values()) else bool(points)
    if is_stale:
        points = {when: visits for when, visits in points.items() if visits > 0}
        warnings.append("The provider's data for earlier months is outdated, so months with zero visits are omitted.")
    elif latest is not None and abs(latest - monthly) > _TOLERANCE * monthly:
        warnings.append(f"For {month}, the provider's history has {latest:,} visits. The main figure is returned here.")
    history = [MonthVisits(month=when, visits=visits) for when, visits in points.items()]
    return Visits(monthly=monthly, month=month, history=history), warnings


def _read_month(engagement: JsonObject) -> str | None:
    year, month = take(engagement, "year", to_rounded), take(engagement, "month", to_rounded)
    if year is None or month is None or not (1990 <= year <= 2999 and 1 <= month <= 12):
        return None
    return f"{year:04}-{month:02}"


def _read_history(site: JsonObject) -> dict[str, int]:
    """Return visits by month, from an object keyed by the first day of the month or from a list of objects."""
    given = site.get("estimatedmonthlyvisits")
    pairs: Iterator[tuple[Any, Any]] = iter(())
    if isinstance(given, dict):
        pairs = iter(given.items())
    elif isinstance(given, list):
        rows = each(given, "[]")
        pairs = ((row.get("date", row.get("month")), row.get("visits", row.get("value"))) for row in rows)
    points: dict[str, int] = {}
    for when, figure in pairs:
        match = _MONTH.match(when) if isinstance(when, str) else None
        visits = to_rounded(figure)
        if match is None or visits is None:
            lose("estimatedmonthlyvisits")
        elif len(points) < MAX_ROWS:
            points.setdefault(match[0], visits)
    return points


def _read_category_path(text: str | None) -> list[str]:
    parts = (" ".join(part.replace("_", " ").split()) for part in (text or "").split("/"))
    return [part for part in parts if part]


def _read_ranks(site: JsonObject, category: str | None) -> Ranks:
    code = find_country_code(take(site, "countryrank.countrycode", to_line), take(site, "countryrank.country", to_id))
    worldwide = take(site, "globalrank.rank", to_rank)
    country = CountryRank(code=code, name=NAMES.get(code or ""), rank=take(site, "countryrank.rank", to_rank))
    ranked = CategoryRank(name=category, rank=take(site, "categoryrank.rank", to_rank))
    return Ranks.model_validate({"global": worldwide, "country": country, "category": ranked})


def _read_list(site: JsonObject, path: str, read: Callable[[Any], Row | None]) -> list[Row]:
    """Return the result of `read` for every item of an optional list. Unreadable items are counted as dropped."""
    return read_rows((take(site, path, _to_list) or [])[:MAX_ROWS], read, f"{path}[]")


def _read_country(row: Any) -> CountryShare | None:
    share = take(row, "value", to_share, required=True)
    if share is None:
        return None
    code = find_country_code(row.get("countrycode"), row.get("country"))
    return CountryShare(country_code=code, country=NAMES.get(code or ""), share=share)


def _read_keyword(row: Any) -> Keyword | None:
    name = take(row, "name", to_line, required=True)
    if name is None:
        return None
    return Keyword(
        keyword=name,
        volume=take(row, "volume", to_rounded),
        cpc=take(row, "cpc", to_amount),
        estimated_value=take(row, "estimatedvalue", to_rounded),
    )


def _read_competitors(site: JsonObject) -> list[str]:
    """Return the names of competing sites, from objects or strings."""
    names = _read_list(
        site,
        "competitors.topsimilaritycompetitors",
        lambda item: to_line(item.get("domain") if isinstance(item, dict) else item),
    )
    return list(dict.fromkeys(names))


def _read_assistants(site: JsonObject) -> AiTraffic | None:
    given = site.get("aitrafficdetails")
    if not isinstance(given, dict):
        return None
    ranks = dict(_read_list(given, "traffic.split", _read_assistant_rank))
    sources = _read_list(given, "traffic.distribution.chatbots", lambda row: _read_assistant(row, ranks))
    has_failed = bool(take(given, "topprompts.status", to_rounded))
    found = AiTraffic(
        visits=take(given, "totalvisits", to_amount),
        share=take(given, "referraltraffic", to_share),
        sources=sorted(sources, key=lambda source: -source.share_percent),
        prompts=[] if has_failed else _read_list(given, "topprompts.prompts", to_text),
    )
    return found if any(value not in (None, []) for value in found.model_dump().values()) else None


def _read_assistant_rank(row: Any) -> tuple[str, int | None] | None:
    name = take(row, "name", to_line, required=True)
    return None if name is None else (name, take(row, "rank", to_rank))


def _read_assistant(row: Any, ranks: Mapping[str, int | None]) -> Assistant | None:
    name, percent = take(row, "name", to_line, required=True), take(row, "value", to_percent, required=True)
    if name is None or percent is None:
        return None
    return Assistant(name=name, share_percent=percent, rank=ranks.get(name))


def _to_list(value: Any) -> list[Any] | None:
    return value if isinstance(value, list) else None


def to_figure(value: Any) -> float | None:
    """Return a number from a number or from a string, which may have an exponent ("9.756941889301659E7")."""
    if isinstance(value, str):
        text = value.strip()
        return float(text) if _FIGURE.fullmatch(text) else None
    return to_number(value)


def to_amount(value: Any) -> float | None:
    """Return a figure that is not negative, or None."""
    found = to_figure(value)
    return found if found is not None and 0 <= found <= _LARGEST else None


def to_share(value: Any) -> float | None:
    """Return a figure from 0 to 1, or None."""
    return within(to_figure(value), 0, 1)


def to_percent(value: Any) -> float | None:
    """Return a figure from 0 to 100, or None."""
    return within(to_figure(value), 0, 100)


def to_rounded(value: Any) -> int | None:
    """Return a count, rounded to a whole number."""
    found = to_amount(value)
    return None if found is None else round(found)


def to_rank(value: Any) -> int | None:
    """Return a rank, which starts at 1, or None for zero, which means that there is no rank."""
    return to_rounded(value) or None
