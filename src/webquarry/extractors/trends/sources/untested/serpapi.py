"""Google Trends through SerpApi. Untested: no response is recorded. See docs/upstreams/trends.md."""

from typing import Literal

from webquarry.core.types import Wire
from webquarry.extractors.trends.sources.widgets import Question
from webquarry.net import Net
from webquarry.providers import serpapi

TrendsData = Literal["TIMESERIES", "GEO_MAP_0", "RELATED_QUERIES"]


async def answers(net: Net, question: Question, data: TrendsData, *, resolution: str | None = None) -> Wire:
    """Fetch Google Trends' response to a question. resolution: the map's division, if it is not the default."""
    return await serpapi.ask(
        net,
        "google_trends",
        q=",".join(question.keywords),
        data_type=data,
        date=question.time,
        cat=str(question.category),
        hl="en",
        tz="0",
        geo=question.geo,
        gprop=question.gprop,
        region=resolution or "",
    )
