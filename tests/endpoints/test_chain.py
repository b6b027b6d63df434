"""The sources of a chain that are requested, and the settings that enable further sources."""

import ast
from pathlib import Path

import pytest

import webquarry.extractors
from webquarry.core.settings import Settings
from webquarry.core.types import Provider
from webquarry.endpoints.chain import leave_out_spares, settings_to_ask, write_remedy
from webquarry.endpoints.declare import Source
from webquarry.endpoints.registry import load

TESTED = Provider("tested", "Tested")
KEYED = Provider("keyed", "Keyed", needs=("brave_key",), unproven=True)
SPARE = Provider("spare", "Spare", unproven=True)
FAMILIES = Path(webquarry.extractors.__path__[0])


def sources(*providers: Provider) -> list[Source]:
    async def fetch(_params: object, _net: object) -> object:
        raise AssertionError

    return [Source(provider, fetch, lambda wire, params: None) for provider in providers]  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ((TESTED, KEYED, SPARE), [TESTED, KEYED]),
        ((SPARE, TESTED), [TESTED]),
        ((KEYED, SPARE), [KEYED, SPARE]),
        ((SPARE,), [SPARE]),
        ((), []),
    ],
)
def test_untested_source_without_a_key_is_used_only_without_tested_sources(
    given: tuple[Provider, ...], asked: list[Provider]
) -> None:
    assert [source.provider for source in leave_out_spares(sources(*given), Settings())] == asked
    enabled = leave_out_spares(sources(*given), Settings(untested_sources=True))
    assert [source.provider for source in enabled] == list(given)


def test_setting_that_enables_a_source_is_named() -> None:
    tweet = load().by_name["social_microblog_tweet"]
    by_name = {provider.name: provider for provider in tweet.all_providers}
    assert settings_to_ask(tweet, by_name["fxtwitter"], Settings()) == ()
    assert settings_to_ask(tweet, by_name["vxtwitter"], Settings()) == ("WEBQUARRY_UNTESTED_SOURCES",)
    assert settings_to_ask(tweet, by_name["vxtwitter"], Settings(untested_sources=True)) == ()
    assert settings_to_ask(tweet, by_name["x_api"], Settings()) == ("WEBQUARRY_X_API_BEARER_TOKEN",)
    assert settings_to_ask(tweet, by_name["x_api"], Settings(x_api_bearer_token="made")) == ()
    assert write_remedy(tweet, by_name["fxtwitter"], Settings()) is None
    assert (write_remedy(tweet, by_name["vxtwitter"], Settings()) or "").startswith(
        "set WEBQUARRY_UNTESTED_SOURCES to "
    )


def test_source_for_requests_that_the_tested_one_skips_needs_no_setting() -> None:
    product = load().by_name["shortvideo_shop_product"]
    region = next(provider for provider in product.all_providers if provider.name == "tiktok_shop_product")
    assert settings_to_ask(product, region, Settings()) == ()


def test_every_endpoint_uses_the_sources_that_its_page_lists() -> None:
    for extractor in load():
        for source in extractor.sources:
            is_set = not settings_to_ask(extractor, source.provider, Settings(untested_sources=True))
            assert is_set == (not source.provider.needs), f"{extractor.name}: {source.provider.name}"


def declares_untested(file: Path) -> bool:
    """Return whether a module declares providers that are marked as untested."""
    keywords = (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.keyword))
    return any(k.arg == "unproven" and isinstance(k.value, ast.Constant) and k.value.value is True for k in keywords)


def test_untested_sources_are_only_in_untested_folders() -> None:
    marked = {file for file in FAMILIES.rglob("*.py") if declares_untested(file)}
    assert len(marked) > 20
    assert [str(file) for file in sorted(marked) if "untested" not in file.parts] == []


def test_tested_sources_are_outside_untested_folders() -> None:
    for extractor in load():
        for source in extractor.sources:
            made_by = source.ask or source.fetch
            assert made_by is not None
            if ".untested." in made_by.__module__:
                assert source.provider.unproven, f"{extractor.name}: {source.provider.name}"
