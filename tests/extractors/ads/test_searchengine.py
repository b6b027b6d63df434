"""The transparency center: requests, the verdict on each response, and recorded responses with their stated values."""

import json
from datetime import date
from typing import Any
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import damaged_json
from support.framed import wire
from support.world import House, Told, World, redirect
from webquarry.core.errors import Absent, InvalidParams, ProviderError, ServiceError
from webquarry.core.types import Wire
from webquarry.endpoints.params import parse
from webquarry.extractors.ads import advertiser, creative, creatives
from webquarry.extractors.ads.advertiser import AdvertiserParams
from webquarry.extractors.ads.creative import CreativeParams
from webquarry.extractors.ads.creatives import CreativesParams
from webquarry.extractors.ads.sources.transparency import center
from webquarry.extractors.ads.sources.transparency.center import ADS_TRANSPARENCY
from webquarry.extractors.ads.sources.transparency.regions import BY_CODE, BY_REGION
from webquarry.net.transport import Request

SAMPLES = KIT / "upstreams/samples/ads-searchengine"
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples lie beside the repository")

SEARCH = "/anji/_/rpc/SearchService/SearchCreatives"
CREATIVE = "/anji/_/rpc/LookupService/GetCreativeById"
ADVERTISER = "/anji/_/rpc/LookupService/GetAdvertiserById"
SESSION = Told(200, b"<html>", cookies=("NID=made; path=/; domain=.google.com",))
AR, CR = "AR00000000000000000001", "CR00000000000000000001"


def said(value: Any, status: int = 200) -> Told:
    return Told(status, json.dumps(value).encode())


def item(number: int, **more: Any) -> dict[str, Any]:
    return {"1": AR, "2": f"CR{number:020}", "99": {"kept": [None, "é"]}, **more}


def house(**answers: list[Told]) -> House:
    paths = {"search": SEARCH, "creative": CREATIVE, "advertiser": ADVERTISER}
    return House(World({"/": [SESSION], **{paths[name]: answer for name, answer in answers.items()}}))


def asked(request: Request) -> Any:
    [text] = parse_qs((request.body or b"").decode())["f.req"]
    return json.loads(text)


def domain(name: str = "example.com", max_pages: int = 3) -> CreativesParams:
    return parse(CreativesParams, [("domain", name), ("max_pages", str(max_pages))])


def one(include: str = "true") -> CreativeParams:
    return parse(CreativeParams, [("advertiser_id", AR), ("creative_id", CR), ("include_advertiser", include)])


async def search(outside: House, params: CreativesParams) -> creatives.Creatives:
    with outside.net(ADS_TRANSPARENCY, 60) as net:
        found, _ = await creatives.search(params, net)
    return found


async def look_up(outside: House, params: CreativeParams) -> creative.Creative:
    with outside.net(ADS_TRANSPARENCY) as net:
        found, _ = await creative.lookup(params, net)
    return found


# requests


async def test_domain_is_searched_like_the_page_does() -> None:
    outside = house(search=[said({"1": [item(1)], "2": "on/ward=="}), said({"1": [item(2)]})])
    found = await search(outside, domain("https://www.Shop.Example.co.uk/x"))
    first, second = outside.world.requests(SEARCH)
    question = {"2": 40, "3": {"12": {"1": "example.co.uk", "2": True}}, "7": {"1": 1, "2": 0, "3": 2840}}
    assert (asked(first), asked(second)) == (question, {**question, "4": "on/ward=="})
    assert (first.method, first.url) == ("POST", f"https://adstransparency.google.com{SEARCH}?authuser=")
    assert first.headers["X-Same-Domain"] == "1"
    assert first.headers["Origin"] == "https://adstransparency.google.com"
    assert first.headers["Referer"] == "https://adstransparency.google.com/"
    assert first.headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert (found.domain, found.count, found.pages_fetched, found.has_more) == ("example.co.uk", 2, 2, False)


async def test_page_is_visited_once_for_its_cookies() -> None:
    outside = house(advertiser=[said({})])
    for _ in range(2):
        with outside.net(ADS_TRANSPARENCY) as net:
            await advertiser.lookup(AdvertiserParams(advertiser_id=center.AdvertiserId(AR)), net)
    assert outside.world.paths == ["/", ADVERTISER, ADVERTISER]
    assert "NID=made" in outside.world.requests(ADVERTISER)[0].headers["Cookie"]


async def test_page_that_cannot_be_visited_does_no_harm() -> None:
    outside = House(World({SEARCH: [said({"1": [item(1)]})]}))
    assert (await search(outside, domain())).count == 1


