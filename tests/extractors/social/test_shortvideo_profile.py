import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import damaged_json, damaged_text
from support.world import NOW, House, Told, World, redirect
from webquarry.core.errors import Absent, ExtractionError, ProviderError
from webquarry.core.types import Wire
from webquarry.extractors.social.model.shortvideo.handle import ShortvideoHandle
from webquarry.extractors.social.model.shortvideo.result import ShortvideoProfile, ShortvideoProfileParams
from webquarry.extractors.social.shortvideo_profile import render
from webquarry.extractors.social.sources.shortvideo import page
from webquarry.extractors.social.sources.untested import shortvideo_embed

SAMPLES = KIT / "upstreams/samples/shortvideo-profile"
CREATOR = "oddanimalspecimens"
USER = {"id": "7000000000000000001", "uniqueId": "example", "nickname": "Example"}
INFO: dict[str, Any] = {"user": USER, "stats": {"followerCount": 12}}

needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")


def params(name: str = "example") -> ShortvideoProfileParams:
    return ShortvideoProfileParams.model_validate({"username": name})


def wire(body: str, url: str = "https://www.tiktok.com/@example", status: int = 200) -> Wire:
    return Wire(body.encode("utf-8", "replace"), url, url, status, {"content-type": "text/html"}, NOW)


def scripted(name: str, state: Any) -> str:
    return f'<!doctype html><script type="application/json" id="{name}">{json.dumps(state)}</script>'


def state(detail: Any) -> str:
    return scripted(page.STATE, {"__DEFAULT_SCOPE__": {"webapp.user-detail": detail}})


def embedded(info: Any, path: str = "/embed/@example") -> str:
    return scripted(shortvideo_embed.STATE, {"source": {"data": {"/": {}, path: {"userInfo": info}}}})


def read(detail: Any, name: str = "example") -> ShortvideoProfile:
    return page.read(wire(state(detail)), params(name))


def known(found: ShortvideoProfile) -> Mapping[str, Any]:
    assert found.userInfo is not None
    return found.userInfo.stats


def reason(body: str, url: str = "https://www.tiktok.com/@example", status: int = 200) -> str | None:
    with pytest.raises(ProviderError) as caught:
        page.read(wire(body, url, status), params())
    return caught.value.reason


class TestHandle:
    @pytest.mark.parametrize(
        "text",
        [
            "example", "@example", "@EXAMPLE", "example/", "https://www.tiktok.com/@example", "tiktok.com/@Example/",
            "http://tiktok.com/@example?lang=en&is_from_webapp=1", "https://m.tiktok.com/@example/video/1?x=/@other",
            "//www.tiktok.com/@example#top", "https://www.tiktok.com/%40example", "www.tiktok.com:443/@example/live",
            "https://www.tiktok.com/embed/@example",
        ],
    )  # fmt: skip
    def test_every_form_of_a_handle_is_normalized(self, text: str) -> None:
        assert ShortvideoHandle.parse(text) == "example"

    @pytest.mark.parametrize(
        "text",
        [
            "a b", "a/b", "", "@", "..", "x" * 25, "né", "https://www.tiktok.com/", "https://vm.tiktok.com/ZMabc/",
            "https://www.tiktok.com/t/ZTabc/", "https://example.com/@example", "https://www.tiktok.com/tag/@/x/@example",
            "https://tiktok.com.example.com/@example", "https://a@www.tiktok.com/@example", "@@example",
        ],
    )  # fmt: skip
    def test_other_text_is_refused_with_the_right_form(self, text: str) -> None:
        with pytest.raises(ValueError, match="@name, for example @example"):
            ShortvideoHandle.parse(text)

    @given(st.text(max_size=40))
    def test_any_text_is_a_handle_or_an_error(self, text: str) -> None:
        try:
            handle = ShortvideoHandle.parse(text)
        except ValueError:
            return
        assert ShortvideoHandle.parse(handle.url) == handle == ShortvideoHandle.parse(f"@{handle}")


