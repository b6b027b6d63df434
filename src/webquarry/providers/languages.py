"""Names of languages that sources use."""

from webquarry.core.locale import Country, Language

_CHINESE = frozenset({"CN", "HK", "MO", "SG", "TW"})


def accept_language(language: Language, country: Country) -> str:
    """Return the value of Accept-Language: `de-AT,de;q=0.9`."""
    return f"{regional(language, country)},{language.base};q=0.9"


def regional(language: Language, country: Country) -> str:
    """Return the language with the country as its region: `de-AT`.

    A language with a region is kept. Chinese gets a region where it is an official language.
    """
    if language.base == "zh" and country.upper() not in _CHINESE:
        return google_language(language)
    return f"{language.base}-{language.region or country.upper()}"


def google_language(language: Language) -> str:
    """Return Google's code for a language: Chinese with the usual region of its script, other languages without a
    script.
    """
    region = language.region
    if region is None and language.base == "zh":
        region = "TW" if "Hant" in language else "CN"
    return f"{language.base}-{region}" if region else language.base
