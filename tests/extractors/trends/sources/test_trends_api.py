import asyncio
import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import JUNK, damaged_json
from support.trends import (
    DATA,
    EXPLORE,
    LIMITED,
    NEW_SESSION,
    NID,
    PAGE,
    SESSION,
    SORRY,
    data,
    error_page,
    explored,
    token,
)
from support.world import NOW, House, Told, World, query_of, raw_parameter, redirect
from webquarry.core.errors import InvalidParams, ProviderError
from webquarry.core.types import Wire
from webquarry.extractors.trends.sources import trends_api, widgets
from webquarry.extractors.trends.sources.trends_api import TRENDS_API, chosen, lasts_s, read_expiry, read_widgets
from webquarry.extractors.trends.sources.widgets import Kind, Question, Widget

SAMPLES = KIT / "upstreams/samples/trends"
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")
COFFEE = Question(("coffee",), "US", "today 12-m", 0, "")
ANSWER = data({"default": {}})


def world(**answers: list[Told]) -> World:
    usual = {"session": [NEW_SESSION], "explore": [explored()], "data": [ANSWER]}
    names = {"session": SESSION, "explore": EXPLORE, "data": DATA, "page": PAGE}
    return World({names[name]: list(answer) for name, answer in {**usual, **answers}.items()})


async def fetch(house: House, question: Question = COFFEE, kind: Kind = "TIMESERIES", **more: Any) -> Wire:
    with house.net(TRENDS_API) as net:
        return await trends_api.fetch(question, kind, net, **more)


def wire(body: bytes, content_type: str = "application/json", status: int = 200) -> Wire:
    return Wire(body, "", "", status, {"content-type": content_type}, NOW)


class TestFlow:
    async def test_cookie_explore_and_data_are_requested_in_turn(self) -> None:
        house = House(world())
        assert (await fetch(house)).body == ANSWER.body
        assert house.world.paths == [SESSION, EXPLORE, f"{DATA}multiline"]

    async def test_requests_are_two_seconds_apart(self) -> None:
        house = House(world())
        await fetch(house)
        times = [at for at, _ in house.world.asked]
        assert [later - earlier for earlier, later in pairwise(times)] == [2.0, 2.0]

    async def test_request_is_sent_like_the_page_sends_it(self) -> None:
        house = House(world())
        await fetch(house, Question(("coffee", 'tea "green"'), "US-CA", "now 1-H", 71, "news"))
        [asked] = house.world.requests(EXPLORE)
        assert query_of(asked)["hl"] == "en-US"
        assert query_of(asked)["tz"] == "0"
        assert raw_parameter(asked, "req") == (
            '{"comparisonItem":[{"keyword":"coffee","geo":"US-CA","time":"now 1-H"},'
            '{"keyword":"tea \\"green\\"","geo":"US-CA","time":"now 1-H"}],"category":71,"property":"news"}'
        )

    @pytest.mark.parametrize(
        ("kind", "path"),
        [("TIMESERIES", "multiline"), ("GEO_MAP", "comparedgeo"), ("RELATED_QUERIES", "relatedsearches")],
    )
    async def test_each_kind_of_widget_has_its_data(self, kind: Kind, path: str) -> None:
        house = House(world())
        await fetch(house, kind=kind)
        assert house.world.paths[-1] == DATA + path

    async def test_request_of_a_widget_is_sent_back_unchanged(self) -> None:
        house = House(world())
        await fetch(house)
        [asked] = house.world.requests(DATA)
        assert raw_parameter(asked, "req") == (
            '{"time":"2026-11-19T06\\\\:00\\\\:00 2026-11-19T18\\\\:00\\\\:00","resolution":"WEEK",'
            '"b":[{"keyword":[{"type":"BROAD","value":"coffee"}]}]}'
        )
        assert query_of(asked)["token"] == token()

    async def test_only_the_resolution_of_a_request_is_changed(self) -> None:
        house = House(world())
        await fetch(house, kind="GEO_MAP", resolution="CITY")
        [asked] = house.world.requests(DATA)
        assert raw_parameter(asked, "req") == '{"geo":{},"resolution":"CITY","locale":"en-US"}'

    async def test_requests_have_the_headers_of_the_page(self) -> None:
        house = House(world())
        await fetch(house)
        headers = house.world.requests(EXPLORE)[0].headers
        assert headers["User-Agent"].startswith("Mozilla/5.0 ")
        assert headers["Accept-Language"] == "en-US"
        assert headers["Referer"] == "https://trends.google.com/trends/explore"
        assert not [name for name in headers if name.lower().startswith(("sec-", "x-"))]

    async def test_request_too_long_for_a_url_is_an_error_of_the_caller(self) -> None:
        with pytest.raises(InvalidParams, match="'q'"):
            await fetch(House(world()), Question(("\U0001f375" * 400,), "US", "all", 0, ""))


