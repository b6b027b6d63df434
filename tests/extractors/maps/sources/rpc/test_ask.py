from typing import Any

import pytest

from support.maps import HOME, NID, PLACE, SEARCH, SESSION, array, page
from support.world import House, Told, World, cookies_of, query_of
from webquarry.core.errors import Absent, InvalidParams, ProviderError
from webquarry.endpoints.params import parse
from webquarry.extractors.maps.model.map_ids import Fid
from webquarry.extractors.maps.model.params import MapsParams, MapsPlaceParams
from webquarry.extractors.maps.model.result import Maps, MapsPlace
from webquarry.extractors.maps.place import extractor as place_endpoint
from webquarry.extractors.maps.sources.rpc import ask
from webquarry.extractors.maps.sources.rpc.request import MAPS_RPC
from webquarry.extractors.maps.sources.untested import google_places

HERE = "@39.8,-89.65,14z"
FID = Fid.parse("0x88:0xe000000000000001")


def found(latitude: float, query: str = "coffee") -> Told:
    answer = [*[None] * 9, [None, None, latitude, -89.65], FID, "Here"]
    return array([[query, [[None], [*[None] * 14, answer]]]])


def the_place(fid: Fid = FID) -> Told:
    return array([*[None] * 6, [*[None] * 10, fid, "Here"]])


async def search(world: World, **params: str) -> Maps:
    with House(world).net(MAPS_RPC) as net:
        result, _wire = await ask.search(parse(MapsParams, list({"q": "coffee", **params}.items())), net)
    return result


async def place(world: World, **params: str) -> MapsPlace:
    with House(world).net(MAPS_RPC) as net:
        result, _wire = await ask.place(parse(MapsPlaceParams, list(params.items())), net)
    return result


class TestSearch:
    async def test_ignored_view_is_requested_again_in_a_new_session(self) -> None:
        sessions = [page(cookies=(NID,)), page(cookies=(NID.replace("511", "512"),))]
        world = World({HOME: sessions, SEARCH: [found(10), found(39.9)]})
        result = await search(world, ll=HERE)
        assert [p.latitude for p in result.places] == [39.9]
        assert world.paths == [HOME, SEARCH, HOME, SEARCH]
        assert [cookies_of(world.asked[i][1])["NID"] for i in (1, 3)] == ["511=made", "512=made"]

    async def test_view_ignored_twice_is_a_changed_response(self) -> None:
        world = World({HOME: [SESSION], SEARCH: [found(10)]})
        with pytest.raises(ProviderError, match="ignored the map view") as caught:
            await search(world, ll=HERE)
        assert (caught.value.reason, world.paths.count(SEARCH)) == ("changed", 2)

    async def test_result_without_a_session_has_a_warning(self) -> None:
        assert (await search(World({HOME: [page()], SEARCH: [found(1)]}))).warnings == [ask.WITHOUT_SESSION]
        assert (await search(World({HOME: [SESSION], SEARCH: [found(1)]}))).warnings == []

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({}, None),
            ({"page": "3"}, None),
            ({"page": "4"}, "returns at most 3 pages"),
            ({"ll": "@0,0,11z"}, None),
            ({"ll": "@0,0,10z"}, "at most 50 km"),
        ],
    )
    def test_places_api_is_skipped_for_unsupported_requests(self, params: dict[str, str], message: str | None) -> None:
        answer = google_places.why_not(parse(MapsParams, list({"q": "coffee", **params}.items())))
        assert (answer is None) if message is None else message in (answer or "")

    def test_query_too_long_for_a_url_skips_the_keyless_source(self) -> None:
        assert ask.why_no_search(parse(MapsParams, [("q", "coffee")])) is None
        assert "too long" in (ask.why_no_search(parse(MapsParams, [("q", "界" * 512)])) or "")


class TestPlace:
    async def test_fid_needs_no_resolution(self) -> None:
        world = World({HOME: [SESSION], PLACE: [the_place()]})
        assert (await place(world, fid=FID)).place.fid == FID
        assert world.paths == [HOME, PLACE]

    async def test_page_of_the_cid_also_begins_the_session(self) -> None:
        world = World({HOME: [page(f"!1s{FID}!", cookies=(NID,))], PLACE: [the_place()]})
        result = await place(world, cid=FID.cid)
        assert (result.place.fid, result.warnings) == (FID, [])
        assert f"!1s{FID}!" in query_of(world.asked[-1][1])["pb"]

    async def test_cid_without_a_fid_is_requested_alone(self) -> None:
        world = World({HOME: [SESSION], PLACE: [the_place()]})
        assert (await place(world, cid=FID.cid)).place.fid == FID
        assert "!1s0x0:0xe000000000000001!" in query_of(world.asked[-1][1])["pb"]

    async def test_nothing_found_is_absent(self) -> None:
        with pytest.raises(Absent):
            await place(World({HOME: [SESSION], PLACE: [array([["made"], *[None] * 31])]}), cid="7")

    async def test_another_place_is_never_returned(self) -> None:
        with pytest.raises(ProviderError, match="a different place"):
            await place(World({HOME: [SESSION], PLACE: [the_place(Fid.parse("0x88:0x1"))]}), fid=FID)


class TestParameters:
    @pytest.mark.parametrize(
        "given",
        [
            *({"ll": text} for text in ("abc", "@91,0,14z", "@0,181,14z")),
            *({"gl": text} for text in ("usa", "1")),
            *({"hl": text} for text in ("1", "en us")),
            *({"page": text} for text in ("0", "6")),
            *({"q": text} for text in ("", "a" * 513)),
        ],
    )
    def test_bad_values_of_a_search_are_refused(self, given: dict[str, str]) -> None:
        with pytest.raises(InvalidParams, match=f"'{next(iter(given))}'"):
            parse(MapsParams, list({"q": "coffee", **given}.items()))

    @pytest.mark.parametrize(
        "given", [{}, {"cid": "1", "fid": "0x1:0x1"}, {"cid": "abc"}, {"cid": "-1"}, {"fid": "0x1"}, {"fid": "1:2"}]
    )
    def test_bad_names_of_a_place_are_refused(self, given: dict[str, str]) -> None:
        with pytest.raises(InvalidParams):
            parse(MapsPlaceParams, list(given.items()))

    def test_place_has_one_identity_for_cid_and_fid(self) -> None:
        named: list[dict[str, Any]] = [{"cid": FID.cid}, {"fid": FID}, {"fid": f"0X1:0x0{FID.partition('0xe')[2]}"}]
        assert place_endpoint.identity
        first, second, third = (place_endpoint.identity(MapsPlaceParams.model_validate(names)) for names in named)
        assert first == second
        assert first != third
