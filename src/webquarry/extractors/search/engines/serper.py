"""Serper's web search: Google's results as JSON, by the operator's key. Wire notes: docs/upstreams/search.md#serper."""

from webquarry.locale import Country, Language
from webquarry.net import Net
from webquarry.providers import serper_api
from webquarry.providers.languages import google_language
from webquarry.types import Provider, Wire

TITLE = "Serper"
SERPER = Provider(name="serper", title=TITLE, needs=(serper_api.SERPER_KEY,))
ROWS = 10
"""Asked for on each page: Google itself has given no more for long."""


async def results(net: Net, query: str, country: Country, language: Language, page: int) -> Wire:
    """A page of results, counted from 0."""
    question: dict[str, str | int] = {
        "q": query,
        "gl": str(country),
        "hl": google_language(language).lower(),
        "num": ROWS,
        "page": page + 1,
    }
    return await serper_api.ask("search", question, SERPER, net)