class TestSession:
    async def test_cookie_of_an_error_page_is_kept_and_sent(self) -> None:
        house = House(world())
        await fetch(house)
        assert "NID=530=made" in house.world.requests(EXPLORE)[0].headers["Cookie"]
        assert "SOCS=" in house.world.requests(EXPLORE)[0].headers["Cookie"]

    async def test_session_is_started_once(self) -> None:
        house = House(world())
        await fetch(house)
        await fetch(house, Question(("tea",), "US", "all", 0, ""))
        assert house.world.paths.count(SESSION) == 1

    async def test_second_page_is_requested_if_the_first_sets_no_cookie(self) -> None:
        house = House(world(session=[error_page(429)], page=[Told(200, b"x" * 100_000, {}, (NID,))]))
        await fetch(house)
        assert house.world.paths[:3] == [SESSION, PAGE, EXPLORE]

    async def test_page_that_moved_sets_the_cookie_as_well(self) -> None:
        moved = Told(302, b"", {"location": "https://trends.google.com/explore?q=x"}, (NID,))
        house = House(world(session=[moved]))
        await fetch(house)
        assert house.world.paths[:2] == [SESSION, EXPLORE]

    async def test_limit_without_a_cookie_means_that_it_is_missing(self) -> None:
        house = House(
            world(session=[error_page(404)], page=[Told()], explore=[error_page(429, cookies=(NID,)), explored()])
        )
        await fetch(house)
        first, second = house.world.requests(EXPLORE)
        assert "NID=" not in first.headers["Cookie"]
        assert "NID=" in second.headers["Cookie"]

    async def test_limit_with_a_cookie_is_a_rate_limit(self) -> None:
        house = House(world(explore=[LIMITED]))
        with pytest.raises(ProviderError) as caught:
            await fetch(house)
        assert caught.value.reason == "refused"
        assert house.world.paths.count(EXPLORE) == 1

    async def test_rate_limit_without_a_cookie_is_reported(self) -> None:
        house = House(world(session=[error_page(404)], page=[Told()], explore=[LIMITED]))
        with pytest.raises(ProviderError) as caught:
            await fetch(house)
        assert caught.value.reason == "refused"
        assert house.world.paths.count(EXPLORE) == 1

    async def test_newer_cookie_replaces_the_older_one(self) -> None:
        renewed = Told(200, explored().body, explored().headers, ("NID=531=renewed; path=/; domain=.google.com",))
        house = House(world(explore=[renewed]))
        await fetch(house)
        assert "NID=531=renewed" in house.world.requests(DATA)[0].headers["Cookie"]