class TestSamples:
    @needs_samples
    def test_recorded_profile_has_exact_counters_and_is_otherwise_untouched(self) -> None:
        body = (SAMPLES / "page-ok-wrapper-around-recorded-userinfo.synthetic.html").read_text()
        recorded = json.loads((SAMPLES / "userinfo-2026-01-29.json").read_text())
        found = page.read(wire(body), params(CREATOR))
        assert found.userInfo is not None
        whole = found.userInfo.model_dump()
        assert whole.pop("stats") == {name: int(text) for name, text in recorded["statsV2"].items()}
        assert whole == {name: value for name, value in recorded.items() if name != "stats"}
        assert (found.is_available, found.statusCode, found.source, found.counts_rounded) == (True, 0, "page", False)

    @needs_samples
    @pytest.mark.parametrize(
        ("file", "followers", "is_rounded"),
        [("2024-02-27", 2_600_000, True), ("2025-11-22", 4_004_777, False), ("2026-01-29", 4_001_943, False)],
    )
    def test_every_recorded_form_is_read(self, file: str, followers: int, is_rounded: bool) -> None:
        recorded = json.loads((SAMPLES / f"userinfo-{file}.json").read_text())
        found = read({"statusCode": 0, "userInfo": recorded}, CREATOR)
        assert (known(found)["followerCount"], found.counts_rounded) == (followers, is_rounded)

    @needs_samples
    def test_states_are_read_from_their_code(self) -> None:
        private = (SAMPLES / "page-private-10222.synthetic.html").read_text()
        found = page.read(wire(private), params("someone"))
        assert (found.is_available, known(found)["followerCount"]) == (False, 10)
        with pytest.raises(Absent):
            page.read(wire((SAMPLES / "page-missing-user-10221.synthetic.html").read_text()), params())
        assert reason((SAMPLES / "page-js-challenge.synthetic.html").read_text()) == "blocked"

    @needs_samples
    def test_embed_page_has_its_known_fields(self) -> None:
        found = shortvideo_embed.read(wire((SAMPLES / "embed-page.synthetic.html").read_text()), params())
        assert found.counts_rounded
        assert (known(found)["followerCount"], known(found)["heartCount"]) == (4_000_000, 77_600_000)
        assert known(found)["followingCount"] is known(found)["videoCount"] is None


class TestPage:
    @pytest.mark.parametrize("code", [10221, 10202, 100002, "10221"])
    def test_codes_of_absence_are_absent_whatever_the_page_names(self, code: Any) -> None:
        with pytest.raises(Absent):
            read({"statusCode": code, "suggested": [USER], "nickname": "Example"})

    def test_hidden_account_exists_but_is_not_available(self) -> None:
        found = read({"statusCode": 10204})
        assert (found.is_available, found.userInfo, found.statusCode) == (False, None, 10204)
        assert "hidden" in render(found)

    def test_private_account_has_its_visible_fields(self) -> None:
        found = read({"statusCode": 10222, "userInfo": INFO})
        assert found.userInfo is not None
        assert (found.is_available, found.userInfo.user["privateAccount"]) == (False, True)

    def test_private_account_that_shows_its_data_is_available(self) -> None:
        assert read({"statusCode": 0, "userInfo": {**INFO, "user": {**USER, "privateAccount": True}}}).is_available

    def test_region_lock_is_reported(self) -> None:
        with pytest.raises(ProviderError, match="region") as caught:
            read({"statusCode": 10231})
        assert caught.value.reason == "refused"

    @pytest.mark.parametrize(
        "detail",
        [
            {"statusCode": 10999, "userInfo": INFO}, {"userInfo": INFO}, {"statusCode": 0}, None, [],
            {"statusCode": 0, "userInfo": {"user": {"uniqueId": "example"}}},
            {"statusCode": 0, "userInfo": {"user": {**USER, "uniqueId": "other"}}},
        ],
    )  # fmt: skip
    def test_response_without_a_profile_is_changed(self, detail: Any) -> None:
        assert reason(state(detail)) == "changed"

    def test_parsed_counter_is_exact(self) -> None:
        stats = {"followerCount": 12_000_000, "heart": -5, "videoCount": 0}
        found = read({
            "statusCode": 0,
            "userInfo": {"user": USER, "stats": stats, "statsV2": {"followerCount": "junk", "friendCount": "7"}},
        })  # fmt: skip
        assert known(found) == {"followerCount": 12_000_000, "heart": None, "videoCount": 0, "friendCount": 7}
        assert found.counts_rounded

    @pytest.mark.parametrize(
        ("body", "url"),
        [
            ("", "https://www.tiktok.com/@example"),
            ("  \n", "https://www.tiktok.com/@example"),
            ("<title>Log in | TikTok</title>", "https://www.tiktok.com/login?redirect_url=%2F%40example"),
            ("<title>Access Denied</title><h1>Access Denied</h1>", "https://www.tiktok.com/@example"),
            ("<p>Please wait...</p><p id=cs class=x></p><p id=wci></p>", "https://www.tiktok.com/@example"),
            ('<div id="captcha-verify-container">Verify to continue</div>', "https://www.tiktok.com/@example"),
        ],
    )
    def test_block_pages_are_blocked(self, body: str, url: str) -> None:
        assert reason(body, url) == "blocked"

    def test_words_of_block_pages_in_a_profile_are_ignored(self) -> None:
        user = {**USER, "signature": "Access Denied. Verify to continue. Please wait... captcha"}
        found = page.read(wire(state({"statusCode": 0, "userInfo": {"user": user}}) + "<p id=rs></p>"), params())
        assert found.is_available

    @given(st.data())
    def test_damaged_state_is_a_profile_or_a_clear_error(self, data: st.DataObject) -> None:
        detail = {"statusCode": 0, "userInfo": {**INFO, "statsV2": {"followerCount": "12"}, "itemList": []}}
        try:
            found = read(damaged_json(data, detail))
        except ExtractionError:
            return
        ShortvideoProfile.model_validate_json(found.model_dump_json())
        assert render(found)

    @given(st.data())
    def test_damaged_page_is_a_profile_or_a_clear_error(self, data: st.DataObject) -> None:
        try:
            found = page.read(wire(damaged_text(data, state({"statusCode": 0, "userInfo": INFO}))), params())
        except ExtractionError:
            return
        assert render(found)


