"""The result of `traffic`.

Shares are from 0 to 1, except in fields whose name contains "percent". Values that the provider lacks are null.
"""

from datetime import date
from typing import Literal

from pydantic import ConfigDict, Field

from webquarry.endpoints.declare import Result, field


class CountryRank(Result):
    code: str | None = field("Two-letter ISO 3166-1 code of the country.", wire="CountryRank.CountryCode")
    name: str | None = field("Name of the country in English.")
    rank: int | None = field("Rank among the sites visited in the country.", wire="CountryRank.Rank")


class CategoryRank(Result):
    name: str | None = field("Category of the rank.", wire="CategoryRank.Category")
    rank: int | None = field("Rank among the sites of the category.", wire="CategoryRank.Rank")


class Ranks(Result):
    """Ranks of a site. `global` is a reserved word in Python, so its attribute is `worldwide`."""

    model_config = ConfigDict(serialize_by_alias=True)

    worldwide: int | None = Field(
        alias="global",
        description="Global rank among all sites.",
        json_schema_extra={"x-wire": "GlobalRank.Rank"},
    )
    country: CountryRank = field("Rank in the country with the most visits.", wire="CountryRank")
    category: CategoryRank = field("Rank in the site's category.", wire="CategoryRank")


class MonthVisits(Result):
    month: str = field("The month, YYYY-MM.")
    visits: int = field("Number of visits in the month.")


class Visits(Result):
    monthly: int = field("Number of visits in the month of the snapshot.", wire="Engagments.Visits")
    month: str | None = field("Month of the snapshot, YYYY-MM.", wire="Engagments.{Year, Month}")
    history: list[MonthVisits] = field("Visits by month, oldest first.", wire="EstimatedMonthlyVisits")


class Engagement(Result):
    bounce_rate: float | None = field("Bounce rate, 0 to 1.", wire="Engagments.BounceRate")
    pages_per_visit: float | None = field("Average number of pages per visit.", wire="Engagments.PagePerVisit")
    visit_duration_seconds: float | None = field(
        "Average visit duration.", unit="seconds", wire="Engagments.TimeOnSite"
    )


class TrafficSources(Result):
    direct: float | None = field("Share of direct visits, 0 to 1.", wire="TrafficSources.Direct")
    search: float | None = field("Share of visits from search engines, 0 to 1.", wire="TrafficSources.Search")
    social: float | None = field("Share of visits from social networks, 0 to 1.", wire="TrafficSources.Social")
    referrals: float | None = field("Share of visits from referrals, 0 to 1.", wire="TrafficSources.Referrals")
    mail: float | None = field("Share of visits from email, 0 to 1.", wire="TrafficSources.Mail")
    paid_referrals: float | None = field(
        "Share of visits from paid referrals, 0 to 1.", wire="TrafficSources.Paid Referrals"
    )


class CountryShare(Result):
    country_code: str | None = field(
        "Two-letter ISO 3166-1 code; null if the country number is unknown.", wire="TopCountryShares[].CountryCode"
    )
    country: str | None = field("Name of the country in English.")
    share: float = field("Share of visits from this country, 0 to 1.", wire="TopCountryShares[].Value")


class Keyword(Result):
    keyword: str = field("Search query.", wire="TopKeywords[].Name")
    volume: int | None = field("Monthly search volume.", wire="TopKeywords[].Volume")
    cpc: float | None = field("Cost per click in US dollars.", wire="TopKeywords[].Cpc")
    estimated_value: int | None = field("Estimated visits from this keyword.", wire="TopKeywords[].EstimatedValue")


class Assistant(Result):
    name: str = field("Domain of the assistant.", wire="AiTrafficDetails.Traffic.Distribution.Chatbots[].Name")
    share_percent: float = field(
        "Share of all visits from assistants, in percent.",
        unit="percent",
        wire="AiTrafficDetails.Traffic.Distribution.Chatbots[].Value",
    )
    rank: int | None = field("Rank among the assistants.", wire="AiTrafficDetails.Traffic.Split[].Rank")


class AiTraffic(Result):
    visits: float | None = field(
        "Number of visits from assistants in the month of the snapshot.", wire="AiTrafficDetails.TotalVisits"
    )
    share: float | None = field("Share of all visits, 0 to 1.", wire="AiTrafficDetails.ReferralTraffic")
    sources: list[Assistant] = field("Assistants, ordered by visits.")
    prompts: list[str] = field("Sample prompts that led to visits.", wire="AiTrafficDetails.TopPrompts.Prompts[]")


class Traffic(Result):
    domain: str = field("Requested host without a leading www.")
    site_name: str | None = field("Domain according to the provider.", wire="SiteName")
    title: str | None = field("Title of the site.", wire="Title")
    description: str | None = field("Description of the site.", wire="Description")
    category: str | None = field("Category with its parent, separated by /.", wire="CategoryRank.Category")
    category_path: list[str] = field("Category path, outermost first.")
    snapshot_date: date | None = field("Date of the data.", wire="SnapshotDate")
    rank: Ranks = field("Ranks of the site.")
    visits: Visits = field("Current and previous monthly visits.")
    engagement: Engagement = field("Engagement metrics.", wire="Engagments")
    traffic_sources: TrafficSources = field("Traffic sources.", wire="TrafficSources")
    top_countries: list[CountryShare] = field("Countries with the most visits.", wire="TopCountryShares")
    top_keywords: list[Keyword] = field("Keywords that bring the most visits.", wire="TopKeywords")
    competitors: list[str] = field("Similar sites.", wire="Competitors.TopSimilarityCompetitors[].Domain")
    ai_traffic: AiTraffic | None = field("Visits from AI assistants; null if unknown.", wire="AiTrafficDetails")
    is_small: bool | None = field("Whether the provider marks the site as small.", wire="IsSmall")
    source: Literal["similarweb"] = field("Name of the provider.")
    warnings: list[str] = field("Warnings, one sentence each.")
