import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import damaged_json, damaged_text
from support.world import NOW, House, Told, World, query_of, redirect
from webquarry.core.errors import Absent, ExtractionError, ProviderError
from webquarry.core.types import Wire
from webquarry.extractors.social.model.photonet.handle import PhotonetHandle
from webquarry.extractors.social.model.photonet.result import PhotonetProfile, PhotonetProfileParams, PhotonetUser
from webquarry.extractors.social.photonet_profile import render
from webquarry.extractors.social.sources.photonet import page, web_profile_info

SAMPLES = KIT / "upstreams/samples/photonet-profile"
URL = "https://www.instagram.com/example/"
USER: dict[str, Any] = {"pk": "1", "id": "178", "username": "Example", "follower_count": 3, "bio_links": []}
INFO: dict[str, Any] = {"id": "1", "fbid": "178", "username": "example", "edge_followed_by": {"count": 3}}
EMPTY_ACCOUNT = {"data": {"user": None}, "status": "ok"}
ERROR_ROOT = {"require": [[{"__dr": "PolarisErrorRoot.react"}]]}

needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")


def params(name: str = "example") -> PhotonetProfileParams:
    return PhotonetProfileParams.model_validate({"username": name})


def wire(body: str, status: int = 200, **headers: str) -> Wire:
    return Wire(body.encode("utf-8", "replace"), URL, URL, status, headers, NOW)


def preloaded(*values: Any) -> str:
    return "<!doctype html>" + "".join(
        f'<script type="application/json" data-content-len="9" data-sjs>{json.dumps(value)}</script>'
        for value in values
    )


def read_page(*users: Any) -> PhotonetUser:
    blobs = [{"require": [["a", {"__bbox": {"result": {"data": {page.KEY: user}}}}]]} for user in users]
    return page.read(wire(preloaded(*blobs)), params()).data.user


def read_info(user: Any) -> PhotonetUser:
    return web_profile_info.read(wire(json.dumps({"data": {"user": user}, "status": "ok"})), params()).data.user


def sample(name: str) -> str:
    return (SAMPLES / name).read_text()


class TestHandle:
    @pytest.mark.parametrize(
        "text",
        [
            "example", "@example", "@EXAMPLE/", "https://www.instagram.com/example", "instagram.com/Example/?hl=en",
            "http://m.instagram.com/example/reels/", "https://instagr.am/example#x", "https://instagram.com/_u/example",
            "https://www.instagram.com/stories/example/123/", "https://www.instagram.com/@example?igsh=abc%3D%3D",
            "https://www.instagram.com/example/p/Cabc/",
        ],
    )  # fmt: skip
    def test_every_form_of_a_handle_is_normalized(self, text: str) -> None:
        assert PhotonetHandle.parse(text) == "example"

    @pytest.mark.parametrize(
        "text",
        [
            "a b", "a/b", "", "@", "..", "x" * 31, "né", "https://www.instagram.com/", "https://www.instagram.com/p/Cabc/",
            "https://www.instagram.com/explore/tags/example/", "https://l.instagram.com/?u=https%3A%2F%2Fexample.com",
            "https://example.com/example", "https://instagram.com.example.com/example", "https://www.instagram.com/../x",
        ],
    )  # fmt: skip
    def test_other_text_is_refused_with_the_right_form(self, text: str) -> None:
        with pytest.raises(ValueError, match="/name/, for example @example"):
            PhotonetHandle.parse(text)

    @given(st.text(max_size=40))
    def test_any_text_is_a_handle_or_an_error(self, text: str) -> None:
        try:
            handle = PhotonetHandle.parse(text)
        except ValueError:
            return
        assert PhotonetHandle.parse(f"@{handle}") == handle