async def test_advertiser_is_requested_by_its_id() -> None:
    outside = house(advertiser=[said({"1": {"1": AR, "2": "Example"}})])
    with outside.net(ADS_TRANSPARENCY) as net:
        await advertiser.fetch(AR, net)
    assert asked(outside.world.requests(ADVERTISER)[0]) == {"1": AR, "3": {"1": 1}}


# pages


async def test_creatives_of_twenty_pages_come_once_each() -> None:
    answers = [said({"1": [item(n), item(n + 1)], "2": f"page {n}"}) for n in range(1, 31)]
    outside = house(search=answers)
    found = await search(outside, domain(max_pages=20))
    assert [row["2"] for row in found.creatives] == [f"CR{n:020}" for n in range(1, 22)]
    assert (found.pages_fetched, found.has_more, found.next_cursor) == (20, True, "page 20")
    assert len(outside.world.requests(SEARCH)) == 20


async def test_items_are_passed_on_unchanged() -> None:
    raw = item(1, **{"3": {"1": {"4": "x"}}, "6": {"1": "1777810630", "2": 347301000}, "13": None})
    found = await search(house(search=[said({"1": [raw]})]), domain())
    assert found.creatives == [raw]


async def test_list_with_a_repeated_cursor_ends() -> None:
    found = await search(house(search=[said({"1": [item(1)], "2": "a"}), said({"1": [item(2)], "2": "a"})]), domain())
    assert (found.count, found.has_more, len(found.warnings)) == (2, False, 1)


async def test_block_page_instead_of_a_further_page_keeps_the_earlier_pages() -> None:
    sorry = redirect("https://www.google.com/sorry/index?continue=x")
    found = await search(house(search=[said({"1": [item(1)], "2": "a"}), sorry]), domain())
    assert (found.count, found.has_more, found.next_cursor) == (1, True, "a")
    assert "captcha" in found.warnings[0]


async def test_an_empty_first_page_with_a_cursor_is_not_a_zero() -> None:
    with pytest.raises(ProviderError) as error:
        await search(house(search=[said({"2": "a"})]), domain())
    assert error.value.reason == "changed"


# verdicts


@pytest.mark.parametrize("body", [b"{}", b"", b"  \n", b")]}'\n{}", b'{"1": []}', b'{"4": "0", "5": "0"}'])
def test_known_form_of_nothing_is_an_empty_list(body: bytes) -> None:
    found = creatives.read(wire(body), domain())
    assert (found.count, found.creatives, found.has_more) == (0, [], False)
    assert "no ads" in creatives.render(found)


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b'{"4": "2000", "5": "3000"}', 200, "changed"),
        (b'{"error": {}}', 200, "changed"),
        (b'{"1": [{"a": 1}]}', 200, "changed"),
        (b'{"1": {"a": 1}}', 200, "changed"),
        (b"[]", 200, "changed"),
        (b"nonsense", 200, "changed"),
        (b"<html>unusual traffic from your computer network</html>", 200, "blocked"),
        (b'{"2":"com...BadRequestException...","5":400,"9":3}', 200, "refused"),
        (b'{"2":"com...BadRequestException...","5":400,"9":3}', 400, "refused"),
        (b'{"5":429,"9":8}', 429, "refused"),
        (b'{"5":429,"9":8}', 200, "refused"),
        (b"", 403, "refused"),
        (b"{}", 404, "refused"),
        (b"{}", 503, "refused"),
    ],
)
def test_an_unusable_response_is_not_a_zero(body: bytes, status: int, reason: str) -> None:
    with pytest.raises(ProviderError) as error:
        creatives.read(wire(body, status=status), domain())
    assert error.value.reason == reason


async def test_captcha_is_blocked_and_not_followed() -> None:
    outside = house(search=[redirect("https://www.google.com/sorry/index?continue=x")])
    with pytest.raises(ProviderError) as error:
        await search(outside, domain())
    assert error.value.reason == "blocked"
    assert outside.world.paths == ["/", SEARCH]


@pytest.mark.parametrize("refusal", [said({"5": 429, "9": 8}, 429), Told(503), said({"5": 429, "9": 8})])
async def test_temporary_refusal_is_retried_once(refusal: Told) -> None:
    outside = house(search=[refusal, said({"1": [item(1)]})])
    assert (await search(outside, domain())).count == 1
    began_s, again_s = (at_s for at_s, request in outside.world.asked if request.method == "POST")
    assert again_s - began_s >= 1.0


