"""Google's Programmable Search, with the operator's own engine and key. Ends on 2027-01-01 for engines that search the
whole web. Wire notes: docs/upstreams/search.md#programmable-search.
"""

from urllib.parse import urlencode

from webquarry.locale import Country, Language
from webquarry.net import ANY_STATUS, Net
from webquarry.providers import answers, languages
from webquarry.types import Provider, Wire

TITLE = "Google Programmable Search"
GOOGLE_CSE = Provider(name="google_cse", title=TITLE, needs=("google_cse_key", "google_cse_id"), unproven=True)
URL = "https://www.googleapis.com/customsearch/v1"
MOST_ROWS = 10
"""Of one answer."""
LAST_ROW = 100
"""Behind it nothing is given."""


async def results(net: Net, query: str, country: Country, language: Language, skipped: int, count: int) -> Wire:
    """`count` results, at most `MOST_ROWS`, behind the first `skipped`."""
    fields = {
        "cx": net.setting("google_cse_id"),
        "q": query,
        "num": str(count),
        "start": str(skipped + 1),
        "gl": country,
        "hl": languages.google_language(language),
        "safe": "off",
    }
    wire = await net.get(
        f"{URL}?{urlencode(fields)}",
        accept="application/json",
        secrets={"key": net.setting("google_cse_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=answers.MAX_ANSWER_BYTES,
    )
    return answers.answer_by_key(wire, GOOGLE_CSE)
