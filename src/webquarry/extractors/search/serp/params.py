"""What a search is asked with."""

from webquarry.core.locale import Country, Language
from webquarry.endpoints.declare import Params, param

MAX_PAGE = 10


class SearchParams(Params):
    q: str = param(
        "What to search for; operators such as site: work where the source knows them.",
        example="coffee",
        max_length=512,
    )
    gl: Country = param("Country to search from, as a code of two letters.", default=Country("us"))
    hl: Language = param("Language to search in.", default=Language("en"))
    num: int = param("Results per page.", default=10, min_value=1, max_value=20)
    page: int = param("Page of results, from 1.", default=1, min_value=1, max_value=MAX_PAGE)

    @property
    def skipped(self) -> int:
        """Results on the pages before this one."""
        return (self.page - 1) * self.num
