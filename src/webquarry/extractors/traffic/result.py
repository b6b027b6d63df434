"""What `traffic` gives. Shares are from 0 to 1 unless the name says percent; what the source does not say is null."""

from datetime import date
from typing import Literal

from pydantic import ConfigDict, Field

from webquarry.endpoints.declare import Result, field


class CountryRank(Result):
    code: str | None = field("Where it is ranked: ISO 3166-1, two letters.", wire="CountryRank.CountryCode")
    name: str | None = field("The country's name in English.")
    rank: int | None = field("Place among the sites visited there.", wire="CountryRank.Rank")


class CategoryRank(Result):
    name: str | None = field("The category that it is ranked in.", wire="CategoryRank.Category")
    rank: int | None = field("Place among the sites of the category.", wire="CategoryRank.Rank")


class Ranks(Result):
    """The first is `global` in answers, which Python keeps for itself."""

    model_config = ConfigDict(serialize_by_alias=True)

    worldwide: int | None = Field(
        alias="global",
        description="Place among all sites of the world.",
        json_schema_extra={"x-wire": "GlobalRank.Rank"},
    )
    country: CountryRank = field("Place in the country that visits it most.", wire="CountryRank")
    category: CategoryRank = field("Place in its category.", wire="CategoryRank")


class MonthVisits(Result):
    month: str = field("The month, YYYY-MM.")
    visits: int = field("Visits in it.")


class Visits(Result):
    monthly: int = field("Visits in the snapshot's month.", wire="Engagments.Visits")
    month: str | None = field("That month, YYYY-MM.", wire="Engagments.{Year, Month}")
    history: list[MonthVisits] = field("Visits by month, oldest first.", wire="EstimatedMonthlyVisits")


class Engagement(Result):
    bounce_rate: float | None = field("Share of visits of one page, 0 to 1.", wire="Engagments.BounceRate")
    pages_per_visit: float | None = field("Pages seen in a visit, the mean.", wire="Engagments.PagePerVisit")
    visit_duration_seconds: float | None = field(
        "How long a visit lasts, the mean.", unit="seconds", wire="Engagments.TimeOnSite"
    )


class TrafficSources(Result):
    direct: float | None = field("Share of visits by the address itself, 0 to 1.", wire="TrafficSources.Direct")
    search: float | None = field("Share from search engines, 0 to 1.", wire="TrafficSources.Search")
    social: float | None = field("Share from social networks, 0 to 1.", wire="TrafficSources.Social")
    referrals: float | None = field("Share from links of other sites, 0 to 1.", wire="TrafficSources.Referrals")
    mail: float | None = field("Share from mail, 0 to 1.", wire="TrafficSources.Mail")
    paid_referrals: float | None = field(
        "Share from paid links of other sites, 0 to 1.", wire="TrafficSources.Paid Referrals"
    )


class CountryShare(Result):
    country_code: str | None = field(
        "ISO 3166-1, two letters; null for a number that no country has.", wire="TopCountryShares[].CountryCode"
    )
    country: str | None = field("The country's name in English.")
    share: float = field("Share of visits from there, 0 to 1.", wire="TopCountryShares[].Value")


class Keyword(Result):
    keyword: str = field("What was searched for.", wire="TopKeywords[].Name")
    volume: int | None = field("Searches for it in a month.", wire="TopKeywords[].Volume")
    cpc: float | None = field("Price of a click on an ad beside it, in US dollars.", wire="TopKeywords[].Cpc")
    estimated_value: int | None = field("Visits that it is estimated to bring.", wire="TopKeywords[].EstimatedValue")


class Assistant(Result):
    name: str = field("The assistant's site.", wire="AiTrafficDetails.Traffic.Distribution.Chatbots[].Name")
    share_percent: float = field(
        "Its part of the visits from assistants, in percent.",
        unit="percent",
        wire="AiTrafficDetails.Traffic.Distribution.Chatbots[].Value",
    )
    rank: int | None = field("Its place among them.", wire="AiTrafficDetails.Traffic.Split[].Rank")


class AiTraffic(Result):
    visits: float | None = field("Visits from assistants in the snapshot's month.", wire="AiTrafficDetails.TotalVisits")
    share: float | None = field("Their share of all visits, 0 to 1.", wire="AiTrafficDetails.ReferralTraffic")
    sources: list[Assistant] = field("From which assistants, most first.")
    prompts: list[str] = field("Samples of prompts that led to visits.", wire="AiTrafficDetails.TopPrompts.Prompts[]")


class Traffic(Result):
    domain: str = field("The host asked for, without a leading www.")
    site_name: str | None = field("The name that the source answers about.", wire="SiteName")
    title: str | None = field("The site's title.", wire="Title")
    description: str | None = field("The site's description of itself.", wire="Description")
    category: str | None = field("Its category with the one above it, set apart by /.", wire="CategoryRank.Category")
    category_path: list[str] = field("The same, outermost first.")
    snapshot_date: date | None = field("Day from which the figures are.", wire="SnapshotDate")
    rank: Ranks = field("Places among other sites.")
    visits: Visits = field("Visits, now and in the months before.")
    engagement: Engagement = field("What visitors do.", wire="Engagments")
    traffic_sources: TrafficSources = field("Where visits come from.", wire="TrafficSources")
    top_countries: list[CountryShare] = field("The countries with most visits.", wire="TopCountryShares")
    top_keywords: list[Keyword] = field("The searches that bring most visits.", wire="TopKeywords")
    competitors: list[str] = field("Sites most like it.", wire="Competitors.TopSimilarityCompetitors[].Domain")
    ai_traffic: AiTraffic | None = field("Visits from AI assistants; null when not said.", wire="AiTrafficDetails")
    is_small: bool | None = field("Whether the source calls its figures those of a small site.", wire="IsSmall")
    source: Literal["similarweb"] = field("Whose estimates these are.")
    warnings: list[str] = field("What is not as it should be, a sentence each.")
