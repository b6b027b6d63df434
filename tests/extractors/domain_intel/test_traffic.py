import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import JUNK, damaged_json
from support.world import NOW, House, Told, World
from webquarry.core.errors import EmptyResult, ProviderError, ServiceError
from webquarry.core.locale import COUNTRIES
from webquarry.core.settings import Settings
from webquarry.core.types import Wire
from webquarry.extractors.domain_intel.model.traffic_result import Traffic
from webquarry.extractors.domain_intel.sources import similarweb
from webquarry.extractors.domain_intel.sources.untested import similarweb_api
from webquarry.extractors.domain_intel.traffic import TrafficParams, extractor, render
from webquarry.extractors.domain_intel.words import NAMES, find_country_code
from webquarry.sandbox.cases import cases

SAMPLES = KIT / "upstreams/samples/traffic"
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")
[RICH] = [json.loads(case.exchanges[0].answered().body) for case in cases("traffic") if case.folder.name == "rich"]
PUBLIC, API, RESELLER = "data.similarweb.com/api/v1/data", "api.similarweb.com/v1/website/", "sold.example/"
RESELLER_SETTINGS: dict[str, Any] = {
    "traffic_reseller_url": "https://sold.example/web/{domain}",
    "traffic_reseller_key": "secret",
    "traffic_reseller_header": "X-Sold-Key",
}


def asked(domain: str = "example.com") -> TrafficParams:
    return TrafficParams.model_validate({"domain": domain})


def wire(body: Any, status: int = 200) -> Wire:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Wire(content, "https://data.similarweb.com/", "", status, {}, NOW)


def read(body: Any, domain: str = "example.com") -> Traffic:
    return similarweb.read(wire(body), asked(domain))


def rich(**members: Any) -> dict[str, Any]:
    return {**copy.deepcopy(RICH), **members}


def engaged(**members: Any) -> dict[str, Any]:
    return rich(Engagments={**RICH["Engagments"], **members})


def reason_of(body: Any, domain: str = "example.com") -> str | None:
    with pytest.raises(ProviderError) as caught:
        read(body, domain)
    return caught.value.reason


def told(body: Any = b"", status: int = 200, **headers: str) -> Told:
    return Told(status, body if isinstance(body, bytes) else json.dumps(body).encode(), headers)


class TestSamples:
    @needs_samples
    def test_response_of_2020_is_read(self) -> None:
        found = read((SAMPLES / "att.com.2020-01.raw.json").read_bytes(), "www.att.com")
        assert (found.visits.monthly, found.visits.month) == (97569419, "2020-01")
        assert [point.month for point in found.visits.history] == [
            "2019-08", "2019-09", "2019-10", "2019-11", "2019-12", "2020-01"]  # fmt: skip
        assert found.rank.model_dump() == {
            "global": 329,
            "country": {"code": "US", "name": "United States", "rank": 79},
            "category": {"name": "Computers Electronics and Technology/Telecommunications", "rank": 5},
        }
        assert [share.country for share in found.top_countries] == [
            "United States", "Mexico", "India", "Canada", "Puerto Rico"]  # fmt: skip
        assert found.engagement.visit_duration_seconds == pytest.approx(221.562, abs=0.001)
        assert (found.ai_traffic, found.top_keywords, found.snapshot_date, found.warnings) == (None, [], None, [])

    @needs_samples
    def test_response_of_2026_is_read(self) -> None:
        found = read((SAMPLES / "google.com.2026-01.restored.json").read_bytes(), "google.com")
        assert (found.visits.monthly, found.visits.month) == (85756574615, "2026-01")
        assert [share.country_code for share in found.top_countries] == ["US", "IN", "JP", "BR", "GB"]
        assert (found.top_keywords[1].keyword, found.top_keywords[1].cpc) == ("gmail", 1.74)
        assert found.traffic_sources.paid_referrals == pytest.approx(0.0032675, abs=1e-6)
        assert found.ai_traffic
        assert found.ai_traffic.share == pytest.approx(0.0037047)
        assert [(a.name, round(a.share_percent, 1), a.rank) for a in found.ai_traffic.sources] == [
            ("chatgpt.com", 59.8, 1), ("perplexity.ai", 19.4, 2), ("claude.ai", 18.6, 3)]  # fmt: skip
        assert len(found.ai_traffic.prompts) == 3
        assert str(found.snapshot_date) == "2026-01-01"


