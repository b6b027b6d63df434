import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import JUNK, damaged_json
from support.world import NOW, House, Told, World
from webquarry.core.errors import EmptyResult, ProviderError, ServiceError
from webquarry.core.types import Wire
from webquarry.extractors.domain_intel.authority import AuthorityParams, extractor, render
from webquarry.extractors.domain_intel.model.rating import Authority
from webquarry.extractors.domain_intel.sources.untested import ahrefs, open_pagerank

SAMPLES = KIT / "upstreams/samples/seo-authority"
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")
GET = {"domain_rating": {"domain_rating": 50.0, "license": "https://ahrefs.com/legal/domain-rating-license"}}
ROW = {"domain": "example.com", "found": True, "open_page_rank": 5.42, "rank": 51234, "referring_domains": 1234}
BULK = {"as_of": "2026-09-01", "count": 1, "invalid": [], "results": [ROW]}


def asked(domain: str = "example.com") -> AuthorityParams:
    return AuthorityParams.model_validate({"domain": domain})


def wire(body: Any) -> Wire:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Wire(content, "https://index.example/", "", 200, {}, NOW)


def rated(body: Any, domain: str = "example.com") -> Authority:
    return ahrefs.read(wire(body), asked(domain))


def ranked(body: Any, domain: str = "example.com") -> Authority:
    return open_pagerank.read(wire(body), asked(domain))


def around(rating: Any) -> dict[str, Any]:
    return {"domain_rating": {"domain_rating": rating}}


class TestSamples:
    @needs_samples
    def test_rating_is_read_from_a_response_for_one_site(self) -> None:
        found = rated((SAMPLES / "ahrefs_get.synthetic.json").read_bytes())
        assert (found.domain_rating, found.license) == (50.0, "https://ahrefs.com/legal/domain-rating-license")

    @needs_samples
    def test_rating_is_read_from_a_response_for_several_sites(self) -> None:
        body = (SAMPLES / "ahrefs_post.synthetic.json").read_bytes()
        assert rated(body, "https://www.garden.com/a").domain_rating == 41.5
        with pytest.raises(EmptyResult):
            rated(body, "unknown.net")
        with pytest.raises(ProviderError):
            rated(body, "elsewhere.net")

    @needs_samples
    def test_second_index_is_read(self) -> None:
        found = ranked((SAMPLES / "openpagerank_bulk.synthetic.json").read_bytes())
        assert (found.domain_rating, found.index) == (54.2, "Open PageRank")
        assert found.details
        assert found.details.model_dump(mode="json") == {
            "open_page_rank": 5.42, "rank": 51234, "referring_domains": 1234, "as_of": "2026-09-01", "age_days": 80,
        }  # fmt: skip


