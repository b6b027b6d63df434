import pytest
from pydantic import TypeAdapter, ValidationError

from webquarry.core.locale import COUNTRIES, Country, Language


@pytest.mark.parametrize(("text", "code"), [("us", "us"), ("US", "us"), ("uk", "gb"), (" De ", "de")])
def test_country_is_accepted_in_any_case(text: str, code: str) -> None:
    assert TypeAdapter(Country).validate_python(text) == code


@pytest.mark.parametrize("text", ["", "usa", "1", "zz", "u", "u s", "ÜS"])
def test_other_country_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="ISO 3166-1"):
        TypeAdapter(Country).validate_python(text)


def test_countries_match_the_standard() -> None:
    assert len(COUNTRIES) == 249
    assert all(len(code) == 2 and code.isupper() for code in COUNTRIES)


@pytest.mark.parametrize(
    ("text", "tag", "base", "region"),
    [
        ("en", "en", "en", None),
        ("EN", "en", "en", None),
        ("pt-br", "pt-BR", "pt", "BR"),
        ("zh-hans", "zh-Hans", "zh", None),
        ("zh_hant_tw", "zh-Hant-TW", "zh", "TW"),
        ("es-419", "es-419", "es", "419"),
        ("fil", "fil", "fil", None),
    ],
)
def test_language_is_normalized_as_in_the_standard(text: str, tag: str, base: str, region: str | None) -> None:
    language = TypeAdapter(Language).validate_python(text)
    assert (language, language.base, language.region) == (tag, base, region)


@pytest.mark.parametrize("text", ["", "1", "en us", "e", "english", "en-", "en-US-x-y"])
def test_other_language_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="pt-BR"):
        TypeAdapter(Language).validate_python(text)
