"""Responses whose values were once read by position: `../shared/evals/wires`, each with its correct values.

The tests of each family contain small versions of them, which also run if `../shared` is missing.
"""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from convert_support.kit import KIT
from webquarry.core.types import Wire
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import load
from webquarry.read.values import reach

WIRES = KIT / "evals/wires"
BY_NAME = {extractor.name: extractor for extractor in load()}
CHANNEL = ("videoplatform_channel", "innertube", {"id": "UCsXVk37bltHxD1rDPwtNM8Q"}, "2026-11-26")
CASES: dict[str, tuple[tuple[str, str, dict[str, str], str], dict[str, Any]]] = {
    "yt-members-only.json": (
        CHANNEL,
        {
            "videos[0].view_count": None,
            "videos[0].view_count_text": None,
            "videos[0].published_text": "12 hours ago",
            "videos[0].published_at": "2026-11-25T12:00:00Z",
            "videos[0].members_only": True,
            "videos[1].view_count": None,
            "videos[1].published_text": "3 weeks ago",
            "videos[1].published_at": None,
        },
    ),
    "yt-premiere.json": (
        CHANNEL,
        {
            "videos[0].view_count": None,
            "videos[0].waiting_count": 56,
            "videos[0].upcoming": True,
            "videos[1].view_count": None,
            "videos[1].waiting_count": 1200,
            "videos[1].upcoming": True,
        },
    ),
    "yt-game-topic.json": (
        CHANNEL,
        {"id": "UCsXVk37bltHxD1rDPwtNM8Q", "name": "Made Game", "kind": "topic", "count": 0, "videos": []},
    ),
    "fx-media-only.json": (
        ("social_microblog_tweet", "fxtwitter", {"id": "1848831595014459513"}, "2026-11-26"),
        {"text": "", "media[0].type": "photo"},
    ),
    "socialnet-other-accounts.html": (
        ("social_socialnet_page", "socialnet_page_html", {"slug": "madeteas"}, "2026-11-26"),
        {
            "social_links": [
                {"platform": "instagram.com", "url": "https://www.instagram.com/madeteas"},
                {"platform": "x.com", "url": "https://x.com/MadeTeas"},
                {"platform": "youtube.com", "url": "https://youtube.com/@MadeTeas"},
            ]
        },
    ),
    "traffic-one-country.json": (
        ("traffic", "similarweb", {"domain": "google.com"}, "2026-11-26"),
        {"top_countries": [{"country_code": "US", "country": "United States", "share": 1.0}]},
    ),
    "ads-without-count.json": (
        ("ads_socialnet", "ad_library_page", {"page_id": "100"}, "2026-11-26"),
        {"total_count": None, "count": 1, "has_more": True},
    ),
    "rdap-epp-status.json": (
        ("domain_registration", "rdap", {"domain": "example.org"}, "2026-11-26"),
        {"status": ["server renew prohibited", "client transfer prohibited", "active"]},
    ),
    "rdap-placeholder-date.json": (
        ("domain_registration", "rdap", {"domain": "example.org"}, "2026-11-26"),
        {"registered_at": "2010-05-05T00:00:00Z", "age_days": 6049, "expires_at": None},
    ),
    "search-bing-dates.html": (
        ("search", "bing_html", {"q": "test", "hl": "en"}, "2026-11-26"),
        {
            "organic_results[0].date": "Vor einem Tag",
            "organic_results[0].published_at": "2026-11-25",
            "organic_results[0].snippet": "Ein gemachter Text",
            "organic_results[1].date": None,
            "organic_results[1].snippet": "A made text.",
            "organic_results[2].date": "2026年6月27日",
            "organic_results[2].published_at": "2026-06-27",
            "organic_results[2].snippet": "一段 made text",
        },
    ),
    "search-brave-dates.html": (
        ("search", "brave_html", {"q": "test"}, "2026-08-01"),
        {
            "organic_results[0].date": "4 days ago",
            "organic_results[0].published_at": "2026-07-28",
            "organic_results[0].snippet": "The first snippet body.",
            "organic_results[1].date": "Jul 24, 2026",
            "organic_results[1].published_at": "2026-07-24",
            "organic_results[1].snippet": "Second body.",
        },
    ),
    "shopify-compare-at.json": (
        ("storefront_catalog", "shopify", {"domain": "shop.example.com"}, "2026-11-26"),
        {
            "products[0].compare_at_price": None,
            **{f"products[0].variants[{place}].compare_at_price": None for place in range(3)},
        },
    ),
}


@pytest.mark.skipif(not WIRES.is_dir(), reason="the wires are not part of the repository")
@pytest.mark.parametrize("name", CASES)
def test_response_gives_the_expected_values(name: str) -> None:
    (endpoint, provider, options, day), expected = CASES[name]
    extractor = BY_NAME[endpoint]
    read = {source.provider.name: source.read for source in extractor.sources}.get(provider) or extractor.read
    assert read is not None
    when = datetime.fromisoformat(day).replace(tzinfo=UTC)
    wire = Wire((WIRES / name).read_bytes(), "", "", 200, {}, when)
    result = read(wire, parse(extractor.params, list(options.items())))
    data = json.loads(result.model_dump_json())
    assert {path: reach(data, path) for path in expected} == expected
    assert extractor.render(result)


@pytest.mark.skipif(not WIRES.is_dir(), reason="the wires are not part of the repository")
def test_every_response_has_a_case() -> None:
    assert {path.name for path in WIRES.iterdir()} - {"README.md", "cases.md"} == CASES.keys()