class TestFigures:
    @pytest.mark.parametrize(
        ("text", "visits"), [("9.756941889301659E7", 97569419), ("12", 12), (12.4, 12), (" 7 ", 7), ("1e3", 1000)]
    )
    def test_visits_are_texts_with_exponents_too(self, text: Any, visits: int) -> None:
        assert read(engaged(Visits=text)).visits.monthly == visits

    @pytest.mark.parametrize("text", ["0", 0, "0.0", "0E0", "0.3"])
    def test_missing_visits_are_an_empty_result(self, text: Any) -> None:
        with pytest.raises(EmptyResult):
            read(engaged(Visits=text))

    @pytest.mark.parametrize("value", [None, "", "many", "NaN", "inf", "1_000", "9e999", "-3", [], {}, True])
    def test_unreadable_visits_are_a_changed_response_and_never_zero(self, value: Any) -> None:
        assert reason_of(engaged(Visits=value)) == "changed"

    @pytest.mark.parametrize("name", ["Engagments", "Engagements", "engagments", "engagements"])
    def test_engagement_is_read_in_every_spelling(self, name: str) -> None:
        body = rich()
        body[name] = body.pop("Engagments")
        assert read(body).visits.monthly == 1284310

    @pytest.mark.parametrize(
        ("year", "month", "answer"), [("2026", "1", "2026-01"), (2026, 12, "2026-12"), ("2026", "13", None)]
    )
    def test_month_may_have_one_or_two_digits(self, year: Any, month: Any, answer: str | None) -> None:
        assert read(engaged(Year=year, Month=month)).visits.month == answer

    @pytest.mark.parametrize("value", [1.2, -0.1, "45 %", "many", None])
    def test_share_outside_its_bounds_is_unknown(self, value: Any) -> None:
        assert read(engaged(BounceRate=value)).engagement.bounce_rate is None
        assert read(rich(TrafficSources={"Paid Referrals": value})).traffic_sources.paid_referrals is None


class TestHistory:
    def test_months_come_oldest_first(self) -> None:
        assert [p.month for p in read(RICH).visits.history] == ["2026-07", "2026-08", "2026-09"]

    @pytest.mark.parametrize("key", ["EstimatedMonthlyVisits", "estimatedMonthlyVisits"])
    def test_list_of_points_is_read_like_an_object(self, key: str) -> None:
        body = rich()
        del body["EstimatedMonthlyVisits"]
        body[key] = [{"date": "2026-08-01", "visits": 5}, {"date": "2026-07-01T00:00:00Z", "visits": "4"}, 3]
        assert [(p.month, p.visits) for p in read(body).visits.history] == [("2026-07", 4), ("2026-08", 5)]

    @pytest.mark.parametrize(
        ("points", "kept"),
        [
            ({"2026-08-01": 0, "2026-09-01": 0}, []),
            ({"2026-08-01": 7, "2026-09-01": 0}, ["2026-08"]),
        ],
    )
    def test_zeros_next_to_a_correct_headline_are_outdated(self, points: dict[str, int], kept: list[str]) -> None:
        found = read(rich(EstimatedMonthlyVisits=points))
        assert found.visits.monthly == 1284310
        assert [point.month for point in found.visits.history] == kept
        assert len(found.warnings) == 1
        assert "outdated" in found.warnings[0]

    def test_month_before_there_were_visits_is_a_zero(self) -> None:
        found = read(rich(EstimatedMonthlyVisits={"2026-08-01": 0, "2026-09-01": 1284310}))
        assert [point.visits for point in found.visits.history] == [0, 1284310]
        assert found.warnings == []

    def test_contradicting_history_causes_a_warning(self) -> None:
        found = read(rich(EstimatedMonthlyVisits={"2026-09-01": 900}))
        assert found.visits.monthly == 1284310
        assert "900" in found.warnings[0]


