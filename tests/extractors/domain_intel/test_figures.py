"""Organic footprint and backlinks: readers of Semrush's and DataForSEO's responses, and the requests to both."""

import json
import time
from base64 import b64decode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import JUNK, damaged_json, damaged_text
from support.world import NOW, House, Told, World, query_of
from webquarry.core.errors import EmptyResult, ProviderError, ServiceError
from webquarry.core.types import Wire
from webquarry.extractors.domain_intel import backlinks, organic
from webquarry.extractors.domain_intel.backlinks import Backlinks, BacklinksParams
from webquarry.extractors.domain_intel.organic import Organic, OrganicParams
from webquarry.extractors.domain_intel.sources.untested import dataforseo, semrush, toolbar

SAMPLES = KIT / "upstreams/samples"
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")
INFO = (
    "<data><domain>example.com</domain><status>ok</status><rank>7</rank><keywords>6</keywords><traffic>5</traffic>"
    "</data>"
)
LINKS = "<data><links>1</links><links_domain>3</links_domain><links_hostname>2</links_hostname></data>"
UNKNOWN = "<data><status>notfound</status></data>"
ROW = "Domain;Rank;Organic Keywords;Organic Traffic;Organic Cost\r\nexample.com;7;6;5;4\r\n"
TOTAL = "ascore;total;domains_num\n1;9;4\n"
NOTHING = "ERROR 50 :: NOTHING FOUND"


def task(result: Any, status: int = 20000, whole: int = 20000) -> dict[str, Any]:
    tasks = [{"status_code": status, "status_message": "said", "result": result}]
    return {"status_code": whole, "status_message": "told", "tasks": tasks}


RANKED = task([{"target": "example.com", "items": [{"metrics": {"organic": {
    "count": 60150, "etv": 1652993.1, "estimated_paid_traffic_cost": 11462924.4}}}]}])  # fmt: skip
SUMMED = task([{"backlinks": 9, "referring_domains": 4}])


def wire(body: Any) -> Wire:
    content = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    return Wire(content, "https://figures.example/", "", 200, {}, NOW)


def found(read: Any, body: Any, domain: str = "example.com") -> Any:
    params = OrganicParams if read.__module__ == organic.__name__ else BacklinksParams
    return read(wire(body), params.model_validate({"domain": domain}))


def reason_of(read: Any, body: Any) -> str | None:
    with pytest.raises(ProviderError) as caught:
        found(read, body)
    return caught.value.reason


class TestSamples:
    @needs_samples
    def test_figures_match_the_samples(self) -> None:
        info = found(organic.read_toolbar, (SAMPLES / "seo-organic/semrush_toolbar_info.synthetic.xml").read_bytes())
        assert (info.organic_rank, info.organic_keywords, info.organic_traffic, info.organic_traffic_cost_usd) == (
            51234, 12345, 67890, 4321.0)  # fmt: skip
        row = found(organic.read_semrush, (SAMPLES / "seo-organic/semrush_api_domain_rank.synthetic.csv").read_bytes())
        assert (row.organic_rank, row.organic_keywords, row.organic_traffic, row.organic_traffic_cost_usd) == (
            9158, 8175, 11939, 95555.0)  # fmt: skip
        links = found(backlinks.read_toolbar, (SAMPLES / "seo-backlinks/semrush_toolbar_bl.synthetic.xml").read_bytes())
        assert links.scopes.model_dump() == {"root_domain": 34567, "hostname": 23456, "url": 12}
        assert links.backlinks == 34567

    @needs_samples
    @pytest.mark.parametrize(("read", "name"), [
        (organic.read_toolbar, "semrush_toolbar_info_notfound.synthetic.xml"),
        (organic.read_semrush, "semrush_api_nothing_found.synthetic.txt"),
    ])  # fmt: skip
    def test_unknown_domain_is_an_empty_result(self, read: Any, name: str) -> None:
        with pytest.raises(EmptyResult):
            found(read, (SAMPLES / "seo-organic" / name).read_bytes())