class TestWalls:
    @pytest.mark.parametrize("where", ["session", "explore", "data"])
    async def test_block_page_pauses_the_host_for_ten_minutes(self, where: str) -> None:
        house = House(world(**{where: [SORRY]}))
        with pytest.raises(ProviderError) as caught:
            await fetch(house)
        assert caught.value.reason == "blocked"
        house.world.answers = world().answers
        house.world.asked.clear()
        house.world.clock.advance(590)
        with pytest.raises(ProviderError) as again:
            await fetch(house)
        assert (again.value.reason, house.world.asked) == ("blocked", [])
        house.world.clock.advance(11)
        assert (await fetch(house)).body == ANSWER.body

    @pytest.mark.parametrize(
        ("answer", "reason"),
        [
            (redirect("https://consent.google.com/m?continue=x"), "blocked"),
            (redirect("https://elsewhere.example/"), "refused"),
            (redirect("http://[bad"), "refused"),
            (Told(302), "refused"),
            (error_page(404), "refused"),
            (error_page(503), "refused"),
            (Told(200, error_page(429).body, {"content-type": "text/html"}), "refused"),
            (Told(200, b"<!doctype html><title>Before you continue</title>", {"content-type": "text/html"}), "blocked"),
            (Told(200, b"{}", {"content-type": "application/json"}), "changed"),
            (Told(200, b")]}'\n{}", {"content-type": "text/plain"}), "changed"),
            (Told(200, b")]}'\nno json", {"content-type": "application/json"}), "changed"),
            (data({"widgets": [{"id": "rt_note"}]}), "changed"),
            (data({"widgets": []}), "changed"),
            (data([]), "changed"),
        ],
    )
    async def test_other_responses_are_never_read_as_explore_responses(self, answer: Told, reason: str) -> None:
        house = House(world(explore=[answer]))
        with pytest.raises(ProviderError) as caught:
            await fetch(house)
        assert caught.value.reason == reason
        assert house.world.requests(DATA) == []

    async def test_requested_wait_is_respected(self) -> None:
        limited = Told(429, b"", {"retry-after": "120"})
        with pytest.raises(ProviderError) as caught:
            await fetch(House(world(explore=[limited])))
        assert caught.value.retry_after_s == 120

    async def test_endlessly_nested_request_is_a_changed_response(self) -> None:
        request = "[" * 990 + "]" * 990
        body = f'{{"widgets":[{{"id":"TIMESERIES","token":"t","request":{{"a":{request}}}}}]}}'
        with pytest.raises(ProviderError) as caught:
            await fetch(House(world(explore=[data(body, ")]}'\n")])))
        assert caught.value.reason == "changed"

    async def test_error_in_the_parameters_is_an_error_of_the_caller(self) -> None:
        house = House(world(explore=[error_page(400)]))
        with pytest.raises(InvalidParams, match="geo"):
            await fetch(house)
        assert house.world.paths.count(EXPLORE) == 1

    @pytest.mark.parametrize("status", [400, 401])
    async def test_rejected_token_is_renewed_once(self, status: int) -> None:
        house = House(world(explore=[explored(seed=1), explored(seed=2)], data=[error_page(status), ANSWER]))
        await fetch(house)
        first, second = house.world.requests(DATA)
        assert [query_of(first)["token"], query_of(second)["token"]] == [token(1), token(2)]

    @pytest.mark.parametrize("status", [400, 401])
    async def test_token_rejected_twice_is_a_refusal(self, status: int) -> None:
        house = House(world(data=[error_page(status)]))
        with pytest.raises(ProviderError) as caught:
            await fetch(house)
        assert caught.value.reason == "refused"
        assert len(house.world.requests(DATA)) == 2

    async def test_unsupported_resolution_is_an_error_of_the_caller(self) -> None:
        with pytest.raises(InvalidParams, match="'resolution'"):
            await fetch(House(world(data=[error_page(400)])), kind="GEO_MAP", resolution="DMA")


class TestExplored:
    async def test_one_explore_request_serves_all_kinds(self) -> None:
        house = House(world())
        kinds: tuple[Kind, ...] = ("TIMESERIES", "GEO_MAP", "RELATED_QUERIES")
        for kind in kinds:
            await fetch(house, kind=kind)
        assert house.world.paths.count(EXPLORE) == 1

    async def test_concurrent_requests_share_one_session_and_one_explore_request(self) -> None:
        house = House(world())
        await asyncio.gather(fetch(house), fetch(house, kind="GEO_MAP"), fetch(house, kind="RELATED_QUERIES"))
        assert sorted(house.world.paths) == sorted(
            [SESSION, EXPLORE, f"{DATA}multiline", f"{DATA}comparedgeo", f"{DATA}relatedsearches"]
        )

    async def test_failed_explore_request_delays_nobody(self) -> None:
        house = House(world(explore=[error_page(500), explored()]))
        failed, found = await asyncio.gather(fetch(house), fetch(house), return_exceptions=True)
        assert isinstance(failed, ProviderError)
        assert isinstance(found, Wire)

    async def test_other_parameters_need_another_explore_request(self) -> None:
        house = House(world())
        for question in (COFFEE, Question(("coffee",), "", "today 12-m", 0, "")):
            await fetch(house, question)
        assert house.world.paths.count(EXPLORE) == 2

    async def test_anew_sends_another_explore_request(self) -> None:
        house = House(world())
        await fetch(house)
        await fetch(house, anew=True)
        assert house.world.paths.count(EXPLORE) == 2

    @pytest.mark.parametrize(
        ("time", "seconds"),
        [("now 7-d", 120), ("today 12-m", 3600), ("all", 3600), ("2026-01-01 2026-02-01", 24 * 3600 - 60)],
    )
    def test_response_is_reused_while_its_window_is_the_requested_one(self, time: str, seconds: int) -> None:
        question = Question(("coffee",), "US", time, 0, "")
        assert lasts_s(question, read_widgets(wire(explored().body)), NOW) == seconds

    def test_response_is_reused_until_its_tokens_expire(self) -> None:
        widgets = read_widgets(wire(explored(expires=NOW + timedelta(minutes=10)).body))
        assert lasts_s(COFFEE, widgets, NOW) == 9 * 60

    def test_tokens_of_unknown_form_are_used_once(self) -> None:
        assert lasts_s(COFFEE, (Widget("TIMESERIES", {}, "short"),), NOW) == 0
        assert lasts_s(COFFEE, (), NOW) == 0


