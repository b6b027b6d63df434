from urllib.parse import urlsplit

import pytest

from support.maps import CAPTCHA, HOME, NID, PLACE, SEARCH, SESSION, TO_CAPTCHA, TO_CONSENT, array, page, wire
from support.world import House, Told, World, cookies_of, query_of
from webquarry.core.errors import ProviderError
from webquarry.core.locale import Country, Language
from webquarry.core.types import Wire
from webquarry.extractors.maps.model.map_ids import Cid, Fid
from webquarry.extractors.maps.model.map_view import MapView
from webquarry.extractors.maps.sources.rpc import request
from webquarry.net import Net

US, EN = Country("us"), Language("en")
FID = Fid.parse("0x88:0xe000000000000001")
CID = FID.cid
CONSENT_PAGE = "consent.google.com/m"


def question(query: str = "coffee", *, view: str | None = None, number: int = 1, hl: str = "en") -> request.Search:
    return request.Search(query, MapView.parse(view) if view else None, number, US, Language.parse(hl))


class Maps:
    """The source as a request sees it, in a simulated network."""

    def __init__(self, **answers: list[Told]) -> None:
        names = {"home": HOME, "search": SEARCH, "place": PLACE, "captcha": CAPTCHA, "consent": CONSENT_PAGE}
        fields = {"home": [SESSION], "captcha": [page(status=429)], "consent": [page()], **answers}
        self.world = World({names[name]: list(queue) for name, queue in fields.items()})
        self._house: House | None = None

    def net(self) -> Net:
        self._house = self._house or House(self.world)
        return self._house.net(request.MAPS_RPC)

    def cookies(self, index: int) -> dict[str, str]:
        """Return the cookies that the request with this index sent."""
        return cookies_of(self.world.asked[index][1])

    def query(self, index: int) -> dict[str, str]:
        return query_of(self.world.asked[index][1])

    async def search(self, asked: request.Search | None = None) -> Wire:
        with self.net() as net:
            return await request.search(asked or question(), net)

    async def place(self) -> Wire:
        with self.net() as net:
            return await request.place(FID, US, EN, net)

    async def fid_of(self) -> Fid:
        with self.net() as net:
            return await request.find_fid(CID, US, EN, net)


class TestSession:
    async def test_cookie_is_fetched_first_and_sent_with_the_answer_to_consent(self) -> None:
        maps = Maps(search=[array([1])])
        await maps.search()
        assert maps.world.paths == [HOME, SEARCH]
        assert maps.cookies(0).keys() == {"SOCS"}
        assert maps.cookies(1) == {"SOCS": maps.cookies(0)["SOCS"], "NID": "511=made"}

    async def test_cookie_serves_for_half_an_hour(self) -> None:
        maps = Maps(search=[array([1])])
        await maps.search()
        maps.world.clock.advance(request.SESSION_S - 10)
        await maps.search()
        assert maps.world.paths == [HOME, SEARCH, SEARCH]
        maps.world.clock.advance(10)
        await maps.search()
        assert maps.world.paths == [HOME, SEARCH, SEARCH, HOME, SEARCH]
        assert maps.cookies(3).keys() == {"SOCS"}, "a new session does not carry the old one"

    async def test_source_without_a_cookie_is_asked_again_later(self) -> None:
        maps = Maps(search=[array([1])], home=[page(), SESSION])
        await maps.search()
        with maps.net() as net:
            assert not request.has_session(net)
        await maps.search()
        assert maps.world.paths == [HOME, SEARCH, SEARCH]
        maps.world.clock.advance(request.SESSION_RETRY_S)
        await maps.search()
        with maps.net() as net:
            assert request.has_session(net)

    async def test_block_page_before_the_session_ends_the_request(self) -> None:
        maps = Maps(home=[TO_CAPTCHA], search=[array([1])])
        with pytest.raises(ProviderError) as caught:
            await maps.search()
        assert (caught.value.reason, SEARCH in maps.world.paths) == ("blocked", False)

    async def test_requests_are_two_seconds_apart(self) -> None:
        maps = Maps(search=[array([1])])
        await maps.search()
        first_s, second_s = (at_s for at_s, _ in maps.world.asked)
        assert second_s - first_s >= 2


class TestQuestion:
    def test_search_names_view_page_and_place_of_the_caller(self) -> None:
        asked = question("a & b", view="@38,23.7,14z", number=3, hl="zh-Hant").url
        parts = urlsplit(asked)
        assert f"{parts.hostname}{parts.path}" == "www.google.com/search"
        assert "tbm=map&authuser=0&hl=zh-TW&gl=us&q=a%20%26%20b&pb=!4m12!1m3!1d7710!2d23.7!3d38!2m3" in parts.query
        assert "!7i20!8i40!10b1" in parts.query

    def test_search_without_a_view_looks_at_the_whole_earth(self) -> None:
        assert "!1d25000000!2d0!3d0!" in question().url

    @pytest.mark.parametrize(("query", "can_be_asked"), [("a" * 512, True), ("é" * 512, True), ("界" * 512, False)])
    def test_query_too_long_for_a_url_is_reported(self, query: str, can_be_asked: bool) -> None:
        assert (question(query).fault is None) is can_be_asked

    async def test_language_is_also_sent_in_the_headers(self) -> None:
        maps = Maps(search=[array([1])])
        await maps.search(question(hl="pt-BR"))
        assert maps.world.asked[-1][1].headers["Accept-Language"].startswith("pt-BR,pt;")

    async def test_place_is_named_by_its_fid(self) -> None:
        maps = Maps(place=[array([1])])
        await maps.place()
        assert maps.query(1)["pb"].startswith(f"!1m13!1s{FID}!3m8!")

    async def test_rejected_place_request_is_repeated_with_fewer_fields(self) -> None:
        maps = Maps(place=[page(status=400), array([2])])
        assert request.read_array(await maps.place()) == [2]
        assert maps.query(2)["pb"].startswith(f"!1m17!1s{FID}!3m12!")


