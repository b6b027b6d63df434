"""What the sources of search results have in common: what a page is asked with, and how a refusal looks."""

from collections.abc import Mapping
from urllib.parse import urlencode

from webquarry.errors import ProviderError
from webquarry.locale import Country, Language
from webquarry.net import retry_after_s
from webquarry.read.html import Element
from webquarry.types import Wire

BROWSER_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Site": "none",
    "Sec-Fetch-User": "?1",
}
"""Beside the honest User-Agent, for sources that serve pages to browsers only."""
FORM = "application/x-www-form-urlencoded"
MAX_ANSWER_BYTES = 2 * 1024 * 1024
"""Four times what the largest known page of results has; it is read where other calls would have to wait."""
WALL_WAIT_S = 600.0
"""For which a source is left alone once it has asked whether a person is there."""
TOKEN_LIFE_S = 3600.0
"""For which a token that a source gave is used again."""

_CHINESE = frozenset({"CN", "HK", "MO", "SG", "TW"})
_WALL = '[id*="captcha" i], [class*="captcha" i], [action*="captcha" i], [src*="captcha" i], [action*="consent" i]'


def wall(source: str) -> ProviderError:
    """The error for a page that asks whether a person is there, or for consent."""
    return _blocked(f"{source} asks whether a person is searching, and this service does not pretend to be one.")


def shut(source: str, status: int) -> ProviderError:
    """The error for a status by which a source keeps away whom it takes for a robot."""
    return _blocked(f"{source} lets this service search no more for now (status {status}).")


def _blocked(message: str) -> ProviderError:
    return ProviderError(message, reason="blocked", retry_after_s=WALL_WAIT_S)


def answer_by_key(wire: Wire, source: str) -> Wire:
    """The answer to a question asked by the operator's key. ProviderError "refused" for any status but 200."""
    match wire.status:
        case 200:
            return wire
        case 401 | 403 as status:
            said = f"{source} does not accept the key that is set, or not for this (status {status})."
        case 402 | 429 as status:
            said = f"{source} takes no more requests with the key that is set for now (status {status})."
        case status:
            said = f"{source} refused the request (status {status})."
    raise ProviderError(said, reason="refused", retry_after_s=retry_after_s(wire))


def without_rows(page: Element, source: str) -> ProviderError:
    """The error for a page without rows, of a source whose mark for "nothing found" is not known."""
    if page.has(_WALL):
        return wall(source)
    return ProviderError(
        f"{source} answered with a page in which no results could be read, and which does not say that there are none.",
        reason="changed",
    )


def accept_language(language: Language, country: Country) -> str:
    """Value of Accept-Language: `de-AT,de;q=0.9`."""
    return f"{regional(language, country)},{language.base};q=0.9"


def regional(language: Language, country: Country) -> str:
    """The language as spoken in the country, `de-AT`; a language that names its own region stays as it is, and Chinese
    is written as in a country where it is."""
    if language.base == "zh" and country.upper() not in _CHINESE:
        return google_language(language)
    return f"{language.base}-{language.region or country.upper()}"


def google_language(language: Language) -> str:
    """As Google names languages: Chinese by the region where its script is usual, others as they are without script."""
    region = language.region
    if region is None and language.base == "zh":
        region = "TW" if "Hant" in language else "CN"
    return f"{language.base}-{region}" if region else language.base


def form(fields: Mapping[str, str]) -> bytes:
    return urlencode(fields).encode()