class TestToolbar:
    @pytest.mark.parametrize("body", [
        INFO,
        INFO.upper(),
        INFO.replace("<rank>7", "<rank type='n'> <![CDATA[ 7 ]]> "),
        INFO.replace("<data>", "<x:a xmlns:x='u'><b>").replace("</data>", "</b></x:a>"),
        INFO.replace("<rank>7</rank>", "<!-- <rank>99</rank> --><rank/><rank>7</rank>"),
        INFO.removesuffix("</data>"),
        f"\ufeff<?xml version='1.0'?>\n{INFO}",
    ])  # fmt: skip
    def test_elements_are_found_at_any_depth(self, body: str) -> None:
        result = found(organic.read_toolbar, body)
        assert (result.organic_rank, result.organic_keywords, result.organic_traffic) == (7, 6, 5)
        assert result.organic_traffic_cost_usd is None

    def test_zeros_are_values(self) -> None:
        result = found(organic.read_toolbar, "<a><rank>0</rank><keywords>0</keywords><costs>0</costs></a>")
        assert (result.organic_rank, result.organic_keywords, result.organic_traffic_cost_usd) == (0, 0, 0.0)

    @pytest.mark.parametrize("body", ["", "  \n", "<data/>", "{}", "rank 5", "<data><rank>many</rank></data>"])
    def test_response_without_figures_is_a_changed_response(self, body: str) -> None:
        assert reason_of(organic.read_toolbar, body) == "changed"
        assert reason_of(backlinks.read_toolbar, body) == "changed"

    @pytest.mark.parametrize("body", [
        "<html><body>Sorry</body></html>", "<!DOCTYPE HTML><p>no", "<h1>403 Forbidden</h1>",
        f"<?xml version='1.0'?><html xmlns='u'>{LINKS}</html>",
    ])  # fmt: skip
    def test_html_page_is_a_block_page_and_never_zero(self, body: str) -> None:
        assert reason_of(organic.read_toolbar, body) == "blocked"
        assert reason_of(backlinks.read_toolbar, body) == "blocked"

    @pytest.mark.parametrize("name", ["links", "links_domain", "links_hostname"])
    def test_missing_count_is_a_changed_response_and_never_zero(self, name: str) -> None:
        assert reason_of(backlinks.read_toolbar, LINKS.replace(name + ">", "other>")) == "changed"

    def test_unknown_domain_has_zeros_and_a_warning(self) -> None:
        result = found(backlinks.read_toolbar, UNKNOWN)
        assert (result.found, result.backlinks, result.scopes.model_dump()) == (
            False, 0, {"root_domain": 0, "hostname": 0, "url": 0})  # fmt: skip
        assert "does not know" in backlinks.render(result)
        assert found(backlinks.read_toolbar, LINKS).found

    @pytest.mark.parametrize("body", [
        UNKNOWN.removesuffix("</data>"), UNKNOWN + "<more>", "<!DOCTYPE d [<!ENTITY e 'x'>]>" + UNKNOWN,
        UNKNOWN.encode() + b"\xff", "<?xml version='1.0' encoding='no-such'?>" + UNKNOWN,
    ])  # fmt: skip
    def test_zeros_require_a_complete_response(self, body: str | bytes) -> None:
        assert reason_of(backlinks.read_toolbar, body) == "changed"

    def test_differing_name_is_shown(self) -> None:
        assert "returned data for example.com" in organic.render(found(organic.read_toolbar, INFO, "example.net"))
        assert "returned data for" not in organic.render(found(organic.read_toolbar, INFO, "www.example.com"))

    @pytest.mark.parametrize("unit", ["<", "<a", "<rank>", "<!--", "<![CDATA[", "]]>", "-->", "<a>", "a:"])
    def test_reading_is_linear(self, unit: str) -> None:
        def read_s(times: int) -> float:
            body = wire("<d>" + unit * times)
            began = time.process_time()
            toolbar.read_elements(body)
            toolbar.is_well_formed(body)
            return time.process_time() - began

        read_s(100)
        assert read_s(200_000) < 40 * max(read_s(20_000), 0.002)


class TestSemrush:
    def test_columns_have_long_and_short_names(self) -> None:
        short = "Dn;Or;Rk;Oc;Ot\nexample.com;6;7;4;5\n"
        assert found(organic.read_semrush, short) == found(organic.read_semrush, ROW)

    @pytest.mark.parametrize(
        "body", ["", "Domain;Rank", "Domain;Rank\nexample.com", "a;b\n1;2", "{}", ROW.replace(";7;6", ";;")]
    )
    def test_text_that_is_not_a_row_is_a_changed_response(self, body: str) -> None:
        assert reason_of(organic.read_semrush, body) == "changed"
        assert reason_of(backlinks.read_semrush, body) == "changed"

    @pytest.mark.parametrize("body", ["ERROR 120 :: WRONG KEY - ID PAIR", "ERROR 132 :: API UNITS BALANCE IS ZERO"])
    def test_error_of_the_source_is_a_refusal(self, body: str) -> None:
        assert reason_of(organic.read_semrush, body) == "refused"
        assert reason_of(backlinks.read_semrush, body) == "refused"

    def test_html_page_is_a_block_page(self) -> None:
        assert reason_of(organic.read_semrush, "<html>no</html>") == "blocked"

    def test_nothing_found_is_empty_or_zeros(self) -> None:
        with pytest.raises(EmptyResult):
            found(organic.read_semrush, NOTHING)
        assert found(backlinks.read_semrush, NOTHING).found is False

    def test_a_single_response_has_the_links_of_the_registrable_domain(self) -> None:
        result = found(backlinks.read_semrush, TOTAL)
        assert (result.backlinks, result.referring_domains) == (9, 4)
        assert result.scopes.model_dump() == {"root_domain": 9, "hostname": None, "url": None}