class TestWalls:
    async def test_captcha_pauses_requests_for_ten_minutes(self) -> None:
        maps = Maps(search=[TO_CAPTCHA])
        with pytest.raises(ProviderError) as caught:
            await maps.search()
        assert (caught.value.reason, caught.value.retry_after_s) == ("blocked", 600)
        maps.world.clock.advance(590)
        with pytest.raises(ProviderError, match="is paused"):
            await maps.search()

    async def test_consent_page_is_retried_once_in_a_new_session(self) -> None:
        maps = Maps(search=[TO_CONSENT, array([1])])
        assert request.read_array(await maps.search()) == [1]
        assert maps.world.paths == [HOME, SEARCH, "/m", SEARCH]
        assert "NID" not in maps.cookies(3)

    async def test_repeated_consent_page_is_a_block_page(self) -> None:
        maps = Maps(search=[TO_CONSENT])
        with pytest.raises(ProviderError) as caught:
            await maps.search()
        assert (caught.value.reason, maps.world.paths.count(SEARCH)) == ("blocked", 2)

    async def test_consent_page_without_a_redirect_is_recognized_by_its_form(self) -> None:
        maps = Maps(search=[page('<form action="https://consent.google.de/save" method="POST">')])
        with pytest.raises(ProviderError) as caught:
            await maps.search()
        assert caught.value.reason == "blocked"

    @pytest.mark.parametrize("status", [400, 403, 404, 429, 500, 503])
    async def test_other_refusals_are_refused(self, status: int) -> None:
        maps = Maps(search=[page(status=status)], place=[page(status=status)])
        for ask in (maps.search, maps.place):
            with pytest.raises(ProviderError) as caught:
                await ask()
            assert caught.value.reason == "refused"

    @pytest.mark.parametrize(
        ("body", "reason"),
        [
            (b"<html>Our systems have detected unusual traffic from your computer network.", "blocked"),
            (b"\n<!doctype html><title>Before you continue to Google Maps</title>", "blocked"),
            (b"<html><title>Google Maps</title>", "changed"),
            (b"", "changed"),
            (b")]}'", "changed"),
            (b")]}'\n{}", "changed"),
            (b")]}'\nnull", "changed"),
            (b")]}'\n[1", "changed"),
            (b"[" * 100_000, "changed"),
        ],
    )
    def test_response_that_is_not_an_array_is_refused(self, body: bytes, reason: str) -> None:
        with pytest.raises(ProviderError) as caught:
            request.read_array(wire(body))
        assert caught.value.reason == reason

    async def test_response_beyond_the_maximum_is_truncated_and_refused(self) -> None:
        maps = Maps(search=[array(["x" * request.MAX_ANSWER_BYTES])])
        cut = await maps.search()
        assert (len(cut.body), cut.truncated) == (request.MAX_ANSWER_BYTES, True)
        with pytest.raises(ProviderError) as caught:
            request.read_array(cut)
        assert caught.value.reason == "changed"

    def test_texts_of_a_result_are_not_a_block_page(self) -> None:
        found = ["Before you continue to Google", "unusual traffic from your computer network"]
        assert request.read_array(wire(found)) == found

    def test_response_without_the_guard_line_is_read(self) -> None:
        assert request.read_array(wire(b"[1]")) == [1]


class TestFidOfCid:
    async def test_fid_is_read_from_the_page(self) -> None:
        maps = Maps(home=[page(f"0x1:0x2 !1s{FID.replace(':', '%3A')}!", cookies=(NID,))])
        assert await maps.fid_of() == FID
        assert maps.query(0) == {"cid": CID, "hl": "en"}

    async def test_fid_is_read_from_the_redirect(self) -> None:
        maps = Maps(home=[Told(302, b"", {"location": f"https://www.google.com/maps/place/a/data=!1s{FID}"})])
        maps.world.answers[f"/maps/place/a/data=!1s{FID}"] = [page()]
        assert await maps.fid_of() == FID

    @pytest.mark.parametrize("answer", [page("nothing"), page("0x88:0x1"), page(status=404), page(status=500)])
    async def test_cid_is_used_alone_without_a_fid(self, answer: Told) -> None:
        assert await Maps(home=[answer]).fid_of() == Cid(CID).alone

    @pytest.mark.parametrize(("answer", "reason"), [(page(status=429), "refused"), (TO_CAPTCHA, "blocked")])
    async def test_refusal_is_reported(self, answer: Told, reason: str) -> None:
        with pytest.raises(ProviderError) as caught:
            await Maps(home=[answer]).fid_of()
        assert caught.value.reason == reason
