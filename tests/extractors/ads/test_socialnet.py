"""The ad library: its requests, which responses mean zero ads, and the recorded page with its stated values."""

import contextlib
import copy
import json
import time
from typing import Any
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import damaged_json, damaged_text
from support.framed import wire
from support.world import House, Told, World, query_of, redirect
from webquarry.core.errors import Absent, InvalidParams, ProviderError, ServiceError
from webquarry.endpoints.params import parse
from webquarry.extractors.ads import socialnet
from webquarry.extractors.ads.model.library import SocialnetAds, SocialnetParams
from webquarry.extractors.ads.sources.untested import library_answer, library_api, library_page
from webquarry.extractors.ads.sources.untested.library_api import AD_LIBRARY_API
from webquarry.extractors.ads.sources.untested.library_page import AD_LIBRARY_PAGE

SAMPLES = KIT / "upstreams/samples/ads-socialnet"
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples lie beside the repository")

LIBRARY, QUERY, PLUGIN, ARCHIVE = "/ads/library/", "/api/graphql/", "/plugins/page.php", "/v23.0/ads_archive"
PAGE = "123456789012345"


def ad(number: int, **snapshot: Any) -> dict[str, Any]:
    fields = {"body": {"text": f"Words {number}"}, "title": "A title", "display_format": "IMAGE", **snapshot}
    return {
        "ad_archive_id": f"{9000 + number}",
        "page_id": PAGE,
        "page_name": "A Page",
        "is_active": True,
        "start_date": 1776409200,
        "end_date": 1788678000,
        "publisher_platform": ["FACEBOOK"],
        "snapshot": fields,
        "unknown": {"kept": [None, "é"]},
    }


def data(count: Any, ads: list[Any], cursor: str | None = None, **more: Any) -> dict[str, Any]:
    edges = [{"node": {"collated_results": [one]}, "cursor": None} for one in ads]
    info = {"end_cursor": cursor, "has_next_page": cursor is not None}
    connection = {"count": count, "edges": edges, "page_info": info}
    return {"ad_library_main": {"search_results_connection": connection}, "page": None, **more}


def record(info: Any) -> dict[str, Any]:
    return {"ad_library_page_info": {"page_info": info}}


def page_of(*values: Any, lsd: bool = True) -> bytes:
    """Return scripts as the site writes them, with attributes in between and escaped slashes."""
    session = '<script type="application/json" data-sjs>{"a":["LSD",[],{"token":"AVq-1"},3]}</script>' * lsd
    blobs = [json.dumps({"require": [["X", "next", [], [{"__bbox": {"data": value}}]]]}) for value in values]
    scripts = [
        f'<script type="application/json"  data-content-len="{len(blob)}" data-sjs>{blob.replace("/", chr(92) + "/")}'
        "</script>"
        for blob in blobs
    ]
    return f"<!DOCTYPE html><html><head><title>Ad Library</title></head><body>{session}{''.join(scripts)}".encode()


def more_of(ads: list[Any], cursor: str | None) -> Told:
    found = data(None, ads, cursor)
    del found["ad_library_main"]["search_results_connection"]["count"]
    return Told(200, b"for (;;);" + json.dumps({"data": found}).encode() + b'\n{"label":"x"}')


def params(name: str = "page_id", value: str = PAGE, max_pages: int = 3) -> SocialnetParams:
    return parse(SocialnetParams, [(name, value), ("max_pages", str(max_pages))])


def house(**answers: list[Told]) -> House:
    paths = {"library": LIBRARY, "query": QUERY, "plugin": PLUGIN, "archive": ARCHIVE}
    fields = {paths.get(name, f"/{name}"): answer for name, answer in answers.items()}
    return House(World(fields), ads_socialnet_token="S3CRET-token")


async def ask(outside: House, asked: SocialnetParams) -> SocialnetAds:
    with outside.net(AD_LIBRARY_PAGE, 60) as net:
        found, _ = await library_page.ask(asked, net)
    return found


async def refused(outside: House, asked: SocialnetParams | None = None) -> str | None:
    with pytest.raises(ProviderError) as error:
        await ask(outside, asked or params())
    return error.value.reason


# requests


