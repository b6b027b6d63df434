"""Languages as sources name them."""

from webquarry.core.locale import Country, Language

_CHINESE = frozenset({"CN", "HK", "MO", "SG", "TW"})


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
