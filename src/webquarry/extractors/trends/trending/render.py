"""The list for people: numbered, with traffic, growth and news."""

from typing import Final

from webquarry.extractors.trends.trending.result import Search, Trending
from webquarry.extractors.trends.widgets import HOST_URL
from webquarry.render import Bold, Line, Link, Md

MAX_WITH_NEWS: Final = 50
MAX_NEWS: Final = 3
MAX_RELATED: Final = 5


def render(r: Trending) -> str:
    page = Md(f"Trending searches: {r.geo}")
    page.facts({"Searches": r.count, "Within": None if r.hours is None else f"the last {r.hours} hours"})
    page.paragraph("In the provider's order, not by traffic. Traffic is a lower bound.")
    detailed, rest = r.searches[:MAX_WITH_NEWS], r.searches[MAX_WITH_NEWS:]
    page.numbered("Searches", [_entry(search) for search in detailed])
    page.numbered("Further searches", [(_line(search),) for search in rest], start=len(detailed) + 1)
    if any(search.news or search.related_queries for search in rest):
        page.paragraph(
            f"News and related queries are listed only for the first {MAX_WITH_NEWS}; the JSON format has all of them."
        )
    for sentence in r.warnings:
        page.paragraph(sentence)
    return page.source(f"Google Trends, {HOST_URL}/trending?geo={r.geo}").text()


def _entry(search: Search) -> list[Line]:
    related = search.related_queries[:MAX_RELATED]
    news: list[Line] = [
        (Link(article.title, article.url), f"({article.source})" if article.source else None)
        for article in search.news[:MAX_NEWS]
    ]
    return [_line(search), f"Also: {', '.join(related)}" if related else None, *news]


def _line(search: Search) -> Line:
    """The query and what is known of its size: `**query** 50K+ searches (active, +1,000%)`."""
    activity = {True: "active", False: "ended", None: None}[search.is_active]
    growth = None if search.growth_percent is None else f"{search.growth_percent:+,}%"
    known = ", ".join(filter(None, (activity, growth)))
    return (
        Bold(search.query),
        f"{search.traffic_label} searches" if search.traffic_label else None,
        f"({known})" if known else None,
    )
