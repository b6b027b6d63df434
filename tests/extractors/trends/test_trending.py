import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.damage import JUNK, damaged_json, damaged_text
from support.widgets import needs_samples, sample, wire
from support.world import NOW
from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.params import parse
from webquarry.extractors.trends.model.traffic import label, read_number
from webquarry.extractors.trends.model.trending_result import Trending, TrendingParams
from webquarry.extractors.trends.sources.untested.trending import feed, rpc, serpapi
from webquarry.extractors.trends.trending import MAX_WITH_NEWS, render
from webquarry.read import counting

US = parse(TrendingParams, [])
START = 1_795_165_200
ARTICLE = ["Headline", "https://news.example.com/a", "Example News", [START], "https://img.example.com/a.jpg"]


def item(term: Any = "tea", *, news: Any = None, end: Any = None, **places: Any) -> list[Any]:
    made = [term, news, "US", [START], end, None, 20_000, None, 300, [term, "green tea"], [5, 7], [], term]
    for place, value in places.items():
        made[int(place.removeprefix("at"))] = value
    return made


def envelope(items: Any, **more: Any) -> Wire:
    row = ["wrb.fr", "i0OFE", json.dumps([None, items]), None, None, None, "generic"]
    return wire([["di", 1], row, ["e", 4]], ")]}'\n\n")


def page(items: Any) -> Wire:
    block = f"AF_initDataCallback({{key: 'ds:0', hash: '1', data:{json.dumps([None, items])}, sideChannel: {{}}}});"
    other = "AF_initDataCallback({key: 'ds:1', hash: '2', data:[], sideChannel: {}});"
    return html(f"<!doctype html><script>{other}</script><script nonce=x>{block}</script><script>{other}</script>")


def html(text: str) -> Wire:
    return Wire(text.encode(), "", "", 200, {"content-type": "text/html"}, NOW)


def rss(*items: str, root: str = "rss") -> Wire:
    text = (
        f'<?xml version="1.0"?><{root} xmlns:ht="https://trends.google.com/trending/rss"><channel>{"".join(items)}'
        f"</channel></{root}>"
    )
    return Wire(text.encode(), "", "", 200, {"content-type": "text/xml"}, NOW)


def read_items(*items: Any) -> Trending:
    return rpc.read_call(envelope(list(items)), US)


class TestCall:
    @needs_samples
    def test_sample_has_the_values_in_its_notes(self) -> None:
        with counting() as losses:
            result = rpc.read_call(sample("batchexecute-i0OFE.synthetic.txt"), US)
        assert not losses
        first, second = result.searches
        assert (first.query, first.traffic, first.traffic_label, first.growth_percent) == (
            "mars eclipse", 50_000, "50K+", 200)  # fmt: skip
        assert (first.started_at, first.ended_at, first.is_active) == (
            datetime(2024, 3, 9, 16, tzinfo=UTC), None, True)  # fmt: skip
        assert (first.related_queries, first.categories) == (["planet watch"], ["Technology", "Science"])
        assert (second.ended_at, second.is_active) == (datetime(2024, 3, 9, 17, 20, tzinfo=UTC), False)

    @needs_samples
    def test_unknown_country_of_the_sample_is_a_lack_of_data(self) -> None:
        with pytest.raises(EmptyResult):
            rpc.read_call(sample("batchexecute-i0OFE-bad-geo.reconstructed.txt"), US)

    @needs_samples
    def test_articles_of_the_other_call_are_read_like_articles_of_the_items(self) -> None:
        found = rpc.read_articles(rpc.read_result(sample("batchexecute-w4opAf.synthetic.txt"), "w4opAf"))
        assert [(article.title, article.url, article.source) for article in found] == [
            ("TypeScript 5.0 released", "https://example.com/ts-5", "Tech News"),
            ("Type safety tips", "https://example.com/type-safety", "Dev Blog"),
        ]
        assert found[0].published_at == datetime(2024, 1, 1, tzinfo=UTC)
        assert found[0].image == "https://example.com/image.png"

    def test_news_are_listed_with_their_search(self) -> None:
        [search] = read_items(item(news=[ARTICLE[:4], ARTICLE])).searches
        assert [article.image for article in search.news] == [None, "https://img.example.com/a.jpg"]
        assert search.image == "https://img.example.com/a.jpg"
        assert search.news[0].published_at == datetime.fromtimestamp(START, UTC)

    @pytest.mark.parametrize(
        "bad", [["No address"], ["", "https://a.example"], ["t", "javascript:1"], "text", None, []]
    )
    def test_article_without_a_link_is_left_out(self, bad: Any) -> None:
        [search] = read_items(item(news=[bad, ARTICLE])).searches
        assert len(search.news) == 1

    @pytest.mark.parametrize(
        ("end", "ended", "is_active"),
        [(None, False, True), ([START], True, False), ("soon", False, None), ([], False, None)],
    )
    def test_only_a_null_end_means_that_a_trend_is_active(self, end: Any, ended: bool, is_active: Any) -> None:
        [search] = read_items(item(end=end)).searches
        assert (search.ended_at is not None, search.is_active) == (ended, is_active)

    def test_categories_have_names(self) -> None:
        [search] = read_items(item(at10=[17, 12, "x", 99, 20, True])).searches
        assert search.categories == ["Sports", "Climate"]

    def test_order_of_the_source_is_kept(self) -> None:
        result = read_items(item("a", at6=100), item("b", at6=2_000_000))
        assert [(search.rank, search.query) for search in result.searches] == [(1, "a"), (2, "b")]
        assert (result.count, result.hours, result.source) == (2, 24, "batchexecute")

    def test_unreadable_item_is_left_out_and_keeps_its_rank(self) -> None:
        result = read_items(item("a"), item(None), item("c"))
        assert [search.rank for search in result.searches] == [1, 3]
        assert result.warnings == ["1 of 3 searches could not be parsed and were omitted."]

    def test_empty_list_is_a_lack_of_data(self) -> None:
        with pytest.raises(EmptyResult):
            read_items()

    def test_list_of_another_country_is_never_returned(self) -> None:
        with pytest.raises(ProviderError, match="different country") as caught:
            rpc.read_call(envelope([item()]), parse(TrendingParams, [("geo", "GB")]))
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize(
        ("body", "reason"),
        [
            (b"", "changed"),
            (b"[]", "changed"),
            (b")]}'\n\n", "changed"),
            (b")]}'\n\n[]", "changed"),
            (b")]}'\n\n{}", "changed"),
            (b')]}\'\n\n[["wrb.fr","w4opAf","[]"]]', "changed"),
            (b')]}\'\n\n[["wrb.fr","i0OFE","no json"]]', "changed"),
            (b')]}\'\n\n[["wrb.fr","i0OFE","[null,{}]"]]', "changed"),
            (b')]}\'\n\n[["wrb.fr","i0OFE",null,null,null,[7]]]', "refused"),
            (b')]}\'\n\n[["wrb.fr","i0OFE",null]]', "changed"),
            (b"<html><title>Error 500 (Server)!!1</title> [1]", "refused"),
            (b"<!doctype html><title>Before you continue</title>[1]", "blocked"),
        ],
    )
    def test_other_answers_are_errors(self, body: bytes, reason: str) -> None:
        with pytest.raises(ProviderError) as caught:
            rpc.read_call(wire(body), US)
        assert caught.value.reason == reason