class TestSamples:
    @needs_samples
    def test_page_has_the_values_in_its_notes(self) -> None:
        report = json.loads(sample("parsed-xig-user-google-2026-07-31.json"))
        found = page.read(wire(sample("page-logged-out-rebuilt-from-parsed-google.synthetic.html")), params("google"))
        user = found.data.user
        assert (user.id, user.fbid, user.full_name) == (report["id"], report["facebook_id"], report["name"])
        assert (user.follower_count, user.following_count, user.media_count) == (
            report["followers"],
            report["follows"],
            None,
        )
        assert (user.edge_followed_by.count, user.edge_follow.count) == (report["followers"], report["follows"])
        assert user.external_url == user.bio_links[0].url == report["bio_links"][0]
        assert (user.is_verified, user.is_private, user.is_business_account) == (True, False, None)
        assert user.profile_pic_url == report["profile_image"]

    @needs_samples
    def test_flat_counters_fill_both_styles(self) -> None:
        user = web_profile_info.read(wire(sample("web_profile_info-nasa-2024-02.json")), params("nasa")).data.user
        assert (user.id, user.media_count, user.edge_owner_to_timeline_media.count) == ("528817151", 4116, 4116)
        assert user.follower_count == user.edge_followed_by.count
        assert (user.category_name, user.external_url) == ("Government Agencies", "https://www.nasa.gov/")
        assert [link.title for link in user.bio_links] == [None, "Launches & Landings", "NASA+"]

    @needs_samples
    @pytest.mark.parametrize(
        ("file", "status", "reason"),
        [
            ("web_profile_info-401-2026-09-03.json", 401, "blocked"),
            ("web_profile_info-401-2026-09-03.json", 200, "blocked"),
            ("web_profile_info-429-useragent-mismatch-2026-02.json", 429, "refused"),
            ("web_profile_info-429-useragent-mismatch-2026-02.json", 200, "refused"),
        ],
    )
    def test_recorded_refusals_are_reported(self, file: str, status: int, reason: str) -> None:
        with pytest.raises(ProviderError) as caught:
            web_profile_info.read(wire(sample(file), status), params())
        assert (caught.value.reason, caught.value.retry_after_s) == (reason, 300.0)

    @needs_samples
    def test_page_without_account_is_absent(self) -> None:
        with pytest.raises(Absent):
            page.read(wire(sample("page-not-found.synthetic.html")), params())