async def test_library_is_requested_for_the_active_ads_of_a_page() -> None:
    outside = house(library=[Told(200, page_of(data(1, [ad(1)])))])
    found = await ask(outside, params())
    [request] = outside.world.requests(LIBRARY)
    assert query_of(request) == {
        "active_status": "active",
        "ad_type": "all",
        "country": "ALL",
        "is_targeted_country": "false",
        "media_type": "all",
        "search_type": "page",
        "view_all_page_id": PAGE,
    }
    assert request.headers["Accept-Language"] == "en-US,en;q=0.9"
    assert not any(name.lower().startswith("sec-") for name in request.headers)
    assert (found.page_id, found.page_name, found.total_count, found.has_more) == (PAGE, "A Page", 1, False)


async def test_more_ads_come_by_the_page_s_own_query() -> None:
    variables = {"variables": {"v": "608791", "countries": ["US"], "viewAllPageID": "1", "first": 9}}
    first = page_of(data(5, [ad(1)], "mark 1"), variables)
    outside = house(library=[Told(200, first)], query=[more_of([ad(1), ad(2)], "mark 2"), more_of([ad(3)], None)])
    found = await ask(outside, params())
    one, two = (
        {name: values[0] for name, values in parse_qs((request.body or b"").decode()).items()}
        for request in outside.world.requests(QUERY)
    )
    assert (one["lsd"], one["doc_id"], one["fb_api_req_friendly_name"]) == (
        "AVq-1",
        library_page.DOC_ID,
        "AdLibrarySearchPaginationQuery",
    )
    assert one["jazoest"] == f"2{sum(map(ord, 'AVq-1'))}"
    asked, again = json.loads(one["variables"]), json.loads(two["variables"])
    assert (asked["cursor"], again["cursor"]) == ("mark 1", "mark 2")
    assert (asked["viewAllPageID"], asked["v"], asked["countries"], asked["first"]) == (PAGE, "608791", ["US"], 30)
    assert [one["ad_archive_id"] for one in found.ads] == ["9001", "9002", "9003"]
    assert (found.total_count, found.count, found.pages_fetched, found.has_more) == (5, 3, 2, False)


def test_endless_variables_are_not_sent_back() -> None:
    endless = {"variables": {"viewAllPageID": "1", "v": "x" * library_answer.MAX_VARIABLES}}
    assert library_answer.read_page(wire(page_of(data(5, [ad(1)], "mark"), endless))).variables == {}


async def test_one_page_asks_for_no_more() -> None:
    outside = house(library=[Told(200, page_of(data(90, [ad(1)], "mark")))])
    found = await ask(outside, params(max_pages=1))
    assert outside.world.paths == [LIBRARY]
    assert (found.total_count, found.count, found.has_more, found.next_cursor) == (90, 1, True, "mark")


@pytest.mark.parametrize(
    "failure",
    [
        Told(200, b'{"errors": [{"message": "x", "code": 1675004}]}'),
        Told(200, b'{"errors": [{"code": 1357004}]}'),
        Told(500),
        redirect("https://www.facebook.com/login/?next=x"),
        Told(200, b"<html>"),
    ],
)
async def test_further_pages_that_fail_leave_the_earlier_ones(failure: Told) -> None:
    outside = house(library=[Told(200, page_of(data(90, [ad(1)], "mark")))], query=[failure])
    found = await ask(outside, params())
    assert (found.total_count, found.count, found.has_more, found.pages_fetched) == (90, 1, True, 1)
    assert len(found.warnings) == 1


# responses with zero ads

RECORD = {"page_name": "A Page", "page_is_deleted": False}


@pytest.mark.parametrize("separate", [False, True])
async def test_zero_confirmed_by_the_page_record_is_accepted(separate: bool) -> None:
    pieces = [data(0, []), record(RECORD)] if separate else [{**data(0, []), **record(RECORD)}]
    found = await ask(house(library=[Told(200, page_of(*pieces))]), params())
    assert (found.total_count, found.count, found.ads, found.page_name) == (0, 0, [], "A Page")
    assert "No ads." in socialnet.render(found)


