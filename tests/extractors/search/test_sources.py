"""The chain of sources: order, queries that a source can't run, and warnings about ignored parameters."""

from typing import Any

import pytest

from support.results import Sources, query
from support.world import Told
from webquarry.core.errors import ConversionFailed, ProviderError
from webquarry.core.settings import Settings
from webquarry.core.types import Provider
from webquarry.endpoints.chain import missing_settings
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.search import SOURCES, extractor
from webquarry.providers import answers

BY_NAME = {source.provider.name: source for source in SOURCES}
KEYS: dict[str, Any] = {
    "serper_key": "k",
    "brave_key": "k",
    "google_cse_key": "k",
    "google_cse_id": "made:engine",
    "searxng_url": "https://searx.example",
    "bing": True,
}


def asked(q: str = "coffee", **params: Any) -> SearchParams:
    return SearchParams.model_validate({"q": q, **params})


def is_switched_on(provider: Provider) -> bool:
    """Return whether the provider needs a setting that is only on or off."""
    return any(Settings.model_fields[name].annotation is bool for name in provider.needs)


def test_sources_that_need_a_setting_come_first_then_open_ones_then_those_that_are_switched_on() -> None:
    ranks = [2 if is_switched_on(s.provider) else 0 if s.provider.needs else 1 for s in extractor.sources]
    assert ranks == sorted(ranks)
    assert set(ranks) == {0, 1, 2}


def test_open_sources_are_used_by_default_and_bing_only_if_enabled() -> None:
    ready = [source for source in SOURCES if not missing_settings(source.provider, Settings())]
    assert ready == [source for source in SOURCES if not source.provider.needs]
    assert missing_settings(BY_NAME["bing_html"].provider, Settings()) == ("WEBQUARRY_BING",)
    assert missing_settings(BY_NAME["bing_html"].provider, Settings(bing=True)) == ()


def test_sources_without_a_complete_sample_are_marked() -> None:
    assert {s.provider.name for s in SOURCES if s.provider.unproven} == {
        "brave_api",
        "google_cse",
        "searxng",
    }


@pytest.mark.parametrize("name", ["duckduckgo_html", "brave_html", "startpage", "mojeek", "bing_html"])
def test_pages_for_browsers_are_requested_two_seconds_apart(name: str) -> None:
    politeness = BY_NAME[name].provider.politeness
    assert (politeness.spacing_s, politeness.concurrency) == (2.0, 1)


@pytest.mark.parametrize(
    ("name", "params", "skipped"),
    [
        ("duckduckgo_html", asked("x" * 499), False),
        ("duckduckgo_html", asked("x" * 500), True),
        ("brave_api", asked("x" * 400), False),
        ("brave_api", asked("x" * 401), True),
        ("brave_api", asked("x " * 49 + "x"), False),
        ("brave_api", asked("x " * 50 + "x"), True),
        ("brave_api", asked(num=20, page=10), False),
        ("google_cse", asked(num=10, page=10), False),
        ("google_cse", asked(num=20, page=5), False),
        ("google_cse", asked(num=20, page=6), True),
        ("brave_html", asked(num=20, page=10), False),
        ("bing_html", asked(num=5, page=2), False),
        ("bing_html", asked(num=10, page=2), True),
        ("searxng", asked(num=20, page=5), False),
        ("searxng", asked(num=20, page=6), True),
        ("mojeek", asked("x" * 256, num=20, page=10), False),
        ("mojeek", asked("x" * 257), True),
        ("startpage", asked("漢" * 512, num=20, page=10), False),
        ("serper", asked("漢" * 512, num=20, page=10), False),
        ("brave_html", asked("x" * 512), False),
        *((name, asked("漢" * 512), True) for name in ("brave_html", "searxng", "bing_html", "google_cse")),
    ],
)
def test_source_is_skipped_for_queries_that_it_cannot_run(name: str, params: SearchParams, *, skipped: bool) -> None:
    why = BY_NAME[name].skips(params)
    assert (why is not None) == skipped
    assert why is None or "at most" in why or "returns only" in why


