"""Mojeek's page of web results, from a small index of its own. Wire notes: docs/upstreams/search.md#mojeek."""

from urllib.parse import urlencode

from webquarry.extractors.search.engines import browser
from webquarry.locale import Country, Language
from webquarry.net import Net
from webquarry.providers import answers, languages
from webquarry.types import Manners, Provider, Wire

TITLE = "Mojeek"
MOJEEK = Provider(
    name="mojeek",
    title=TITLE,
    manners=Manners(spacing_s=2.0, concurrency=1),
    headers=browser.BROWSER_HEADERS,
    keeps_cookies=True,
)
URL = "https://www.mojeek.com/search"
ROWS = 10
LONGEST_QUERY = 256


async def results(net: Net, query: str, country: Country, language: Language, page: int) -> Wire:
    """A page of results, counted from 0."""
    fields = {"q": query, "safe": "0"}
    if page:  # on the first page `s` is taken for the mark of a robot
        fields["s"] = str(page * ROWS + 1)
    wire = await net.get(
        f"{URL}?{urlencode(fields)}",
        headers={"Accept-Language": languages.accept_language(language, country)},
        cookies={"lb": language.base, "arc": country},
        ok_on=(200, 403),
        absent_on=(),
        max_bytes=answers.MAX_ANSWER_BYTES,
    )
    if wire.status == 403:
        raise browser.shut(TITLE, wire.status)
    return wire