@pytest.mark.parametrize("info", [None, {**RECORD, "page_is_deleted": True}])
async def test_page_that_the_library_does_not_know_is_absent(info: Any) -> None:
    with pytest.raises(Absent):
        await ask(house(library=[Told(200, page_of({**data(0, []), **record(info)}))]), params())


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (data(0, []), "changed"),
        ({**data(0, []), "ad_library_page_info": None}, "changed"),
        ({**data(0, []), **record({"page_name": "x"})}, "changed"),
        ({**data(0, [], "goes on"), **record(RECORD)}, "changed"),
        ({**data(None, []), **record(RECORD)}, "changed"),
        ({**data("x", []), **record(RECORD)}, "changed"),
        ({**data(0, [{"a": 1}]), **record(RECORD)}, "changed"),
        ({**data(1039, []), **record(RECORD)}, "blocked"),
        (data(1039, []), "blocked"),
        ({**data(1, [ad(1)]), "xfb_ad_library_is_captcha_required": True}, "blocked"),
    ],
)
async def test_an_ambiguous_empty_response_is_not_a_zero(answer: Any, reason: str) -> None:
    assert await refused(house(library=[Told(200, page_of(answer))])) == reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Told(403, b"<script>fetch('/__rd_verify_X?challenge=3')</script>"), "blocked"),
        (Told(200, page_of(lsd=False)), "blocked"),
        (Told(200, b'{"__dr":"CometErrorRoot.react"}'), "blocked"),
        (Told(400, b"Sorry, something went wrong."), "refused"),
        (Told(404, b""), "refused"),
        (Told(503, b""), "refused"),
        (Told(200, b""), "changed"),
        (Told(200, b"[1]"), "changed"),
    ],
)
async def test_block_pages_and_refusals_are_distinguished(answer: Told, reason: str) -> None:
    assert await refused(house(library=[answer])) == reason


async def test_redirect_to_the_login_is_blocked() -> None:
    outside = house(library=[redirect("https://www.facebook.com/login/?next=x")], login=[Told(200, b"<html>log in")])
    assert await refused(outside) == "blocked"


async def test_page_without_its_data_is_requested_three_times() -> None:
    outside = house(library=[Told(200, page_of())])
    assert await refused(outside) == "changed"
    assert outside.world.paths == [LIBRARY] * 3


async def test_page_that_comes_with_its_data_at_last_is_read() -> None:
    answers = [Told(200, page_of()), Told(200, page_of(data(1, [ad(1), ad(2)]))), Told(200, page_of(data(2, [ad(1)])))]
    found = await ask(house(library=answers), params())
    assert (found.total_count, found.count, found.warnings) == (2, 1, [])


async def test_count_smaller_than_the_shown_ads_is_unknown() -> None:
    found = await ask(house(library=[Told(200, page_of(data(1, [ad(1), ad(2)])))]), params())
    assert (found.total_count, found.count, len(found.warnings)) == (None, 2, 1)


async def test_rate_limit_is_retried_once() -> None:
    outside = house(library=[Told(429), Told(200, page_of(data(1, [ad(1)])))])
    assert (await ask(outside, params())).count == 1
    assert await refused(house(library=[Told(429)])) == "refused"


# names and addresses


@pytest.mark.parametrize(
    ("name", "written", "page"),
    [
        ("slug", "NASA", "nasa"),
        ("slug", "@nasa", "nasa"),
        ("slug", "https://www.facebook.com/NASA/", "nasa"),
        ("slug", "12345", "12345"),
        ("url", "https://www.facebook.com/NASA", "nasa"),
        ("url", "http://m.facebook.com/nasa/?ref=page_internal", "nasa"),
        ("url", "facebook.com/nasa/posts/1", "nasa"),
        ("url", "https://www.facebook.com/pg/nasa/about/", "nasa"),
        ("url", "https://www.facebook.com/profile.php?id=100064123", "100064123"),
        ("url", "https://www.facebook.com/people/A-Name/100064123/", "100064123"),
        ("url", "https://www.facebook.com/pages/Old-Name/100064123?sk=x", "100064123"),
        ("url", "https://www.facebook.com/pages/category/Shop/Old-Name-100064123/", "100064123"),
        ("url", "https://de-de.facebook.com/p/Some-Caf%C3%A9-100064123/", "100064123"),
        ("url", "https://www.facebook.com/ads/library/?active_status=all&view_all_page_id=100064123&q=a", "100064123"),
    ],
)
def test_every_form_of_a_page_is_one_request(name: str, written: str, page: str) -> None:
    assert params(name, written).address == f"https://www.facebook.com/{page}"