@pytest.mark.parametrize(
    ("name", "params", "notes"),
    [
        ("duckduckgo_html", asked(), []),
        ("duckduckgo_html", asked(gl="ch", hl="fr"), []),
        ("duckduckgo_html", asked(gl="de", hl="en"), ["DuckDuckGo does not support en for DE."]),
        (
            "duckduckgo_html",
            asked(gl="lu", hl="de"),
            ["DuckDuckGo has no region for LU, so results for all regions are returned."],
        ),
        ("startpage", asked(gl="jp", hl="ja"), []),
        (
            "startpage",
            asked(gl="lu", hl="lb"),
            [
                "Startpage has no region for LU, so results for all regions are returned.",
                "Startpage does not support the language lb, so English was used.",
            ],
        ),
        ("brave_api", asked(gl="jp", hl="ja"), []),
        (
            "brave_api",
            asked(gl="lu", hl="lb"),
            [
                "Brave Search API does not support the country LU, so results for all countries are returned.",
                "Brave Search API does not support the language lb, so results in any language are returned.",
            ],
        ),
        ("mojeek", asked(gl="lu", hl="lb"), []),
    ],
)
def test_parameters_that_a_source_ignores_cause_a_warning(name: str, params: SearchParams, notes: list[str]) -> None:
    assert BY_NAME[name].notes(params) == notes


async def test_programmable_search_is_requested_for_just_the_needed_rows() -> None:
    world = Sources(
        {"www.googleapis.com": [Told(body=b"{}")] * 2}, google_cse_key="secret-key", google_cse_id="made:engine"
    )
    source = BY_NAME["google_cse"]
    for params, page, expected in ((asked(num=7, page=3), 0, ("15", "7")), (asked(num=13, page=2), 1, ("24", "10"))):
        await source.fetch(params, world.net(source.provider), page)
        fields = query(world.asked[-1])
        assert (fields["start"], fields["num"]) == expected
        assert "secret-key" not in world.asked[-1].url


async def test_first_block_page_of_duckduckgo_moves_on_and_pauses_it() -> None:
    source = BY_NAME["duckduckgo_html"]
    world = Sources({"html.duckduckgo.com": [Told(status=202)]})
    with pytest.raises(ProviderError) as caught, world.net(source.provider) as net:
        await source.ask(asked(), net)
    assert (caught.value.reason, caught.value.retry_after_s) == ("blocked", 600)


@pytest.mark.parametrize("name", BY_NAME)
def test_sources_with_a_key_are_paid_by_the_page_and_not_judged(name: str) -> None:
    source = BY_NAME[name]
    assert source.keyed == any(setting.endswith("_key") for setting in source.provider.needs)


@pytest.mark.parametrize("name", BY_NAME)
async def test_response_beyond_the_maximum_is_not_read(name: str) -> None:
    source = BY_NAME[name]
    large = Told(body=b"x" * (answers.MAX_ANSWER_BYTES + 1))
    hosts = ("google.serper.dev", "api.search.brave.com", "www.googleapis.com", "searx.example", "html.duckduckgo.com")
    more = ("search.brave.com", "www.startpage.com", "www.mojeek.com", "www.bing.com")
    with pytest.raises(ConversionFailed):
        await source.fetch(asked(), Sources({host: [large] for host in hosts + more}, **KEYS).net(source.provider), 0)


@pytest.mark.parametrize("name", BY_NAME)
async def test_longest_accepted_query_can_be_sent(name: str) -> None:
    source = BY_NAME[name]
    world = Sources({}, **KEYS)
    longest = max((asked("漢" * length) for length in range(1, 513)), key=lambda p: (not source.skips(p)) * len(p.q))
    assert len(longest.q) > 250
    with pytest.raises(ProviderError, match="Nobody there"):
        await source.fetch(longest, world.net(source.provider), 0)