class TestPage:
    def test_block_of_the_page_holds_the_items_of_the_call(self) -> None:
        result = rpc.read_page(page([item("a, sideChannel: b"), item("c")]), US)
        assert [search.query for search in result.searches] == ["a, sideChannel: b", "c"]
        assert (result.source, result.warnings) == ("html", [rpc.NO_NEWS])

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("<!doctype html><p>Hello", "changed"),
            ("<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title>", "refused"),
            ("<script>AF_initDataCallback({key: 'ds:0', data:[null,[]]</script>", "changed"),
            ("<script>AF_initDataCallback({key: 'ds:0', data:[null, sideChannel: {}});</script>", "changed"),
            ("<script>AF_initDataCallback({key: 'ds:0', data:[null,[]], sideChannel: {}});", "changed"),
        ],
    )
    def test_page_without_the_block_is_an_error(self, text: str, reason: str) -> None:
        with pytest.raises(ProviderError) as caught:
            rpc.read_page(html(text), US)
        assert caught.value.reason == reason


class TestFeed:
    NEWS = (
        "<ht:news_item><ht:news_item_title>Rain &amp; sun</ht:news_item_title><ht:news_item_url>https://news.example.com/r"
        "</ht:news_item_url><ht:news_item_source>Example News</ht:news_item_source></ht:news_item>"
    )

    def test_every_element_is_read(self) -> None:
        item = (
            "<item><title> tea </title><ht:approx_traffic>20,000+</ht:approx_traffic>"
            "<pubDate>Fri, 20 Nov 2026 02:10:00 -0800</pubDate><ht:picture>https://img.example.com/t.jpg</ht:picture>"
            f"{self.NEWS}</item>"
        )
        result = feed.read(rss(item), US)
        [search] = result.searches
        assert (search.query, search.traffic, search.traffic_label) == ("tea", 20_000, "20K+")
        assert search.started_at == datetime(2026, 11, 20, 10, 10, tzinfo=UTC)
        assert (search.image, search.is_active) == ("https://img.example.com/t.jpg", None)
        assert [(a.title, a.url, a.source) for a in search.news] == [
            ("Rain & sun", "https://news.example.com/r", "Example News")
        ]
        assert (result.source, result.hours, result.warnings) == ("rss", None, [feed.TEN_ONLY])

    def test_item_needs_only_a_title(self) -> None:
        [search] = feed.read(rss("<item><title>tea</title></item>"), US).searches
        assert (search.traffic, search.started_at, search.image, search.news) == (None, None, None, [])

    def test_search_term_with_error_words_is_not_an_error_page(self) -> None:
        assert feed.read(rss("<item><title>Error 404</title></item>"), US).searches[0].query == "Error 404"

    @pytest.mark.parametrize(
        "answer",
        [
            rss(),
            rss("<item><title>tea</title></item>", root="feed"),
            rss("<item><link>x</link></item>"),
            wire(b"<rss/>"),
            wire(b"<rss><channel>"),
            wire(b"no xml"),
            wire(b""),
            wire(b'<!DOCTYPE r [<!ENTITY a "b">]><rss><channel><item><title>&a;</title></item></channel></rss>'),
            html("<!doctype html><p>Hello"),
        ],
    )
    def test_any_other_response_is_a_changed_response(self, answer: Wire) -> None:
        with pytest.raises(ProviderError) as caught:
            feed.read(answer, US)
        assert caught.value.reason == "changed"