@pytest.mark.parametrize(
    "written",
    [
        "https://example.com/nasa",
        "https://www.facebook.com/",
        "https://www.facebook.com/groups/1",
        "https://facebook.com.example.org/nasa",
        "https://www.facebook.com/watch?v=1",
        "https://www.facebook.com/ads/",
        "a/b",
        "a b",
        "nasa",
        "example.com",
    ],
)
def test_text_that_names_no_page_is_refused(written: str) -> None:
    with pytest.raises(InvalidParams, match=r"facebook\.com"):
        params("url", written)


async def test_name_is_resolved_by_the_plugin_and_remembered() -> None:
    plugin = b'<a href="https://www.facebook.com/?x=1">F</a><a href="https://www.facebook.com/777?ref=embed_page">A</a>'
    outside = house(plugin=[Told(200, plugin)], library=[Told(200, page_of(data(1, [ad(1)])))])
    for written in ("ASlug", "aslug"):
        assert (await ask(outside, params("slug", written))).page_id == "777"
    assert outside.world.paths == [PLUGIN, LIBRARY, LIBRARY]
    assert query_of(outside.world.asked[0][1])["href"] == "https://www.facebook.com/aslug"
    assert query_of(outside.world.asked[1][1])["view_all_page_id"] == "777"


@pytest.mark.parametrize(
    "answer",
    [
        '{"user":{"id":"1000"},"delegate_page":{"is_x":true,"id":"777"},"associated_page_id":"5"}',
        '{"associated_page_id":"777","userID":"1000"}',
        r'{"x":"{\"associated_page_id\":\"777\"}"}',
    ],
)
async def test_name_is_resolved_by_the_page_if_the_plugin_fails(answer: str) -> None:
    page = f'<meta property="og:title" content="A"><script type="application/json">{answer}</script>'.encode()
    outside = house(plugin=[Told(500)], aslug=[Told(200, page)], library=[Told(200, page_of(data(1, [ad(1)])))])
    assert (await ask(outside, params("slug", "aslug"))).page_id == "777"


@pytest.mark.parametrize(
    "page",
    [
        Told(404),
        Told(200, b'<script>{"props":{"title":"This content isn\'t available right now"}}</script>'),
        Told(200, b'<meta property="og:title" content="A"><script>{"profile_type_name_for_content":"USER"}</script>'),
    ],
)
async def test_name_of_no_page_is_absent(page: Told) -> None:
    with pytest.raises(Absent):
        await ask(house(plugin=[Told(200, b"<html>")], aslug=[page]), params("slug", "aslug"))


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (Told(200, b"<title>Facebook</title><form>"), "blocked"),
        (Told(200, b'<meta property="og:title" content="A">'), "changed"),
        (Told(400), "refused"),
    ],
)
async def test_page_that_does_not_tell_its_id_is_an_error(page: Told, reason: str) -> None:
    assert await refused(house(plugin=[Told(200, b"<html>")], aslug=[page]), params("slug", "aslug")) == reason


async def test_id_of_a_profile_is_resolved_when_the_library_does_not_know_it() -> None:
    unknown, known = page_of({**data(0, []), **record(None)}), page_of(data(1, [ad(1)]))
    plugin = b'<a href="https://www.facebook.com/777?ref=embed_page">A</a>'
    outside = house(library=[Told(200, unknown), Told(200, known)], plugin=[Told(200, plugin)])
    found = await ask(outside, params("url", "https://www.facebook.com/profile.php?id=100064123"))
    assert found.page_id == "777"
    assert outside.world.paths == [LIBRARY, PLUGIN, LIBRARY]


async def test_id_of_a_page_is_taken_as_it_is() -> None:
    outside = house(library=[Told(200, page_of({**data(0, []), **record(None)}))])
    with pytest.raises(Absent):
        await ask(outside, params())
    assert outside.world.paths == [LIBRARY]


# results


async def test_nodes_are_passed_on_unchanged() -> None:
    raw = ad(1, body={"text": "{{product.brand}}"}, cards=[{"body": "The card's words"}])
    found = await ask(house(library=[Told(200, page_of(data(1, [copy.deepcopy(raw)])))]), params())
    assert found.ads == [raw]
    page = socialnet.render(found)
    assert "> The card's words" in page
    assert "{{" not in page