class TestParts:
    def test_country_is_given_by_letters_number_or_both(self) -> None:
        told = (("us", None), (None, 276), ("", "76"), (840, None))
        assert [find_country_code(letters, number) for letters, number in told] == ["US", "DE", "BR", "US"]
        assert [find_country_code(None, 999), find_country_code("XX", None), find_country_code([], {})] == [
            None,
            None,
            None,
        ]

    def test_every_country_has_a_name(self) -> None:
        assert NAMES.keys() == COUNTRIES

    def test_percent_of_assistants_stays_percent(self) -> None:
        found = read(RICH).ai_traffic
        assert found
        assert [(a.name, a.share_percent, a.rank) for a in found.sources] == [
            ("chatgpt.com", 61.25, 1), ("perplexity.ai", 24.5, 2)]  # fmt: skip
        assert found.share == 0.0063

    def test_failed_prompts_are_none(self) -> None:
        details = copy.deepcopy(RICH["AiTrafficDetails"])
        details["TopPrompts"] = {"Status": 2, "ErrorMessage": "x", "Prompts": ["old"]}
        found = read(rich(AiTrafficDetails=details)).ai_traffic
        assert found
        assert found.prompts == []

    @pytest.mark.parametrize("value", [None, {}, [], {"Traffic": None}])
    def test_no_assistants_are_null(self, value: Any) -> None:
        assert read(rich(AiTrafficDetails=value)).ai_traffic is None

    def test_another_site_is_a_changed_response(self) -> None:
        assert reason_of(rich(SiteName="example.net")) == "changed"
        assert read(rich(SiteName="WWW.Example.com")).site_name == "WWW.Example.com"

    @pytest.mark.parametrize("body", [b"<html>no</html>", b"[]", b"null", b'"x"', b"", b"Request blocked."])
    def test_body_that_is_not_an_object_is_a_block_page(self, body: bytes) -> None:
        assert reason_of(body) == "blocked"

    @pytest.mark.parametrize("wrap", [
        lambda o: o, lambda o: {"code": 200, "msg": "OK", "data": o}, lambda o: [o], lambda o: {"result": [o]},
    ])  # fmt: skip
    def test_reseller_may_wrap_the_object(self, wrap: Any) -> None:
        assert similarweb_api.read_reseller(wire(wrap(RICH)), asked()) == read(RICH)

    def test_object_is_found_by_its_pointer(self) -> None:
        body = {"a/b": [{}, {"~": RICH}]}
        assert similarweb_api.read_reseller(wire(body), asked(), "/a~1b/1/~0") == read(RICH)
        with pytest.raises(ProviderError, match="/elsewhere"):
            similarweb_api.read_reseller(wire(body), asked(), "/elsewhere")

    @pytest.mark.parametrize(("given", "site"), [
        ("https://www.Example.com/a?b", "example.com"), ("www.www.example.com", "www.example.com"),
        ("shop.example.com", "shop.example.com"), ("www.com", "www.com"),
    ])  # fmt: skip
    def test_spellings_of_a_site_are_one_request(self, given: str, site: str) -> None:
        assert extractor.identity
        assert extractor.identity(asked(given)) == {"domain": site}