class TestDataForSeo:
    def test_figures_are_from_the_organic_results(self) -> None:
        result = found(organic.read_dataforseo, RANKED)
        assert (result.organic_keywords, result.organic_traffic, result.organic_rank) == (60150, 1652993, None)
        assert result.organic_traffic_cost_usd == 11462924.4

    @pytest.mark.parametrize("items", [None, []])
    def test_no_items_mean_an_unknown_domain(self, items: Any) -> None:
        with pytest.raises(EmptyResult):
            found(organic.read_dataforseo, task([{"items": items}]))

    @pytest.mark.parametrize(
        "body", [{}, task(None), task([]), task([{}]), task([{"items": [{}]}]), task([{"backlinks": None}])]
    )
    def test_success_without_figures_is_a_changed_response(self, body: Any) -> None:
        assert reason_of(organic.read_dataforseo, body) == "changed"
        assert reason_of(backlinks.read_dataforseo, body) == "changed"

    @pytest.mark.parametrize("body", [task(None, 40501), task(None, 20000, 40100)])
    def test_failure_of_the_task_or_the_whole_is_a_refusal(self, body: Any) -> None:
        assert reason_of(organic.read_dataforseo, body) == "refused"
        assert reason_of(backlinks.read_dataforseo, body) == "refused"


def told(body: Any, status: int = 200) -> Told:
    return Told(status, body.encode() if isinstance(body, str) else json.dumps(body).encode())