class TestEmbed:
    def test_account_at_another_path_is_found(self) -> None:
        found = shortvideo_embed.read(wire(embedded({**USER, "followerCount": "1.2M"}, "/embed/@Example")), params())
        assert known(found)["followerCount"] == 1_200_000

    @pytest.mark.parametrize(
        ("body", "why"),
        [
            (
                scripted(shortvideo_embed.STATE, {"source": {"data": {"/embed/@example": {"isError": True}}}}),
                "unavailable",
            ),
            (scripted(shortvideo_embed.STATE, {"source": {}}), "changed"),
            (embedded({**USER, "uniqueId": "other"}), "changed"),
            (embedded({"uniqueId": "example"}), "changed"),
            ("", "blocked"),
            ("<title>Access Denied</title>", "blocked"),
        ],
    )
    def test_page_without_an_account_is_never_absent(self, body: str, why: str) -> None:
        with pytest.raises(ProviderError) as caught:
            shortvideo_embed.read(wire(body), params())
        assert caught.value.reason == why

    @given(st.data())
    def test_damaged_state_is_a_profile_or_a_clear_error(self, data: st.DataObject) -> None:
        whole = {"source": {"data": {"/embed/@example": {"userInfo": {**USER, "followerCount": 4}}}}}
        try:
            found = shortvideo_embed.read(wire(scripted(shortvideo_embed.STATE, damaged_json(data, whole))), params())
        except ExtractionError:
            return
        assert render(found)


class TestAsked:
    async def test_page_is_requested_like_a_browser_does(self) -> None:
        world = World({"/@example": [Told(200, state({"statusCode": 0, "userInfo": INFO}).encode())]})
        with House(world).net(page.SHORTVIDEO_PAGE) as net:
            await page.ask(params("@Example"), net)
        [request] = world.requests("/")
        assert (request.method, request.url) == ("GET", "https://www.tiktok.com/@example")
        assert request.headers["Accept-Language"].startswith("en-US")
        assert "Mozilla" in request.headers["User-Agent"]
        assert not any(name.lower().startswith("sec-") for name in request.headers)

    async def test_page_without_state_is_requested_again(self) -> None:
        good = Told(200, state({"statusCode": 0, "userInfo": INFO}).encode())
        world = World({"/@example": [Told(200, state(None).encode()), good]})
        with House(world).net(page.SHORTVIDEO_PAGE) as net:
            found, _ = await page.ask(params(), net)
        assert (found.is_available, len(world.asked)) == (True, 2)

    async def test_block_page_is_not_requested_again_and_remembered(self) -> None:
        world = World({"/@": [redirect("/login?redirect_url=x")], "/login": [Told(200, b"<title>Log in</title>")]})
        house = House(world)
        for name in ("example", "other"):
            with pytest.raises(ProviderError) as caught, house.net(page.SHORTVIDEO_PAGE) as net:
                await page.ask(params(name), net)
            assert caught.value.reason == "blocked"
        assert world.paths == ["/@example", "/login"]