def test_bodies_are_objects_or_texts() -> None:
    found = library_page.read(wire(page_of(data(2, [ad(1), ad(2, body="Plain words")]))), params())
    page = socialnet.render(found)
    assert "> Words 1" in page
    assert "> Plain words" in page
    assert "active since 2026-04-17" in page


def test_id_of_a_named_page_comes_from_its_record_or_ads() -> None:
    by_record = {**data(0, []), **record({**RECORD, "page_id": "55"})}
    for found, page_id in ((by_record, "55"), (data(1, [ad(1)]), PAGE)):
        assert library_page.read(wire(page_of(found)), params("slug", "aslug")).page_id == page_id


def test_partner_s_page_is_not_taken_for_the_advertiser_s() -> None:
    partner = {**ad(1, page_id="66", page_name="A Creator", page_profile_uri="https://www.facebook.com/creator/")}
    found = library_page.read(wire(page_of(data(1, [partner]))), params())
    assert (found.page_name, found.page_url) == ("A Page", f"https://www.facebook.com/{PAGE}")


def test_long_list_is_shortened_with_a_note() -> None:
    found = library_page.read(wire(page_of(data(400, [ad(n) for n in range(40)], "mark"))), params())
    page = socialnet.render(found)
    assert page.count("\n## ") == socialnet.MAX_SHOWN
    assert "Showing 30 of 400 in the library. `data` has all fetched ads." in page.replace("\\", "")


# the official API


async def test_api_is_requested_and_its_token_is_removed() -> None:
    snapshot = "https://www.facebook.com/ads/archive/render_ad/?id=1&access_token=S3CRET-token&x=1"
    one = {"id": "1", "page_id": PAGE, "page_name": "A", "ad_snapshot_url": snapshot}
    following = "https://graph.facebook.com/v23.0/ads_archive?access_token=S3CRET-token&after=MARK"
    answers = [{"data": [one], "paging": {"next": following}}, {"data": [{"id": "2"}]}]
    outside = house(archive=[Told(200, json.dumps(answer).encode()) for answer in answers])
    with outside.net(AD_LIBRARY_API) as net:
        found, kept = await library_api.ask(params(), net)
    first, second = (query_of(request) for request in outside.world.requests(ARCHIVE))
    assert (first["search_page_ids"], first["ad_active_status"], first["limit"]) == (f'["{PAGE}"]', "ACTIVE", "30")
    assert set(json.loads(first["ad_reached_countries"])) >= {"DE", "FR", "GB"}
    assert (second["after"], "after" in first) == ("MARK", False)
    assert outside.world.asked[0][1].secrets == {"access_token": "S3CRET-token"}
    assert (found.source, found.partial, found.total_count, found.count, found.has_more) == (
        "official_api",
        True,
        None,
        2,
        False,
    )
    assert found.ads[0]["ad_snapshot_url"] == "https://www.facebook.com/ads/archive/render_ad/?id=1&x=1"
    assert "S3CRET" not in found.model_dump_json()
    assert b"S3CRET" not in kept.body


@pytest.mark.parametrize(
    ("code", "message"), [(190, "ADS_SOCIALNET_TOKEN"), (10, "identity"), (613, "rate-limiting"), (1, "1")]
)
def test_errors_of_the_api_say_what_to_do(code: int, message: str) -> None:
    body = json.dumps({"error": {"message": "access_token=abc is bad", "type": "OAuthException", "code": code}})
    with pytest.raises(ProviderError, match=message) as error:
        library_api.read(wire(body, status=400), params())
    assert error.value.reason == "refused"
    assert "abc" not in error.value.message