class TestSerpApi:
    def test_list_is_read_from_serpapi(self) -> None:
        row = {
            "query": "tea",
            "start_timestamp": START,
            "active": False,
            "end_timestamp": START + 60,
            "search_volume": 200_000,
            "increase_percentage": 1000,
            "categories": [{"id": 5, "name": "Food and Drink"}],
            "trend_breakdown": ["tea", "green tea"],
        }
        with counting() as losses:
            [search] = serpapi.read(wire(json.dumps({"trending_searches": [row]}).encode()), US).searches
        assert not losses
        assert (search.query, search.traffic_label, search.growth_percent) == ("tea", "200K+", 1000)
        assert search.ended_at == datetime.fromtimestamp(START + 60, UTC)
        assert (search.is_active, search.related_queries, search.categories) == (
            False,
            ["green tea"],
            ["Food and Drink"],
        )


@pytest.mark.parametrize(
    ("text", "value"),
    [("500+", 500), ("20,000+", 20_000), ("20K+", 20_000), ("1.5M+", 1_500_000), ("2m+", 2_000_000), (" 100 ", 100),
     ("1,000,000+", 1_000_000), ("", None), (None, None), ("many", None), ("1,2", None), ("-5", None), ("٥+", 5),
     ("9" * 40, None), ("1.5", None), ("20.000+", 20_000), ("2 Mio.+", 2_000_000)],
)  # fmt: skip
def test_traffic_is_read_in_every_spelling(text: str | None, value: int | None) -> None:
    assert read_number(text) == value


@pytest.mark.parametrize(
    ("traffic", "text"),
    [
        (None, None),
        (0, "0+"),
        (500, "500+"),
        (1_000, "1K+"),
        (1_550, "1,550+"),
        (50_000, "50K+"),
        (2_000_000, "2M+"),
        (1_500_000, "1.5M+"),
        (12_345_600_000, "12,345.6M+"),
    ],
)
def test_traffic_is_formatted_briefly(traffic: int | None, text: str | None) -> None:
    assert label(traffic) == text


def test_only_the_first_searches_of_a_long_list_have_news() -> None:
    text = render(read_items(*(item(f"term {n}", news=[ARTICLE]) for n in range(MAX_WITH_NEWS + 30))))
    assert text.count("](https://news.example.com/a)") == MAX_WITH_NEWS
    assert f"\n{MAX_WITH_NEWS + 30}. **term {MAX_WITH_NEWS + 29}** 20K+ searches (active, +300%)\n" in text
    assert f"only for the first {MAX_WITH_NEWS};" in text


def test_terms_cannot_break_out_of_the_list() -> None:
    text = render(
        read_items(item("**x** [a](http://evil.example)\n# y", news=[["t](http://evil.example)", *ARTICLE[1:]]]))
    )
    assert "\n# y" not in text
    assert "[a](http" not in text
    assert "t](http" not in text


ITEMS = [item("a", news=[ARTICLE]), item("b", end=[START]), item("c", at1=[], at10=[])]


def settled(read: Callable[[], Trending]) -> None:
    try:
        result = read()
    except (ProviderError, EmptyResult):
        return
    assert result.count == len(result.searches) > 0
    assert json.loads(result.model_dump_json())["geo"] == "US"
    assert render(result).startswith("# ")


@given(st.data())
def test_damaged_items_are_read_or_are_errors(drawn: st.DataObject) -> None:
    items = damaged_json(drawn, ITEMS)
    settled(lambda: rpc.read_call(envelope(items), US))
    settled(lambda: rpc.read_page(page(items), US))


@given(st.data())
def test_damaged_texts_are_read_or_are_errors(drawn: st.DataObject) -> None:
    body = damaged_text(drawn, rss(f"<item><title>tea</title>{TestFeed.NEWS}</item>").body.decode())
    settled(lambda: feed.read(wire(body.encode()), US))
    text = damaged_text(drawn, page(ITEMS).body.decode())
    settled(lambda: rpc.read_page(html(text), US))


@given(JUNK)
def test_any_json_is_not_accepted_as_a_response(body: Any) -> None:
    for read in (rpc.read_call, serpapi.read):
        with pytest.raises((ProviderError, EmptyResult)):
            read(wire(body), US)
    settled(lambda: rpc.read_call(envelope(body), US))
    settled(lambda: serpapi.read(wire(json.dumps({"trending_searches": body}).encode()), US))