class TestRating:
    @pytest.mark.parametrize("value", [0, 0.0, 100, 41.5, "12.5"])
    def test_rating_is_from_zero_to_hundred(self, value: Any) -> None:
        assert rated(around(value)).domain_rating == float(value)
        assert rated({"domain_rating": value}).domain_rating == float(value)

    @pytest.mark.parametrize("body", [around(None), {"domain_rating": None}])
    def test_null_is_an_empty_result(self, body: Any) -> None:
        with pytest.raises(EmptyResult):
            rated(body)

    @pytest.mark.parametrize("body", [
        {}, {"domain_rating": {}}, {"domain_rating": {"license": "x"}}, around(101), around(-1), around("high"),
        around(True), around([]), {"domain_rating": {"targets": 3}}, [], b"", b"50",
    ])  # fmt: skip
    def test_missing_rating_is_a_changed_response(self, body: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            rated(body)
        assert caught.value.reason == "changed"

    def test_licence_and_attribution_are_in_data_and_markdown(self) -> None:
        for found in (rated(GET), rated({"domain_rating": 3})):
            assert found.license == ahrefs.LICENSE
            shown = render(found)
            assert "[Domain Rating by Ahrefs](https://ahrefs.com/)" in shown
            assert f"[License]({ahrefs.LICENSE})" in shown
        assert "**Domain Rating: 50 / 100**" in render(rated(GET))

    def test_warning_is_passed_on(self) -> None:
        assert rated({"domain_rating": {"domain_rating": 1, "warning": "ends soon"}}).warnings == ["ends soon"]


class TestSecondIndex:
    def test_second_index_is_never_shown_under_the_first_name(self) -> None:
        shown = render(ranked(BULK))
        assert "**Open PageRank: 5.42 / 10**" in shown
        assert "can't be compared" in shown
        assert "Domain Rating by Ahrefs" not in shown
        assert ranked(BULK).source == "openpagerank"

    def test_results_may_be_the_only_member(self) -> None:
        found = ranked([ROW])
        assert found.domain_rating == 54.2
        assert found.details
        assert found.details.as_of is None

    def test_zero_is_a_rank(self) -> None:
        assert ranked([{**ROW, "open_page_rank": 0}]).domain_rating == 0

    @pytest.mark.parametrize("body", [
        [{**ROW, "found": False}], [{**ROW, "open_page_rank": None}],
        {**BULK, "results": [], "invalid": ["example.com"]},
    ])  # fmt: skip
    def test_unknown_domain_is_an_empty_result(self, body: Any) -> None:
        with pytest.raises(EmptyResult):
            ranked(body)

    @pytest.mark.parametrize("body", [
        {}, [], {**BULK, "results": []}, [{**ROW, "domain": "example.net"}], [{**ROW, "open_page_rank": 11}], 3,
        [{"domain": "example.com", "found": True}], {**BULK, "results": [], "invalid": 1.5},
    ])  # fmt: skip
    def test_any_other_response_is_a_changed_response(self, body: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            ranked(body)
        assert caught.value.reason == "changed"


class TestAsking:
    async def test_rating_is_requested_with_the_key_in_a_header(self) -> None:
        world = World({"api.ahrefs.com": [Told(200, json.dumps(GET).encode())]})
        with House(world, ahrefs_key="secret").net(ahrefs.AHREFS) as net:
            await ahrefs.lookup(asked("https://www.example.com/a"), net)
        [(_, request)] = world.asked
        assert request.url == "https://api.ahrefs.com/v3/public/domain-rating-free?target=example.com"
        assert request.headers["Authorization"] == "Bearer secret"

    @pytest.mark.parametrize("status", [401, 403, 429, 500])
    async def test_refusal_names_the_setting_and_not_the_key(self, status: int) -> None:
        world = World({"api.ahrefs.com": [Told(status, b'{"error":"no"}')]})
        with pytest.raises(ProviderError) as caught, House(world, ahrefs_key="secret").net(ahrefs.AHREFS) as net:
            await ahrefs.lookup(asked(), net)
        assert caught.value.reason == "refused"
        assert "secret" not in caught.value.message
        assert ("WEBQUARRY_AHREFS_KEY" in caught.value.message) == (status in (401, 403))

    async def test_second_index_is_requested_for_one_domain(self) -> None:
        world = World({"openpagerank.keywordseverywhere.com/v1": [Told(200, json.dumps(BULK).encode())]})
        with House(world, open_pagerank_key="secret").net(open_pagerank.OPEN_PAGERANK) as net:
            await open_pagerank.lookup(asked(), net)
        [(_, request)] = world.asked
        assert (request.method, request.url) == ("POST", "https://openpagerank.keywordseverywhere.com/v1/domains/bulk")
        assert json.loads(request.body or b"") == {"domains": ["example.com"], "include_history": False}
        assert request.headers["Authorization"] == "Bearer secret"


class TestTotality:
    @given(st.data())
    def test_damaged_responses_are_results_or_clear_errors(self, data: st.DataObject) -> None:
        for read, body in ((rated, GET), (ranked, BULK)):
            try:
                found = read(damaged_json(data, body))
            except ServiceError:
                continue
            assert Authority.model_validate_json(found.model_dump_json()) == found
            render(found)

    @given(JUNK)
    def test_any_other_response_is_a_clear_error_or_a_number(self, body: Any) -> None:
        for read in (rated, ranked):
            with pytest.raises(ServiceError):
                read(body)

    @given(st.binary(max_size=300))
    def test_any_bytes_as_a_list_are_a_clear_error(self, body: bytes) -> None:
        with pytest.raises(ServiceError):
            open_pagerank.read_list(wire(b"Domain,Open Page Rank\n" + body), asked("not.listed.example"))


def test_spellings_of_a_site_are_one_request() -> None:
    assert extractor.identity
    assert {extractor.identity(asked(text))["domain"] for text in ("example.com", "https://www.EXAMPLE.com/x")} == {
        "example.com"
    }