class TestAsking:
    async def test_toolbar_is_requested_for_the_home_page(self) -> None:
        world = World({"seoquake.publicapi.semrush.com": [told(INFO)], "bl.publicapi.semrush.com": [told(LINKS)]})
        house = House(world)
        with house.net(toolbar.TOOLBAR) as net:
            await organic.lookup_by_toolbar(OrganicParams.model_validate({"domain": "www.example.com"}), net)
            await backlinks.lookup_by_toolbar(BacklinksParams.model_validate({"domain": "www.example.com"}), net)
        assert [request.url for _, request in world.asked] == [
            "https://seoquake.publicapi.semrush.com/info.php?url=https%3A%2F%2Fexample.com%2F&ref=sq",
            "https://bl.publicapi.semrush.com/?url=https%3A%2F%2Fwww.example.com%2F&ref=sq",
        ]

    @pytest.mark.parametrize("status", [302, 403, 404, 410, 429, 500])
    async def test_refusal_is_neither_empty_nor_zero(self, status: int) -> None:
        house = House(World({"bl.publicapi.semrush.com": [told("", status)]}))
        with pytest.raises(ProviderError) as caught, house.net(toolbar.TOOLBAR) as net:
            await backlinks.lookup_by_toolbar(BacklinksParams.model_validate({"domain": "example.com"}), net)
        assert caught.value.reason == "refused"

    async def test_semrush_is_requested_for_each_scope(self) -> None:
        world = World({"api.semrush.com": [told(TOTAL), told("total\n5\n"), told(NOTHING)]})
        with House(world, semrush_key="secret").net(semrush.SEMRUSH) as net:
            result, _ = await backlinks.ask_semrush(BacklinksParams.model_validate({"domain": "shop.example.com"}), net)
        asked = [(query_of(request)["target"], query_of(request)["target_type"]) for _, request in world.asked]
        assert asked == [
            ("example.com", "root_domain"),
            ("shop.example.com", "domain"),
            ("https://shop.example.com/", "url"),
        ]
        assert all(request.secrets == {"key": "secret"} for _, request in world.asked)
        assert result.scopes.model_dump() == {"root_domain": 9, "hostname": 5, "url": 0}

    async def test_unknown_domain_is_requested_once(self) -> None:
        world = World({"api.semrush.com": [told(NOTHING, 404)]})
        with House(world, semrush_key="secret").net(semrush.SEMRUSH) as net:
            result, _ = await backlinks.ask_semrush(BacklinksParams.model_validate({"domain": "example.com"}), net)
        assert (result.found, len(world.asked)) == (False, 1)

    @pytest.mark.parametrize("answer", [told("", 500), told("", 401), told("<html>", 200), told("", 200)])
    async def test_failure_of_one_scope_fails_the_request(self, answer: Told) -> None:
        house = House(World({"api.semrush.com": [told(TOTAL), answer]}), semrush_key="secret")
        with pytest.raises(ProviderError), house.net(semrush.SEMRUSH) as net:
            await backlinks.ask_semrush(BacklinksParams.model_validate({"domain": "example.com"}), net)

    async def test_semrush_is_requested_for_the_us(self) -> None:
        world = World({"api.semrush.com": [told(ROW)]})
        with House(world, semrush_key="secret").net(semrush.SEMRUSH) as net:
            await organic.lookup_by_semrush(OrganicParams.model_validate({"domain": "example.com"}), net)
        [(_, request)] = world.asked
        assert query_of(request) == {
            "type": "domain_rank", "export_columns": "Dn,Rk,Or,Ot,Oc,Ad,At,Ac", "database": "us",
            "domain": "example.com",
        }  # fmt: skip

    async def test_dataforseo_is_requested_with_a_login(self) -> None:
        world = World(
            {"api.dataforseo.com": [told(SUMMED), told(task([{"backlinks": 2}])), told(task([{"backlinks": 1}]))]}
        )
        with House(world, dataforseo_login="me", dataforseo_key="secret").net(dataforseo.DATAFORSEO) as net:
            result, _ = await backlinks.ask_dataforseo(BacklinksParams.model_validate({"domain": "a.example.com"}), net)
        assert [json.loads(request.body or b"") for _, request in world.asked] == [
            [{"target": "example.com", "include_subdomains": True}],
            [{"target": "a.example.com", "include_subdomains": False}],
            [{"target": "https://a.example.com/"}],
        ]
        assert b64decode(world.asked[0][1].headers["Authorization"].removeprefix("Basic ")) == b"me:secret"
        assert result.scopes.model_dump() == {"root_domain": 9, "hostname": 2, "url": 1}

    async def test_dataforseo_is_requested_for_the_us(self) -> None:
        world = World({"api.dataforseo.com": [told(RANKED)]})
        with House(world, dataforseo_login="me", dataforseo_key="secret").net(dataforseo.DATAFORSEO) as net:
            await organic.lookup_by_dataforseo(OrganicParams.model_validate({"domain": "example.com"}), net)
        assert json.loads(world.asked[0][1].body or b"") == [
            {"target": "example.com", "location_code": 2840, "language_code": "en"}
        ]


class TestTotality:
    @given(st.data())
    def test_damaged_texts_are_results_or_clear_errors(self, data: st.DataObject) -> None:
        for read, text in (
            (organic.read_toolbar, INFO), (backlinks.read_toolbar, LINKS), (backlinks.read_toolbar, UNKNOWN),
            (organic.read_semrush, ROW), (backlinks.read_semrush, TOTAL),
        ):  # fmt: skip
            try:
                result = found(read, damaged_text(data, text))
            except ServiceError:
                continue
            assert type(result).model_validate_json(result.model_dump_json()) == result
            (organic.render if isinstance(result, Organic) else backlinks.render)(result)

    @given(st.data())
    def test_damaged_tasks_are_results_or_clear_errors(self, data: st.DataObject) -> None:
        readers: tuple[tuple[Any, Any], ...] = (
            (organic.read_dataforseo, RANKED),
            (backlinks.read_dataforseo, SUMMED),
        )
        for read, body in readers:
            try:
                result = found(read, damaged_json(data, body))
            except ServiceError:
                continue
            assert isinstance(result, Organic | Backlinks)

    @given(JUNK | st.binary(max_size=200))
    def test_any_other_response_is_a_clear_error(self, body: Any) -> None:
        for read in (organic.read_toolbar, organic.read_semrush, organic.read_dataforseo):
            with pytest.raises(ServiceError):
                found(read, body)
        for counting in (backlinks.read_toolbar, backlinks.read_semrush, backlinks.read_dataforseo):
            with pytest.raises(ServiceError):
                found(counting, body)