class TestPage:
    def test_object_with_the_profile_is_found_at_any_depth(self) -> None:
        posts = {"username": "example", "edges": [{"node": {"user": {"pk": "9"}}}]}
        for users in ((posts, USER), (USER, posts), (None, USER)):
            assert read_page(*users).follower_count == 3

    def test_missing_values_are_null_and_zeros_are_kept(self) -> None:
        user = read_page({"pk": 1, "username": "example", "following_count": 0})
        assert (user.follower_count, user.following_count, user.edge_follow.count) == (None, 0, 0)
        assert (user.is_private, user.full_name, user.media_count) == (None, None, None)

    @pytest.mark.parametrize(
        "user", [{"username": "example"}, {**USER, "username": "other"}, {"username": None, "pk": "1"}]
    )
    def test_response_without_a_profile_is_changed(self, user: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            read_page(user)
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize(
        ("answer", "reason"),
        [
            (wire("", 302, location="https://www.instagram.com/accounts/login/?next=%2Fexample%2F"), "blocked"),
            (wire("", 302, location="/challenge/?next=/x/"), "blocked"),
            (wire("", 301, location="https://www.instagram.com/"), "blocked"),
            (wire("<form id=loginForm><input name=password></form>"), "blocked"),
            (wire("<title>Access Denied</title>", 403), "blocked"),
            (wire("", 429), "refused"),
            (wire("", 503), "refused"),
            (wire("", 302, location="https://[x"), "refused"),
            (wire(preloaded({"require": []})), "changed"),
            (wire(""), "changed"),
        ],
    )
    def test_block_pages_and_refusals_are_reported(self, answer: Wire, reason: str) -> None:
        with pytest.raises(ProviderError) as caught:
            page.read(answer, params())
        assert caught.value.reason == reason

    def test_null_in_place_of_the_account_is_absent(self) -> None:
        with pytest.raises(Absent):
            read_page(None)

    def test_profile_with_error_words_in_its_biography_is_read(self) -> None:
        assert read_page({**USER, "biography": "PolarisErrorRoot, please wait, log in"}).id == "1"

    @given(st.data())
    def test_damaged_page_is_a_profile_or_a_clear_error(self, data: st.DataObject) -> None:
        whole = {"a": [{page.KEY: {**USER, "bio_links": [{"url": "https://example.com"}], "pronouns": ["x"]}}]}
        try:
            found = page.read(wire(damaged_text(data, preloaded(damaged_json(data, whole)))), params())
        except ExtractionError:
            return
        PhotonetProfile.model_validate_json(found.model_dump_json())
        assert render(found)


class TestWebProfileInfo:
    def test_classic_counters_come_before_flat_ones(self) -> None:
        user = read_info({**INFO, "follower_count": 9, "edge_owner_to_timeline_media": {"count": 0, "edges": []}})
        assert (user.follower_count, user.edge_followed_by.count, user.media_count) == (3, 3, 0)

    @pytest.mark.parametrize(
        "answer", [wire(json.dumps(EMPTY_ACCOUNT)), wire(json.dumps(EMPTY_ACCOUNT), 404), wire("", 404)]
    )
    def test_missing_account_is_absent(self, answer: Wire) -> None:
        with pytest.raises(Absent):
            web_profile_info.read(answer, params())

    @pytest.mark.parametrize(
        ("answer", "reason"),
        [
            (wire('{"message": "checkpoint_required", "status": "fail"}', 400), "blocked"),
            (wire('{"message": "not found", "status": "fail"}', 404), "blocked"),
            (wire("", 429), "refused"),
            (wire("", 500), "refused"),
            (wire("", 302, location="/accounts/login/"), "blocked"),
            (wire("<title>Login</title><p>Please wait"), "changed"),
            (wire("", 200), "blocked"),
            (wire('{"status": "ok"}'), "changed"),
            (wire('{"data": {}, "status": "ok"}'), "changed"),
            (wire('{"data": {"user": []}, "status": "ok"}'), "changed"),
            (wire("[]"), "changed"),
            (wire("{"), "changed"),
        ],
    )
    def test_refusals_are_reported(self, answer: Wire, reason: str) -> None:
        with pytest.raises(ProviderError) as caught:
            web_profile_info.read(answer, params())
        assert caught.value.reason == reason

    @given(st.data(), st.sampled_from([200, 400, 401, 404]))
    def test_damaged_response_is_a_profile_or_a_clear_error(self, data: st.DataObject, status: int) -> None:
        body = damaged_json(data, {"data": {"user": INFO}, "status": "ok"})
        try:
            found = web_profile_info.read(wire(json.dumps(body), status), params())
        except ExtractionError:
            return
        assert render(found)


class TestAsked:
    async def test_page_is_requested_without_cookies_like_a_browser_does(self) -> None:
        world = World({"/example/": [Told(200, preloaded({page.KEY: USER}).encode(), cookies=("csrftoken=x",))]})
        house = House(world)
        for _ in range(2):
            with house.net(page.PHOTONET_PAGE) as net:
                await page.ask(params("@Example"), net)
        for request in world.requests("/"):
            assert request.url == URL
            assert "text/html" in request.headers["Accept"]
            assert "Cookie" not in request.headers
            assert not any(name.lower().startswith("sec-") for name in request.headers)
        assert world.asked[1][0] - world.asked[0][0] >= 2.0

    async def test_second_source_is_requested_with_the_name(self) -> None:
        world = World({"/api/": [Told(200, json.dumps({"data": {"user": INFO}, "status": "ok"}).encode())]})
        with House(world).net(web_profile_info.PHOTONET_WEB_PROFILE_INFO) as net:
            await web_profile_info.fetch(params(), net)
        [request] = world.requests("/")
        assert (query_of(request), request.headers["Referer"]) == ({"username": "example"}, URL)
        assert request.headers["X-IG-App-ID"] == "936619743392459"

    async def test_absence_must_be_confirmed_by_the_second_source(self) -> None:
        world = World({"/example/": [Told(200, preloaded(ERROR_ROOT).encode())]})
        with pytest.raises(ProviderError) as caught, House(world).net(page.PHOTONET_PAGE, 4) as net:
            await page.ask(params(), net)
        assert (caught.value.reason, len(world.asked)) == ("unavailable", 1)

    async def test_unusable_response_is_requested_again(self) -> None:
        world = World({"/example/": [Told(200, b"<p>shell"), Told(200, preloaded({page.KEY: USER}).encode())]})
        with House(world).net(page.PHOTONET_PAGE, 4) as net:
            found, _ = await page.ask(params(), net)
        assert (found.data.user.id, len(world.asked)) == ("1", 2)

    async def test_retry_without_time_reports_the_first_error(self) -> None:
        world = World({"/example/": [Told(200, b"<p>shell")]})
        with pytest.raises(ProviderError) as caught, House(world).net(page.PHOTONET_PAGE, 1) as net:
            await page.ask(params(), net)
        assert (caught.value.reason, len(world.asked)) == ("changed", 1)

    async def test_refusal_is_remembered_for_minutes(self) -> None:
        world = World({"/": [redirect("/accounts/login/")]})
        house = House(world)
        for name, passed_s in (("example", 0), ("other", 0), ("third", 240), ("fourth", 70)):
            world.clock.advance(passed_s)
            with pytest.raises(ProviderError) as caught, house.net(page.PHOTONET_PAGE, 4) as net:
                await page.ask(params(name), net)
            assert caught.value.reason == "blocked"
        assert world.paths == ["/example/", "/fourth/"]