class TestAsking:
    async def test_public_source_is_requested_like_a_browser_without_redirects(self) -> None:
        world = World({PUBLIC: [told(RICH)]})
        with House(world).net(similarweb.SIMILARWEB) as net:
            await similarweb.lookup(asked("www.example.com"), net)
        [(_, request)] = world.asked
        assert (request.method, request.url) == ("GET", "https://data.similarweb.com/api/v1/data?domain=example.com")
        assert request.headers["Referer"] == "https://www.similarweb.com/"
        assert request.headers["Origin"] == "https://www.similarweb.com"
        assert "Mozilla" in request.headers["User-Agent"]
        assert not [name for name in request.headers if name.lower().startswith("sec-")]

    @pytest.mark.parametrize(
        ("answer", "reason"),
        [
            (told(b"", 403, server="CloudFront"), "blocked"),
            (told(b"", 403, **{"x-cache": "Error from cloudfront"}), "blocked"),
            (told(b"<html><h2>The request could not be satisfied.</h2>", 503), "blocked"),
            (told(b"", 429), "refused"),
            (told(b"", 403), "refused"),
            (told(b"", 302, location="https://www.similarweb.com/"), "refused"),
            (told(b"", 500), "refused"),
        ],
    )
    async def test_refusal_is_not_an_empty_result(self, answer: Told, reason: str) -> None:
        with pytest.raises(ProviderError) as caught, House(World({PUBLIC: [answer]})).net(similarweb.SIMILARWEB) as net:
            await similarweb.lookup(asked(), net)
        assert caught.value.reason == reason

    async def test_refusal_of_the_cdn_is_respected_for_an_hour(self) -> None:
        world = World({PUBLIC: [told(b"", 403, server="CloudFront")]})
        house = House(world)
        for _ in range(2):
            with pytest.raises(ProviderError), house.net(similarweb.SIMILARWEB) as net:
                await similarweb.lookup(asked(), net)
        assert len(world.asked) == 1
        world.clock.advance(3601)
        with pytest.raises(ProviderError), house.net(similarweb.SIMILARWEB) as net:
            await similarweb.lookup(asked(), net)
        assert len(world.asked) == 2

    async def test_api_key_is_not_shown(self) -> None:
        world = World({API: [told(RICH)]})
        with House(world, similarweb_key="secret").net(similarweb_api.SIMILARWEB_API) as net:
            got = await similarweb_api.lookup_by_key(asked(), net)
        [(_, request)] = world.asked
        assert request.url == "https://api.similarweb.com/v1/website/example.com/general-data/all?format=json"
        assert request.secrets == {"api_key": "secret"}
        assert "secret" not in got.url
        assert similarweb.read(got, asked()) == read(RICH)

    @pytest.mark.parametrize(
        ("answer", "error"),
        [
            (told({"meta": {"status": "Error", "error_message": "Data not found"}}, 404), EmptyResult),
            (told({"message": "no Route matched"}, 404), ProviderError),
            (told({"error": {"message": "Invalid api key"}}, 401), ProviderError),
            (told({"message": "Invalid key"}), ProviderError),
        ],
    )
    async def test_api_error_has_its_reason(self, answer: Told, error: type[ServiceError]) -> None:
        house = House(World({API: [answer]}), similarweb_key="secret")
        with pytest.raises(error), house.net(similarweb_api.SIMILARWEB_API) as net:
            await similarweb_api.lookup_by_key(asked(), net)

    async def test_reseller_is_requested_as_configured(self) -> None:
        world = World({RESELLER: [told({"code": 200, "data": RICH})]})
        house = House(world, **RESELLER_SETTINGS, traffic_reseller_pointer="/data")
        with house.net(similarweb_api.RESELLER) as net:
            found, _ = await similarweb_api.ask_reseller(asked("www.example.com"), net)
        [(_, request)] = world.asked
        assert request.url == "https://sold.example/web/example.com"
        assert request.headers["X-Sold-Key"] == "secret"
        assert found == read(RICH)

    @pytest.mark.parametrize("setting", [
        {"traffic_reseller_url": "https://sold.example/"}, {"traffic_reseller_url": "ftp://x/{domain}"},
        {"traffic_reseller_header": "a b"}, {"traffic_reseller_header": ""}, {"traffic_reseller_pointer": "data"},
    ])  # fmt: skip
    def test_settings_of_a_reseller_are_checked(self, setting: dict[str, Any]) -> None:
        with pytest.raises(ValueError):
            Settings(**setting)


class TestTotality:
    @given(st.data())
    def test_damaged_response_is_a_result_or_a_clear_error(self, data: st.DataObject) -> None:
        body = damaged_json(data, RICH)
        try:
            found = read(body)
        except ServiceError:
            return
        assert Traffic.model_validate_json(found.model_dump_json()) == found
        render(found)

    @given(JUNK)
    def test_any_other_response_is_a_clear_error(self, body: Any) -> None:
        for reader in (similarweb.read, similarweb_api.read_reseller):
            with pytest.raises(ServiceError):
                reader(wire(body), asked())

    def test_order_of_members_does_not_matter(self) -> None:
        assert read(dict(reversed(RICH.items()))) == read(RICH)