@pytest.mark.parametrize("refusal", [Told(429, headers={"retry-after": "60"}), Told(403), Told(400)])
async def test_permanent_refusal_is_not_retried(refusal: Told) -> None:
    outside = house(search=[refusal])
    with pytest.raises(ProviderError):
        await search(outside, domain())
    assert len(outside.world.requests(SEARCH)) == 1


def test_items_without_ids_among_others_are_counted() -> None:
    found = creatives.read(wire(json.dumps({"1": [item(1), {"1": AR}, {"1": "x", "2": CR}]})), domain())
    assert (found.count, found.warnings) == (1, ["2 items without IDs were omitted."])


# a creative and its advertiser

RECORD = {"1": AR, "2": CR, "4": {"1": "1789842712"}, "5": [], "8": 2}


async def test_creative_comes_with_its_advertiser_and_first_day() -> None:
    outside = house(
        creative=[said({"1": RECORD})],
        advertiser=[said({"1": {"1": AR, "2": "Example"}})],
        search=[said({"1": [item(7), item(1, **{"6": {"1": "1777810630"}, "13": 114})]})],
    )
    found = await look_up(outside, one())
    assert found.advertiser is not None
    assert (found.advertiser.name, found.advertiser.verification_status) == ("Example", None)
    assert (found.first_shown, found.days_shown, found.warnings) == (date(2026, 5, 3), 114, [])
    assert asked(outside.world.requests(CREATIVE)[0]) == {"1": AR, "2": CR, "5": {"1": 1, "2": 0, "3": 2840}}
    assert asked(outside.world.requests(SEARCH)[0])["3"] == {"12": {"1": "", "2": True}, "13": {"1": [AR]}}


async def test_creative_alone_is_one_call() -> None:
    outside = house(creative=[said({"1": RECORD})])
    found = await look_up(outside, one("false"))
    assert outside.world.paths == ["/", CREATIVE]
    assert (found.advertiser, found.first_shown, found.last_shown) == (None, None, date(2026, 9, 19))


@pytest.mark.parametrize("failure", [said({}), Told(403), said({"1": {}}), said({"1": {"1": "AR9", "2": "Other"}})])
async def test_creative_is_returned_without_its_advertiser(failure: Told) -> None:
    found = await look_up(house(creative=[said({"1": RECORD})], advertiser=[failure], search=[Told(500)]), one())
    assert (found.advertiser, found.first_shown) == (None, None)
    assert len(found.warnings) == 2


@pytest.mark.parametrize("answer", [{"1": {**RECORD, "2": "CR2"}}, {"1": {}}, {"1": []}, {"7": 1}])
def test_another_creative_is_a_changed_response(answer: Any) -> None:
    with pytest.raises(ProviderError) as error:
        creative.read(wire(json.dumps(answer)), one())
    assert error.value.reason == "changed"


def test_unknown_ids_are_absent() -> None:
    params = AdvertiserParams(advertiser_id=center.AdvertiserId(AR))
    for read in (lambda: creative.read(wire(b"{}"), one()), lambda: advertiser.read(wire(b"{}"), params)):
        with pytest.raises(Absent):
            read()


@pytest.mark.parametrize("bad", ["XX1", "AR", "ar1", "AR1 ", "AR1x", "AR" + "1" * 60])
def test_ids_are_normalized(bad: str) -> None:
    with pytest.raises(InvalidParams):
        parse(AdvertiserParams, [("advertiser_id", f"{bad}.")])


def test_every_preview_is_kept() -> None:
    markup = '<img src="https://a.example/x?a=1&amp;b=2" height=301 width=348px>'
    nodes = [{"3": {"2": markup}}, {"1": {"4": "https://b.example/"}}, {"2": {"4": "//c.example/v"}}, {"3": {"2": "?"}}]
    found = creative.read(wire(json.dumps({"1": {**RECORD, "5": [*nodes, {"9": 1}, None]}})), one("false"))
    assert [(v.kind, v.url) for v in found.variants] == [
        ("image", "https://a.example/x?a=1&b=2"),
        ("preview", "https://b.example/"),
        ("media", "https://c.example/v"),
        ("image", None),
        ("unknown", None),
        ("unknown", None),
    ]
    assert (found.variants[0].width, found.variants[0].height, found.variants[0].html) == (348, 301, markup)


def test_regions_are_countries_by_the_rule_of_their_numbers() -> None:
    expected = {"US": 2840, "GB": 2826, "DE": 2276, "FR": 2250, "JP": 2392, "KR": 2410, "TW": 2158, "BR": 2076}
    assert {code: BY_CODE[code][0] for code in expected} == expected
    assert (len(BY_REGION), len(BY_CODE)) == (250, 250)


