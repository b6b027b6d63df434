"""Parameters of a search."""

from webquarry.core.locale import Country, Language
from webquarry.endpoints.declare import Params, param

MAX_PAGE = 10


class SearchParams(Params):
    q: str = param(
        "Search query. Operators such as site: work if the provider supports them.",
        example="coffee",
        max_length=512,
    )
    gl: Country = param("Two-letter country code of the search.", default=Country("us"))
    hl: Language = param("Language to search in.", default=Language("en"))
    num: int = param("Results per page.", default=10, min_value=1, max_value=20)
    page: int = param("Page number, starting at 1.", default=1, min_value=1, max_value=MAX_PAGE)

    @property
    def skipped(self) -> int:
        """The number of results on the pages before this one."""
        return (self.page - 1) * self.num