class TestWidgets:
    @needs_samples
    def test_tokens_of_the_samples_expire_a_day_after_they_were_given(self) -> None:
        widgets = read_widgets(wire((SAMPLES / "explore-1kw-pizza.txt").read_bytes()))
        assert {widget.id for widget in widgets} == {"TIMESERIES", "GEO_MAP", "RELATED_TOPICS", "RELATED_QUERIES"}
        assert {read_expiry(widget.token) for widget in widgets} == {datetime(2023, 3, 27, 8, 9, 22, tzinfo=UTC)}

    @needs_samples
    def test_requests_of_the_samples_are_sent_back_unchanged(self) -> None:
        for name in ("explore-1kw-pizza.txt", "explore-2kw-pizza-bagel.txt"):
            text = (SAMPLES / name).read_text()
            for widget in read_widgets(wire(text.encode())):
                assert f'"request":{json.dumps(widget.request, separators=(",", ":"))}' in text

    @needs_samples
    def test_widgets_are_chosen_by_kind(self) -> None:
        widgets = read_widgets(wire((SAMPLES / "explore-2kw-pizza-bagel.txt").read_bytes()))
        assert len(widgets) == 6
        for kind, found in (
            ("TIMESERIES", "TIMESERIES"),
            ("GEO_MAP", "GEO_MAP"),
            ("RELATED_QUERIES", "RELATED_QUERIES_0"),
        ):
            assert chosen(widgets, kind).id == found  # type: ignore[arg-type]  # the kinds, as text

    def test_topics_are_not_mistaken_for_queries(self) -> None:
        topics = Widget("RELATED_QUERIES", {"keywordType": "ENTITY"}, "t")
        with pytest.raises(ProviderError, match="RELATED_QUERIES"):
            chosen((topics,), "RELATED_QUERIES")

    @pytest.mark.parametrize("text", ["", "APP6", "!" * 44, "é" * 44, token() + "AAAA"])
    def test_token_of_another_form_has_no_known_expiry(self, text: str) -> None:
        assert read_expiry(text) is None

    @pytest.mark.parametrize("name", ["request", "token"])
    def test_widget_too_long_for_a_url_is_a_changed_response(self, name: str) -> None:
        long = {"request": {"time": "[" * 20_000}, "token": "a" * 20_000}
        with pytest.raises(ProviderError, match="without a request"):
            Widget.read({"id": "GEO_MAP", "request": {}, "token": "t", name: long[name]})

    @given(st.data())
    def test_damaged_responses_give_widgets_or_are_changed_responses(self, drawn: st.DataObject) -> None:
        answer = json.loads(explored().body.partition(b"\n")[2])
        body = b")]}'\n" + json.dumps(damaged_json(drawn, answer)).encode()
        try:
            widget = chosen(read_widgets(wire(body)), "RELATED_QUERIES")
        except ProviderError as exc:
            assert exc.reason == "changed"  # noqa: PT017  # both ways out are right
        else:
            assert read_expiry(widget.token) is None or widget.token

    @given(JUNK)
    def test_any_json_gives_no_widgets(self, answer: Any) -> None:
        with pytest.raises(ProviderError):
            chosen(read_widgets(wire(b")]}'\n" + json.dumps(answer).encode())), "TIMESERIES")


@needs_samples
def test_recorded_error_page_is_recognized_by_its_title() -> None:
    page = wire((SAMPLES / "error-404-page.html").read_bytes(), "text/html")
    assert widgets.read_status(page) == 404
    with pytest.raises(ProviderError) as caught:
        widgets.answer_of(page)
    assert caught.value.reason == "refused"
