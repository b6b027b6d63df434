"""Parameters of the endpoints, and the fields that repeat them in a response."""

from datetime import timedelta
from typing import Final, Literal
from urllib.parse import quote, urlencode

from webquarry.endpoints.declare import Params, Result, field, param
from webquarry.extractors.trends.model import places, windows
from webquarry.extractors.trends.model.places import Place, Resolution
from webquarry.extractors.trends.model.windows import Window
from webquarry.extractors.trends.sources.widgets import HOST_URL, Question
from webquarry.render import Md

SourceName = Literal["google_trends", "serpapi"]

PROPERTIES: Final = {
    "": "Web search",
    "images": "Image search",
    "news": "News search",
    "youtube": "YouTube search",
    "froogle": "Google Shopping",
}


class TrendsParams(Params):
    q: str = param("Keyword, or a topic ID such as /m/02vqfm.", max_length=128, example="coffee")
    geo: Place = param(
        "Location: a country (US), a region (US-CA) or a metro (US-CA-807). Empty for worldwide.",
        default="US",
        empty="worldwide",
        pattern=places.PATTERN,
        rule=places.RULE,
        example="US",
    )
    time: Window = param(
        "Time range in UTC: `now 1-H`, `now 4-H`, `now 1-d`, `now 7-d`, `today 1-m`, `today 3-m`, `today 12-m`, "
        "`today 5-y`, `all` (since 2004), two dates (`2024-01-01 2024-06-30`) or two hours at most 7 days apart "
        "(`2024-01-01T06 2024-01-02T18`).",
        default="today 12-m",
        pattern=windows.PATTERN,
        rule=windows.RULE,
        example="today 12-m",
    )
    cat: int = param("Google Trends category ID; 0 for all categories.", default=0, min_value=0, example="0")
    gprop: Literal["images", "news", "youtube", "froogle"] | None = param(
        "Type of search: images, news, YouTube or shopping (`froogle`). Default: web search.",
        default=None,
        example="news",
    )

    @property
    def keywords(self) -> tuple[str, ...]:
        return (self.q,)

    @property
    def division(self) -> Resolution | None:
        """Return the requested division of a map. None leaves the choice to the provider."""
        return None

    @property
    def question(self) -> Question:
        return Question(self.keywords, self.geo, self.time, self.cat, self.gprop or "")


def ages(params: TrendsParams) -> timedelta:
    """Return how long a response may be served from the cache."""
    return windows.ages(params.time)


class RequestFields(Result):
    """The parameters of the request, which every response repeats."""

    geo: str = field('Location code; "" for worldwide.')
    time: str = field("Requested time range.")
    category: int = field("Requested category; 0 for all categories.")
    property: str = field('Type of search: "" (web), `images`, `news`, `youtube` or `froogle`.')
    source: SourceName = field("Name of the provider: `google_trends`, or `serpapi` on its behalf.")
    warnings: list[str] = field("Warnings about this response.")


def list_request_fields(params: TrendsParams, source: SourceName, warnings: list[str]) -> dict[str, object]:
    """Return the fields of `RequestFields` by name."""
    return {
        "geo": params.geo,
        "time": params.time,
        "category": params.cat,
        "property": params.gprop or "",
        "source": source,
        "warnings": warnings,
    }


def list_request_facts(result: RequestFields) -> list[tuple[str, str | int | None]]:
    """Return the request's parameters as labels and values for markdown."""
    return [
        ("Where", result.geo or "Worldwide"),
        ("When", windows.words(result.time)),
        ("Searches", PROPERTIES[result.property]),
        ("Category", result.category or None),
    ]


def write_end(page: Md, result: RequestFields, keywords: str) -> str:
    """Return the finished markdown, with the warnings and the address of the same data on Google Trends at its end."""
    for sentence in result.warnings:
        page.paragraph(sentence)
    query = {"date": result.time, "geo": result.geo, "q": keywords, "gprop": result.property}
    if result.category:
        query["cat"] = str(result.category)
    shown = urlencode({name: value for name, value in query.items() if value}, quote_via=quote)
    return page.source(f"Google Trends, {HOST_URL}/trends/explore?{shown}").text()
