"""The parts of a report: the endpoint and parameters of each part, and the figures at the top of the report."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from webquarry.core.parsed_text import ParsedText
from webquarry.core.types import Domain
from webquarry.endpoints.declare import Part

DEFAULT: Final = "logo,traffic,authority,ads,homepage"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure at the top of the report. path: location of the value in the part's data. say: function that formats the
    value.
    """

    label: str
    path: str
    say: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Kind:
    """The endpoint and title of a part of the dossier. asks: function that returns the endpoint's parameters for a
    domain.
    """

    endpoint: str
    title: str
    asks: Callable[[Domain], Mapping[str, str]]
    figures: tuple[Figure, ...] = ()


def _same(domain: Domain) -> Mapping[str, str]:
    return {"domain": domain.host}


def _home(domain: Domain) -> Mapping[str, str]:
    return {"url": f"https://{domain.host}/"}


def _count(value: Any) -> str:
    return f"{value:,.0f}" if isinstance(value, int | float) else str(value)


def _write_short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _write_percent(value: Any) -> str:
    return f"{100 * value:.1f} %" if isinstance(value, int | float) else str(value)


def _write_day(value: Any) -> str:
    return str(value)[:10]


def _write_dollars(value: Any) -> str:
    return f"{_count(value)} USD"


def _write_of_100(value: Any) -> str:
    return f"{_write_short(value)} / 100"


def _write_of_3(value: Any) -> str:
    return f"{_write_short(value)} of 3"


KINDS: Final[Mapping[str, Kind]] = {
    "logo": Kind("brand_logo", "Logo", _same),
    "traffic": Kind(
        "traffic",
        "Traffic",
        _same,
        (
            Figure("Visits per month", "visits.monthly", _count),
            Figure("Global rank", "rank.global", _count),
            Figure("Bounce rate", "engagement.bounce_rate", _write_percent),
        ),
    ),
    "authority": Kind("seo_authority", "Authority", _same, (Figure("Domain rating", "domain_rating", _write_of_100),)),
    "ads": Kind(
        "ads_searchengine",
        "Search ads",
        _same,
        (
            Figure("Ads (minimum)", "total_estimate.min", _count),
            Figure("Ads (maximum)", "total_estimate.max", _count),
            Figure("Ads read", "count", _count),
        ),
    ),
    "homepage": Kind("markdown_url", "Home page", _home, (Figure("Title of the home page", "title", str),)),
    "organic": Kind(
        "seo_organic",
        "Organic search",
        _same,
        (
            Figure("Organic keywords", "organic_keywords", _count),
            Figure("Organic visits per month", "organic_traffic", _count),
            Figure("Their value as ads per month", "organic_traffic_cost_usd", _write_dollars),
        ),
    ),
    "backlinks": Kind(
        "seo_backlinks",
        "Backlinks",
        _same,
        (
            Figure("Backlinks", "backlinks", _count),
            Figure("Referring domains", "referring_domains", _count),
        ),
    ),
    "registration": Kind(
        "domain_registration",
        "Registration",
        _same,
        (
            Figure("Registered", "registered_at", _write_day),
            Figure("Age in years", "age_years", _write_short),
            Figure("Registrar", "registrar.name", str),
        ),
    ),
    "agent_ready": Kind("agent_ready", "Agent readiness", _same, (Figure("Files for agents", "score", _write_of_3),)),
}


def _spell(text: str) -> str:
    """Return the names without duplicates in the order of `KINDS`, so that equal sets share a cache entry.

    Raises ValueError for an empty list and for an unknown part.
    """
    names = {name.strip().lower() for name in text.split(",") if name.strip()}
    if not names or names - KINDS.keys():
        raise ValueError
    return ",".join(name for name in KINDS if name in names)


class PartNames(
    ParsedText,
    spell=_spell,
    called=f"one or more of {', '.join(KINDS)}, separated by commas",
    example="logo,traffic",
    max_length=200,
):
    """Names of parts, separated by commas."""

    several = tuple(KINDS)

    @property
    def names(self) -> list[str]:
        return self.split(",")


def list_parts(domain: Domain, names: PartNames) -> tuple[Part, ...]:
    """Return the endpoint requests for these parts."""
    return tuple(Part(name, KINDS[name].endpoint, KINDS[name].asks(domain)) for name in names.names)


def list_figures(name: str, data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the label and the value of each figure that the data has."""
    for figure in KINDS[name].figures:
        value: Any = data
        for step in figure.path.split("."):
            value = value.get(step) if isinstance(value, Mapping) else None
        if value is not None and value != "":
            yield figure.label, figure.say(value)