# recorded responses


def sample(name: str) -> Wire:
    return wire((SAMPLES / name).read_bytes())


@needs_samples
def test_recorded_list_of_an_advertiser() -> None:
    found = creatives.read(sample("searchcreatives-by-advertiser-2026-08-25.transcribed.json"), domain())
    assert (found.count, found.has_more, found.total_estimate.min) == (7, False, None)
    assert (
        found.creatives
        == json.loads((SAMPLES / "searchcreatives-by-advertiser-2026-08-25.transcribed.json").read_text())["1"]
    )
    assert "| video | 2026-05-03 | 2026-08-25 | 114 |" in creatives.render(found)


@needs_samples
def test_recorded_list_of_a_domain() -> None:
    found = creatives.read(sample("searchcreatives-by-domain-nike-2026-09.trimmed.json"), domain("nike.com"))
    page = creatives.render(found)
    assert "[image](https://tpc.googlesyndication.com/archive/simgad/2815)" in page
    assert "| text | 2023-11-16 | 2026-09-19 | 899 |" in page


@needs_samples
def test_recorded_political_creative() -> None:
    ids = [("advertiser_id", "AR06503673263263055873"), ("creative_id", "CR05870336561161175041")]
    found = creative.read(sample("getcreativebyid-political-video-2023-05.json"), parse(CreativeParams, ids))
    assert (found.format, found.format_code, found.days_shown) == ("video", 3, 5)
    assert (found.first_shown, found.last_shown) == (date(2020, 9, 27), date(2020, 10, 1))
    assert [(v.kind, v.url) for v in found.variants] == [("media", "https://www.youtube.com/embed/58wGr2umMx4")]
    assert [(r.code, r.country, r.name) for r in found.regions] == [(2840, "US", "United States")]
    assert found.raw["9"] == "250000"


@needs_samples
def test_made_commercial_creative_and_advertiser() -> None:
    found = creative.read(sample("getcreativebyid-commercial.synthetic.json"), one())
    assert (found.format, found.last_shown, found.first_shown) == ("image", date(2026, 9, 19), None)
    assert [(r.country, r.last_shown) for r in found.regions] == [("US", date(2026, 9, 20)), ("GB", date(2026, 9, 18))]
    assert [(v.kind, v.width, v.height) for v in found.variants] == [("image", 348, 301), ("preview", None, None)]
    who = advertiser.read(
        sample("getadvertiserbyid.synthetic.json"), AdvertiserParams(advertiser_id=center.AdvertiserId(AR))
    )
    assert (who.name, who.legal_name, who.country, who.hq_country) == (
        "Example Brand",
        "Example Brand, Inc.",
        "US",
        "US",
    )
    assert who.verification_status == "verified"
    assert "inferred" in advertiser.render(who)


@needs_samples
@pytest.mark.parametrize("name", ["rpc-400-badrequest.reconstructed.json", "rpc-429.reconstructed.json"])
def test_recorded_errors_are_refusals(name: str) -> None:
    with pytest.raises(ProviderError) as error:
        creatives.read(sample(name), domain())
    assert error.value.reason == "refused"


# damaged responses

LIST = {
    "1": [item(1, **{"3": {"3": {"2": '<img src="https://a.example/">'}}, "6": {"1": "1"}, "13": 3}), item(2)],
    "4": "5",
}
FULL = {
    "1": {
        **RECORD,
        "5": [{"3": {"2": "<img>"}}, {"1": {"4": "x"}}],
        "7": ["US"],
        "17": [{"1": 2840, "5": 20260920}],
    }
}
WHO = {"1": {"1": AR, "2": "a", "3": "US", "9": {"1": "b"}, "11": "DE"}}


@given(st.data())
def test_damaged_answers_end_as_a_result_or_a_clear_error(data: st.DataObject) -> None:
    who = AdvertiserParams(advertiser_id=center.AdvertiserId(AR))
    cases: list[tuple[Any, Any, Any, Any]] = [
        (LIST, creatives.read, domain(), creatives.render),
        (FULL, creative.read, one(), creative.render),
        (WHO, advertiser.read, who, advertiser.render),
    ]
    for answer, read, params, render in cases:
        try:
            found = read(wire(json.dumps(damaged_json(data, answer))), params)
        except ServiceError:
            continue
        render(type(found).model_validate_json(found.model_dump_json()))