@pytest.mark.parametrize("depth", [300, 600, 980])
def test_deeply_nested_values_are_a_clear_error_or_omitted(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    blob = f'{{"viewAllPageID": "1", "v": {deep}}}'
    page = page_of(data(1, [ad(1)])) + f'<script type="application/json">{blob}</script>'.encode()
    assert len(library_answer.read_page(wire(page)).ads) == 1
    with contextlib.suppress(ProviderError):
        library_api.read_page(wire(f'{{"data": [{{"id": "1", "x": {deep}}}]}}'))


def test_api_without_ads_says_that_it_covers_a_part() -> None:
    found = library_api.read(wire(b'{"data": []}'), params())
    assert (found.count, found.total_count, found.partial) == (0, None, True)
    assert "ads that ran only elsewhere are not included" in socialnet.render(found)


# recorded pages


def sample(name: str, page_id: str = PAGE) -> SocialnetAds:
    return library_page.read(wire((SAMPLES / name).read_bytes()), params("page_id", page_id))


@needs_samples
@pytest.mark.parametrize(
    "name", ["page-wrapper-around-recorded-blob.synthetic.html", "ssr-blob-2026-09-06.abridged.json"]
)
def test_recorded_page(name: str) -> None:
    found = sample(name, "282242479182060")
    assert (found.total_count, found.count, found.has_more) == (44320, 2, True)
    assert (found.page_name, found.page_url) == ("TikTok Global", "https://www.facebook.com/ttenadvertising/")
    assert found.next_cursor == "AQHTwuiEH3TCZgbqfgCuDaXOZWsrDA6gpotzCz7LMalE-7Ea1laPPDY9HP00xpt00hvM"
    assert [one["ad_archive_id"] for one in found.ads] == ["2366492917183805", "1223312153071533"]
    assert found.ads[0]["snapshot"]["body"]["text"].startswith("🔥🔥fique por dentro")
    assert len(found.ads[1]["snapshot"]["cards"]) == 2
    page = socialnet.render(found)
    assert "Showing 2 of 44,320" in page
    assert "- Call to action: Download" in page


@needs_samples
def test_sample_of_a_true_zero() -> None:
    found = sample("ssr-blob-honest-zero.synthetic.json", "100000000000001")
    assert (found.total_count, found.count, found.page_name) == (0, 0, "Example Page")


@needs_samples
def test_sample_of_an_unknown_page() -> None:
    with pytest.raises(Absent):
        sample("ssr-blob-unknown-page.synthetic.json")


@needs_samples
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ssr-blob-withheld-count-no-edges.synthetic.json", "blocked"),
        ("challenge-403.synthetic.html", "blocked"),
        ("graphql-1675004.synthetic.json", "refused"),
    ],
)
def test_samples_of_blocks(name: str, reason: str) -> None:
    with pytest.raises(ProviderError) as error:
        sample(name)
    assert error.value.reason == reason


# damaged and large responses


@given(st.data())
def test_damaged_pages_end_as_a_result_or_a_clear_error(drawn: st.DataObject) -> None:
    fields = {
        **data(3, [ad(1), ad(2, cards=[{"body": "x"}], images=[{"original_image_url": "x"}])], "m"),
        **record(RECORD),
    }
    damaged = page_of(damaged_json(drawn, fields))
    if drawn.draw(st.booleans()):
        damaged = damaged_text(drawn, damaged.decode()).encode("utf-8", "replace")
    try:
        found = library_page.read(wire(damaged), params())
    except ServiceError:
        return
    assert socialnet.render(SocialnetAds.model_validate_json(found.model_dump_json()))


@given(st.data())
def test_damaged_answers_of_the_api_end_as_a_result_or_a_clear_error(drawn: st.DataObject) -> None:
    fields = {"data": [{"id": "1", "ad_creative_bodies": ["a"], "ad_delivery_start_time": "2026-01-01"}], "paging": {}}
    try:
        found = library_api.read(wire(json.dumps(damaged_json(drawn, fields))), params())
    except ServiceError:
        return
    assert socialnet.render(SocialnetAds.model_validate_json(found.model_dump_json()))


def test_page_of_one_and_a_half_megabytes_is_read_in_time() -> None:
    filler = {"define": [[f"Module{n}", [], {"a": "é<" * 3, "k": {"x": [1, None]}}] for n in range(900)]}
    body = page_of(*[filler] * 24, data(900, [ad(n, cards=[{"body": "x" * 90}] * 8) for n in range(30)], "m"))
    assert 1_400_000 < len(body) < 2_200_000
    began_s = time.process_time()
    assert len(library_answer.read_page(wire(body)).ads) == 30
    assert time.process_time() - began_s < 0.5  # about 0.02 on a quiet machine
