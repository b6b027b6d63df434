"""Brave's Search API, with the operator's key. Wire notes: docs/upstreams/search.md#brave-api."""

from urllib.parse import urlencode

from webquarry.locale import Country, Language
from webquarry.net import ANY_STATUS, Net
from webquarry.providers import answers
from webquarry.types import Manners, Provider, Wire

TITLE = "Brave Search API"
BRAVE_API = Provider(
    name="brave_api",
    title=TITLE,
    manners=Manners(spacing_s=1.0),  # plans begin with one request a second
    needs=("brave_key",),
    unproven=True,
)
URL = "https://api.search.brave.com/res/v1/web/search"
LONGEST_QUERY = 400
MOST_WORDS = 50
PAGES = 10

_COUNTRY_NAMES = """
    ar at au be br ca ch cl cn de dk es fi fr gb hk id in it jp kr mx my nl no nz ph pl pt ru sa se tr tw us za
"""
COUNTRIES = frozenset(_COUNTRY_NAMES.split())
ALL_COUNTRIES = "ALL"
_LANGUAGE_NAMES = """
    ar bg bn ca cs da de el en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr sv
    ta te th tr uk vi
"""
LANGUAGES = {
    **{name: name for name in _LANGUAGE_NAMES.split()},
    "ja": "jp",
    "no": "nb",
    "pt": "pt-pt",
    "zh": "zh-hans",
}


def language_name(language: Language) -> str | None:
    """The API's code for the language; None when it has none."""
    region = language.region
    if language.base == "zh" and ("Hant" in language or region in ("TW", "HK", "MO")):
        return "zh-hant"
    if (language.base, region) in (("en", "GB"), ("pt", "BR")):
        return str(language).lower()
    return LANGUAGES.get(language.base)


async def results(net: Net, query: str, country: Country, language: Language, count: int, page: int) -> Wire:
    """The page of `count` results, counted from 0."""
    name = language_name(language)
    fields = {
        "q": query,
        "country": country.upper() if country in COUNTRIES else ALL_COUNTRIES,
        **({"search_lang": name} if name else {}),
        "count": str(count),
        "offset": str(page),
        "safesearch": "off",
        "text_decorations": "0",
    }
    wire = await net.get(
        f"{URL}?{urlencode(fields)}",
        accept="application/json",
        headers={"X-Subscription-Token": net.setting("brave_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=answers.MAX_ANSWER_BYTES,
    )
    return answers.answer_by_key(wire, BRAVE_API)
