"""The result of `seo/authority`."""

from datetime import date
from typing import Literal

from webquarry.endpoints.declare import Result, field


class Attribution(Result):
    text: str = field("Attribution text that you must show with the rating.")
    url: str = field("URL that the attribution must link to.")


class RankDetails(Result):
    open_page_rank: float | None = field(
        "Open PageRank on its original scale, 0 to 10.", wire="results[].open_page_rank"
    )
    rank: int | None = field("Rank among all domains in the index, starting at 1.", wire="results[].rank")
    referring_domains: int | None = field("Number of linking domains.", wire="results[].referring_domains")
    as_of: date | None = field("Date of the index.", wire="as_of")
    age_days: int | None = field("Age of the index in days.", unit="days")


class Authority(Result):
    domain: str = field("Requested host without a leading www.")
    domain_rating: float = field("Rating from 0 to 100 in the index named in `index`.", wire="domain_rating")
    scale: Literal["0-100"] = field("Scale of the rating.")
    index: Literal["Ahrefs Domain Rating", "Open PageRank"] = field(
        "Name of the index. Ratings of different indexes can't be compared."
    )
    source: Literal["ahrefs", "openpagerank"] = field("Short name of the index.")
    license: str = field("License of the rating, or the website of the index if it states no license.", wire="license")
    attribution: Attribution = field("Attribution that you must show with the rating.")
    details: RankDetails | None = field("Additional data of Open PageRank; null for Ahrefs.")
    warnings: list[str] = field("Notes on the rating.", wire="warning")
