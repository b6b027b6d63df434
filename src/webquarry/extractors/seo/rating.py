"""What `seo/authority` gives."""

from datetime import date
from typing import Literal

from webquarry.endpoints.declare import Result, field


class Attribution(Result):
    text: str = field("Words that have to stand wherever the rating is shown.")
    url: str = field("Where they have to lead.")


class RankDetails(Result):
    open_page_rank: float | None = field("Open PageRank on its own scale, 0 to 10.", wire="results[].open_page_rank")
    rank: int | None = field("Place among all domains of the index, from 1.", wire="results[].rank")
    referring_domains: int | None = field("Domains that link to it.", wire="results[].referring_domains")
    as_of: date | None = field("From when the index is.", wire="as_of")
    age_days: int | None = field("Whole days from then to the answer.", unit="days")


class Authority(Result):
    domain: str = field("The host asked for, without a leading www.")
    domain_rating: float = field("The rating, 0 to 100, of the index that `index` names.", wire="domain_rating")
    scale: Literal["0-100"] = field("Of the rating.")
    index: Literal["Ahrefs Domain Rating", "Open PageRank"] = field(
        "Whose rating it is. Ratings of two indexes cannot be compared."
    )
    source: Literal["ahrefs", "openpagerank"] = field("The same, as a short name.")
    license: str = field("Licence of the rating, or the index's site where it states none.", wire="license")
    attribution: Attribution = field("What has to be shown beside the rating.")
    details: RankDetails | None = field("What the second index tells beside; null for the first.")
    warnings: list[str] = field("What the index says of the answer, and what to bear in mind.", wire="warning")
